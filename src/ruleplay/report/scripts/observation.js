// A form for an observation: for each feature a number and a slider, or a choice of categories.

class Observation {
  constructor(model, onChange) {
    this.model = model;
    this.values = model.features.map((feature) => {
      return possible(feature, (feature.low + feature.high) / 2);
    });
    this.message = make("p", { class: "message", role: "alert" });
    this.fields = model.features.map((feature, k) =>
      feature.categories.length ? this.choice(feature, k) : this.field(feature, k),
    );
    const hint = model.missing && `An empty field is a missing value. ${model.missing}`;
    this.element = make(
      "fieldset",
      { class: "observation" },
      make("legend", {}, "The point"),
      make("div", { class: "fields" }, ...this.fields.map(({ element }) => element)),
      make(
        "p",
        { class: "small" },
        "Type an observation, or click into a map.",
        hint && ` ${hint}`,
      ),
      this.message,
    );
    this.onChange = onChange;
  }

  field({ name, low, high, whole, digits }, k) {
    const step = whole ? 1 : 10 ** -digits;
    const value = fixed(this.values[k], digits);
    const number = make("input", {
      type: "number",
      step: whole ? 1 : "any",
      value,
      "aria-label": name,
      input: () => this.type(k, number.value),
    });
    const slider = make("input", {
      type: "range",
      min: low,
      max: high,
      step: whole ? 1 : step / 10,
      value,
      "aria-label": `${name}, slider`,
      input: () => this.set(k, Number(slider.value)),
    });
    const range = `${fixed(low, digits)} to ${fixed(high, digits)}`;
    const element = make(
      "div",
      { class: "field" },
      make("span", {}, name, " ", make("span", { class: "small" }, range)),
      number,
      slider,
    );
    return { element, number, slider };
  }

  /** Return a choice of categories, and of none if one may be missing. */
  choice({ name, categories }, k) {
    const names = categories.map((category, place) => [place, category]);
    if (this.model.missing) names.push(["", "missing"]);
    const options = names.map(([value, text]) =>
      make("option", { value, selected: value === this.values[k] }, text),
    );
    const input = make(
      "select",
      {
        "aria-label": name,
        change: () => {
          this.values[k] = input.value === "" ? NaN : Number(input.value);
          this.onChange();
        },
      },
      ...options,
    );
    return { element: make("div", { class: "field" }, make("span", {}, name), input), input };
  }

  /** Take over what was typed, or say what is wrong with it. */
  type(k, text) {
    const { name } = this.model.features[k];
    const [empty, value] = [text.trim() === "", Number(text)];
    const isWrong = empty ? !this.model.missing : !Number.isFinite(value);
    this.message.textContent = isWrong ? `${name} must be a number.` : "";
    this.fields[k].number.setAttribute("aria-invalid", String(isWrong));
    if (isWrong) return;
    this.values[k] = empty ? NaN : value;
    if (!empty) this.fields[k].slider.value = value;
    this.onChange();
  }

  /** Move some features, each kept within its range, and write them into the form. */
  set(k, value, ...more) {
    const feature = this.model.features[k];
    this.values[k] = possible(feature, value);
    this.message.textContent = "";
    const { number, slider, input } = this.fields[k];
    if (input) {
      input.value = this.values[k];
    } else {
      number.value = fixed(this.values[k], feature.digits + 1);
      number.setAttribute("aria-invalid", "false");
      slider.value = this.values[k];
    }
    if (more.length) this.set(...more);
    else this.onChange();
  }

  /** Return how far along its range a feature is. */
  share(k) {
    const [low, high] = reachOf(this.model.features[k]);
    const share = (this.values[k] - low) / (high - low);
    return Number.isNaN(share) ? 0.5 : Math.min(Math.max(share, 0), 1);
  }
}
