"""Rules as a table, as plain values and as comma-separated values.

Everything is in the user's units. Observations outside a feature's range are clipped to it,
so an interval that reaches an end is open on that side; a feature whose condition lets every
value pass does not matter to the rule and is left out of sentences.
"""

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine.inputs import checked_integer
from ruleplay.output.harmless import guarded_cell, visible_json
from ruleplay.rules.features import plain_label
from ruleplay.rules.wording import joined

if TYPE_CHECKING:
    import pandas as pd

    from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]

COLUMNS = ("prediction", "error", "fitness", "numerosity", "experience", "generality")
ORIGIN = "origin"  # a further column if a person wrote some of the rules


def table_of(rules: "RuleSet") -> "pd.DataFrame":
    """Return one row per rule, those with most fitness and numerosity first."""
    columns: dict[str, Any] = {}
    for k, feature in enumerate(rules.features):
        lower, upper = rules.bounds[0][:, k], rules.bounds[1][:, k]
        if feature.categories:
            columns[f"in_{feature.name}"] = [rules.members(i, k) for i in range(len(rules))]
        else:
            columns |= {f"lower_{feature.name}": lower, f"upper_{feature.name}": upper}
    labels = rules.labels if rules.classifies else rules.outcome_names
    columns[rules.noun] = [labels[k] for k in rules.action]
    columns["prediction"] = rules.typical
    columns |= {name: getattr(rules, name) for name in COLUMNS[1:]}
    columns |= rules.linear_models
    if rules.hand_written:
        columns[ORIGIN] = [rules.origin_of(i) for i in range(len(rules))]
    import pandas as pd

    return pd.DataFrame(columns).iloc[rules.order].reset_index(drop=True)


def csv_of(rules: "RuleSet", top: int | None = None) -> str:
    """Return the first rules of the table as comma-separated values.

    Categories are a list in JSON. Names that spreadsheets would compute, such as `=1+1`,
    begin with an apostrophe. What a missing value means stands in each line.
    """
    table = table_of(rules).head(checked_top(top))
    for feature in rules.features:
        if feature.categories:
            name = f"in_{feature.name}"
            table[name] = [_json_list(members) for members in table[name]]
    table["missing_values"] = rules.missing_values
    table[rules.noun] = table[rules.noun].map(guarded_cell)
    text: str = table.rename(columns=guarded_cell).to_csv(index=False, lineterminator="\n")
    return text


def records_of(rules: "RuleSet", top: int | None = None) -> list[dict[str, Any]]:
    """Return the first rules of the table as plain values.

    `if` and `then` are phrases: a rule that classifies and predicts little speaks against
    its class, and `then` says so. `action` is the class's or the action's name. `condition`
    holds the features that matter, by name: [lower, upper], or of categories {"in": [...]}.
    If a person wrote some of the rules, `origin` says of each: learned, by hand, or protected.
    """
    models = {name: values.tolist() for name, values in rules.linear_models.items()}
    predictions = rules.typical.tolist()
    records = []
    for i in rules.order[: checked_top(top)].tolist():
        conditions = rules.conditions(i)
        record = {
            "if": joined(list(conditions.values())),
            "then": rules.speaks_for(i),
            "condition": {rules.features[k].name: _allowed(rules, i, k) for k in conditions},
            "action": rules.outcome_names[rules.action[i]],
            "prediction": predictions[i],
        }
        record |= {name: getattr(rules, name)[i].item() for name in COLUMNS[1:]}
        if rules.hand_written:
            record[ORIGIN] = rules.origin_of(i)
        records.append(record | {name: values[i] for name, values in models.items()})
    return records


def checked_top(top: Any) -> int | None:
    """Return how many rules are asked for, None for all, or refuse it."""
    return None if top is None else checked_integer("top", top, 0)


def _allowed(rules: "RuleSet", i: int, k: int) -> Any:
    """Return which values of a feature a rule allows."""
    if not rules.features[k].categories:
        return [float(side[i, k]) for side in rules.bounds]
    return {"in": [plain_label(value) for value in rules.members(i, k)]}


def _json_list(members: tuple[Any, ...]) -> str:
    return visible_json(json.dumps([plain_label(v) for v in members], ensure_ascii=False))
