// Models of rules: what their weights are multiplied by, and what that gives.

class Models {
  /** `weights` has for each rule a constant, then one for each product of columns. */
  constructor({ features, inputs, products }, weights) {
    Object.assign(this, { features, inputs, products: products ?? [], weights });
    this.places = features.map((_, k) =>
      inputs.flatMap(({ feature }, place) => (feature === k ? [place] : [])),
    );
  }

  /** Return where a rule's weights begin. */
  start(rule) {
    return rule * (this.products.length + 1);
  }

  /** Return an observation as models take it: a number in [0, 1] for each column. */
  stateOf(observation) {
    const state = new Float64Array(this.inputs.length);
    observation.forEach((value, k) => this.put(state, k, value));
    return state;
  }

  /** Write the columns of one feature into a state, in the engine's own precision. */
  put(state, k, value) {
    const { low, high } = this.features[k];
    const inside = Math.min(Math.max(value, low), high);
    for (const place of this.places[k]) {
      const { category } = this.inputs[place];
      const seen = category === null ? inside : Number(Math.round(inside) === category);
      state[place] = Math.fround(Math.min(Math.max(this.share(place, seen), 0), 1));
    }
  }

  /** Write the columns of one feature into a state, and return the first of them. */
  putOne(state, k, value) {
    this.put(state, k, value);
    return state[this.places[k][0]];
  }

  /** Return how far along the range of a column a number is. */
  share(place, value) {
    const [least, most] = this.inputs[place].scaled;
    return (value - least) * (1 / (most - least));
  }

  /** Return a rule's sum of weights times products of a state. */
  value(rule, state) {
    const [start, { products, weights }] = [this.start(rule), this];
    let value = weights[start];
    for (let k = 0; k < products.length; k++) {
      const [i, j] = products[k];
      value += weights[start + k + 1] * (j === undefined ? state[i] : state[i] * state[j]);
    }
    return value;
  }

  /** Return constant, slope and bend of a rule's model along one column, others as in a state. */
  along(rule, state, column) {
    const [start, { products, weights }] = [this.start(rule), this];
    let [constant, slope, bend] = [weights[start], 0, 0];
    for (let k = 0; k < products.length; k++) {
      const [i, j] = products[k];
      const weight = weights[start + k + 1];
      const [one, other] = [state[i], j === undefined ? 1 : state[j]];
      if (i === column && j === column) bend += weight;
      else if (i === column) slope += weight * other;
      else if (j === column) slope += weight * one;
      else constant += weight * one * other;
    }
    return [constant, slope, bend];
  }

  /** Return the coefficients of a rule's products in the user's units. */
  coefficients(rule) {
    const [start, { products, weights, inputs }] = [this.start(rule), this];
    const span = (place) => inputs[place].scaled[1] - inputs[place].scaled[0];
    const least = (place) => inputs[place].scaled[0];
    const found = products.map((columns, k) =>
      columns.reduce((rest, place) => rest / span(place), weights[start + k + 1]),
    );
    products.forEach(([i, j], k) => {
      if (j === undefined) return;
      found[i] -= found[k] * least(j);
      found[j] -= found[k] * least(i);
    });
    return found;
  }
}
