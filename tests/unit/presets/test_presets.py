"""Presets say what the paper prints and what we assume; a run is specified completely."""

import json
import re
from pathlib import Path

import pytest

from ruleplay.config import setting_names
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import (
    list_presets,
    load_preset,
    parse_agent,
    specify_run,
)

NOTES = Path(__file__).resolve().parents[3] / "docs" / "fidelity.md"

SINGLE_STEP = ("mario", "rmp6", "wbc")
MULTI_STEP = ("chain16", "cartpole", "mountaincar")
NAMES = tuple(
    sorted(
        f"stein2020/{name}" for name in (*SINGLE_STEP, *MULTI_STEP, *(f"{n}-t" for n in MULTI_STEP))
    )
)

BOOLEAN = tuple(
    f"boolean/{name}"
    for name in (
        "carry",
        "majority",
        "maze4",
        "maze5",
        "mux11",
        "mux20",
        "mux37",
        "parity",
        "woods1",
        "woods2",
    )
)

FUNCTIONS = tuple(
    f"functions/{name}" for name in ("crossed-ridge", "rings", "sine", "sine-in-sine")
)

# The paper's hyperparameter table as printed, columns Mario, 6-RMP, WBC, 16chain, CartPole, M.Car.
COLUMNS = ("mario", "rmp6", "wbc", "chain16", "cartpole", "mountaincar")
TABLE = {
    "population_size": (7000, 800, 6400, 1000, 5000, 3000),
    "learning_rate": (0.3, 0.2, 0.2, 0.1, 0.1, 0.1),
    "discount": (None, None, None, 0.9, 0.99, 0.99),
    "accuracy_scale": (0.1,) * 6,
    "error_threshold": (10, 10, 1, 0.1, 8.0, 0.1),
    "accuracy_power": (5,) * 6,
    "deletion_threshold": (50, 20, 50, 20, 200, 200),
    "fitness_fraction": (0.1,) * 6,
    "min_actions": (7, 2, 2, 2, 2, 3),
    "initial_prediction": (10, 10, 10, 10, 0.01, 0.01),
    "initial_error": (0, 0, 0, 10, 0.01, 0.01),
    "initial_fitness": (0.01,) * 6,
    "mutation_rate": (0.04,) * 6,
    "crossover_rate": (0.8,) * 6,
    "ga_threshold": (30, 12, 48, 50, 25, 50),
    "subsumption_threshold": (50, 20, 50, 200, 20, 20),
    "selection": ("tournament",) * 6,
    "fitness_reduction": (0.1,) * 6,
    "error_reduction": (1.0, 1.0, 1.0, 0.25, 0.25, 0.25),
    "condition": ("unordered",) * 6,
    "mutation_step": (0.1, 0.1, 0.2, 0.1, 0.1, 0.1),
    "cover_spread": (0.1, 1.0, 0.4, 0.2, 0.2, 0.33),
    "prediction": ("scalar",) * 4 + ("linear",) * 2,
    "rls_initial_gain": (None, None, None, None, 1.0, 500),
    "rls_forgetting": (None, None, None, None, 1.0, 1.0),
    "replay_capacity": (50_000,) * 6,
    "replay_batch_size": (4,) * 6,
    "replay_warmup": (1000,) * 6,
    "replay_sampling": ("uniform",) * 6,
    "replay_storage": ("fifo",) * 6,
}
STEPS = (100_000, 40_000, 50_000, 50_000, 50_000, 60_000)

RLS = {"rls_initial_gain", "rls_forgetting", "rls_gain_limit", "prediction_limit"}
SEQUENTIAL = {
    "discount",
    "bootstrap_value",
    "bootstrap_on_truncation",
    "epsilon_start",
    "epsilon_end",
    "epsilon_fraction",
}

# Other readings of the paper's text, which the presets do not take (docs/inferred.md).
READINGS = {
    "detailed_curve",
    "exploit_clock",
    "exploit_learning",
    "fitness_averaging",
    "ga_subsumers",
    "inherited_fitness",
    "inherited_model",
    "initial_experience",
    "replay_covering",
    "replay_first_ends",
    "replay_keep_last",
    "replay_kept_steps",
}

# Mechanisms that are not the paper's: off unless asked for (docs/beyond.md).
BEYOND = {
    "free_share",
    "nominal_columns",
    "model_columns",
    "intervals",
    "target_low",
    "target_high",
    "exploration_persistence",
    "count_bonus",
    "count_bonus_in",
    "count_grid",
    "ga_niches_per_step",
    "gradient_scaling",
    "target_interval",
    "double_estimation",
    "specify",
    "specify_threshold",
    "specify_probability",
    "split_refuted",
    "verify_subsumption",
    "replay_return_steps",
    "replay_cut_at_exploration",
    "replay_return_choice",
    "replay_action_gap",
    "exploration_fades",
    "condensation_fraction",
    "keep_policy",
    "keep_checkpoints",
    "keep_episodes",
    "keep_average_over",
    "keep_test_episodes",
    "keep_compact_to",
    "replay_priority_exponent",
    "replay_priority_beta_start",
    "replay_importance",
    "replay_strata_grid",
    "replay_protected_share",
    "replay_usual_reward",
    "replay_interpolation",
    "replay_interpolation_distance",
}


def test_the_nine_variants_are_there_and_our_own():
    ours = tuple(f"ruleplay/{name}" for name in ("acrobot", "cartpole", "chain", "mountaincar"))
    assert list_presets() == BOOLEAN + FUNCTIONS + ours + NAMES


@pytest.mark.parametrize("name", BOOLEAN)
def test_boolean_presets_learn_rules_of_bits_and_say_why(name):
    preset, spec = load_preset(name), specify_run(name)
    problem = make_problem(preset.problem_name, **preset.problem_options)
    assert problem.whole_numbers
    assert spec.xcs.condition == "ternary"
    assert spec.agent == "xcs-er"
    assert (spec.keep is None) == problem.single_step
    assert all(setting.origin == "assumed" and setting.why for setting in preset.settings)


@pytest.mark.parametrize("name", ["chain", "cartpole", "mountaincar", "acrobot"])
def test_our_presets_share_one_recipe(name):
    recipe = {
        "discount": 0.99,
        "bootstrap_on_truncation": True,
        "initial_prediction": "hopeful",
        "replay_return_steps": 5,
        "replay_return_choice": "rewarded",
        "replay_action_gap": 0.65,
        "rls_forgetting": 0.985,
        "keep_policy": "validated",
    }
    preset = load_preset(f"ruleplay/{name}")
    values = {setting.name: setting.value for setting in preset.settings}
    assert {key: values[key] for key in recipe} == recipe
    spec = specify_run(f"ruleplay/{name}")
    assert spec.agent == "xcs-er"
    assert spec.keep.policy == "validated"
    assert spec.problem_name in ("chain", "cartpole", "mountaincar", "acrobot")


@pytest.mark.parametrize("column", range(6), ids=COLUMNS)
def test_paper_values_are_those_of_the_printed_table(column):
    preset = load_preset(f"stein2020/{COLUMNS[column]}")
    printed = {name: row[column] for name, row in TABLE.items() if row[column] is not None}
    assert {s.name: s.value for s in preset.settings if s.origin == "paper"} == printed
    assert preset.steps == STEPS[column]


@pytest.mark.parametrize("name", NAMES)
def test_every_assumption_names_a_fidelity_note(name):
    notes = set(re.findall(r"^### (F-\d\d)", NOTES.read_text(encoding="utf-8"), re.MULTILINE))
    preset = load_preset(name)
    for setting in preset.settings + preset.problem_settings:
        if setting.origin == "assumed":
            assert set(re.findall(r"F-\d\d", setting.why)) & notes, setting


def test_fidelity_notes_have_numbers_of_their_own():
    numbers = re.findall(r"^### F-(\d\d)", NOTES.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(map(int, numbers)) == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_only_settings_without_effect_are_left_to_the_defaults(name):
    preset = load_preset(name)
    without_effect = {"missing_values"} | BEYOND | READINGS  # no problem of the paper lacks values
    if preset.configs("xcs")[0].prediction == "scalar":
        without_effect |= RLS
    if name.removeprefix("stein2020/") in SINGLE_STEP:
        without_effect |= SEQUENTIAL
    assert set(setting_names()) - {s.name for s in preset.settings} == without_effect


@pytest.mark.parametrize("name", NAMES)
def test_the_problem_can_be_made_and_fits_the_settings(name):
    preset = load_preset(name)
    problem = make_problem(preset.problem_name, **preset.problem_options)
    xcs, _ = preset.configs("xcs")
    assert xcs.checked_min_actions(problem.n_actions) == problem.n_actions
    assert (xcs.exploration == "alternate") == problem.single_step


@pytest.mark.parametrize("name", MULTI_STEP)
def test_teletransportation_is_all_that_differs_in_the_t_variants(name):
    usual, moved = load_preset(f"stein2020/{name}"), load_preset(f"stein2020/{name}-t")
    assert moved.settings == usual.settings
    assert moved.problem_options == usual.problem_options | {"teletransport": True}


def test_agents_choose_replay_and_its_batch_size():
    preset = load_preset("stein2020/rmp6")
    assert preset.configs("xcs")[1] is None
    assert preset.configs("xcs-er")[1].batch_size == 4
    assert preset.configs("xcs-er-8")[1].batch_size == 8
    assert preset.configs("xcs")[0] == preset.configs("xcs-er-8")[0]


@pytest.mark.parametrize("name", ["", "XCS", "xcs-", "xcs-er-0", "xcs-er-x", "xcs-err", "dqn"])
def test_unknown_agents_are_refused(name):
    with pytest.raises(ConfigError, match="agent must be 'xcs', 'xcs-er' or 'xcs-er-M'"):
        parse_agent(name)


def test_overrides_replace_settings_as_text_or_value():
    preset = load_preset("stein2020/rmp6")
    overrides = {"ga_threshold": "25", "min_actions": "none", "replay_warmup": 10}
    xcs, replay = preset.configs("xcs-er", overrides)
    assert (xcs.ga_threshold, xcs.min_actions, replay.warmup) == (25, None, 10)


@pytest.mark.parametrize(
    ("agent", "overrides", "message"),
    [
        ("xcs", {"replay_warmup": 5}, "replay_warmup needs an agent with replay"),
        ("xcs-er-8", {"replay_batch_size": 4}, "contradicts the agent 'xcs-er-8'"),
        ("xcs", {"betta": 0.1}, "unknown setting: 'betta'"),
        ("xcs", {"learning_rate": 2}, r"learning_rate \(beta\) must lie in \(0, 1\], got 2"),
    ],
)
def test_overrides_that_make_no_sense_are_refused(agent, overrides, message):
    with pytest.raises(ConfigError, match=message):
        load_preset("stein2020/rmp6").configs(agent, overrides)


def test_a_batch_size_may_be_said_twice():
    _, replay = load_preset("stein2020/rmp6").configs("xcs-er-8", {"replay_batch_size": "8"})
    assert replay.batch_size == 8


@pytest.mark.parametrize("name", ["stein2020/rmp", "stein2020/_common", "../stein2020/rmp6"])
def test_unknown_presets_are_refused(name):
    with pytest.raises(ConfigError, match=r"unknown preset: .*'stein2020/"):
        load_preset(name)


USERS_PRESET = """
extends = "stein2020/rmp6"
title = "Eleven bits"
steps = 1000
[problem]
name = "rmp11"
[paper]
tournament_fraction = 0.5
[assumed]
population_size = { value = 2000, why = "more niches" }
"""


def test_a_users_own_file_may_extend_a_preset(tmp_path):
    path = tmp_path / "rmp11.toml"
    path.write_text(USERS_PRESET, encoding="utf-8")
    preset = load_preset(str(path))
    origins = {setting.name: setting.origin for setting in preset.settings}
    assert (preset.title, preset.steps, preset.problem_name) == ("Eleven bits", 1000, "rmp11")
    assert preset.configs("xcs")[0].population_size == 2000
    assert (origins["tournament_fraction"], origins["population_size"]) == ("paper", "assumed")


def test_a_preset_names_the_agent_that_it_is_meant_for(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('extends = "stein2020/rmp6"\nagent = "xcs-er-8"', encoding="utf-8")
    assert load_preset(str(path)).agent == "xcs-er-8"
    assert specify_run(str(path)).replay.batch_size == 8
    assert specify_run(str(path), "xcs").replay is None
    assert {load_preset(name).agent for name in NAMES} == {"xcs"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps = ", "cannot be read"),
        ("extends = 'stein2020/rmp6'\nagent = 'xcsf'", "agent must be 'xcs', .*got 'xcsf'"),
        ("colour = 3", "unknown key of preset"),
        ("paper = 3", "paper must be a table"),
        ("[paper]\npopsize = 3", "unknown setting: 'popsize'"),
        ("[paper]\nlearning_rate = 2", r"learning_rate \(beta\) must lie in"),
        ("[paper]\nlearning_rate = { value = 0.1, why = 'x' }", "must be a plain value"),
        ("[assumed]\nlearning_rate = 0.1", "must be written { value = ..., why = ... }"),
        ("[assumed]\nlearning_rate = { value = 0.1 }", "must be written { value = ..., why"),
        ("title = 'x'", "lacks source, steps, problem.name"),
        ("extends = 'stein2020/none'", "unknown preset: 'stein2020/none'"),
        ("extends = 3", r"own.toml': extends must name presets, got 3"),
        ("extends = true", r"own.toml': extends must name presets, got True"),
        ("extends = ['stein2020/rmp6', 3]", "extends must name presets"),
        ("steps = " + "[" * 10_000, r"own.toml' cannot be read: it is nested too deeply"),
    ],
)
def test_a_wrong_preset_file_is_refused(tmp_path, text, message):
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_preset(str(path))


def test_a_preset_that_extends_itself_is_refused(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(f"extends = '{path.as_posix()}'", encoding="utf-8")
    with pytest.raises(ConfigError, match="extends itself"):
        load_preset(str(path))


def test_a_run_is_specified_by_preset_agent_and_settings():
    spec = specify_run("stein2020/chain16", "xcs-er", {"discount": "0.95"}, steps=5000)
    assert (spec.preset, spec.agent, spec.steps) == ("stein2020/chain16", "xcs-er", 5000)
    assert (spec.problem_name, spec.problem_options["n"]) == ("chain", 16)
    assert (spec.xcs.discount, spec.replay.batch_size) == (0.95, 4)
    assert specify_run("stein2020/chain16").steps == 50_000


def test_a_runs_digest_says_what_it_does_not_what_it_is_called():
    digest = specify_run("stein2020/rmp6", "xcs-er").digest()
    assert specify_run("stein2020/rmp6", "xcs-er-4").digest() == digest
    assert specify_run("stein2020/rmp6", "xcs-er", {"accuracy_power": "5"}).digest() == digest
    others = [
        specify_run("stein2020/rmp6", "xcs"),
        specify_run("stein2020/rmp6", "xcs-er-8"),
        specify_run("stein2020/rmp6", "xcs-er", {"ga_threshold": 13}),
        specify_run("stein2020/rmp6", "xcs-er", steps=30_000),
        specify_run("stein2020/rmp6", "xcs-er", curve_points=100),
        specify_run("stein2020/mario", "xcs-er"),
    ]
    assert len({digest, *(spec.digest() for spec in others)}) == 7


def test_teletransportation_is_part_of_the_digest():
    usual, moved = specify_run("stein2020/chain16"), specify_run("stein2020/chain16-t")
    assert usual.xcs == moved.xcs
    assert usual.digest() != moved.digest()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": 0}, "steps must be an integer in [1, inf), got 0"),
        ({"steps": 1.5}, "steps must be an integer in [1, inf), got 1.5"),
        ({"curve_points": -1}, "curve_points must be an integer in [1, inf), got -1"),
        (
            {"steps": 1000},
            "replay_warmup (warm-up) must lie in [0, 999] for a run of 1000 steps, got 1000",
        ),
    ],
)
def test_a_run_of_impossible_length_is_refused(changes, message):
    with pytest.raises(ConfigError) as error:
        specify_run("stein2020/rmp6", "xcs-er", **changes)
    assert str(error.value) == message


def test_a_specification_can_be_written_as_plain_values():
    spec = specify_run("stein2020/cartpole", "xcs-er")
    content = spec.as_dict()
    assert content["xcs"] == spec.xcs.as_dict()
    assert content["replay"] == spec.replay.as_dict()
    assert json.loads(json.dumps(content)) == content
