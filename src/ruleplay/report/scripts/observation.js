// A form for an observation: for each feature a number and a slider, or a choice of categories.

const ABSENT = "(missing)"; // the category of missing values, where these have one

class Observation {
  /** Begin at one of the rows that are known, `row`, else in the middle. */
  constructor(model, known, row, onChange) {
    Object.assign(this, { model, known, row });
    this.values = known.length
      ? [...known[row].values]
      : model.features.map((feature) => possible(feature, feature.fill ?? (feature.low + feature.high) / 2));
    this.message = make("p", { class: "message", role: "alert" });
    this.fields = model.features.map((feature, k) =>
      feature.categories.length ? this.choice(feature, k) : this.field(feature, k),
    );
    const hint = model.missing && `An empty field is a missing value. ${model.missing}`;
    this.element = make(
      "fieldset",
      { class: "observation" },
      make("legend", {}, model.noun === "class" ? "The row" : "The point"),
      ...(known.length ? [this.rowControls()] : []),
      make("div", { class: "fields" }, ...this.fields.map(({ element }) => element)),
      make(
        "p",
        { class: "small" },
        `Type ${model.noun === "class" ? "values of a row" : "an observation"}, or click into a map.`,
        hint && ` ${hint}`,
      ),
      this.message,
    );
    this.onChange = onChange;
    if (known.length) this.sayRow();
  }

  /** Return buttons that go through the rows that are known. */
  rowControls() {
    this.rowSaid = make("output");
    const turn = (step) => () => this.takeRow(this.row + step);
    const back = make("button", { type: "button", "aria-label": "Previous row" }, "‹");
    const next = make("button", { type: "button", "aria-label": "Next row" }, "›");
    back.addEventListener("click", turn(-1));
    next.addEventListener("click", turn(1));
    return make("p", { class: "controls" }, make("span", {}, back, " ", next), this.rowSaid);
  }

  /** Show one of the rows that are known; after the last comes the first. */
  takeRow(number) {
    this.row = (number + this.known.length) % this.known.length;
    this.values = [...this.known[this.row].values];
    this.message.textContent = "";
    this.values.forEach((_, k) => this.write(k, this.model.features[k].digits));
    this.changed();
  }

  /** Say which row this is and of which class, or that it is none of them any more. */
  sayRow() {
    const { values, answer } = this.known[this.row];
    const isIt = values.every((value, k) => Object.is(value, this.values[k]));
    const where = `row ${this.row + 1} of ${this.known.length}`;
    this.rowSaid.textContent = isIt
      ? `${where}, in truth ${sayAnswer(this.model, answer)}`
      : `${where}, changed`;
  }

  /** Tell that values have changed. */
  changed() {
    if (this.known.length) this.sayRow();
    this.onChange();
  }

  field(feature, k) {
    const { name, low, high, whole, digits } = feature;
    const step = whole ? 1 : 10 ** -digits;
    const kind = feature.is_date ? (whole ? "date" : "datetime-local") : "number";
    const number = make("input", {
      type: kind,
      step: whole ? 1 : "any",
      value: this.typed(k, digits),
      "aria-label": name,
      input: () => this.type(k, number.value),
    });
    const slider = make("input", {
      type: "range",
      min: low,
      max: high,
      step: whole ? 1 : step / 10,
      value: Number.isNaN(this.values[k]) ? (low + high) / 2 : this.values[k],
      "aria-label": `${name}, slider`,
      input: () => this.set(k, Number(slider.value)),
    });
    const range = `${sayNumber(feature, low)} to ${sayNumber(feature, high)}`;
    const element = make(
      "div",
      { class: `field${feature.is_date ? " date" : ""}` },
      make("span", {}, name, " ", make("span", { class: "small" }, range)),
      number,
      slider,
    );
    return { element, number, slider };
  }

  /** Return a choice of categories, and of none if one may be missing. */
  choice({ name, categories }, k) {
    const names = categories.map((category, place) => [place, category]);
    if (this.model.missing && categories.at(-1) !== ABSENT) names.push(["", "missing"]);
    const options = names.map(([value, text]) =>
      make("option", { value, selected: Object.is(value === "" ? NaN : value, this.values[k]) }, text),
    );
    const input = make(
      "select",
      {
        "aria-label": name,
        change: () => {
          this.values[k] = input.value === "" ? NaN : Number(input.value);
          this.changed();
        },
      },
      ...options,
    );
    return { element: make("div", { class: "field" }, make("span", {}, name), input), input };
  }

  /** Take over what was typed, or say what is wrong with it. */
  type(k, text) {
    const { name, is_date: isDate } = this.model.features[k];
    const empty = text.trim() === "";
    const value = isDate ? Date.parse(`${text}${text.includes("T") ? "Z" : ""}`) / DAY : Number(text);
    const isWrong = empty ? !this.model.missing : !Number.isFinite(value);
    this.message.textContent = isWrong ? `${name} must be a ${isDate ? "date" : "number"}.` : "";
    this.fields[k].number.setAttribute("aria-invalid", String(isWrong));
    if (isWrong) return;
    this.values[k] = empty ? NaN : value;
    if (!empty) this.fields[k].slider.value = value;
    this.changed();
  }

  /** Move some features, each kept within its range, and write them into the form. */
  set(k, value, ...more) {
    const feature = this.model.features[k];
    this.values[k] = possible(feature, value);
    this.message.textContent = "";
    this.write(k, feature.digits + (feature.whole ? 0 : 1));
    if (more.length) this.set(...more);
    else this.changed();
  }

  /** Write a value into its fields. */
  write(k, digits) {
    const [value, { number, slider, input }] = [this.values[k], this.fields[k]];
    if (input) {
      input.value = Number.isNaN(value) ? "" : value;
      return;
    }
    number.value = this.typed(k, digits);
    number.setAttribute("aria-invalid", "false");
    if (!Number.isNaN(value)) slider.value = value;
  }

  /** Return a number as its field has it; nothing if it is missing. */
  typed(k, digits) {
    const [value, { is_date: isDate, whole }] = [this.values[k], this.model.features[k]];
    if (Number.isNaN(value)) return "";
    return isDate ? dateText(value, whole) : fixed(value, digits);
  }

  /** Return how far along its range a feature is. */
  share(k) {
    const [low, high] = reachOf(this.model.features[k]);
    const share = (this.values[k] - low) / (high - low);
    return Number.isNaN(share) ? 0.5 : Math.min(Math.max(share, 0), 1);
  }
}

/** Return what is known of a row in words: a class, or a quantity. */
function sayAnswer({ actions, quantities, digits }, answer) {
  return quantities ? `${actions[0]} = ${fixed(answer, digits)}` : actions[answer];
}
