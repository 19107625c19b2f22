// A heading sorts its table: numbers by value, text by alphabet, again in reverse; what is
// missing comes last.
function cellValue(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value ?? cell.textContent.trim();
}

function compareValues(a, b) {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

function sortTable(heading) {
  const table = heading.closest("table");
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows].map((row) => [cellValue(row, heading.cellIndex), row]);
  const known = rows.filter(([value]) => value !== "");
  known.sort(([a], [b]) => (down ? compareValues(b, a) : compareValues(a, b)));
  const missing = rows.filter(([value]) => value === "");
  table.tBodies[0].append(...[...known, ...missing].map(([, row]) => row));
}

for (const button of document.querySelectorAll("table.data th button")) {
  button.addEventListener("click", () => sortTable(button.parentElement));
}

/** Tell whether a text contains all words of a question. */
function containsWords(text, question) {
  const lower = text.toLowerCase();
  return question
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

for (const input of document.querySelectorAll(".filter input")) {
  const place = input.closest("[data-filtered]");
  const [rows, count] = [
    place.querySelector("table").tBodies[0].rows,
    place.querySelector("output"),
  ];
  input.addEventListener("input", () => {
    let left = 0;
    for (const row of rows) {
      row.hidden = !containsWords(row.textContent, input.value);
      left += !row.hidden;
    }
    count.textContent = input.value.trim() ? `${left} of ${rows.length} rows` : "";
  });
}
