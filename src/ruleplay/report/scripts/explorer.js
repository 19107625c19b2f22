// Rules to look at and to question: maps, a form, reasons, curves and a table, kept in step.

const PACE = 500; // milliseconds between two snapshots
const FEW_FIELDS = 5; // that stand beside the reasons; more have rows of their own

let explorerCount = 0;

class Explorer {
  constructor(root, model, columns) {
    this.model = model;
    this.known = knownRows(model, columns);
    const id = `explorer-${++explorerCount}`;
    this.sets = splitSets(model, columns);
    this.rules = this.sets.at(-1);
    this.plane = [...model.plane];
    const [Drawn, Told] = model.quantities
      ? [QuantityMaps, QuantityReasons]
      : [DecisionMaps, Reasons];
    this.maps = new Drawn(model, this.known, id, (right, up) => this.take(right, up));
    this.observation = new Observation(model, this.known, this.start, () => this.movePoint());
    this.reasons = new Told(`${id}-decision`);
    this.curves = new FeatureCurves((k, value) => this.observation.set(k, value));
    this.table = new RuleTable();
    if (model.steps && model.quantities) {
      const choose = (moment, ...point) => this.turnTo(moment, ...point);
      this.course = new Course(model, this.sets, columns.truth, id, choose);
    }
    root.replaceChildren(...this.parts("open" in root.dataset));
    document.addEventListener("themechange", () => this.isShown && this.refresh());
    this.refresh();
  }

  /** Return which of the rows that are known to begin at: the first about which a rule speaks. */
  get start() {
    const spoken = ({ values }) => this.rules.speaking(values).length > 0;
    return Math.max(this.known.findIndex(spoken), 0);
  }

  get isShown() {
    return this.maps.text.isConnected;
  }

  parts(open) {
    return [
      ...(this.course ? [this.course.element] : []),
      ...(this.model.steps ? [this.timeControls()] : []),
      make("p", { class: "controls" }, ...this.axisControls(), ...this.maps.controls),
      ...this.maps.parts,
      make(
        "div",
        { class: `questions${this.model.features.length > FEW_FIELDS ? " wide" : ""}` },
        this.observation.element,
        this.reasons.element,
      ),
      make(
        "details",
        { open, toggle: () => this.drawCurves() },
        make("summary", {}, "Curves over one feature"),
        this.curveControls(),
        this.curves.figure,
      ),
      make("details", { open }, make("summary", {}, "All rules"), this.table.element),
    ];
  }

  timeControls() {
    const last = this.sets.length - 1;
    this.time = make("input", {
      type: "range",
      min: 0,
      max: last,
      step: 1,
      value: last,
      "aria-label": "Course of learning",
      input: () => this.showTime(),
    });
    this.when = make("output");
    this.play = make("button", { type: "button", click: () => this.togglePlay() }, "Play");
    this.play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return make("p", { class: "controls time" }, this.play, this.time, this.when);
  }

  axisControls() {
    const names = this.model.features.map(({ name }) => name);
    this.axes = this.plane.map((k) => chooser(names, k, () => this.turnPlane()));
    if (names.length < 3) return [];
    const [right, up] = this.axes;
    return [make("label", {}, "Horizontal ", right), make("label", {}, "Vertical ", up)];
  }

  curveControls() {
    const names = this.model.features.map(({ name }) => name);
    this.along = chooser(names, this.plane[0], () => this.drawCurves());
    const element = make("p", { class: "controls" }, make("label", {}, "Over ", this.along));
    element.hidden = names.length < 2;
    return element;
  }

  /** Show the rules after another number of learning steps. */
  showTime() {
    this.rules = this.sets[Number(this.time.value)];
    this.refreshSet();
  }

  /** Show one of the sets, if any is named, at shares of the way right and up. */
  turnTo(moment, right, up) {
    if (moment !== null) this.time.value = moment;
    this.rules = this.sets[Number(this.time.value)];
    this.take(right, up);
    this.refreshSet();
  }

  togglePlay() {
    if (this.timer) return this.stop();
    const last = this.sets.length - 1;
    if (Number(this.time.value) === last) this.time.value = 0;
    this.play.textContent = "Pause";
    this.timer = setInterval(() => {
      if (!this.isShown) return this.stop();
      this.time.value = Number(this.time.value) + 1;
      this.showTime();
      if (Number(this.time.value) === last) this.stop();
    }, PACE);
    this.showTime();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Play";
  }

  /** Take the features chosen for the axes; if one has the other's, they change places. */
  turnPlane() {
    const [x, y] = this.axes.map(({ value }) => Number(value));
    if (x === y) {
      const other = x === this.plane[0] ? 0 : 1;
      this.axes[other].value = this.plane[1 - other];
    }
    this.plane = this.axes.map(({ value }) => Number(value));
    this.drawMaps();
    this.showPoint();
  }

  /** Move the point to shares of the way right and up. */
  take(right, up) {
    const [x, y] = this.plane;
    const at = (k, share) => {
      const [from, to] = reachOf(this.model.features[k]);
      return [k, from + share * (to - from)];
    };
    if (x === y) this.observation.set(...at(x, right));
    else this.observation.set(...at(x, right), ...at(y, up));
  }

  refresh() {
    this.course?.draw();
    this.refreshSet();
  }

  /** Show everything about the set that is chosen. */
  refreshSet() {
    if (this.when) {
      const steps = this.model.steps[this.sets.indexOf(this.rules)].toLocaleString("en");
      this.when.textContent = `after ${steps} learning steps: ${this.rules.size} rules`;
    }
    this.drawMaps();
    this.showPoint();
  }

  /** Show what depends on the point; maps are computed anew only if their plane has moved. */
  movePoint() {
    const drawn = this.maps.observation;
    const isOff = (value, k) => !this.plane.includes(k) && !Object.is(value, drawn[k]);
    if (this.observation.values.some(isOff)) this.drawMaps();
    this.showPoint();
  }

  showPoint() {
    const [{ values }, [x, y]] = [this.observation, this.plane];
    const up = x === y ? 0.5 : this.observation.share(y);
    const point = [this.observation.share(x), up];
    this.maps.moveTo(point, values);
    this.course?.moveTo(point);
    this.reasons.show(this.rules, values);
    this.table.show(this.rules, values);
    this.drawCurves();
  }

  drawCurves() {
    if (!this.curves.figure.checkVisibility()) return; // folded away
    this.curves.show(this.rules, this.observation.values, Number(this.along.value));
  }

  drawMaps() {
    this.maps.show(this.rules, this.observation.values, this.plane);
  }
}

/** Return the rows whose answers are known, as the model has them. */
function knownRows(model, { known_rows: values = [], known_answers: answers = [] }) {
  const width = model.features.length;
  return Array.from(answers, (answer, row) => {
    return { values: Array.from(values.subarray(row * width, (row + 1) * width)), answer };
  });
}

/** Return the sets of rules, one for each snapshot. */
function splitSets(model, { known_rows, known_answers, truth, ...columns }) {
  let first = 0;
  return model.sizes.map((size) => {
    first += size;
    return new Rules(model, columns, first - size, size);
  });
}

/** Build the explorer of a place: of the model it names, or that a visitor chooses. */
async function buildExplorer(place) {
  const choice = place.parentElement.querySelector("select[data-models]");
  const build = async () => {
    const id = choice ? choice.value : place.dataset.model;
    const model = JSON.parse(document.getElementById(id).textContent);
    place.explorer = new Explorer(place, model, await unpackArrays(model));
    place.dataset.ready = id;
  };
  choice?.addEventListener("change", build);
  await build();
}

const whenSeen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      whenSeen.unobserve(target);
      buildExplorer(target);
    }
  },
  { rootMargin: "300px" },
);
for (const place of document.querySelectorAll(".explorer")) whenSeen.observe(place);
