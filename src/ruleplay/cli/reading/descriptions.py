"""What `ruleplay rules --json` says of a model: all as plain values."""

from typing import TYPE_CHECKING, Any

from ruleplay.engine import XCS
from ruleplay.rules import Feature, RuleSet
from ruleplay.rules.features import plain_label

if TYPE_CHECKING:
    from ruleplay.learners.common.tabular import TabularLearner
    from ruleplay.learners.rule_list import RuleListClassifier
    from ruleplay.learners.rule_list_regressor import RuleListRegressor


def describe_model(source: XCS | RuleSet, rules: RuleSet, top: int | None) -> dict[str, Any]:
    """Return a model and the first of its rules as plain values."""
    about = getattr(source, "about", {})
    figures = ("seed", "learning_steps", "macroclassifiers", "microclassifiers")
    return {
        **{key: about.get(key) for key in ("preset", "agent", "problem")},
        **{key: getattr(source, key, None) for key in figures},
        "features": {feature.name: describe_feature(feature) for feature in rules.features},
        "actions": list(rules.outcome_names),
        "decides": "first" if rules.ordered else "vote",
        "default_action": rules.outcome_names[rules.default_action],
        "missing_values": rules.missing_values,
        "rules": rules.records(top),
    }


def describe_list(
    listed: "RuleListClassifier | RuleListRegressor", rules: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return what a list's rules did to the training rows, and how other lengths would do."""
    front = listed.front()
    if listed.ruleset_.regresses:
        return {"front": front.records()}
    chosen = front.in_use
    counts = [{"rows": rows, "right": right} for rows, right in chosen.counts]
    told = [rule | count for rule, count in zip(rules, counts[:-1], strict=False)]
    return {"rules": told, "otherwise": counts[-1], "front": front.records()}


def describe_training_table(learner: "TabularLearner") -> dict[str, Any]:
    """Return what a model was learned from, if it was a file, as plain values."""
    table = getattr(learner, "training_table_", None)
    if table is None:
        return {}
    columns = table.columns
    described: dict[str, Any] = {
        name: {"type": "number", "written": style} for name, style in columns.numbers.items()
    }
    described |= {name: {"type": "category"} for name in columns.categories}
    for name, summary in table.summaries.items():
        described[name]["missing"] = summary.missing
        if summary.quartiles:
            described[name]["quartiles"] = list(summary.quartiles)
        else:
            described[name]["rows"] = dict(
                zip(columns.categories[name], summary.counts, strict=True)
            )
    return {
        "learned_from": {
            "data": table.name,
            "target": table.target,
            "rows": table.n_rows,
            "classes": table.class_counts,
            "columns": described,
            "left_out": columns.left_out,
            "notes": columns.notes,
        }
    }


def describe_feature(feature: Feature) -> Any:
    """Return the range of a feature, or its categories."""
    if feature.categories:
        return {"categories": list(map(plain_label, feature.categories))}
    return [feature.low, feature.high]
