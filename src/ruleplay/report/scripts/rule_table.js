// All rules of a set, a page at a time: searched by words, sorted by any column.

const PAGE_SIZE = 25;

class RuleTable {
  constructor() {
    this.page = 0;
    this.sorting = null; // or { column, down }
    this.input = make("input", {
      type: "search",
      placeholder: "words of the rule",
      input: () => this.refresh(),
    });
    this.here = make("input", { type: "checkbox", change: () => this.refresh() });
    this.count = make("output");
    this.head = make("tr");
    this.body = make("tbody");
    this.back = make("button", { type: "button", click: () => this.turn(-1) }, "Previous");
    this.next = make("button", { type: "button", click: () => this.turn(1) }, "Next");
    this.element = make(
      "div",
      { class: "all-rules" },
      make(
        "p",
        { class: "controls" },
        make("label", {}, "Search ", this.input),
        make("label", {}, this.here, " only those that match the point"),
        this.count,
      ),
      make(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "All rules" },
        make("table", { class: "data" }, make("thead", {}, this.head), this.body),
      ),
      make("p", { class: "controls" }, this.back, this.next),
    );
  }

  columnsOf(rules) {
    const { digits, ordered, products, quantities } = rules.model;
    const place = new Map(rules.inOrder().map((rule, k) => [rule, k + 1]));
    const number = (heading, value, text) => {
      return { heading, value, parts: (rule) => [text(value(rule))], number: true };
    };
    const quality = [
      number(
        "error",
        (r) => rules.error[r],
        (value) => fixed(value, digits),
      ),
      number(
        "fitness",
        (r) => rules.fitness[r],
        (value) => fixed(value, 3),
      ),
      number("copies", (r) => rules.numerosity[r], String),
    ];
    return [
      number(ordered ? "place" : "rank", (r) => place.get(r), String),
      {
        heading: "if",
        value: (r) => rules.condition(r),
        parts: (r) => conditionParts(rules, r),
      },
      {
        heading: "then",
        value: (r) => (quantities ? rules.speaksFor(r) : rules.action[r]),
        parts: (r) => sayingParts(rules, r),
        look: sayingClass(rules),
      },
      number(
        products ? "value at centre" : "value",
        (r) => rules.typical(r),
        (value) => fixed(value, digits),
      ),
      ...(ordered ? [] : quality),
      number("seen", (r) => rules.experience[r], String),
    ];
  }

  /** Show a set of rules; `observation` is the point that rules may have to match. */
  show(rules, observation) {
    const isNew = this.rules !== rules;
    [this.rules, this.observation] = [rules, observation];
    if (isNew) {
      this.columns = this.columnsOf(rules);
      this.order = rules.inOrder();
      this.head.replaceChildren(...this.columns.map((column, k) => this.heading(column, k)));
    }
    if (isNew || this.here.checked) this.refresh(this.page);
  }

  heading({ heading, number }, k) {
    const sort = make("button", { type: "button", click: () => this.sortBy(k) }, heading);
    const way =
      this.sorting?.column === k ? (this.sorting.down ? "descending" : "ascending") : null;
    return make("th", { scope: "col", class: number ? "number" : null, "aria-sort": way }, sort);
  }

  sortBy(column) {
    const again = this.sorting?.column === column;
    this.sorting = { column, down: again ? !this.sorting.down : column > 2 };
    [...this.head.cells].forEach((cell, k) => {
      if (k !== column) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", this.sorting.down ? "descending" : "ascending");
    });
    this.refresh();
  }

  refresh(page = 0) {
    const { rules, columns, sorting } = this;
    const question = this.input.value.trim();
    const words = (r) => `${rules.condition(r)} ${rules.speaksFor(r)} ${rules.author(r)}`;
    const asked = (r) => !question || containsWords(words(r), question);
    const seen = rules.filled(this.observation);
    const here = (r) => !this.here.checked || rules.contains(r, seen);
    this.found = this.order.filter((rule) => here(rule) && asked(rule));
    if (sorting) {
      const { value } = columns[sorting.column];
      const keyed = this.found.map((rule) => [value(rule), rule]);
      keyed.sort(([a], [b]) => (sorting.down ? compareValues(b, a) : compareValues(a, b)));
      this.found = keyed.map(([, rule]) => rule);
    }
    this.page = Math.min(page, this.pages - 1);
    this.draw();
  }

  get pages() {
    return Math.max(1, Math.ceil(this.found.length / PAGE_SIZE));
  }

  turn(pages) {
    this.page = Math.min(Math.max(this.page + pages, 0), this.pages - 1);
    this.draw();
  }

  draw() {
    const { rules, columns, found, page } = this;
    const shown = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    this.body.replaceChildren(...shown.map((rule) => this.row(rule)));
    const first = found.length ? page * PAGE_SIZE + 1 : 0;
    const last = Math.min((page + 1) * PAGE_SIZE, found.length);
    const all = found.length === rules.size ? "" : ` (of ${rules.size})`;
    this.count.textContent = `${first} to ${last} of ${found.length} rules${all}`;
    this.back.disabled = page === 0;
    this.next.disabled = page >= this.pages - 1;
  }

  row(rule) {
    const cells = this.columns.map(({ number, look = null, parts }) =>
      make("td", { class: number ? "number" : look }, ...parts(rule)),
    );
    return make("tr", {}, ...cells);
  }
}
