// Lines over one feature: values of actions, or quantities and how far they are off.

/** Return colours and fonts of the page for a chart's axis. */
function axisLook(more = {}) {
  return {
    stroke: () => colourOf("--soft"),
    grid: { stroke: () => colourOf("--line"), width: 1 },
    ticks: { show: false },
    font: `12px ${colourOf("--font")}`,
    ...more,
  };
}

class FeatureCurves {
  constructor(onMove) {
    this.onMove = onMove;
    this.place = make("div", { class: "chart", "aria-hidden": "true" });
    this.caption = make("figcaption");
    this.figure = make("figure", {}, this.caption, this.place);
    new ResizeObserver(() => this.resize()).observe(this.place);
  }

  show(rules, observation, feature) {
    const { model } = rules;
    [this.model, this.feature] = [model, feature];
    const points = axisPoints(model.features[feature]);
    const { name } = model.features[feature];
    const lines = model.quantities
      ? quantityLines(rules, observation, feature)
      : valuesOverFeature(rules, observation, feature).map((grid, k) => ({ grid, action: k }));
    this.caption.textContent = model.quantities
      ? `${model.actions.join(", ")} over ${name}, through the point; shaded: ${offTitle(model)}`
      : `Value of each ${model.noun} over ${name}, through the point`;
    const known = ({ grid }) => Array.from(grid, (v) => (Number.isFinite(v) ? v : null));
    this.draw([points, ...lines.map(known)], lines);
  }

  draw(data, lines) {
    this.chart?.destroy();
    const feature = this.model.features[this.feature];
    const { name, categories } = feature;
    this.chart = new uPlot(
      {
        width: Math.max(this.place.clientWidth, 200),
        height: 220,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        scales: { x: { time: false } },
        axes: [
          axisLook({
            label: name,
            labelSize: 18,
            size: 28,
            values: (_, ticks) => ticks.map((t) => sayValue(feature, t)),
            ...(categories.length ? { splits: () => categories.map((_, place) => place) } : {}),
          }),
          axisLook({ size: 56 }),
        ],
        series: [
          {},
          ...lines.map(({ action, isEdge = false }) => ({
            label: this.model.actions[action],
            stroke: this.model.colours[action],
            width: isEdge ? 0 : 2,
            dash: [[], [8, 3], [3, 3], [8, 3, 2, 3]][action % 4],
            points: { show: false },
          })),
        ],
        bands: lines.flatMap(({ action, isEdge }, k) =>
          isEdge && lines[k + 1]?.isEdge
            ? [{ series: [k + 1, k + 2], fill: `${this.model.colours[action]}33` }]
            : [],
        ),
      },
      data,
      this.place,
    );
    this.chart.over.addEventListener("click", (event) => {
      this.onMove(this.feature, this.chart.posToVal(event.offsetX, "x"));
    });
  }

  resize() {
    if (this.chart && this.place.clientWidth > 80) {
      this.chart.setSize({ width: this.place.clientWidth, height: 220 });
    }
  }
}

/** Return for each quantity its upper edge, its lower edge, and itself over one feature. */
function quantityLines(rules, observation, feature) {
  return votesOver(rules, observation, [feature, feature]).flatMap((votes, action) => {
    const { values, deviations } = votes;
    const all = Array.from(values, (value, i) => estimate(rules.model, action, value, deviations[i]));
    return [
      { grid: all.map(({ value, half }) => value + half), action, isEdge: true },
      { grid: all.map(({ value, half }) => value - half), action, isEdge: true },
      { grid: all.map(({ value }) => value), action },
    ];
  });
}
