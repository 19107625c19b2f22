// What rules decide all over the plane of two features, the others kept as they are.

const SIDE = 100; // points along each side of a map

/** Return the values of all actions at the points of a grid, each as rows of columns. */
function valuesOverPlane(rules, observation, plane) {
  const values = collectValues(rules, observation, plane);
  if (plane[0] !== plane[1]) return values;
  return values.map((line) => {
    const grid = new Float64Array(SIDE * SIDE);
    for (let row = 0; row < SIDE; row++) grid.set(line, row * SIDE);
    return grid;
  });
}

/** Return the values of all actions at points along one feature. */
function valuesOverFeature(rules, observation, feature) {
  return collectValues(rules, observation, [feature, feature]);
}

/** Add up the votes of each rule where it matches; a plane of one feature has a single row. */
function collectValues(rules, observation, [x, y]) {
  const { features, actions, ordered } = rules.model;
  const across = gridPoints(features[x]);
  const up = x === y ? [observation[y]] : gridPoints(features[y]);
  const size = across.length * up.length;
  const votes = actions.map(() => new Votes(size));
  const taken = ordered ? new Uint8Array(size) : null;
  const [states, upStates] = [scaleAll(rules, x, across), scaleAll(rules, y, up)];
  const [state, line] = [rules.scale(observation), new Float64Array(SIDE)];
  for (const rule of rulesInSlice(rules, observation, [x, y])) {
    const columns = pointsInside(across, rules, rule, x);
    const rows = x === y ? [0] : pointsInside(up, rules, rule, y);
    const [mine, fitness] = [votes[rules.action[rule]], rules.fitness[rule]];
    for (const row of rows) {
      if (x !== y) state[y] = upStates[row];
      predictAlong(rules, rule, state, x, states, line);
      for (const column of columns) {
        const cell = row * SIDE + column;
        if (taken && taken[cell]++) continue;
        mine.add(cell, line[column], fitness);
      }
    }
  }
  return votes.map(({ values }) => values);
}

/** Write what a rule predicts for states that differ in one feature. */
function predictAlong(rules, rule, state, feature, states, line) {
  if (!rules.model.linear) return void line.fill(rules.prediction[rule]);
  const slope = rules.weights[rule * (rules.width + 1) + feature + 1];
  state[feature] = 0;
  const [start, limit] = [rules.sumOf(rule, state), rules.model.limit ?? Infinity];
  for (let i = 0; i < states.length; i++) {
    line[i] = Math.min(Math.max(start + slope * states[i], -limit), limit);
  }
}

/** Return the middles of SIDE equal parts of a feature's axis. */
function axisPoints(feature) {
  const [from, to] = reachOf(feature);
  return Array.from({ length: SIDE }, (_, i) => from + ((i + 0.5) / SIDE) * (to - from));
}

/** Return the values of a feature at these points: of categories, the nearest one. */
function gridPoints(feature) {
  const points = axisPoints(feature);
  return feature.categories.length ? points.map((point) => possible(feature, point)) : points;
}

function scaleAll(rules, feature, points) {
  const observation = rules.model.features.map(({ low }) => low);
  return points.map((point) => {
    observation[feature] = point;
    return rules.scale(observation)[feature];
  });
}

/** List the rules that contain the observation in all features but those of the plane. */
function rulesInSlice(rules, observation, plane) {
  const free = observation.map((value, k) => (plane.includes(k) ? NaN : value));
  return Array.from({ length: rules.size }, (_, rule) => rule).filter((rule) =>
    rules.contains(rule, free),
  );
}

/** List the numbers of the points that a rule contains. */
function pointsInside(points, rules, rule, feature) {
  const place = rule * rules.width + feature;
  const { categories } = rules.model.features[feature];
  const [lower, upper] = [rules.lower[place], rules.upper[place]];
  const inside = [];
  points.forEach((point, i) => {
    if (point < lower || point > upper) return;
    if (!categories.length || rules.allows(rule, feature, point)) inside.push(i);
  });
  return inside;
}

/** Return the decision and the best value at each point; NaN where no rule speaks. */
function decisionsOf(rules, values) {
  const [actions, best] = [new Int32Array(SIDE * SIDE), new Float64Array(SIDE * SIDE)];
  const here = new Float64Array(values.length);
  for (let cell = 0; cell < actions.length; cell++) {
    for (let action = 0; action < here.length; action++) here[action] = values[action][cell];
    actions[cell] = rules.decide(here);
    best[cell] = here[actions[cell]];
  }
  return { actions, best };
}
