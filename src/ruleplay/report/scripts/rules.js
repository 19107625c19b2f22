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
    const weights = (model.products?.length ?? 0) + 1;
    const wide = { lower: this.width, upper: this.width, weights, allowed: this.sets };
    for (const [name, array] of Object.entries(columns)) {
      const step = wide[name] ?? 1;
      this[name] = array.subarray(first * step, (first + size) * step);
    }
    this.models = new Models(model, this.weights);
    this.phrases = new Array(size);
    this.sayings = new Array(size);
  }

  /** Return an observation in which missing numbers are what they count as, if that is something. */
  filled(observation) {
    const { features } = this.model;
    return observation.map((x, k) => (Number.isNaN(x) ? (features[k].fill ?? NaN) : x));
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

  /** Return what a rule predicts for the state of an observation. */
  predicts(rule, state) {
    return this.model.products ? this.limited(this.models.value(rule, state)) : this.prediction[rule];
  }

  /** Return a value within what predictions are limited to. */
  limited(value) {
    const limit = this.model.limit ?? Infinity;
    return Math.min(Math.max(value, -limit), limit);
  }

  /** List the rules that speak about an observation: all that match, or of a list the first. */
  speaking(observation) {
    const [found, seen] = [[], this.filled(observation)];
    for (let rule = 0; rule < this.size; rule++) {
      if (!this.contains(rule, seen)) continue;
      found.push(rule);
      if (this.model.ordered) break;
    }
    return found;
  }

  /** Return an observation as models take it. */
  stateOf(observation) {
    return this.models.stateOf(this.filled(observation));
  }

  /** Return the value of every action: means weighted by fitness; NaN where no rule speaks. */
  predict(observation) {
    return this.tally(this.speaking(observation), this.stateOf(observation)).map(
      (votes) => votes.values[0],
    );
  }

  /** Collect what some rules say about a state, for each action. */
  tally(rules, state) {
    const votes = this.newVotes(1);
    for (const rule of rules) {
      votes[this.action[rule]].add(0, this.predicts(rule, state), this.weight(rule), this.error[rule]);
    }
    return votes;
  }

  /** Return for each action what collects predictions at some places. */
  newVotes(places) {
    const { actions, quantities } = this.model;
    return actions.map((_, k) => new Votes(places, quantities ? quantities[k][USUAL] : 0));
  }

  /** Return how much a rule counts; that of a list which decides is alone. */
  weight(rule) {
    return this.model.ordered ? 1 : this.fitness[rule];
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
    const [rules, state] = [this.speaking(observation), this.stateOf(observation)];
    const tallies = this.tally(rules, state);
    const values = tallies.map((votes) => votes.values[0]);
    const [total, count] = [tallies.map((votes) => votes.total[0]), tallies.map((votes) => votes.count[0])];
    const votes = rules.map((rule) => {
      const action = this.action[rule];
      const share = total[action] > 0 ? this.weight(rule) / total[action] : 1 / count[action];
      return { rule, action, share, value: this.predicts(rule, state) };
    });
    const rank = (action) => (Number.isNaN(values[action]) ? -Infinity : values[action]);
    votes.sort(
      (a, b) => rank(b.action) - rank(a.action) || a.action - b.action || b.share - a.share,
    );
    const deviations = tallies.map((all) => all.deviations[0]);
    const isDefault = rules.length === 0;
    return { values, deviations, count, votes, action: this.decide(values), isDefault };
  }

  /** Return what a rule predicts at the middle of its box. */
  typical(rule) {
    if (!this.model.products) return this.prediction[rule];
    const { models } = this;
    const middle = this.boxOf(rule).map(({ centre }, k) => models.share(k, centre));
    return this.limited(models.value(rule, middle));
  }

  /** Return the middle and the width of a rule's box in each column that models take. */
  boxOf(rule) {
    const { inputs, features } = this.model;
    return inputs.map(({ feature: k, category }) => {
      if (category === null) {
        const place = rule * this.width + k;
        const { low, high } = features[k];
        const ends = [Math.max(this.lower[place], low), Math.min(this.upper[place], high)];
        const [from, to] = ends.map((end) => tidied(end, features[k]));
        return { centre: (from + to) / 2, width: to - from };
      }
      const members = features[k].categories.filter((_, place) => this.allows(rule, k, place));
      const isIn = this.allows(rule, k, category);
      return {
        centre: isIn / Math.max(members.length, 1),
        width: Number(isIn && members.length > 1),
      };
    });
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

  /** Return what a rule says: its action, its class or not, or a quantity. */
  speaksFor(rule) {
    if (this.model.quantities) return this.formula(rule).join(" ");
    const { actions, against_below: limit } = this.model;
    const name = actions[this.action[rule]];
    return limit !== null && this.typical(rule) < limit ? `not ${name}` : name;
  }

  /** Return the parts of what a rule says of a quantity. */
  formula(rule) {
    return (this.sayings[rule] ??= quantityParts(this, rule));
  }

  /** Return fitness times numerosity; about classes, a rule often wrong says nothing. */
  strength(rule) {
    const limit = this.model.against_below;
    const sure = limit === null ? 1 : Math.max(1 - this.error[rule] / limit, 0);
    return this.fitness[rule] * this.numerosity[rule] * sure;
  }

  /** Return all rules, the strongest first; a list as it stands. */
  inOrder() {
    const rules = Array.from({ length: this.size }, (_, rule) => rule);
    if (this.model.ordered) return rules;
    const strength = rules.map((rule) => this.strength(rule));
    return rules.sort((a, b) => strength[b] - strength[a]);
  }
}

/** Collect predictions at some places, in the order of the rules; squares are those of distances. */
class Votes {
  constructor(places, centre) {
    this.centre = centre;
    [this.weighted, this.plain, this.squares, this.total, this.count] = [1, 2, 3, 4, 5].map(
      () => new Float64Array(places),
    );
  }

  add(place, value, weight, error) {
    const away = value - this.centre;
    this.weighted[place] += value * weight;
    this.plain[place] += value;
    this.squares[place] += weight * (away * away + error * error);
    this.total[place] += weight;
    this.count[place] += 1;
  }

  /** Return means weighted by fitness, plain ones without any; NaN without predictions. */
  get values() {
    return this.count.map((count, place) => {
      if (this.total[place] > 0) return this.weighted[place] / this.total[place];
      return count > 0 ? this.plain[place] / count : NaN;
    });
  }

  /** Return how far off rules think they are, with their disagreement; NaN without votes. */
  get deviations() {
    return this.total.map((total, place) => {
      if (!(total > 0)) return NaN;
      const away = this.weighted[place] / total - this.centre;
      return Math.sqrt(Math.max(this.squares[place] / total - away * away, 0));
    });
  }
}

const MANY = 10; // categories above which the shorter way to say what is allowed is always taken

/** Return the condition on categories in words; nothing if all are allowed. */
function setPhraseOf({ name, categories }, isAllowed) {
  const members = categories.filter(isAllowed);
  if (members.length === categories.length) return "";
  const others = categories.filter((_, place) => !isAllowed(_, place));
  const weight = members.length > MANY ? 1 : 2;
  if (weight * others.length < members.length) {
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
