"""Act and learn: Algorithm 1 (XCS) and Algorithm 2 (XCS with experience replay).

One step reads: observe, match, cover, predict, choose; then learn from the last transition
(Algorithm 1), or store it and learn from remembered ones (Algorithm 2).
"""

import copy
import math
from collections.abc import Sequence

import numpy as np

from ruleplay.core.basics.rng import spawn_states

from .discovery import Discovery
from .exploration import Explorer
from .population import Population, add_up
from .prediction import Linear, Quadratic, Scalar
from .random_source import RandomSource
from .reinforcement import reinforce
from .replay import ReplayMemory, Transition
from .rule import Condition, Rule, clip
from .sampling import Keeper

State = list[float]  # in [0, 1], rounded to float32


class Oracle:
    """Learn a policy with XCS, slowly and readably."""

    def __init__(
        self,
        config,
        replay,
        *,
        n_actions: int,
        low,
        high,
        seed: int,
        horizon: int,
        largest_return: float | None = None,
    ) -> None:
        """Start with an empty population; without a `replay` configuration, learn at once.

        `low` and `high` bound the raw observations; `horizon` is the length of the run, over a
        part of which epsilon falls; `largest_return` is what an optimist expects.
        """
        refuse_what_the_oracle_lacks(config, replay)
        self.config = config
        self.replay = replay
        self.memory = ReplayMemory(replay.capacity) if replay is not None else None
        if goes_beyond(replay):
            self.memory = Keeper(replay, config.error_threshold)
        self.population = Population(n_actions)
        self.low = [float(bound) for bound in low]
        self.inverse_range = [1.0 / (float(b) - a) for a, b in zip(self.low, high, strict=True)]
        self.horizon = horizon
        _, agent, replay_stream = spawn_states(seed, 3)  # the first is the environment's
        self.agent_random = RandomSource(agent)
        self.replay_random = RandomSource(replay_stream)
        self.time = 0  # learning steps done
        self.clock = 0  # the GA's time
        self.previous: tuple[State, int] | None = None  # s_{t-1}, a_{t-1}
        self.previous_explored = False  # whether a_{t-1} was not greedy
        self.at_first = False  # whether s_{t-1} began its episode
        self.prediction_array: list[float | None] = [None] * n_actions
        self.explorer = Explorer(config)
        self.discovery = Discovery(config, self.population, self.memory, self.agent_random)
        self.frozen = copy.deepcopy(self.population)  # what payoffs bootstrap on, if so configured
        self.interval: int | None = None  # number of the interval in which it was copied
        self.initial_prediction = config.initial_prediction
        self.hopes = self.initial_prediction == "hopeful"
        if isinstance(self.initial_prediction, str):
            self.initial_prediction = largest_return

    @property
    def rules(self) -> list[Rule]:
        """List the rules in population order."""
        return self.population.rules

    # --- what an agent does -------------------------------------------------------------------

    def step(
        self,
        observation: Sequence[float],
        reward: float = 0.0,
        terminated: bool = False,
        truncated: bool = False,
    ) -> int:
        """Do everything of one time step of a multi-step problem; return the action, -1 at the end.

        `reward` is the previous action's: what Algorithm 1 calls r_{t-1} in line 13, r_t in 20.
        """
        state = self._scale(observation)
        if self.previous is None:
            self.explorer.start_episode()
            action = self._act_epsilon_greedily(state)
            self.previous, self.previous_explored = (state, action), self._explores(action)
            self.at_first = True
            return action

        terminal = terminated or (truncated and not self.config.bootstrap_on_truncation)
        transition = Transition(
            *self.previous, float(reward), state, terminal, truncated, self.previous_explored
        )
        if terminated or truncated:  # Alg. 1 lines 19-25, Alg. 2 lines 18-20
            self._learn_or_replay(transition, None if terminal else self._value(state))
            self.previous = None
            return -1

        action = self._act_epsilon_greedily(state)  # Alg. 1 lines 2-11
        explores = self._explores(action)
        self._learn_or_replay(transition, self._bootstrap(state, self.prediction_array))  # 12-18
        self.previous, self.previous_explored = (state, action), explores  # lines 27-29
        self.at_first = False
        return action

    def act(self, observation: Sequence[float], explore: bool) -> int:
        """Choose an action without learning: a random one, or the best (Alg. 1 lines 5 and 7)."""
        state = self._scale(observation)
        self.prediction_array = self._predict_after_covering(state)
        return self._choose_random() if explore else self._choose_greedy()

    def learn_single(self, observation: Sequence[float], action: int, reward: float) -> None:
        """Do the learning step of a single-step problem: P = r (Alg. 1 lines 20-24, Alg. 2)."""
        self._learn_or_replay(self._single_step(observation, action, reward))

    def store_only(self, observation: Sequence[float], action: int, reward: float) -> None:
        """Remember a single-step experience without a learning step (Alg. 2 line 11)."""
        if self.memory is not None and getattr(self.replay, "kept_steps", "all") == "all":
            self.memory.store(self._single_step(observation, action, reward))

    def follow_exploit(self, observation: Sequence[float], action: int, reward: float) -> None:
        """Store an exploit step of a single-step problem, or learn from it as well."""
        if getattr(self.config, "exploit_learning", False):
            self.learn_single(observation, action, reward)
            return
        self.store_only(observation, action, reward)
        self.clock += getattr(self.config, "exploit_clock", False)

    # --- choosing an action -------------------------------------------------------------------

    def _act_epsilon_greedily(self, state: State) -> int:
        """Choose a random action with probability epsilon, else the best (Alg. 1 lines 2-8)."""
        self.prediction_array = self._predict_after_covering(state)
        action = self._choose(state)
        self.explorer.count(state, action)
        return action

    def _choose(self, state: State) -> int:
        """Repeat a random action, begin one, or choose the best."""
        self.explorer.age(self.time, self.horizon)
        action = self.explorer.repeat(self.prediction_array, self.agent_random)
        if action is not None:
            return action
        if self.agent_random.uniform() < self.explorer.rate(self._epsilon()):
            return self.explorer.begin(self._choose_random())
        return self._choose_greedy(self.explorer.tempt(state, self.prediction_array))

    def _explores(self, action: int) -> bool:
        """Tell whether an action is not one of the best by the prediction array."""
        best = largest(self.prediction_array)
        return self.prediction_array[action] < best - 1e-12 * max(1.0, abs(best))

    def _epsilon(self) -> float:
        """Let epsilon fall linearly over the first part of the run."""
        start, end = self.config.epsilon_start, self.config.epsilon_end
        steps = self.config.epsilon_fraction * self.horizon
        if steps <= 0 or self.time >= steps:
            return end
        return start + (end - start) * (self.time / steps)

    def _choose_random(self) -> int:
        """Draw one of the actions that have a prediction (Alg. 1 line 5)."""
        present = [a for a, value in enumerate(self.prediction_array) if value is not None]
        return present[self.agent_random.below(len(present))]

    def _choose_greedy(self, values: list[float | None] | None = None) -> int:
        """Take the action of the largest prediction; draw among equals (Alg. 1 line 7)."""
        values = self.prediction_array if values is None else values
        best = largest(values)
        good_enough = best - 1e-12 * max(1.0, abs(best))
        tied = [a for a, value in enumerate(values) if value is not None and value >= good_enough]
        return tied[0] if len(tied) == 1 else tied[self.agent_random.below(len(tied))]

    def _predict_after_covering(self, state: State) -> list[float | None]:
        """Form [M], with new rules where actions are missing, and its prediction array."""
        return self._predict(state, self._match_and_cover(state))

    def _predict(self, state: State, match_set: list[Rule]) -> list[float | None]:
        """Average the predictions, weighted by fitness, for each action (Alg. 1 line 3)."""
        actions = range(self.population.n_actions)
        return [
            weighted_prediction([rule for rule in match_set if rule.action == action], state)
            for action in actions
        ]

    def _match_and_cover(self, state: State) -> list[Rule]:
        """Form [M]; while it offers fewer than theta_mna actions, cover a missing one."""
        actions = range(self.population.n_actions)
        wanted = self.config.min_actions or self.population.n_actions
        match_set = self.population.match(state)
        while len(present := {rule.action for rule in match_set}) < wanted:
            missing = [action for action in actions if action not in present]
            action = missing[self.agent_random.below(len(missing))]
            self.population.insert(self._cover(state, action))
            if self.population.micro > self.config.population_size:
                self.population.delete(self.config, self.agent_random)
            match_set = self.population.match(state)
        return match_set

    def _cover(self, state: State, action: int) -> Rule:
        """Make a rule for this state and action: a random box around the state."""
        config, random = self.config, self.agent_random
        alleles: list[float] = []
        for x in state:
            lower = clip(x - random.uniform() * config.cover_spread)
            upper = clip(x + random.uniform() * config.cover_spread)
            if math.isnan(x):
                lower, upper = 0.0, 1.0
            alleles += (lower, upper) if random.uniform() < 0.5 else (upper, lower)
        return Rule(
            condition=Condition(alleles),
            action=action,
            model=self._initial_model(),
            error=config.initial_error,
            fitness=config.initial_fitness,
            time_stamp=self.clock,
            experience=getattr(config, "initial_experience", 0),
        )

    def _initial_model(self) -> Scalar | Linear:
        """Make a model that predicts p_ini everywhere."""
        return self._model_of(self.initial_prediction)

    def _model_of(self, value: float) -> Scalar | Linear:
        config = self.config
        if config.prediction == "scalar":
            return Scalar(value)
        n_features, kind = (
            len(self.low),
            {"linear": Linear, "quadratic": Quadratic}[config.prediction],
        )
        others = n_features if kind is Linear else n_features + n_features * (n_features + 1) // 2
        return kind([value] + [0.0] * others, config.rls_initial_gain, config.rls_forgetting)

    # --- learning -----------------------------------------------------------------------------

    def _learn_or_replay(self, transition: Transition, next_value: float | None = None) -> None:
        """Count a learning step; learn from the transition, or store it and replay.

        `next_value` is max PA(s') as the agent saw it when it chose its action there. Learning at
        once uses it (Alg. 1 line 13); a replay looks at the population anew (Alg. 3 lines 6-8).
        """
        if transition.reward != 0.0 and self.config.initial_prediction == "hopeful":
            self._end_hope()
        self.time += 1
        if self.memory is None:
            self.clock += 1
            self._learn(transition, next_value)
            return
        self._store(transition)
        if self.replay.ga_clock == "environment":
            self.clock += 1
        if self.time > self.replay.warmup and self.memory.stored > 0:
            self._replay()

    def _store(self, transition: Transition) -> None:
        """Store a transition; or what Algorithm 2 would store, as it is printed (lines 4-12).

        There the first step of an episode looks like a single-step problem, and nothing stores
        the step with which the episode ends.
        """
        episodic, ends = self.previous is not None, transition.terminal
        if getattr(self.replay, "first_ends", False) and episodic and self.at_first:
            self.memory.store(transition._replace(terminal=True))
            if ends:
                return
        elif episodic and ends and not getattr(self.replay, "keep_last", True):
            return
        self.memory.store(transition)

    def _end_hope(self) -> None:
        """Expect nothing of what is unknown from the first reward on."""
        if self.hopes and self.memory is not None and self.time < self.replay.warmup:
            for rule in self.rules:  # none of them has learned anything
                rule.model = self._model_of(0.0)
        self.hopes, self.initial_prediction = False, 0.0

    def _replay(self) -> None:
        """Learn from a minibatch of remembered transitions (Alg. 2 lines 14-17)."""
        size, newest = self.replay.batch_size, self.replay.include_newest
        length = getattr(self.replay, "return_steps", 1)
        cut = getattr(self.replay, "cut_at_exploration", False)
        for slot in self.memory.draw(size, newest, self.replay_random):
            if self.replay.ga_clock == "replay":
                self.clock += 1
            sequence = self.memory.sequence(slot, length, cut)
            if getattr(self.replay, "covering", False):
                self._cover_experience(sequence[0])
            if isinstance(self.memory, Keeper):
                self._study(slot, newest, sequence)
                newest = False
            else:
                self._reinforce(sequence[0], self._teach_of(slot, sequence))

    def _cover_experience(self, one: Transition) -> None:
        """Cover the next state, if there is one, and the state of a remembered transition."""
        if not one.terminal:
            self._match_and_cover(one.next_state)
        self._match_and_cover(one.state)

    def _study(self, slot: int, is_newest: bool, sequence: list[Transition]) -> None:
        """Learn from a drawn experience, perhaps mixed, by its weight; note the surprise."""
        one, target, weights = sequence[0], self._teach_of(slot, sequence), (1.0, 1.0)
        if not is_newest:
            one, target = self._mix(slot, one, target)
            progress = self.time / self.horizon if self.horizon else 1.0
            weights = self.memory.sampler.weigh(slot, progress)
        rules = self.population.action_set(one.state, one.action)
        expected = weighted_prediction(rules, one.state)
        surprise = 0.0 if expected is None else abs(self._bounded(target) - expected)
        self._reinforce(one, target, weights)
        self.memory.sampler.note_replayed(slot, surprise)

    def _mix(self, slot: int, one: Transition, target: float) -> tuple[Transition, float]:
        """Return an experience and its payoff, perhaps between it and a neighbour."""
        chance, rng = self.replay.interpolation, self.replay_random
        if chance == 0.0 or rng.uniform() >= chance:
            return one, target
        other = self.memory.find_neighbour(slot, rng)
        if other is None:
            return one, target
        share = rng.uniform()
        length, cut = self.replay.return_steps, self.replay.cut_at_exploration
        other_target = self._teach_of(other, self.memory.sequence(other, length, cut))
        sides = zip(one.state, self.memory.slots[other].state, strict=True)
        state = [float(np.float32(a + share * (b - a))) for a, b in sides]
        return one._replace(state=state), target + share * (other_target - target)

    def _teach_of(self, slot: int, sequence: list[Transition]) -> float:
        """Return the payoff of a stored experience, and note it as rules learn it."""
        target = self._payoff_of(sequence)
        self.memory.payoffs[slot] = self._bounded(target)
        return target

    def _learn(self, transition: Transition, next_value: float | None = None) -> None:
        """Learn from one transition (Alg. 3): P = r at the end, else r + gamma max PA(s').

        The paper prints argmax where it means max.
        """
        target = self._pay(transition)
        if not transition.terminal:
            if next_value is None:
                next_value = self._value(transition.next_state)
            target += self.config.discount * next_value
        self._reinforce(transition, target)

    def _payoff_of(self, sequence: list[Transition]) -> float:
        """Add up what the first transition and its successors were paid: n-step returns.

        P = r_1 + gamma r_2 + ... + gamma^(k-1) r_k, and gamma^k max PA(s_k+1) if not at the end.
        """
        choice = getattr(self.replay, "return_choice", "longest")
        first = sequence[0]
        if choice == "rewarded" and all(one.reward == 0.0 for one in sequence):
            sequence = [first]
        target = self._return_of(sequence)
        if choice == "best" and len(sequence) > 1:
            target = max(target, self._return_of([first]))
        gap = getattr(self.replay, "action_gap", 0.0)
        if gap > 0.0:
            target -= gap * self._shortfall(first)
        return target

    def _return_of(self, sequence: list[Transition]) -> float:
        """Sum up what consecutive transitions were paid, and the value of what comes after."""
        first, *others = sequence
        target, weight = self._pay(first), self.config.discount
        for transition in others:
            target += weight * self._pay(transition)
            weight *= self.config.discount
        if not sequence[-1].terminal:
            target += weight * self._value(sequence[-1].next_state)
        return target

    def _shortfall(self, transition: Transition) -> float:
        """Return how far the prediction of a stored action lies below the best one there."""
        match_set = self.population.match(transition.state)
        predictions = self._predict(transition.state, match_set)
        chosen = predictions[transition.action]
        return 0.0 if chosen is None else largest(predictions) - chosen

    def _pay(self, transition: Transition) -> float:
        """Return the reward, with what curiosity adds to it."""
        return self.explorer.pay(transition.state, transition.action, transition.reward)

    def _bounded(self, target: float) -> float:
        """Bring a payoff within its limits."""
        low = getattr(self.config, "target_low", None)
        high = getattr(self.config, "target_high", None)
        if low is not None:
            target = max(target, low)
        if high is not None:
            target = min(target, high)
        return target

    def _reinforce(
        self, transition: Transition, target: float, weights: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        """Teach a payoff, brought within its limits, to the rules of a state and action."""
        self.population.condenses = self._condenses()
        experience = (transition.state, transition.action, self._bounded(target))
        times, random, discovery = (self.time, self.clock), self.agent_random, self.discovery
        reinforce(experience, self.population, times, self.config, random, discovery, weights)

    def _condenses(self) -> bool:
        """Tell whether children are plain copies of their parents by now."""
        share = getattr(self.config, "condensation_fraction", 0.0)
        return share > 0.0 and self.time >= (1.0 - share) * self.horizon

    def _value(self, state: State) -> float:
        """Predict the best payoff from a state, without covering (Alg. 3 lines 6-8)."""
        return self._bootstrap(state, self._predict(state, self.population.match(state)))

    def _bootstrap(self, state: State, predictions: list[float | None]) -> float:
        """Return the value of a state, by the prediction array or by a copy of the rules.

        The copy predicts the best payoff or, with double estimation, that of the action which
        the rules find best. Where it knows nothing, the rules are asked, and last p_ini.
        """
        own = self._best(predictions) if any_known(predictions) else self.initial_prediction
        if getattr(self.config, "target_interval", 0) == 0:
            return own
        self._renew_copy()
        copied = self._predict(state, self.frozen.match(state))
        if self.config.double_estimation and any_known(predictions):
            chosen = copied[predictions.index(largest(predictions))]
            if chosen is not None:
                return chosen
        return largest(copied) if any_known(copied) else own

    def _renew_copy(self) -> None:
        """Copy the population when it is first asked for in a new interval."""
        interval = self.time // self.config.target_interval
        if interval != self.interval:
            self.interval, self.frozen = interval, copy.deepcopy(self.population)

    def _best(self, prediction_array: list[float | None]) -> float:
        """Return the largest prediction, or, as printed, the number of its action."""
        best = largest(prediction_array)
        if self.config.bootstrap_value == "argmax":
            return float(prediction_array.index(best))
        return best

    # --- from the problem's world into the agent's --------------------------------------------

    def _scale(self, observation: Sequence[float]) -> State:
        """Bring an observation into [0, 1], clipped and rounded to float32; NaN stays NaN."""
        sides = zip(observation, self.low, self.inverse_range, strict=True)
        return [float(np.float32(clip((float(x) - a) * inverse))) for x, a, inverse in sides]

    def _single_step(self, observation: Sequence[float], action: int, reward: float) -> Transition:
        """Make the transition of a single-step problem, which ends with it."""
        state = self._scale(observation)
        return Transition(state, int(action), float(reward), state, terminal=True)


def weighted_prediction(rules: list[Rule], state: State) -> float | None:
    """Compute sum p F / sum F over rules of one action; None without rules (Alg. 1 line 3)."""
    if not rules:
        return None
    predictions = [rule.model.predict(state) for rule in rules]
    total = add_up(rule.fitness for rule in rules)
    if total == 0.0:
        return add_up(predictions) / len(predictions)
    products = [p * rule.fitness for p, rule in zip(predictions, rules, strict=True)]
    return add_up(products) / total


def any_known(prediction_array: list[float | None]) -> bool:
    """Say whether any action has a prediction."""
    return any(value is not None for value in prediction_array)


def largest(prediction_array: list[float | None]) -> float:
    """Return the largest of the predictions that exist."""
    return max(value for value in prediction_array if value is not None)


def refuse_what_the_oracle_lacks(config, replay) -> None:
    """Raise for options that the oracle does not know, rather than ignore them."""
    known = {
        "condition": "unordered",
        "out_of_range": "clip",
        "rls_gain_limit": None,
        "prediction_limit": None,
    }
    for name, value in known.items():
        given = getattr(config, name, value)
        if given != value:
            raise NotImplementedError(f"the oracle knows {name} = {value!r} only, got {given!r}")
    if getattr(replay, "storage", "fifo") == "reservoir":
        raise NotImplementedError("the oracle keeps no reservoir")


def goes_beyond(replay) -> bool:
    """Tell whether the memory does anything that the paper's does not."""
    if replay is None:
        return False
    kept, mixed = getattr(replay, "storage", "fifo"), getattr(replay, "interpolation", 0.0)
    return replay.sampling != "uniform" or kept != "fifo" or mixed > 0.0
