// A map over the plane of two features: a canvas with axes and a point that keys and clicks move.

const MOST_LABELS = 8; // categories that stand on an axis

const VIRIDIS = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"].map(rgbOf);
const ORANGES = ["#fff5eb", "#fdd0a2", "#fdae6b", "#f16913", "#d94801", "#7f2704"].map(rgbOf);

function rgbOf(colour) {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}

/** Return the colour of a share of the way from the lowest to the highest value. */
function colourAlong(colours, share) {
  const place = Math.min(Math.max(share, 0), 1) * (colours.length - 1);
  const [first, part] = [Math.min(Math.floor(place), colours.length - 2), place % 1];
  const rest = place === colours.length - 1 ? 1 : part;
  return colours[first].map((c, k) => Math.round(c + rest * (colours[first + 1][k] - c)));
}

class Plane {
  /** `onMove` is told where a visitor wants the point: shares of the way right and up. */
  constructor(title, describedBy, onMove) {
    this.onMove = onMove;
    this.caption = make("figcaption", {}, title);
    this.canvas = make("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label": `${title}. Arrow keys move the point.`,
      "aria-describedby": describedBy,
      click: (event) => this.take(event),
      pointermove: (event) => event.buttons && event.pointerType === "mouse" && this.take(event),
      keydown: (event) => this.step(event),
    });
    this.note = make("p", { class: "small" });
    this.figure = make("figure", { class: "plane" }, this.caption, this.canvas, this.note);
    this.margin = { left: 44, right: 6, top: 6, bottom: 34 };
    this.point = [0.5, 0.5];
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }

  /** Show features on the axes, and a painter: (context, area) draws what lies in the map. */
  show(features, paint) {
    Object.assign(this, { features, paint, picture: null });
    const longest = Math.max(...axisLabels(features[1]).map(({ text }) => text.length));
    this.margin.left = Math.min(Math.max(28 + 7 * longest, 44), 108);
    this.redraw();
  }

  moveTo(point) {
    this.point = point;
    this.redraw();
  }

  /** Draw before the browser shows the next frame, once however much has changed. */
  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.paint && this.canvas.clientWidth > 80) this.draw();
    });
  }

  get area() {
    const { left, right, top, bottom } = this.margin;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return { x: left, y: top, width: width - left - right, height: height - top - bottom };
  }

  draw() {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    if (this.picture?.width !== canvas.width || this.picture.height !== canvas.height) {
      this.picture = this.paintPicture(canvas, ratio);
    }
    const context = canvas.getContext("2d");
    context.drawImage(this.picture, 0, 0);
    context.scale(ratio, ratio);
    this.drawPoint(context, this.area);
  }

  /** Return everything but the point, which moves more often than the rest changes. */
  paintPicture({ width, height }, ratio) {
    const picture = make("canvas", { width, height });
    const [context, { area }] = [picture.getContext("2d"), this];
    context.scale(ratio, ratio);
    context.save();
    context.beginPath();
    context.rect(area.x, area.y, area.width, area.height);
    context.clip();
    context.fillStyle = colourOf("--ground");
    context.fillRect(area.x, area.y, area.width, area.height);
    this.paint(context, area);
    context.restore();
    this.drawAxes(context, area);
    return picture;
  }

  drawPoint(context, area) {
    const x = area.x + this.point[0] * area.width;
    const y = area.y + (1 - this.point[1]) * area.height;
    for (const [colour, width] of [
      ["#ffffff", 3.5],
      ["#000000", 1.5],
    ]) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.beginPath();
      context.arc(x, y, 6, 0, 2 * Math.PI);
      context.moveTo(x - 12, y);
      context.lineTo(x + 12, y);
      context.moveTo(x, y - 12);
      context.lineTo(x, y + 12);
      context.stroke();
    }
  }

  drawAxes(context, area) {
    context.strokeStyle = colourOf("--line");
    context.lineWidth = 1;
    context.strokeRect(area.x, area.y, area.width, area.height);
    context.fillStyle = colourOf("--soft");
    context.font = `12px ${colourOf("--font")}`;
    const [right, up] = this.features;
    context.textBaseline = "top";
    for (const { text, share, align, part } of axisLabels(right)) {
      context.textAlign = align;
      const room = Math.max(part * area.width - 4, 8);
      context.fillText(text, area.x + share * area.width, area.y + area.height + 4, room);
    }
    context.textAlign = "center";
    const room = area.width - 70;
    context.fillText(right.name, area.x + area.width / 2, area.y + area.height + 17, room);
    if (up === right) return;
    context.textAlign = "right";
    const heights = { left: "bottom", center: "middle", right: "top" };
    for (const { text, share, align } of axisLabels(up)) {
      context.textBaseline = heights[align];
      const y = area.y + (1 - share) * area.height;
      context.fillText(text, area.x - 4, y, area.x - 24);
    }
    context.translate(12, area.y + area.height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(up.name, 0, 0, area.height - 40);
  }

  take(event) {
    const [{ area }, box] = [this, this.canvas.getBoundingClientRect()];
    const right = (event.clientX - box.left - area.x) / area.width;
    const up = 1 - (event.clientY - box.top - area.y) / area.height;
    this.onMove(right, up);
  }

  step(event) {
    const step = event.shiftKey ? 0.1 : 0.02;
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.onMove(this.point[0] + step * move[0], this.point[1] + step * move[1]);
  }
}

/** Return what stands on a feature's axis and where: both ends, or each of a few categories. */
function axisLabels(feature) {
  const { categories } = feature;
  if (categories.length && categories.length <= MOST_LABELS) {
    const part = 1 / categories.length;
    return categories.map((text, k) => ({ text, share: (k + 0.5) * part, align: "center", part }));
  }
  const end = (share) => sayValue(feature, possible(feature, share ? Infinity : -Infinity));
  return [
    { text: end(0), share: 0, align: "left", part: 0.5 },
    { text: end(1), share: 1, align: "right", part: 0.5 },
  ];
}

/** Paint a colour per point of the grid; `colourAt(cell)` returns red, green, blue, or nothing. */
function paintGrid(colourAt) {
  const picture = new ImageData(SIDE, SIDE);
  for (let cell = 0; cell < SIDE * SIDE; cell++) {
    const colour = colourAt(cell);
    if (!colour) continue;
    const row = SIDE - 1 - Math.floor(cell / SIDE);
    const start = 4 * (row * SIDE + (cell % SIDE));
    picture.data.set(colour, start);
    picture.data[start + 3] = 255;
  }
  const small = make("canvas", { width: SIDE, height: SIDE });
  small.getContext("2d").putImageData(picture, 0, 0);
  return (context, area) => {
    context.imageSmoothingEnabled = false;
    context.drawImage(small, area.x, area.y, area.width, area.height);
  };
}

const APART = [0.7549, 0.5698]; // of a category's room, by which the next row is moved aside

/** Paint rows as dots in the colours of their answers; those of a category side by side. */
function paintRows(known, plane, { features }, colourOfAnswer) {
  const shareOf = (k, value, row, axis) => {
    const [low, high] = reachOf(features[k]);
    const aside = features[k].categories.length ? 0.7 * ((row * APART[axis]) % 1) - 0.35 : 0;
    return (value + aside - low) / (high - low);
  };
  return (context, area) => {
    known.forEach(({ values, answer }, row) => {
      const [right, up] = plane.map((k, axis) => shareOf(k, values[k], row, axis));
      if (Number.isNaN(right + up)) return;
      const height = plane[0] === plane[1] ? (row * APART[1]) % 1 : up;
      context.beginPath();
      const place = [area.x + right * area.width, area.y + (1 - height) * area.height];
      context.arc(...place, 2.6, 0, 2 * Math.PI);
      context.fillStyle = colourOfAnswer(answer);
      context.strokeStyle = "#000000aa";
      context.lineWidth = 1;
      context.fill();
      context.stroke();
    });
  };
}

/** Paint the boxes of some rules, the first at the bottom. */
function paintBoxes(rules, chosen, [x, y], colourOfRule) {
  const { features, ordered } = rules.model;
  const strongest = chosen.reduce((most, rule) => Math.max(most, rules.fitness[rule]), 1e-300);
  const sharesOf = (rule, k) => {
    const [low, high] = reachOf(features[k]);
    const share = (value) => Math.min(Math.max((value - low) / (high - low), 0), 1);
    return rules.spans(rule, k).map((span) => span.map(share));
  };
  const boxesOf = (rule, area) => {
    const rows = x === y ? [[0, 1]] : sharesOf(rule, y);
    return sharesOf(rule, x).flatMap(([left, right]) =>
      rows.map(([bottom, top]) => [
        area.x + left * area.width,
        area.y + (1 - top) * area.height,
        (right - left) * area.width,
        (top - bottom) * area.height,
      ]),
    );
  };
  return (context, area) => {
    for (const rule of chosen) {
      const strength = Math.sqrt(rules.fitness[rule] / strongest);
      context.fillStyle = colourOfRule(rule);
      context.strokeStyle = context.fillStyle;
      context.lineWidth = 1;
      for (const box of boxesOf(rule, area)) {
        context.globalAlpha = ordered ? 0.85 : 0.04 + 0.46 * strength;
        context.fillRect(...box);
        context.globalAlpha = ordered ? 1 : 0.15 + 0.5 * strength;
        context.strokeRect(...box);
      }
    }
    context.globalAlpha = 1;
  };
}
