// Maps of a quantity in the course of learning, beside what is true, in the same colours.

const MOST_MOMENTS = 4; // that have a map

class Course {
  /** `onChoose` is told what a visitor points at: a moment, if any, and shares right and up. */
  constructor(model, sets, truth, id, onChoose) {
    Object.assign(this, { model, truth, scale: wholeScale(model, 0) });
    const text = `${id}-course`;
    const middle = model.features.map(({ low, high }) => (low + high) / 2);
    this.maps = momentsOf(sets.length).map((moment) => ({
      plane: new Plane(this.title(moment), text, (...point) => onChoose(moment, ...point)),
      grid: quantityOverPlane(sets[moment], middle, [0, 1], 0).values,
    }));
    if (truth) {
      const plane = new Plane("The function", text, (...point) => onChoose(null, ...point));
      this.maps.push({ plane, grid: truth });
    }
    const figures = this.maps.map(({ plane }) => plane.figure);
    const hint = " in all of these maps. A click shows the rules of that time.";
    this.element = make(
      "div",
      { class: "course" },
      make("div", { class: "planes small-planes" }, ...figures),
      make("p", { class: "small", id: text }, ...this.scale.legend(model), hint),
    );
    this.draw();
  }

  title(moment) {
    return `After ${this.model.steps[moment].toLocaleString("en")} steps`;
  }

  draw() {
    for (const { plane, grid } of this.maps) {
      plane.show(this.model.features, this.scale.painter(grid));
      plane.note.textContent = grid === this.truth ? "" : this.sayOff(grid);
    }
  }

  moveTo(point) {
    for (const { plane } of this.maps) plane.moveTo(point);
  }

  /** Say how far a map is off, if what is true is known. */
  sayOff(values) {
    if (!this.truth) return "";
    const { quantities, digits } = this.model;
    const off = values.map((value, k) => {
      return Math.abs((Number.isNaN(value) ? quantities[0][USUAL] : value) - this.truth[k]);
    });
    return `off by ${fixed(off.reduce((sum, one) => sum + one, 0) / off.length, digits)} on average`;
  }
}

/** List some of so many moments: more at the beginning, when most happens, and the last. */
function momentsOf(count) {
  const wanted = Math.min(count, MOST_MOMENTS);
  return Array.from({ length: wanted }, (_, k) =>
    Math.round(((count - 1) * k) / Math.max(wanted - 1, 1)),
  );
}
