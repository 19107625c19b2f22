// What rules decide all over the plane of two features, the others kept as they are.

const SIDE = 100; // points along each side of a map

/** Return the values of all actions at the points of a grid, each as rows of columns. */
function valuesOverPlane(rules, observation, plane) {
  return votesOver(rules, observation, plane).map((votes) => spread(votes.values, plane));
}

/** Return numbers at the points of a grid; those over one feature are the same in every row. */
function spread(numbers, [x, y]) {
  if (x !== y) return numbers;
  const grid = new Float64Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row++) grid.set(numbers, row * SIDE);
  return grid;
}

/** Return the values of all actions at points along one feature. */
function valuesOverFeature(rules, observation, feature) {
  return votesOver(rules, observation, [feature, feature]).map(({ values }) => values);
}

/** Return one quantity at the points of a grid, NaN where no rule speaks, and how far off it is. */
function quantityOverPlane(rules, observation, plane, target) {
  const votes = votesOver(rules, observation, plane)[target];
  const [values, deviations] = [votes.values, votes.deviations];
  const said = values.map((value) => estimate(rules.model, target, value, NaN).value);
  const halves = deviations.map((off) => estimate(rules.model, target, NaN, off).half);
  const known = said.map((value, place) => (Number.isNaN(values[place]) ? NaN : value));
  return { values: spread(known, plane), halves: spread(halves, plane) };
}

/** Add up the votes of each rule where it matches; a plane of one feature has a single row. */
function votesOver(rules, observation, [x, y]) {
  const { features, ordered } = rules.model;
  const across = gridPoints(features[x]);
  const up = x === y ? [observation[y]] : gridPoints(features[y]);
  const size = across.length * up.length;
  const votes = rules.newVotes(size);
  const taken = ordered ? new Uint8Array(size) : null;
  const [state, line] = [rules.stateOf(observation), new Float64Array(SIDE)];
  const shares = across.map((point) => rules.models.putOne(state, x, point));
  for (const rule of rulesInSlice(rules, observation, [x, y])) {
    const columns = pointsInside(across, rules, rule, x);
    const rows = x === y ? [0] : pointsInside(up, rules, rule, y);
    const [mine, weight, error] = [votes[rules.action[rule]], rules.weight(rule), rules.error[rule]];
    for (const row of rows) {
      if (x !== y) rules.models.put(state, y, up[row]);
      predictAlong(rules, rule, state, x, { points: across, shares }, line);
      for (const column of columns) {
        const cell = row * SIDE + column;
        if (taken && taken[cell]++) continue;
        mine.add(cell, line[column], weight, error);
      }
    }
  }
  return votes;
}

/** Write what a rule predicts at points along one feature, others as in a state. */
function predictAlong(rules, rule, state, feature, { points, shares }, line) {
  if (!rules.model.products) return void line.fill(rules.prediction[rule]);
  const [column, ...more] = rules.models.places[feature];
  if (more.length) return void predictCategories(rules, rule, state, feature, points, line);
  const [constant, slope, bend] = rules.models.along(rule, state, column);
  for (let i = 0; i < shares.length; i++) {
    line[i] = rules.limited(constant + shares[i] * (slope + shares[i] * bend));
  }
}

/** Write what a rule predicts for categories that have a column each. */
function predictCategories(rules, rule, state, feature, points, line) {
  for (let i = 0; i < points.length; i++) {
    if (i > 0 && points[i] === points[i - 1]) {
      line[i] = line[i - 1];
      continue;
    }
    rules.models.put(state, feature, points[i]);
    line[i] = rules.predicts(rule, state);
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

/** List the rules that contain the observation in all features but those of the plane. */
function rulesInSlice(rules, observation, plane) {
  const free = rules.filled(observation).map((value, k) => (plane.includes(k) ? NaN : value));
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
