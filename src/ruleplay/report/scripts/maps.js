// Three maps of one plane: the rules as boxes, what they decide, and what that is worth.

class Maps {
  /** `onMove` is told where a visitor wants the point: shares of the way right and up. */
  constructor(model, known, id, onMove) {
    Object.assign(this, { model, known });
    this.text = make("p", { class: "small", id: `${id}-text` });
    const legend = model.actions.map((name, k) => make("span", {}, swatch(model.colours[k]), name));
    const titles = ["Rules", "Decision", "Value"];
    this.planes = titles.map((title) => new Plane(title, `${id}-text`, onMove));
    this.valueOf = chooser([`the best ${model.noun}`, ...model.actions], 0, () => this.draw());
    this.every = make("input", { type: "checkbox", change: () => this.draw() });
    const every = " also boxes of rules that are outvoted there";
    this.controls = [
      make("label", {}, "Value of ", this.valueOf),
      ...(model.ordered ? [] : [make("label", {}, this.every, every)]),
    ];
    this.parts = [
      make("p", { class: "legend" }, ...legend),
      make("div", { class: "planes" }, ...this.planes.map(({ figure }) => figure)),
      this.text,
    ];
  }

  /** Show rules over the plane of two features, the others as in an observation. */
  show(rules, observation, plane) {
    Object.assign(this, { rules, observation: [...observation], plane });
    this.values = valuesOverPlane(rules, this.observation, plane);
    Object.assign(this, decisionsOf(rules, this.values));
    this.draw();
  }

  moveTo(point) {
    for (const plane of this.planes) plane.moveTo(point);
  }

  draw() {
    this.features = this.plane.map((k) => this.model.features[k]);
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
    this.planes[0].show(this.features, this.withRows(paintBoxes(rules, chosen, plane)));
    const all = ordered || this.every.checked;
    const count = `${chosen.length} rule${chosen.length === 1 ? "" : "s"}`;
    const which = all ? "" : ` that ${chosen.length === 1 ? "is" : "are"} not outvoted at the middle of the box`;
    const how = ordered ? "the first on top" : "the stronger the colour, the fitter";
    this.planes[0].note.textContent = `${count}${which}; ${how}.${this.sayRows()}`;
  }

  /** Say what the dots are, if there are any. */
  sayRows() {
    const { known, model } = this;
    return known.length ? ` Dots: ${known.length} ${model.known}.` : "";
  }

  /** Return a painter that draws the rows that are known over another's picture. */
  withRows(paint) {
    const { known, plane, model } = this;
    const dots = paintRows(known, plane, model);
    return (context, area) => {
      paint(context, area);
      dots(context, area);
    };
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
    this.planes[1].show(this.features, this.withRows(paint));
    this.planes[1].note.textContent = anySilent ? "Paler: no rule matches, the default." : "";
  }

  /** Draw values; extreme ones, two in a hundred, are cut. */
  drawValues(grid) {
    const { low = 0, high = 0 } = usualValues(grid);
    const span = Math.max(high - low, 1e-9);
    const colour = (cell) => viridis((grid[cell] - low) / span);
    const paint = paintGrid((cell) => (Number.isNaN(grid[cell]) ? null : colour(cell)));
    this.planes[2].show(this.features, paint);
    const { digits } = this.model;
    const scale = make("i", { class: "scale", "aria-hidden": "true" });
    const ends = [fixed(low, digits), scale, fixed(high, digits)];
    const isSilent = grid.every(Number.isNaN);
    this.planes[2].note.replaceChildren(...(isSilent ? ["No rule speaks here."] : ends));
  }

  /** Say in words what the maps show. */
  describe() {
    const { model, plane, actions } = this;
    const area = (k) => actions.filter((action) => action === k).length / actions.length;
    const parts = model.actions
      .map((name, k) => [name, area(k)])
      .filter(([, share]) => share > 0)
      .sort((a, b) => b[1] - a[1])
      .map(([name, share]) => `${name} on ${percent(share)}`);
    const kept = model.features
      .map((feature, k) => (plane.includes(k) ? "" : valueInWords(feature, this.observation[k])))
      .filter((words) => words);
    const others = kept.length > FEW_FEATURES ? "the other values as they are" : kept.join(", ");
    const where = kept.length ? `With ${others}: ` : "";
    const { low, high, cut } = usualValues(this.best);
    const [from, to] = [low, high].map((value) => fixed(value ?? NaN, model.digits));
    const some = cut ? " on all but 2 % of it" : "";
    const worth = low === undefined ? "" : `; the best ${model.noun} is worth ${from} to ${to}${some}`;
    this.text.textContent = `${where}${parts.join(", ")} of the map's area${worth}.`;
  }
}

/** Return between which values 98 in a hundred lie, and whether others lie beyond. */
function usualValues(grid) {
  const sorted = grid.filter(Number.isFinite).sort();
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  const [low, high] = [at(0.01), at(0.99)];
  return { low, high, cut: low > sorted[0] || high < sorted.at(-1) };
}

/** Return a choice among names; its value is the name's number. */
function chooser(names, chosen, onChange) {
  const options = names.map((name, k) =>
    make("option", { value: k, selected: k === chosen }, name),
  );
  return make("select", { change: onChange }, ...options);
}
