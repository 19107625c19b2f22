// A form for an observation: a number and a slider for each feature.

class Observation {
  constructor(model, onChange) {
    this.model = model;
    this.values = model.features.map(({ low, high, whole }) => {
      const middle = (low + high) / 2;
      return whole ? Math.round(middle) : middle;
    });
    this.message = make("p", { class: "message", role: "alert" });
    this.fields = model.features.map((feature, k) => this.field(feature, k));
    const hint = model.missing ? "An empty field is a missing value." : "";
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
    const { low, high, whole, digits } = this.model.features[k];
    const inside = Math.min(Math.max(value, low), high);
    this.values[k] = whole ? Math.round(inside) : inside;
    const { number, slider } = this.fields[k];
    number.value = fixed(this.values[k], digits + 1);
    number.setAttribute("aria-invalid", "false");
    this.message.textContent = "";
    slider.value = this.values[k];
    if (more.length) this.set(...more);
    else this.onChange();
  }

  /** Return how far along its range a feature is. */
  share(k) {
    const { low, high } = this.model.features[k];
    const share = (this.values[k] - low) / (high - low);
    return Number.isNaN(share) ? 0.5 : Math.min(Math.max(share, 0), 1);
  }
}
