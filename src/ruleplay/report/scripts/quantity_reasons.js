// Why rules say what they say of a quantity: in a sentence, and the rules that spoke.

class QuantityReasons extends Reasons {
  words(observation) {
    const { model } = this.rules;
    const { values, count, votes, isDefault } = this.reasons;
    const start = this.where(observation);
    const said = estimatesAt(this.rules, this.reasons).flatMap((found, k) => [
      k ? ", " : "",
      make("b", {}, `${model.actions[k]} = ${sayEstimate(found, model.digits)}`),
    ]);
    if (isDefault) return [start, ...said, ", the usual value, because no rule matches.", this.range()];
    if (model.ordered) {
      const which = `: rule ${votes[0].rule + 1} of the list is the first that matches.`;
      return [start, ...said, which, this.range()];
    }
    const voters = count.reduce((sum, one) => sum + one, 0);
    const silent = values.some(Number.isNaN) ? " Where no rule speaks, the usual value is taken." : "";
    const why = voters === 1 ? ", as one rule says." : `, the mean of ${voters} rules by their votes.`;
    return [start, ...said, why + silent, this.range()];
  }

  where(observation) {
    const seen = this.seen(observation);
    return seen.length ? `At ${seen.join(", ")}: ` : "Here ";
  }

  /** Say between which values new rows lie, if that is known. */
  range() {
    const { intervals, actions } = this.rules.model;
    if (!intervals) return "";
    const ends = estimatesAt(this.rules, this.reasons).map(({ value, half }, k) => {
      const digits = errorDigits(half);
      const name = actions.length > 1 ? `${actions[k]} ` : "";
      return `${name}between ${rounded(value - half, digits)} and ${rounded(value + half, digits)}`;
    });
    const share = percent(intervals.coverage);
    return ` Of new rows like this one, ${share} are expected ${ends.join(", ")}.`;
  }

  /** A quantity is in the sentence; there is nothing to choose from. */
  actionTable() {
    return [];
  }

  get figures() {
    const { digits, ordered } = this.rules.model;
    return [
      ["share of the vote", ({ share }) => percent(share), !ordered],
      ["says here", ({ value }) => fixed(value, digits), true],
      [ordered ? "rows" : "seen", ({ rule }) => String(this.rules.experience[rule]), true],
    ];
  }
}

/** Return a quantity with how far it may be off, if that is known. */
function sayEstimate({ value, deviation }, digits) {
  return Number.isNaN(deviation) ? fixed(value, digits) : withDeviation(value, deviation);
}
