// Lines over one feature: what each action is worth, all other features kept as they are.

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
    const points = axisPoints(model.features[feature]);
    const values = valuesOverFeature(rules, observation, feature);
    const lines = values.map((grid) => Array.from(grid, (v) => (Number.isFinite(v) ? v : null)));
    const { name } = model.features[feature];
    this.caption.textContent = `Value of each ${model.noun} over ${name}, through the point`;
    [this.model, this.feature] = [model, feature];
    this.draw([points, ...lines]);
  }

  draw(data) {
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
          ...this.model.actions.map((action, k) => ({
            label: action,
            stroke: this.model.colours[k],
            width: 2,
            dash: [[], [8, 3], [3, 3], [8, 3, 2, 3]][k % 4],
            points: { show: false },
          })),
        ],
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
