// An episode to watch: its picture, what each action is worth, and the rules that act.

const FRAME_TIME = 80; // milliseconds between two moments

class Episode {
  constructor(root, play) {
    Object.assign(this, { root, ...play });
    const values = this.moments.flatMap(({ values = [] }) => values.filter((v) => v !== null));
    this.low = Math.min(...values);
    this.high = Math.max(...values);
    this.image = root.querySelector("img");
    this.rules = this.ordered ? [...document.querySelectorAll(".rule-list li")] : [];
    root.querySelector(".controls").replaceChildren(...this.controls());
    this.show(0);
  }

  controls() {
    const last = this.moments.length - 1;
    this.slider = make("input", {
      type: "range",
      min: 0,
      max: last,
      step: 1,
      value: 0,
      "aria-label": "Moment of the episode",
      input: () => this.goTo(Number(this.slider.value)),
    });
    this.button = make("button", { type: "button", click: () => this.toggle() }, "Play");
    this.when = make("output");
    return [this.button, this.slider, this.when];
  }

  get isPlaying() {
    return Boolean(this.timer);
  }

  toggle() {
    if (this.isPlaying) return this.stop();
    if (this.at === this.moments.length - 1) this.show(0);
    this.button.textContent = "Pause";
    this.timer = setInterval(() => {
      this.show(this.at + 1);
      if (this.at === this.moments.length - 1) this.stop();
    }, FRAME_TIME);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Play";
    this.ask();
  }

  /** Stop at a moment that a visitor chooses. */
  goTo(place) {
    this.show(place);
    this.stop();
  }

  /** Ask the explorer about the observation of this moment. */
  ask() {
    const { row } = this.moments[this.at];
    const { explorer } = document.querySelector(".explorer");
    if (!row || !explorer) return;
    const known = row.flatMap((value, k) => (value === null ? [] : [k, value]));
    if (known.length) explorer.observation.set(...known);
  }

  show(place) {
    this.at = place;
    const moment = this.moments[place];
    this.slider.value = place;
    this.when.textContent = `episode ${moment.episode}, step ${moment.step}, return ${moment.total}`;
    if (this.image && moment.picture) this.image.src = moment.picture;
    this.root.querySelector(".seen").textContent = moment.seen;
    this.root.querySelector(".worth").replaceChildren(...this.worth(moment));
    this.root.querySelector(".because").replaceChildren(...this.because(moment));
    this.markRule(moment);
  }

  /** Return a bar for what each action is worth, the chosen one in its colour; a list has one. */
  worth({ ends, values, texts, action }) {
    if (ends || this.ordered) return [];
    const span = this.high - this.low;
    return this.outcomes.map(([name, colour], k) => {
      const share = values[k] === null ? 0 : span > 0 ? (values[k] - this.low) / span : 1;
      const isDone = k === action;
      const look = `width: ${(100 * share).toFixed(1)}%${isDone ? `; background: ${colour}` : ""}`;
      return make(
        "li",
        {},
        make("span", { class: isDone ? "done" : "" }, name),
        make("span", { class: "bar", "aria-hidden": "true" }, make("i", { style: look })),
        make("span", { class: isDone ? "done" : "" }, texts[k] || "no rule"),
      );
    });
  }

  /** Return the weightiest rules that speak for what is done. */
  because({ ends, reasons, speaking, action, fires }) {
    if (ends) return [make("li", {}, "The end.")];
    const [name] = this.outcomes[action];
    if (!speaking) return [make("li", {}, `No rule applies: ${name} is the default.`)];
    if (this.ordered) return [make("li", {}, `Rule ${fires + 1}: ${name}.`)];
    const lines = reasons.map(({ share, says }) =>
      make("li", {}, make("span", { class: "percent" }, `${(100 * share).toFixed(0)} %`), `IF ${says} THEN ${name}`),
    );
    const rest = speaking - reasons.length;
    return rest > 0 ? [...lines, make("li", { class: "small" }, `and ${rest} more`)] : lines;
  }

  /** Mark the rule of the list that acts; the last line is what is done otherwise. */
  markRule({ ends, fires }) {
    const marked = ends ? null : (fires ?? this.rules.length - 1);
    this.rules.forEach((item, k) => {
      item.classList.toggle("fires", k === marked);
      if (k === marked) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
  }
}

for (const place of document.querySelectorAll(".episode")) {
  const play = JSON.parse(document.getElementById(place.dataset.play).textContent);
  place.episode = new Episode(place, play);
}
