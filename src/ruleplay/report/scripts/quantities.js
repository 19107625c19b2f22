// Rules about quantities in words, as ruleplay's own: price = 3.1 + 0.4 area ± 0.2.

const [LEAST, USUAL, LARGEST] = [0, 1, 2]; // places in what is known of a quantity
const MOST_TERMS = 6; // in a sentence; what is left out counts as it is at the box's centre
const LEAST_EFFECT = 0.25; // of a term within the box, as a part of the rule's error
const MOST_DIGITS = 12;
const ROUNDING = 2 ** -24; // share of a range that is lost when states are rounded

/** Return the parts of what a rule says: the value, terms that matter, and how far it may be off. */
function quantityParts(rules, rule) {
  const [error, terms] = [rules.error[rule], []];
  let value = rules.typical(rule);
  const digits = errorDigits(error || Math.abs(value) * 1e-3);
  for (const { coefficient, columns, centre, width } of termsThatMatter(rules, rule, error)) {
    const size = rounded(Math.abs(coefficient), digits - 1 + Math.ceil(Math.log10(width)));
    if (Number(size) === 0) continue;
    value -= Math.sign(coefficient) * Number(size) * centre; // true at the box's centre
    terms.push(`${coefficient < 0 ? "-" : "+"} ${size} ${productInWords(rules.model, columns)}`);
  }
  const name = rules.model.actions[rules.action[rule]];
  return [`${name} = ${rounded(value, digits)}`, ...terms, `± ${rounded(error, digits)}`];
}

/** Return a quantity with how far it may be off, both in the figures that matter. */
function withDeviation(value, deviation) {
  const digits = errorDigits(deviation || Math.abs(value) * 1e-3);
  return `${rounded(value, digits)} ± ${rounded(deviation, digits)}`;
}

/** Return the decimals that show two figures of an error; below 0: tens, hundreds. */
function errorDigits(error) {
  return error > 0 ? 1 - Math.floor(Math.log10(error)) : 2;
}

/** Return a number to some decimals, which may be below 0; very small ones in figures. */
function rounded(value, digits) {
  if (!Number.isFinite(value)) return fixed(value, 0);
  if (digits > MOST_DIGITS || (digits < 0 && Math.abs(value) >= 1e15)) return threeFigures(value);
  if (digits >= 0) return fixed(value, digits);
  return fixed(Math.round(value / 10 ** -digits) * 10 ** -digits, 0);
}

/** Return three figures of a number, without zeros at its end. */
function threeFigures(value) {
  const [figures, power] = value.toExponential(2).split("e");
  if (power >= -4 && power < 3) return String(Number(value.toPrecision(3)));
  const sign = power.startsWith("-") ? "-" : "+";
  return `${Number(figures)}e${sign}${power.slice(1).padStart(2, "0")}`;
}

/** Return a bound in as few decimals as states tell apart; ends of a range stay. */
function tidied(bound, { low, high }) {
  const digits = Math.floor(-Math.log10(ROUNDING * (high - low)));
  const stays = bound === low || bound === high || digits < 0;
  return stays ? bound : Number(bound.toFixed(Math.min(digits, 100)));
}

/** List the terms of a rule's model that matter within its box, the largest effect first. */
function termsThatMatter(rules, rule, error) {
  if (!rules.model.products) return [];
  const box = rules.boxOf(rule);
  const least = Math.max(rules.model.ordered ? 0 : LEAST_EFFECT * error, 1e-300);
  const effect = ({ coefficient, width }) => Math.abs(coefficient) * width;
  return varyingTerms(rules, rule, box)
    .map((term) => ({ ...term, ...reachIn(box, term.columns) }))
    .filter((term) => effect(term) >= least)
    .sort((a, b) => effect(b) - effect(a))
    .slice(0, MOST_TERMS);
}

/** List the products of columns that vary within a box, with their coefficients. */
function varyingTerms(rules, rule, box) {
  const { inputs, products } = rules.model;
  const [found, coefficients] = [new Map(), rules.models.coefficients(rule)];
  products.forEach((product, k) => {
    const columns = plainProduct(inputs, product);
    const varying = columns.filter((place) => box[place].width > 0);
    if (!varying.length) return;
    const still = columns.filter((place) => !(box[place].width > 0));
    const part = still.reduce((rest, place) => rest * box[place].centre, coefficients[k]);
    const term = found.get(varying.join()) ?? { columns: varying, coefficient: 0 };
    term.coefficient += part;
    found.set(varying.join(), term);
  });
  return [...found.values()];
}

/** Return a product of columns; a category is its own square, and two of them exclude each other. */
function plainProduct(inputs, product) {
  const [one, other] = product.map((place) => inputs[place]);
  if (!other || one.category === null || one.feature !== other.feature) return product;
  return one === other ? product.slice(0, 1) : [];
}

/** Return the value of a product at the centre of a box, and how far it goes within it. */
function reachIn(box, columns) {
  const sides = columns.map((place) => box[place]);
  if (sides.length === 1) return sides[0];
  const [one, other] = sides.map(({ centre, width }) => [centre - width / 2, centre + width / 2]);
  const corners = one.flatMap((x) => other.map((y) => x * y));
  const centre = sides[0].centre * sides[1].centre;
  return { centre, width: Math.max(...corners) - Math.min(...corners) };
}

/** Return a product of columns in words: area, area², area·rooms, [district = A]. */
function productInWords({ features, inputs }, columns) {
  const names = columns.map((place) => {
    const { feature, category } = inputs[place];
    const { name, categories } = features[feature];
    return category === null ? name : `[${name} = ${categories[category]}]`;
  });
  return names.length === 2 && names[0] === names[1] ? `${names[0]}²` : names.join("·");
}

/** Return each quantity at an observation: what is said, how far off, and between which ends. */
function estimatesAt(rules, { values, deviations }) {
  return values.map((value, k) => estimate(rules.model, k, value, deviations[k]));
}

/** Return a quantity within its range, its usual value if no rule says one, and how far it is off. */
function estimate({ quantities, intervals }, k, value, deviation) {
  const known = quantities[k];
  const said = Number.isNaN(value)
    ? known[USUAL]
    : Math.min(Math.max(value, known[LEAST]), known[LARGEST]);
  if (!intervals) return { value: said, deviation, half: deviation };
  const stated = Number.isNaN(deviation)
    ? intervals.unknown[k]
    : Math.max(deviation, intervals.least[k]);
  const { factor, reach } = intervals;
  return { value: said, deviation: stated * factor[k], half: stated * reach[k] };
}
