// Why a decision was made: in a sentence, a table of actions, and the rules that spoke.

const FEW_VOTES = 8;

class Reasons {
  constructor(id) {
    this.sentence = make("p", { class: "decision", id, "aria-live": "polite" });
    this.actions = make("div", { class: "scroll" });
    this.votes = make("div", {
      class: "scroll",
      tabindex: "0",
      role: "region",
      "aria-label": "Rules that speak about the point",
    });
    this.more = make("button", { type: "button", click: () => this.toggle() });
    this.element = make(
      "div",
      { class: "reasons" },
      this.sentence,
      this.actions,
      this.votes,
      this.more,
    );
    this.all = false;
  }

  show(rules, observation) {
    this.rules = rules;
    this.reasons = rules.explain(observation);
    this.sentence.replaceChildren(...this.words(observation));
    this.actions.replaceChildren(...this.actionTable());
    this.showVotes();
  }

  toggle() {
    this.all = !this.all;
    this.showVotes();
  }

  /** List the values of an observation in words, as far as a sentence names them. */
  seen(observation) {
    const { rules, reasons } = this;
    return rules.model.features
      .map((feature, k) => [valueInWords(feature, observation[k]), k])
      .filter(([, k]) => isTelling(rules, reasons.votes, k))
      .map(([words]) => words);
  }

  words(observation) {
    const { model } = this.rules;
    const { action, values, count, isDefault, votes } = this.reasons;
    const seen = this.seen(observation);
    const chosen = make("b", {}, model.actions[action]);
    const start = seen.length ? `At ${seen.join(", ")} the decision is ` : "Here the decision is ";
    if (isDefault) return [start, chosen, ", the default, because no rule matches."];
    const digits = model.digits;
    if (model.ordered) {
      return [start, chosen, `: rule ${votes[0].rule + 1} of the list is the first that matches.`];
    }
    const others = model.actions
      .map((name, k) => [name, values[k], k])
      .filter(([, value, k]) => k !== action && !Number.isNaN(value))
      .sort((a, b) => b[1] - a[1]);
    const next = others.length
      ? `; next best is ${others[0][0]} with ${fixed(others[0][1], digits)}`
      : "";
    const unknown = values.filter(Number.isNaN).length;
    const silent = unknown
      ? ` ${unknown} of ${model.actions.length} ${manyOf(model)} have no rule here.`
      : "";
    const rulesFor = `${count[action]} rule${count[action] === 1 ? "" : "s"}`;
    const worth = `: worth ${fixed(values[action], digits)}`;
    const why = `, the mean of ${rulesFor} weighted by fitness${next}.`;
    return [start, chosen, worth + why + silent];
  }

  actionTable() {
    const { model } = this.rules;
    const { values, count, action } = this.reasons;
    const rows = model.actions.map((name, k) =>
      make(
        "tr",
        k === action ? { class: "chosen" } : {},
        make("th", { scope: "row" }, swatch(model.colours[k]), name),
        make("td", { class: "number" }, fixed(values[k], model.digits)),
        make("td", { class: "number" }, String(count[k])),
        make("td", {}, k === action ? "chosen" : ""),
      ),
    );
    const table = plainTable([model.noun, "value", "rules", ""], rows);
    if (model.noun !== "class") return [table];
    return [table, make("p", { class: "small" }, "Values are 1000 times a probability.")];
  }

  /** List what the table says of each rule: heading, how it is said, and whether it is shown. */
  get figures() {
    const { rules } = this;
    const { digits, ordered } = rules.model;
    return [
      ["share of the vote", ({ share }) => percent(share), !ordered],
      ["predicts", ({ value }) => fixed(value, digits), true],
      ["error", ({ rule }) => fixed(rules.error[rule], digits), !ordered],
      ["fitness", ({ rule }) => fixed(rules.fitness[rule], 3), !ordered],
      ["seen", ({ rule }) => String(rules.experience[rule]), true],
    ];
  }

  showVotes() {
    const { rules, reasons } = this;
    const { votes } = reasons;
    const figures = this.figures.filter(([, , isShown]) => isShown);
    const rows = votes
      .slice(0, this.all ? undefined : FEW_VOTES)
      .map((vote) =>
        make(
          "tr",
          {},
          make("td", {}, ...conditionParts(rules, vote.rule)),
          make("td", { class: sayingClass(rules) }, ...sayingParts(rules, vote.rule)),
          ...figures.map(([, say]) => make("td", { class: "number" }, say(vote))),
        ),
      );
    const headings = ["rule: if", "then", ...figures.map(([heading]) => heading)];
    this.votes.hidden = votes.length === 0;
    this.votes.replaceChildren(plainTable(headings, rows));
    this.more.hidden = votes.length <= FEW_VOTES;
    this.more.textContent = this.all ? "Show fewer" : `Show all ${votes.length} rules that match`;
  }
}

const FEW_FEATURES = 6; // that a sentence names all

/** Tell which features a sentence names: all if they are few, else those of a list's rule. */
function isTelling(rules, votes, k) {
  if (rules.model.features.length <= FEW_FEATURES) return true;
  return rules.model.ordered && votes.some(({ rule }) => rules.conditionOn(rule, k));
}

/** Return a rule's condition with lines broken between intervals only, and who wrote it. */
function conditionParts(rules, rule) {
  const phrases = rules.conditions(rule);
  if (!phrases.length) return [rules.condition(rule), ...authorTag(rules, rule)];
  return [...unbroken(phrases, " AND "), ...authorTag(rules, rule)];
}

/** Return what a rule says; an action, and one of several quantities, has a colour. */
function sayingParts(rules, rule) {
  const { colours, quantities } = rules.model;
  const mark = quantities?.length === 1 ? [] : [swatch(colours[rules.action[rule]])];
  return [...mark, ...(quantities ? unbroken(rules.formula(rule), " ") : [rules.speaksFor(rule)])];
}

/** Return phrases with something between them; lines are broken there only, unless one is long. */
function unbroken(phrases, between) {
  return phrases.flatMap((phrase, k) => [
    k ? between : "",
    make("span", { class: phrase.length < 40 ? "nowrap" : null }, phrase),
  ]);
}

/** Return the class of a cell that may have a whole formula. */
function sayingClass({ model }) {
  return model.quantities ? "formula" : null;
}

/** Return a tag that says that a person wrote a rule, if one did. */
function authorTag(rules, rule) {
  const author = rules.author(rule);
  return author ? [" ", make("span", { class: "tag" }, author)] : [];
}

function swatch(colour) {
  const mark = make("i", { class: "swatch", "aria-hidden": "true" });
  mark.style.background = colour;
  return mark;
}

function plainTable(headings, rows) {
  const cells = headings.map((heading) => make("th", { scope: "col" }, heading));
  return make(
    "table",
    { class: "data" },
    make("thead", {}, make("tr", {}, ...cells)),
    make("tbody", {}, ...rows),
  );
}
