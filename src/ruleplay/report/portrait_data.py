"""Make the rule maps of a report out of the portraits among its results."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.envs import Problem, make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.portraits import Portrait, read_portrait
from ruleplay.experiments.spec import RunSpec
from ruleplay.report.rule_data import MAP_SIDE, describe_rules
from ruleplay.report.samples import Sample
from ruleplay.rules import Feature, Outcome, RuleSet


def portrait_model(sample: Sample) -> dict[str, Any] | None:
    """Return the snapshots of a sample's portrait as plain values, None without a portrait."""
    spec = sample.spec
    portrait = read_portrait(sample.results.path, sample.key.digest)
    problem = None if portrait is None else known_problem(spec)
    if portrait is None or problem is None:
        return None
    sets = [_rule_set(rules, spec, problem) for _, rules in portrait.snapshots()]
    described = describe_rules(sets, _steps(portrait), truth=_truth(problem), rounded=True)
    return {"seed": portrait.seed, **described}


def known_problem(spec: RunSpec) -> Problem | None:
    """Return the problem of a run; None if a module defines it that nobody has loaded."""
    try:
        return make_problem(spec.problem_name, **spec.problem_options)
    except ConfigError:
        return None


def _truth(problem: Problem) -> NDArray[np.float64] | None:
    """Return what is to be predicted at the points of a map, if there is such a function."""
    if problem.function is None:
        return None
    shares = (np.arange(MAP_SIDE) + 0.5) / MAP_SIDE
    across, up = (problem.low[k] + shares * (problem.high[k] - problem.low[k]) for k in (0, 1))
    return problem.function(np.column_stack([np.tile(across, MAP_SIDE), np.repeat(up, MAP_SIDE)]))


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
