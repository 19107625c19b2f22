"use strict";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 280, HEIGHT = 110, LEFT = 40, BOTTOM = 16, TOP = 12;

function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function draw(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function short(value) {
  if (value === null || value === undefined) return "–";
  if (Math.abs(value) >= 1e5) return (value / 1000).toFixed(0) + "k";
  return String(Number(value.toPrecision(4)));
}

function duration(seconds) {
  if (!known(seconds)) return "";
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part, k) => (k ? String(part).padStart(2, "0") : part)).join(":");
}

function known(value) {
  return value !== null && value !== undefined;
}

function plot(curve) {
  const points = curve.step
    .map((step, k) => ({ step, mean: curve.mean[k], sd: known(curve.sd[k]) ? curve.sd[k] : 0 }))
    .filter((point) => known(point.mean));
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  svg.append(draw("title", {}, curve.measure));
  if (points.length < 2) return svg;
  const low = Math.min(...points.map((point) => point.mean - point.sd));
  const high = Math.max(...points.map((point) => point.mean + point.sd));
  const last = points[points.length - 1].step;
  const x = (step) => LEFT + ((WIDTH - LEFT - 4) * step) / last;
  const y = (value) =>
    HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (value - low)) / (high - low || 1);
  const path = (list) => list.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ");
  const upper = points.map((point) => [x(point.step), y(point.mean + point.sd)]);
  const lower = points.map((point) => [x(point.step), y(point.mean - point.sd)]).reverse();
  const axis = `M${LEFT},${TOP} V${HEIGHT - BOTTOM} H${WIDTH - 4}`;
  svg.append(
    draw("polygon", { class: "band", points: path([...upper, ...lower]) }),
    draw("polyline", {
      class: "mean",
      points: path(points.map((point) => [x(point.step), y(point.mean)])),
    }),
    draw("path", { class: "axis", d: axis }),
    draw("text", { x: LEFT - 4, y: TOP + 4, "text-anchor": "end" }, short(high)),
    draw("text", { x: LEFT - 4, y: HEIGHT - BOTTOM, "text-anchor": "end" }, short(low)),
    draw("text", { x: WIDTH - 4, y: HEIGHT - 3, "text-anchor": "end" }, short(last) + " steps"),
    draw("text", { x: LEFT, y: HEIGHT - 3 }, curve.measure),
  );
  return svg;
}

function showCell(cell, unit) {
  const article = make("article");
  article.append(make("h3", cell.name));
  const of = known(cell.planned) ? ` of ${cell.planned}` : "";
  const line = make("p", `${cell.done}${of} ${unit}`, "faint");
  if (cell.failed) line.append(make("span", `, ${cell.failed} failed`, "bad"));
  article.append(line);
  for (const [name, spread] of Object.entries(cell.figures)) {
    if (!spread) continue;
    const deviation = known(spread.sd) ? ` ± ${Number(spread.sd.toPrecision(2))}` : "";
    article.append(make("p", `${name.replaceAll("_", " ")} ${short(spread.mean)}${deviation}`));
  }
  if (cell.curve) article.append(plot(cell.curve));
  return article;
}

function showCounts(state) {
  const bar = document.getElementById("bar");
  if (known(state.total)) {
    bar.max = state.total || 1;
    bar.value = state.done;
  }
  bar.hidden = !known(state.total);
  const complete = known(state.total) && state.done + state.failed >= state.total;
  const done = known(state.phase) ? state.phase === "done" : complete;
  const total = known(state.total) ? ` of ${state.total}` : "";
  const facts = [
    [state.unit, `${state.done}${total}`],
    ["failed", String(state.failed)],
    ["per minute", short(state.per_minute)],
    ["time left", done ? "done" : duration(state.seconds_left) || "not known yet"],
  ];
  if (known(state.phase) && !done) facts.push(["now", state.phase]);
  const list = document.getElementById("counts");
  list.replaceChildren(
    ...facts.map(([name, value]) => {
      const pair = make("div");
      pair.append(make("dt", name), make("dd", value));
      return pair;
    }),
  );
  const share = known(state.total) ? `${Math.floor((100 * state.done) / (state.total || 1))} % ` : "";
  document.title = `${share}${state.source}`;
}

function showNewest(state) {
  const section = document.getElementById("newest");
  section.hidden = state.newest.length === 0;
  const rows = state.newest.map((run) => {
    const row = make("tr");
    const time = new Date(run.finished_at).toLocaleTimeString();
    row.append(
      make("td", run.name),
      make("td", String(run.seed), "number"),
      make("td", run.seconds.toFixed(2), "number"),
      make("td", run.status === "ok" ? time : `${time}, failed`, run.status === "ok" ? "" : "bad"),
    );
    return row;
  });
  section.querySelector("tbody").replaceChildren(...rows);
}

function show(state) {
  document.getElementById("source").textContent = state.source;
  showCounts(state);
  const cells = state.cells.map((cell) => showCell(cell, state.unit));
  document.getElementById("cells").replaceChildren(...cells);
  showNewest(state);
}

async function refresh() {
  const trouble = document.getElementById("trouble");
  try {
    const answer = await fetch("state.json");
    const state = await answer.json();
    if (state.error) throw new Error(state.error);
    trouble.hidden = true;
    show(state);
  } catch (error) {
    trouble.textContent = error instanceof TypeError ? "ruleplay watch has ended" : error.message;
    trouble.hidden = false;
  }
  setTimeout(refresh, 1000);
}

refresh();
