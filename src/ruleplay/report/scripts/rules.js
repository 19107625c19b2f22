// A set of rules as ruleplay's own RuleSet: what matches, what it predicts, what is decided.

/** Return a number with so many decimals, and zero without a sign. */
function fixed(value, digits) {
  if (Number.isNaN(value)) return "none";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  const text = value.toFixed(Math.min(digits, 20));
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** Return a share of a whole; what is little but something is not 0 %. */
function percent(share) {
  return share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`;
}

const DAY = 86_400_000; // milliseconds

/** Return a number of days since 1970-01-01 as a date, with the time unless days are whole. */
function dateText(days, whole) {
  const minutes = Math.round(days * 1440);
  const date = new Date((whole ? Math.round(days) : minutes / 1440) * DAY);
  return Number.isNaN(date.getTime()) ? "none" : date.toISOString().slice(0, whole ? 10 : 16);
}

/** Return a feature's number as it is written: a date as a date. */
function sayNumber({ digits, whole, is_date }, value) {
  return is_date ? dateText(value, whole).replace("T", " ") : fixed(value, digits);
}

/** Return a feature's value in words: a category by its name. */
function sayValue(feature, value) {
  if (Number.isNaN(value)) return "missing";
  const { categories } = feature;
  return categories.length ? categories[value] : sayNumber(feature, value);
}

function valueInWords(feature, value) {
  return `${feature.name} ${sayValue(feature, value)}`;
}

/** Return what rules speak about, in the plural. */
function manyOf({ noun }) {
  return noun === "class" ? "classes" : "actions";
}

/** Return where a feature's axis begins and ends; each category takes as much room. */
function reachOf({ low, high, categories }) {
  return categories.length ? [-0.5, categories.length - 0.5] : [low, high];
}

/** Return a number that a feature can have: within its range, whole if it must be. */
function possible({ low, high, whole, categories }, value) {
  const most = categories.length ? categories.length - 1 : high;
  const inside = Math.min(Math.max(value, low), most);
  return whole ? Math.round(inside) : inside;
}

class Rules {
  constructor(model, columns, first, size) {
    this.model = model;
    this.size = size;
    this.width = model.features.length;
    this.sets = model.features.reduce((sum, { categories }) => sum + categories.length, 0);
    const [lower, upper, weights] = [this.width, this.width, this.width + 1];
    const wide = { lower, upper, weights, allowed: this.sets };
    for (const [name, array] of Object.entries(columns)) {
      const step = wide[name] ?? 1;
      this[name] = array.subarray(first * step, (first + size) * step);
    }
    this.phrases = new Array(size);
  }

  /** Tell whether a rule contains an observation; a missing feature keeps none out. */
  contains(rule, observation) {
    const start = rule * this.width;
    for (let k = 0; k < this.width; k++) {
      const x = observation[k];
      if (x < this.lower[start + k] || x > this.upper[start + k]) return false;
      if (this.model.features[k].categories.length && !this.allows(rule, k, x)) return false;
    }
    return true;
  }

  /** Tell whether a rule allows a category of a feature, given by its place; a missing one it does. */
  allows(rule, k, place) {
    const { first } = this.model.features[k];
    return Number.isNaN(place) || this.allowed[rule * this.sets + first + Math.round(place)] > 0;
  }

  /** List the parts of a feature's axis that a rule has; categories reach half a place aside. */
  spans(rule, k) {
    const [feature, place] = [this.model.features[k], rule * this.width + k];
    if (!feature.categories.length) {
      const { low, high } = feature;
      return [[Math.max(this.lower[place], low), Math.min(this.upper[place], high)]];
    }
    const spans = [];
    feature.categories.forEach((_, category) => {
      if (!this.allows(rule, k, category)) return;
      const last = spans.at(-1);
      if (last && last[1] === category - 0.5) last[1] = category + 0.5;
      else spans.push([category - 0.5, category + 0.5]);
    });
    return spans;
  }

  /** Return an observation in [0, 1], in the engine's own precision. */
  scale(observation) {
    return this.model.features.map(({ low, high, scaled: [least, most] }, k) => {
      const inside = Math.min(Math.max(observation[k], low), high);
      const scaled = (inside - least) * (1 / (most - least));
      return Math.fround(Math.min(Math.max(scaled, 0), 1));
    });
  }

  /** Return what a rule predicts for a scaled observation. */
  predicts(rule, state) {
    if (!this.model.linear) return this.prediction[rule];
    const limit = this.model.limit ?? Infinity;
    return Math.min(Math.max(this.sumOf(rule, state), -limit), limit);
  }

  /** Return the sum of a linear rule's weights times a scaled observation. */
  sumOf(rule, state) {
    const start = rule * (this.width + 1);
    let value = this.weights[start];
    for (let k = 0; k < this.width; k++) value += this.weights[start + k + 1] * state[k];
    return value;
  }

  /** List the rules that speak about an observation: all that match, or of a list the first. */
  speaking(observation) {
    const found = [];
    for (let rule = 0; rule < this.size; rule++) {
      if (!this.contains(rule, observation)) continue;
      found.push(rule);
      if (this.model.ordered) break;
    }
    return found;
  }

  /** Return the value of every action: means weighted by fitness; NaN where no rule speaks. */
  predict(observation) {
    return this.tally(this.speaking(observation), this.scale(observation)).values;
  }

  tally(rules, state) {
    const votes = new Votes(this.model.actions.length);
    for (const rule of rules) {
      votes.add(this.action[rule], this.predicts(rule, state), this.fitness[rule]);
    }
    return votes;
  }

  /** Return the action of largest value, the first one among equals; the default without any. */
  decide(values) {
    let best = -1;
    for (let action = 0; action < values.length; action++) {
      if (Number.isNaN(values[action])) continue;
      if (best < 0 || values[action] > values[best]) best = action;
    }
    return best < 0 ? this.model.default_action : best;
  }

  /** Return a decision with its reasons: votes by share, the best action's first. */
  explain(observation) {
    const [rules, state] = [this.speaking(observation), this.scale(observation)];
    const { values, total, count } = this.tally(rules, state);
    const votes = rules.map((rule) => {
      const action = this.action[rule];
      const share = total[action] > 0 ? this.fitness[rule] / total[action] : 1 / count[action];
      return { rule, action, share, value: this.predicts(rule, state) };
    });
    const rank = (action) => (Number.isNaN(values[action]) ? -Infinity : values[action]);
    votes.sort(
      (a, b) => rank(b.action) - rank(a.action) || a.action - b.action || b.share - a.share,
    );
    return { values, count, votes, action: this.decide(values), isDefault: rules.length === 0 };
  }

  /** Return what a rule predicts at the middle of its box. */
  typical(rule) {
    if (!this.model.linear) return this.prediction[rule];
    const start = rule * this.width;
    const middle = this.model.features.map(({ low, high }, k) => {
      const [from, to] = [this.lower[start + k], this.upper[start + k]];
      return (Math.max(from, low) + Math.min(to, high)) / 2;
    });
    return this.predicts(rule, this.scale(middle));
  }

  /** List a rule's conditions in words. */
  conditions(rule) {
    this.phrases[rule] ??= this.model.features
      .map((_, k) => this.conditionOn(rule, k))
      .filter((phrase) => phrase);
    return this.phrases[rule];
  }

  /** Return a rule's condition on a feature in words; nothing if there is none. */
  conditionOn(rule, k) {
    const [feature, place] = [this.model.features[k], rule * this.width + k];
    return feature.categories.length
      ? setPhraseOf(feature, (_, category) => this.allows(rule, k, category))
      : phraseOf(feature, this.lower[place], this.upper[place]);
  }

  /** Return a rule's condition in words. */
  condition(rule) {
    return this.conditions(rule).join(" AND ") || "anything";
  }

  /** Return who wrote a rule; nothing if it was learned. */
  author(rule) {
    return this.model.origins[this.origin?.[rule] ?? 0];
  }

  /** Return what a rule speaks for; one that predicts little speaks against its class. */
  speaksFor(rule) {
    const { actions, against_below: limit } = this.model;
    const name = actions[this.action[rule]];
    return limit !== null && this.typical(rule) < limit ? `not ${name}` : name;
  }

  /** Return all rules, those with most fitness and numerosity first; a list as it stands. */
  inOrder() {
    const rules = Array.from({ length: this.size }, (_, rule) => rule);
    if (this.model.ordered) return rules;
    const strength = rules.map((rule) => this.fitness[rule] * this.numerosity[rule]);
    return rules.sort((a, b) => strength[b] - strength[a]);
  }
}

/** Collect predictions at some places (actions, points), in the order of the rules. */
class Votes {
  constructor(places) {
    [this.weighted, this.plain, this.total, this.count] = [1, 2, 3, 4].map(
      () => new Float64Array(places),
    );
  }

  add(place, value, fitness) {
    this.weighted[place] += value * fitness;
    this.plain[place] += value;
    this.total[place] += fitness;
    this.count[place] += 1;
  }

  /** Return means weighted by fitness, plain ones without any; NaN without predictions. */
  get values() {
    return this.count.map((count, place) => {
      if (this.total[place] > 0) return this.weighted[place] / this.total[place];
      return count > 0 ? this.plain[place] / count : NaN;
    });
  }
}

const MANY = 10; // categories above which those that are not allowed are named, if they are fewer

/** Return the condition on categories in words; nothing if all are allowed. */
function setPhraseOf({ name, categories }, isAllowed) {
  const members = categories.filter(isAllowed);
  if (members.length === categories.length) return "";
  const others = categories.filter((_, place) => !isAllowed(_, place));
  if (members.length > MANY && others.length < members.length) {
    return `${name} not in {${others.join(", ")}}`;
  }
  return `${name} in {${members.join(", ")}}`;
}

/** Return the condition on a number in words; nothing if it lets every value pass. */
function phraseOf(feature, lower, upper) {
  const { name, low, high, whole } = feature;
  const say = (value) => sayNumber(feature, value);
  let [from, to] = [lower > low ? say(lower) : "", upper < high ? say(upper) : ""];
  if (whole) {
    const near = Math.min(1e-6 * (high - low), 0.1);
    const first = Math.ceil(Math.max(lower, low) - near);
    const last = Math.floor(Math.min(upper, high) + near);
    if (first > last) return `${name} between whole numbers`;
    if (first === last) return `${name} = ${say(first)}`;
    [from, to] = [first > low ? say(first) : "", last < high ? say(last) : ""];
  }
  if (from && to) return `${from} ≤ ${name} ≤ ${to}`;
  if (from) return `${name} ≥ ${from}`;
  return to ? `${name} ≤ ${to}` : "";
}
