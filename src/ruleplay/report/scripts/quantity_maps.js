// Three maps of one plane: the rules as boxes, what they say of a quantity, and how far that is off.

const MOST_BOXES = 100; // of rules that vote, the strongest

class QuantityMaps extends Maps {
  constructor(model, known, id, onMove) {
    super(model, known, id, ["Rules", model.actions[0], offTitle(model)], onMove);
    this.targetOf = chooser(model.actions, 0, () => this.turn());
    this.here = make("input", { type: "checkbox", change: () => this.drawBoxes() });
    this.controls = [
      ...(model.actions.length > 1 ? [make("label", {}, "Target ", this.targetOf)] : []),
      ...(model.ordered ? [] : [make("label", {}, this.here, " only boxes around the point")]),
    ];
    this.parts = this.partsWith();
  }

  /** Return the number of the target that is shown. */
  get target() {
    return Number(this.targetOf.value);
  }

  /** Show another target. */
  turn() {
    this.planes[1].caption.textContent = this.model.actions[this.target];
    this.compute();
    this.draw();
  }

  /** Work out the quantity, how far it is off, and the colours of its values. */
  compute() {
    const { rules, observation, plane, target } = this;
    Object.assign(this, quantityOverPlane(rules, observation, plane, target));
    this.scale = this.model.steps ? wholeScale(this.model, target) : valueScale(this.values);
    this.colour = (value) => `rgb(${this.scale.colour(value).join()})`;
  }

  moveTo(point, values) {
    super.moveTo(point);
    this.point = values;
    if (this.here.checked) this.drawBoxes();
  }

  draw() {
    this.drawBoxes();
    this.drawValues();
    this.drawOff();
    this.describe();
  }

  drawBoxes() {
    const { rules, plane, model } = this;
    const seen = rules.filled(this.here.checked ? this.point : this.observation);
    const found = rulesInSlice(rules, this.observation, plane)
      .filter((rule) => rules.action[rule] === this.target)
      .filter((rule) => !this.here.checked || rules.contains(rule, seen));
    const chosen = model.ordered
      ? found.reverse()
      : found.sort((a, b) => rules.fitness[a] - rules.fitness[b]).slice(-MOST_BOXES);
    const boxes = paintBoxes(rules, chosen, plane, (rule) => this.colour(rules.typical(rule)));
    this.planes[0].show(this.features, this.withRows(boxes, this.colour));
    this.planes[0].note.textContent = this.sayBoxes(chosen.length, found.length) + this.sayRows();
  }

  sayBoxes(shown, found) {
    const which = shown < found ? `The ${shown} strongest of ${found} rules` : counted(found, "rule");
    const around = this.here.checked ? " around the point" : "";
    const how = this.model.ordered ? ", the first on top" : "; the stronger the colour, the fitter";
    return `${which}${around}${how}. The colour is the value at the middle of the box.`;
  }

  drawValues() {
    const { values, scale, model } = this;
    const silent = values.some(Number.isNaN);
    this.planes[1].show(this.features, this.withRows(scale.painter(values), this.colour));
    const usual = fixed(model.quantities[this.target][USUAL], model.digits);
    const note = silent ? ` Empty: no rule matches, the usual value ${usual}.` : "";
    this.planes[1].note.replaceChildren(...scale.legend(model), note);
  }

  drawOff() {
    const scale = valueScale(this.halves, ORANGES, 0);
    this.planes[2].show(this.features, scale.painter(this.halves));
    this.planes[2].note.replaceChildren(...scale.legend(this.model));
  }

  /** Say in words what the maps show. */
  describe() {
    const { low, high, cut } = usualValues(this.values);
    if (low === undefined) return void (this.text.textContent = "No rule speaks here.");
    const reach = reachInWords(low, high, this.model.digits);
    const some = cut ? " on all but 2 % of the map's area" : "";
    const name = this.model.actions[this.target];
    this.text.textContent = `${this.sayOthers()}${name} is ${reach}${some}.`;
  }
}

/** Return the title of the map of how far a quantity is off. */
function offTitle({ intervals }) {
  return intervals ? `± that holds ${percent(intervals.coverage)} of new rows` : "± of the rules";
}

/** Return the scale of all values that a quantity may have, the same for every map. */
function wholeScale({ quantities }, target) {
  return new ColourScale(quantities[target][LEAST], quantities[target][LARGEST], VIRIDIS);
}

/** Return a scale of the values on a grid; extreme ones, two in a hundred, are cut. */
function valueScale(grid, colours = VIRIDIS, least = Infinity) {
  const { low = 0, high = 0 } = usualValues(grid);
  return new ColourScale(Math.min(low, least), high, colours);
}

class ColourScale {
  constructor(low, high, colours) {
    Object.assign(this, { low, high, colours });
  }

  /** Return red, green and blue of a value. */
  colour(value) {
    return colourAlong(this.colours, (value - this.low) / Math.max(this.high - this.low, 1e-300));
  }

  /** Return what paints a grid; nothing where there is no number. */
  painter(grid) {
    return paintGrid((cell) => (Number.isNaN(grid[cell]) ? null : this.colour(grid[cell])));
  }

  /** List the parts of a legend: both ends in the quantity's unit, and the colours between. */
  legend({ digits }) {
    const bar = make("i", { class: "scale", "aria-hidden": "true" });
    const stops = this.colours.map((colour) => `rgb(${colour.join()})`);
    bar.style.background = `linear-gradient(to right, ${stops.join()})`;
    return [fixed(this.low, digits), bar, fixed(this.high, digits)];
  }
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
