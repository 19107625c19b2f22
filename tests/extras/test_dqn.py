"""DQN learns on the same problems as XCS and leaves the same kind of record.

Stable-Baselines3 and PyTorch are the extra `dqn`; `make test-all` installs them.
"""

import json
import random

import numpy as np
import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.config.dqn import DQNConfig, dqn_settings
from ruleplay.core.basics.rng import spawn_states
from ruleplay.engine.recorder import MEASURES
from ruleplay.envs import make_problem, reset_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.executors import LocalExecutor
from ruleplay.experiments.runner import run_study
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.study import Cell, Study
from ruleplay.studies.reporting import write_report

torch = pytest.importorskip("torch")
pytest.importorskip("stable_baselines3")

from ruleplay.baselines.dqn import RecordedGame, build_model, train_dqn  # noqa: E402

SHORT = DQNConfig(discount=0.9, warmup=100, hidden_units=16)


def test_the_record_accounts_for_every_step():
    record, _ = train_dqn("cartpole", {}, SHORT, 450, seed=3)
    finished = int(record.episode_lengths.sum())
    assert len(record.episode_returns) == len(record.episode_lengths) > 3
    assert 450 - 200 < finished <= 450
    # CartPole pays 1 a step, and 0 where the pole falls.
    assert np.array_equal(record.episode_returns, record.episode_lengths - 1)
    assert record.curve["step"].tolist() == [*range(3, 450, 3), 450]
    assert record.mean("reward") * 450 == pytest.approx(450 - len(record.episode_returns))
    assert record.first_reward_step == 1


def test_the_curve_has_200_points_at_most_and_the_last_may_be_short():
    record, _ = train_dqn("chain", {"n": 4}, SHORT, 1030, seed=0)
    assert record.curve["step"].tolist() == [*range(6, 1030, 6), 1030]
    assert record.curve.keys() == {"step", *MEASURES[:-1]}
    assert record.episode_lengths.tolist() == [200] * 5
    paid = record.curve["reward"] * np.diff(record.curve["step"], prepend=0.0)
    assert paid.sum() >= record.episode_returns.sum()


def test_what_only_rules_have_is_nan():
    record, _ = train_dqn("chain", {"n": 4}, SHORT, 250, seed=0)
    for measure in ("system_error", "macroclassifiers", "microclassifiers", "generality_volume"):
        assert np.isnan(record.curve[measure]).all()
    assert np.isfinite(record.curve["reward"]).all()
    assert record.otm == record.episode_returns.mean()


def test_a_run_without_reward_and_without_a_finished_episode_says_so():
    record, _ = train_dqn("mountaincar", {}, SHORT, 60, seed=0)
    assert record.first_reward_step is None
    assert (record.otm, len(record.episode_lengths)) == (None, 0)


def test_one_seed_gives_one_result_and_another_seed_another():
    first, again, other = (train_dqn("cartpole", {}, SHORT, 600, seed)[0] for seed in (5, 5, 6))
    assert np.array_equal(first.episode_returns, again.episode_returns)
    assert np.array_equal(first.curve["reward"], again.curve["reward"])
    assert not np.array_equal(first.episode_returns, other.episode_returns)


def test_the_run_does_not_depend_on_nor_change_global_random_numbers():
    first, _ = train_dqn("cartpole", {}, SHORT, 300, seed=2**40)
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    expected = (random.random(), np.random.random(), torch.rand(1).item())
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    threads = torch.get_num_threads()
    again, _ = train_dqn("cartpole", {}, SHORT, 300, seed=2**40)
    assert (random.random(), np.random.random(), torch.rand(1).item()) == expected
    assert torch.get_num_threads() == threads
    assert np.array_equal(first.episode_returns, again.episode_returns)


def test_the_problem_has_the_random_stream_of_a_compiled_run_and_its_scaling():
    game = RecordedGame(make_problem("cartpole"), 10, scale=True)
    first = build_model(game, SHORT, seed=11).get_env().reset()[0]
    problem, raw = make_problem("cartpole"), np.zeros(4)
    reset_problem(problem.dynamics, raw, spawn_states(11, 3)[0])
    scaled = (raw - problem.low) * (1.0 / (problem.high - problem.low))
    assert np.array_equal(first, scaled.astype(np.float32))


def test_raw_observations_are_an_option():
    game = RecordedGame(make_problem("mountaincar"), 10, scale=False)
    state, _ = game.reset(seed=0)
    assert -0.6 <= state[0] <= -0.4
    assert state.dtype == np.float32


def test_observations_out_of_bounds_are_clipped():
    game = RecordedGame(make_problem("cartpole", velocity_bound=0.01), 10, scale=True)
    game.reset(seed=0)
    states = [game.step(np.int64(1))[0] for _ in range(3)]
    assert states[-1][1] == 1.0
    assert all(game.observation_space.contains(state) for state in states)


@pytest.mark.parametrize("bootstraps", [False, True])
def test_a_time_limit_ends_the_target_unless_it_bootstraps(bootstraps):
    game = RecordedGame(make_problem("chain", n=4, time_limit=5), 20, scale=True)
    config = DQNConfig(bootstrap_on_truncation=bootstraps, warmup=100)
    model = build_model(game, config, seed=0)
    model.learn(20)
    data = model.replay_buffer._get_samples(np.arange(20))
    assert model.replay_buffer.dones[:20].sum() == 4
    assert data.dones.sum().item() == (0 if bootstraps else 4)


def test_every_setting_reaches_the_model():
    config = dqn_settings("dqn-tuned", "mountaincar", 0.99)
    model = build_model(RecordedGame(make_problem("mountaincar"), 10, scale=False), config, 0)
    group = model.policy.optimizer.param_groups[0]
    assert (group["lr"], model.gamma, model.replay_buffer.buffer_size) == (4e-3, 0.98, 10_000)
    assert (model.batch_size, model.learning_starts) == (128, 1000)
    assert (model.train_freq.frequency, model.gradient_steps) == (16, 8)
    assert (model.target_update_interval, model.max_grad_norm) == (600, 10.0)
    epsilons = [model.exploration_schedule(1.0 - share) for share in (0.0, 0.1, 0.2, 0.9)]
    assert epsilons == pytest.approx([1.0, 0.535, 0.07, 0.07])
    shapes = [tuple(layer.shape) for layer in model.q_net.parameters()]
    assert shapes == [(256, 2), (256,), (256, 256), (256,), (3, 256), (3,)]


def test_a_run_has_exactly_its_steps_though_training_comes_in_rounds():
    config = DQNConfig(train_interval=64, gradient_steps=2, warmup=50, hidden_units=16)
    seen = []
    record, _ = train_dqn(
        "chain", {}, config, 301, 0, lambda done, steps: seen.append((done, steps))
    )
    assert record.curve["step"][-1] == 301
    assert seen == [(done, 301) for done in (*range(3, 301, 3), 301)]


def test_a_short_chain_is_learned():
    # The last five of 15 episodes returned 90.6 to 96.2 on average over seeds 0 to 7.
    record, _ = train_dqn(
        "chain",
        {"n": 4, "time_limit": 100},
        DQNConfig(discount=0.9, warmup=100, epsilon_fraction=0.3, target_interval=100),
        1500,
        seed=0,
    )
    assert record.episode_returns[-5:].mean() > 75


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rmp6", {}, SHORT, 10, 0), "DQN needs a multi-step problem, 'rmp6' is single-step"),
        (("chain", {}, SHORT, 0, 0), "steps must be an integer"),
        (("chain", {}, SHORT, 10, -1), "seed must be an integer"),
        (("chain", {"m": 4}, SHORT, 10, 0), "unknown option of problem 'chain' 'm'"),
    ],
    ids=["single-step", "steps", "seed", "option"],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(ConfigError, match=message):
        train_dqn(*arguments)


def test_a_trained_network_is_tested_by_greedy_episodes():
    _, tested = train_dqn("chain", {"n": 3}, SHORT, 300, seed=0, test=(4, 7))
    assert len(tested.returns) == 4
    assert set(tested.lengths.tolist()) == {200}
    assert set(tested.returns.tolist()) <= {0.0, 198.0}
    assert train_dqn("chain", {"n": 3}, SHORT, 300, seed=0)[1] is None


def test_the_commands_train_a_network_and_report_on_it(tmp_path):
    run = CliRunner().invoke(
        app, ["run", "stein2020/chain16", "--agent", "dqn", "--steps", "1500", "--json"]
    )
    figures = json.loads(run.stdout)
    assert (figures["agent"], figures["steps"]) == ("dqn", 1500)
    assert figures["macroclassifiers"] is None
    short = Cell(specify_run("stein2020/chain16", "dqn", steps=1500))
    with Store.open(tmp_path / "results", create=True) as store:
        outcome = run_study(Study((short,), (0, 1)), store, LocalExecutor(2))
    assert (outcome.finished_now, outcome.failures) == (2, ())
    page = write_report(tmp_path / "results").read_text(encoding="utf-8")
    assert "There are no runs for 16-Chain XCS-ER, 16-Chain XCS." in page
    assert '<span class="runs">2 runs</span>' in page
