"""n-step payoffs from the memory are those one computes by hand from the whole history."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import agent_of, make_engine, plant, quick
from ruleplay.config import ReplayConfig
from ruleplay.core.exploration import LAST_MARK
from ruleplay.engine.loop import end_sequence
from ruleplay.replay.memory import store
from ruleplay.replay.returns import MultiStep, back_up

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

GAMMA = 0.5
VALUES = [3.0, -7.0, 20.0, 11.0]  # of the four quarters of [0, 1]
ENDS = ("none", "none", "none", "terminated", "truncated", "left")


class Step(NamedTuple):
    """One experience of a history; `end` says what came after it."""

    state: float
    reward: float
    next_state: float
    explored: bool
    end: str

    @property
    def goes_on(self):
        return self.end == "none"


@st.composite
def histories(draw):
    """Draw episodes one after another; those that are left go on, unseen."""
    steps, state = [], 0.125
    for _ in range(draw(st.integers(1, 40))):
        following = draw(st.sampled_from([0.125, 0.375, 0.625, 0.875]))
        end = draw(st.sampled_from(ENDS))
        reward = float(draw(st.integers(-3, 9)))
        steps.append(Step(state, reward, following, draw(st.booleans()), end))
        state = following
        if end != "none":  # the next episode begins anywhere, even where this one ended
            state = draw(st.sampled_from([0.125, following]))
    return steps


def make_memory(capacity, n, cut):
    """Make an agent that values states as `VALUES` says, and its memory."""
    replay = ReplayConfig(
        capacity=capacity, batch_size=1, warmup=0, return_steps=n, cut_at_exploration=cut
    )
    settings = {"exploration": "epsilon_greedy", "discount": GAMMA}
    engine = make_engine(1, 2, replay=replay, exploration_persistence=2.0, **settings)
    edges = np.array([[0.0], [0.26], [0.51], [0.76], [1.0]])
    quarters = {"lower": edges[:-1], "upper": edges[1:] - 0.01}
    plant(engine, **quarters, actions=[0] * 4, prediction=VALUES)
    return engine, engine.state.memory


def fill(engine, memory, history):
    agent = agent_of(engine)
    for step in history:
        states = [np.array([s], np.float32) for s in (step.state, step.next_state)]
        engine.state.traits.exploration.notes[LAST_MARK] = step.explored
        store(memory, agent, states[0], 0, step.reward, states[1], step.end == "terminated")
        if step.end in ("truncated", "left"):
            end_sequence(memory, agent)


def payoff_by_hand(history, t, n, cut):
    """Add up discounted rewards from time t on, then the value where they stop."""
    k = 1
    while k < n and t + k < len(history) and history[t + k - 1].goes_on:
        if cut and history[t + k].explored:
            break
        k += 1
    rewards = [step.reward for step in history[t : t + k]]
    last = history[t + k - 1]
    value = 0.0 if last.end == "terminated" else VALUES[int(last.next_state * 4)]
    return sum(GAMMA**j * reward for j, reward in enumerate([*rewards, value]))


@given(histories(), st.integers(1, 12), st.integers(2, 7), st.booleans())
@quick(150)
def test_payoffs_of_all_slots_are_those_by_hand(history, capacity, n, cut):
    engine, memory = make_memory(capacity, n, cut)
    fill(engine, memory, history)
    agent = agent_of(engine)
    for t in range(max(0, len(history) - capacity), len(history)):
        found = back_up(MultiStep(), memory, agent, t % capacity)
        assert found == pytest.approx(payoff_by_hand(history, t, n, cut), rel=1e-12, abs=1e-12)
    engine.check()


@given(histories(), st.integers(1, 8))
@quick(30)
def test_forgetting_keeps_the_payoffs_of_what_is_kept(history, keep):
    engine, memory = make_memory(50, 4, False)
    fill(engine, memory, history)
    engine.forget(keep)
    kept = min(keep, len(history))
    for slot in range(kept):
        t = len(history) - kept + slot
        found = back_up(MultiStep(), memory, agent_of(engine), slot)
        assert found == pytest.approx(payoff_by_hand(history, t, 4, False), rel=1e-12, abs=1e-12)


def test_experiences_that_do_not_follow_each_other_are_not_chained():
    engine, memory = make_memory(10, 3, False)
    for reward, (state, following) in enumerate([(0.1, 0.3), (0.6, 0.8), (0.8, 0.1)]):
        engine.learn([state], 0, float(reward), [following])
    payoffs = [back_up(MultiStep(), memory, agent_of(engine), slot) for slot in range(2)]
    values = [value for row in engine.predict([[0.3], [0.1]]) for value in [np.nanmax(row)]]
    assert payoffs == pytest.approx([GAMMA * values[0], 1.0 + GAMMA * 2.0 + GAMMA**2 * values[1]])


def test_a_missing_value_is_the_same_as_itself():
    replay = ReplayConfig(capacity=10, batch_size=1, warmup=100, return_steps=3)
    engine = make_engine(2, 1, replay=replay, discount=GAMMA, missing_values="match")
    memory = engine.state.memory
    engine.learn([0.1, 0.2], 0, 1.0, [np.nan, 0.3])
    engine.learn([np.nan, 0.3], 0, 2.0, [0.4, np.nan])
    engine.learn([0.4, 0.5], 0, 4.0, [0.6, 0.7])
    value = engine.predict([[0.4, np.nan]])[0, 0]
    first = back_up(MultiStep(), memory, agent_of(engine), 0)
    assert first == pytest.approx(1.0 + GAMMA * 2.0 + GAMMA**2 * value)


def test_leaving_an_episode_ends_its_sequence():
    engine, memory = make_memory(10, 3, False)
    for _ in range(2):  # each episode is left where the next one begins
        engine.step([0.1])
        engine.step([0.1], reward=1.0)
        engine.start_episode()
    first = back_up(MultiStep(), memory, agent_of(engine), 0)
    assert first == pytest.approx(1.0 + GAMMA * np.nanmax(engine.predict([[0.1]])))
