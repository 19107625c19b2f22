// A heading sorts its table: numbers by value, text by alphabet, again in reverse; what is
// missing comes last.
const valueOf = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.value ?? cell.textContent.trim();
};

const compare = (a, b) => {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a.localeCompare(b, "en", { numeric: true });
};

for (const button of document.querySelectorAll("table.data th button")) {
  button.addEventListener("click", () => {
    const heading = button.parentElement;
    const table = heading.closest("table");
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => valueOf(row, heading.cellIndex);
    const rows = [...table.tBodies[0].rows];
    const known = rows.filter((row) => value(row) !== "");
    known.sort((a, b) => (down ? compare(value(b), value(a)) : compare(value(a), value(b))));
    table.tBodies[0].append(...known, ...rows.filter((row) => value(row) === ""));
  });
}

// A filter keeps the rows that contain all of its words.
for (const input of document.querySelectorAll(".filter input")) {
  const table = input.closest("details").querySelector("table");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
}
