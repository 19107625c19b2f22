"""Make the rule maps of a report out of the portraits among its results."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.envs import Problem, make_problem
from ruleplay.experiments.portraits import Portrait, read_portrait
from ruleplay.experiments.spec import RunSpec
from ruleplay.report.rule_data import describe_rules
from ruleplay.report.samples import Sample
from ruleplay.rules import Feature, Outcome, RuleSet


def portrait_model(sample: Sample) -> dict[str, Any] | None:
    """Return the snapshots of a sample's portrait as plain values, None without a portrait."""
    portrait = read_portrait(sample.results.path, sample.key.digest)
    if portrait is None:
        return None
    spec = sample.spec
    problem = make_problem(spec.problem_name, **spec.problem_options)
    sets = [_rule_set(rules, spec, problem) for _, rules in portrait.snapshots()]
    return {"seed": portrait.seed, **describe_rules(sets, _steps(portrait), rounded=True)}


def _steps(portrait: Portrait) -> list[int]:
    return [step for step, _ in portrait.snapshots()]


def _rule_set(parts: dict[str, NDArray[Any]], spec: RunSpec, problem: Problem) -> RuleSet:
    """Return one snapshot as a set of rules."""
    settings: dict[str, Any] = {name: part.astype(np.float64) for name, part in parts.items()}
    for name in ("action", "numerosity", "experience"):
        settings[name] = parts[name].astype(np.int64)
    if spec.xcs is not None:
        settings["error_threshold"] = spec.xcs.error_threshold
        settings["prediction_limit"] = spec.xcs.prediction_limit
    known = problem.quantity_range
    return RuleSet(
        **settings,
        quantities=None if known is None else np.array(known)[:, np.newaxis],
        features=tuple(
            map(Feature, problem.feature_names, problem.low.tolist(), problem.high.tolist())
        ),
        outcomes=tuple(Outcome(name, k) for k, name in enumerate(problem.action_names)),
    )
