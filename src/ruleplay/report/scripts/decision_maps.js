// Three maps of one plane: the rules as boxes, what they decide, and what that is worth.

class DecisionMaps extends Maps {
  constructor(model, known, id, onMove) {
    super(model, known, id, ["Rules", "Decision", "Value"], onMove);
    const legend = model.actions.map((name, k) => make("span", {}, swatch(model.colours[k]), name));
    this.colour = (action) => model.colours[action];
    this.valueOf = chooser([`the best ${model.noun}`, ...model.actions], 0, () => this.draw());
    this.every = make("input", { type: "checkbox", change: () => this.draw() });
    const every = " also boxes of rules that are outvoted there";
    this.controls = [
      make("label", {}, "Value of ", this.valueOf),
      ...(model.ordered ? [] : [make("label", {}, this.every, every)]),
    ];
    this.parts = this.partsWith(make("p", { class: "legend" }, ...legend));
  }

  /** Work out the values of all actions, and what is decided. */
  compute() {
    this.values = valuesOverPlane(this.rules, this.observation, this.plane);
    Object.assign(this, decisionsOf(this.rules, this.values));
  }

  /** Return a painter of the boxes of some rules in the colours of their actions. */
  boxes(chosen) {
    return paintBoxes(this.rules, chosen, this.plane, (rule) => this.colour(this.rules.action[rule]));
  }

  draw() {
    this.drawBoxes();
    this.drawDecisions();
    const chosen = Number(this.valueOf.value);
    this.drawValues(chosen === 0 ? this.best : this.values[chosen - 1]);
    this.describe();
  }

  drawBoxes() {
    const { rules, plane } = this;
    const { ordered } = this.model;
    let chosen = rulesInSlice(rules, this.observation, plane);
    if (ordered) {
      chosen.reverse();
    } else {
      if (!this.every.checked) chosen = chosen.filter((rule) => this.prevails(rule));
      chosen.sort((a, b) => rules.fitness[a] - rules.fitness[b]);
    }
    this.planes[0].show(this.features, this.withRows(this.boxes(chosen), this.colour));
    const all = ordered || this.every.checked;
    const count = `${chosen.length} rule${chosen.length === 1 ? "" : "s"}`;
    const which = all ? "" : ` that ${chosen.length === 1 ? "is" : "are"} not outvoted at the middle of the box`;
    const how = ordered ? "the first on top" : "the stronger the colour, the fitter";
    this.planes[0].note.textContent = `${count}${which}; ${how}.${this.sayRows()}`;
  }

  /** Tell whether a rule's action is decided at the middle of its (first) box in this plane. */
  prevails(rule) {
    const [column, row] = this.plane.map((k) => {
      const [low, high] = reachOf(this.model.features[k]);
      const [from, to] = this.rules.spans(rule, k)[0] ?? [low, low];
      const share = ((from + to) / 2 - low) / (high - low);
      return Math.min(Math.floor(share * SIDE), SIDE - 1);
    });
    return this.actions[row * SIDE + column] === this.rules.action[rule];
  }

  drawDecisions() {
    const colours = this.model.colours.map(rgbOf);
    const paler = colours.map((colour) => colour.map((c) => Math.round((c + 255) / 2)));
    const silent = (cell) => this.values.every((grid) => Number.isNaN(grid[cell]));
    let anySilent = false;
    const paint = paintGrid((cell) => {
      if (!silent(cell)) return colours[this.actions[cell]];
      anySilent = true;
      return paler[this.actions[cell]];
    });
    this.planes[1].show(this.features, this.withRows(paint, this.colour));
    this.planes[1].note.textContent = anySilent ? "Paler: no rule matches, the default." : "";
  }

  /** Draw values; extreme ones, two in a hundred, are cut. */
  drawValues(grid) {
    const { low = 0, high = 0 } = usualValues(grid);
    const span = Math.max(high - low, 1e-9);
    const colour = (cell) => colourAlong(VIRIDIS, (grid[cell] - low) / span);
    const paint = paintGrid((cell) => (Number.isNaN(grid[cell]) ? null : colour(cell)));
    this.planes[2].show(this.features, paint);
    const { digits } = this.model;
    const scale = make("i", { class: "scale", "aria-hidden": "true" });
    const [from, to] = [fixed(low, digits), fixed(high, digits)];
    const ends = from === to ? [from] : [from, scale, to];
    const isSilent = grid.every(Number.isNaN);
    this.planes[2].note.replaceChildren(...(isSilent ? ["No rule speaks here."] : ends));
  }

  /** Say in words what the maps show. */
  describe() {
    const { model, actions } = this;
    const area = (k) => actions.filter((action) => action === k).length / actions.length;
    const parts = model.actions
      .map((name, k) => [name, area(k)])
      .filter(([, share]) => share > 0)
      .sort((a, b) => b[1] - a[1])
      .map(([name, share]) => `${name} on ${percent(share)}`);
    const { low, high, cut } = usualValues(this.best);
    const reach = reachInWords(low ?? NaN, high ?? NaN, model.digits);
    const some = cut ? " on all but 2 % of it" : "";
    const worth = low === undefined ? "" : `; the best ${model.noun} is worth ${reach}${some}`;
    this.text.textContent = `${this.sayOthers()}${parts.join(", ")} of the map's area${worth}.`;
  }
}
