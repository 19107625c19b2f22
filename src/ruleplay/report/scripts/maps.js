// Maps of one plane: what they have in common, whatever rules speak about.

class Maps {
  /** `onMove` is told where a visitor wants the point: shares of the way right and up. */
  constructor(model, known, id, titles, onMove) {
    Object.assign(this, { model, known });
    this.text = make("p", { class: "small", id: `${id}-text` });
    this.planes = titles.map((title) => new Plane(title, `${id}-text`, onMove));
    this.controls = [];
  }

  /** List what stands on the page; `legend` stands above the maps. */
  partsWith(...legend) {
    const figures = this.planes.map(({ figure }) => figure);
    return [...legend, make("div", { class: "planes" }, ...figures), this.text];
  }

  /** Show rules over the plane of two features, the others as in an observation. */
  show(rules, observation, plane) {
    Object.assign(this, { rules, observation: [...observation], plane });
    this.features = plane.map((k) => this.model.features[k]);
    this.compute();
    this.draw();
  }

  moveTo(point) {
    for (const plane of this.planes) plane.moveTo(point);
  }

  /** Say what the dots are, if there are any. */
  sayRows() {
    const { known, model } = this;
    return known.length ? ` Dots: ${known.length} ${model.known}.` : "";
  }

  /** Return a painter that draws the rows that are known over another's picture. */
  withRows(paint, colourOfAnswer) {
    const { known, plane, model } = this;
    const dots = paintRows(known, plane, model, colourOfAnswer);
    return (context, area) => {
      paint(context, area);
      dots(context, area);
    };
  }

  /** Say which values the features have that are not on the axes. */
  sayOthers() {
    const { model, plane, observation } = this;
    const kept = model.features
      .map((feature, k) => (plane.includes(k) ? "" : valueInWords(feature, observation[k])))
      .filter((words) => words);
    if (!kept.length) return "";
    const others = kept.length > FEW_FEATURES ? "the other values as they are" : kept.join(", ");
    return `With ${others}: `;
  }
}

/** Return between which values 98 in a hundred lie, and whether others lie beyond. */
function usualValues(grid) {
  const sorted = grid.filter(Number.isFinite).sort();
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  const [low, high] = [at(0.01), at(0.99)];
  return { low, high, cut: low > sorted[0] || high < sorted.at(-1) };
}

/** Say between which values others lie, or the value if it is one. */
function reachInWords(low, high, digits) {
  const [from, to] = [fixed(low, digits), fixed(high, digits)];
  return from === to ? from : `${from} to ${to}`;
}

/** Return a choice among names; its value is the name's number. */
function chooser(names, chosen, onChange) {
  const options = names.map((name, k) =>
    make("option", { value: k, selected: k === chosen }, name),
  );
  return make("select", { change: onChange }, ...options);
}
