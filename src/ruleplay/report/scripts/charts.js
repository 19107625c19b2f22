// Learning curves: means with bands, values under the cursor, agents and single runs on request.

/** Return a number for a readout: four figures. */
function figures(value) {
  if (!Number.isFinite(value)) return "–";
  if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential(2);
  return Number(value.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 });
}

class CurveChart {
  constructor(group, panel, place) {
    Object.assign(this, { group, panel, place });
    const { title } = group.data.panels[panel];
    this.readout = make("output", { class: "readout", "aria-live": "off" });
    this.box = make("div", {
      class: "chart",
      tabindex: "0",
      role: "application",
      "aria-label": `${title} over learning steps. Left and right keys read values.`,
      keydown: (event) => this.step(event),
    });
    place.replaceChildren(make("figcaption", {}, title), this.box, this.readout);
    this.draw();
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  slice(name, row) {
    const { length } = this.group.data.steps;
    return Array.from(
      this.group.arrays[name].subarray(row * length, (row + 1) * length),
      (value) => (Number.isFinite(value) ? value : null),
    );
  }

  /** Return the lines of the chart, bands at the bottom, means on top. */
  lines() {
    const { agents, panels } = this.group.data;
    const [edges, runs, means] = [[], [], []];
    let first = 0; // of the agent's runs
    agents.forEach((agent, k) => {
      const row = this.panel * agents.length + k;
      const [mean, sd] = [this.slice("mean", row), this.slice("sd", row)];
      const look = { agent: k, stroke: () => colourOf(agent.colour), points: { show: false } };
      edges.push(...this.edges(mean, sd, { ...look, width: 0 }));
      means.push({ values: mean, series: { ...look, width: 2, dash: agent.dash } });
      for (let run = 0; this.group.single && run < agent.curves; run++) {
        const values = this.slice("runs", (first + run) * panels.length + this.panel);
        runs.push({ values, series: { ...look, width: 0.6, alpha: 0.55 } });
      }
      first += agent.curves;
    });
    return [...edges, ...runs, ...means];
  }

  /** Return the lower and the upper edge of a band; a logarithmic axis has no room below 0. */
  edges(mean, sd, look) {
    const { log } = this.group.data.panels[this.panel];
    const least = log ? Math.min(...mean.filter((value) => value > 0)) / 10 : -Infinity;
    return [-1, 1].map((sign) => ({
      values: mean.map((v, i) => (v === null ? null : Math.max(v + sign * (sd[i] ?? 0), least))),
      series: { ...look },
    }));
  }

  draw() {
    this.chart?.destroy();
    this.rows = this.lines();
    const data = [this.group.data.steps, ...this.rows.map(({ values }) => values)];
    this.chart = new uPlot(this.options(), data, this.box);
  }

  options() {
    const { agents, panels } = this.group.data;
    const shown = ({ series }) => ({ ...series, show: !this.group.hidden.has(series.agent) });
    const axis = (size) => axisLook({ size, values: (_, ticks) => ticks.map(shortNumber) });
    return {
      width: Math.max(this.box.clientWidth, 200),
      height: 220,
      legend: { show: false },
      cursor: {
        drag: { x: false, y: false },
        sync: { key: this.group.key },
        points: { show: false },
      },
      scales: {
        x: { time: false, range: (_, low, high) => [0, high] },
        y: panels[this.panel].log ? { distr: 3 } : { range: this.range() },
      },
      axes: [axis(28), axis(56)],
      series: [{}, ...this.rows.map(shown)],
      bands: agents.map(({ colour }, k) => ({
        series: [2 * k + 2, 2 * k + 1],
        fill: () => `${colourOf(colour)}30`,
      })),
      hooks: { setCursor: [(chart) => this.read(chart.cursor.idx)] },
    };
  }

  /** Return how the vertical axis is laid: from zero what is never negative and comes near it. */
  range() {
    const lines = this.rows.filter(({ series }) => series.width > 0);
    const isPositive = lines.every(({ values }) => values.every((v) => v === null || v >= 0));
    return (_, low, high) => {
      const room = 0.05 * (high - low || Math.abs(high) || 1);
      return [isPositive && low < 0.3 * high ? 0 : low - room, high + room];
    };
  }

  /** Show and hide agents as the legend says. */
  refresh() {
    this.chart.batch(() =>
      this.rows.forEach(({ series }, i) => {
        this.chart.setSeries(i + 1, { show: !this.group.hidden.has(series.agent) });
      }),
    );
  }

  read(place) {
    const { agents, steps } = this.group.data;
    if (place == null) return void (this.readout.textContent = "");
    this.at = place;
    const parts = agents.map((agent, k) => {
      if (this.group.hidden.has(k)) return "";
      const row = this.panel * agents.length + k;
      const [mean, sd] = ["mean", "sd"].map(
        (name) => this.group.arrays[name][row * steps.length + place],
      );
      if (Number.isNaN(mean)) return "";
      const spread = Number.isNaN(sd) ? "" : ` ± ${figures(sd)}`;
      return `${agent.name} ${figures(mean)}${spread}`;
    });
    const step = Math.round(steps[place]).toLocaleString("en");
    this.readout.textContent = `step ${step}: ${parts.filter((text) => text).join("; ")}`;
  }

  step(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    this.readout.setAttribute("aria-live", "polite");
    const { steps } = this.group.data;
    const size = event.shiftKey ? 10 : 1;
    const start = this.at ?? (move > 0 ? -1 : steps.length);
    const place = Math.min(Math.max(start + move * size, 0), steps.length - 1);
    this.chart.setCursor({ left: this.chart.valToPos(steps[place], "x"), top: 10 });
    this.read(place);
  }

  resize() {
    if (this.box.clientWidth > 80) this.chart.setSize({ width: this.box.clientWidth, height: 220 });
  }
}

/** Return the label of a tick; a logarithmic axis leaves some out. */
function shortNumber(value) {
  if (value === null) return "";
  if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential();
  const format = {
    notation: Math.abs(value) >= 10000 ? "compact" : "standard",
    maximumSignificantDigits: 4,
  };
  return value.toLocaleString("en", format);
}

/** The charts of one problem with their common legend. */
class ChartGroup {
  constructor(place, data, arrays) {
    Object.assign(this, {
      data,
      arrays,
      hidden: new Set(),
      single: false,
      key: place.dataset.charts,
    });
    const legend = make(
      "p",
      { class: "controls" },
      ...data.agents.map((agent, k) => this.toggle(agent, k)),
    );
    if (data.agents.some(({ curves }) => curves > 0)) {
      legend.append(
        make(
          "button",
          {
            type: "button",
            class: "single",
            "aria-pressed": "false",
            click: (e) => this.toggleRuns(e.target),
          },
          "Single runs",
        ),
      );
    }
    legend.append(
      make("span", { class: "small" }, "lines: means over runs; bands: ± one standard deviation"),
    );
    place.prepend(legend);
    const places = place.querySelectorAll("figure");
    this.charts = data.panels.map((_, panel) => new CurveChart(this, panel, places[panel]));
    document.addEventListener("themechange", () =>
      this.charts.forEach(({ chart }) => chart.redraw()),
    );
  }

  toggle(agent, k) {
    const line = make("i", { class: "line", "aria-hidden": "true" });
    line.style.borderTopColor = `var(${agent.colour})`;
    if (agent.dash.length) line.style.borderTopStyle = agent.dash[0] > 4 ? "dashed" : "dotted";
    return make(
      "button",
      {
        type: "button",
        class: "agent",
        "aria-pressed": "true",
        click: (event) => {
          const shown = this.hidden.has(k);
          if (shown) this.hidden.delete(k);
          else this.hidden.add(k);
          event.currentTarget.setAttribute("aria-pressed", String(shown));
          for (const chart of this.charts) chart.refresh();
        },
      },
      line,
      agent.name,
    );
  }

  toggleRuns(button) {
    this.single = !this.single;
    button.setAttribute("aria-pressed", String(this.single));
    for (const chart of this.charts) chart.draw();
  }
}

async function buildCharts() {
  for (const place of document.querySelectorAll("[data-charts]")) {
    const data = JSON.parse(document.getElementById(place.dataset.charts).textContent);
    place.charts = new ChartGroup(place, data, await unpackArrays(data));
    place.dataset.ready = "yes";
  }
}
buildCharts();
