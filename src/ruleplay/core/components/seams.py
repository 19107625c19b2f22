"""The decisions that can be taken in several ways: what each asks of a component.

The first argument of a kernel is the component itself. Members of each seam have a file of their
own in this package; `ruleplay.kernels` has all that a component outside of it needs.
"""

from ruleplay.compiler.jit import ZERO, inline_kernel
from ruleplay.core.basics.weight import FULL
from ruleplay.core.choice import choose_greedily
from ruleplay.core.components.registry import Seam, default


class Encoding(
    Seam,
    built_in={
        "center_spread": "ruleplay.core.encodings.center_spread",
        "unordered": "ruleplay.core.encodings.unordered",
        "ternary": "ruleplay.contrib.symbols.ternary",
        "mixed": "ruleplay.contrib.symbols.mixed",
    },
):
    """How two alleles per feature, numbers in [0, 1], encode an interval."""

    def express(self, alleles, bounds):
        """Write the lower, then the upper bounds that alleles stand for."""

    def cover_alleles(self, alleles, state, params, rng):
        """Write alleles whose intervals contain a state; where it is NaN, the whole."""

    def mutate_alleles(self, alleles, params, rng):
        """Disturb alleles in place."""

    def set_interval(self, alleles, k, low, high):
        """Write alleles of feature k whose interval contains all from `low` to `high`."""


class Prediction(
    Seam,
    built_in={
        "scalar": "ruleplay.core.predictions.scalar",
        "linear": "ruleplay.core.predictions.linear",
        "quadratic": "ruleplay.core.predictions.quadratic",
        "sparse_linear": "ruleplay.contrib.sparse_linear",
    },
):
    """What a rule expects to be paid, and how it learns that."""

    def predict(self, population, i, state, params):
        """Return the payoff that the rule at place i expects in a state."""

    def adapt(self, agent, i, state, target, rate, weight):
        """Move the rule at place i towards a payoff."""

    def adapt_in_part(self, agent, i, state, target, rate, share, weight):
        """Do so by a share of the usual step."""

    def new_model(self, nursery, c, params):
        """Begin the model of a covering rule, number c in the nursery."""

    def inherit_model(self, population, i, nursery, c):
        """Give child c the model of its parent at place i."""

    def average_models(self, nursery):
        """Give both children the mean of their models."""

    def place_model(self, nursery, c, population, i, params):
        """Move the model of child c to its place in the population."""

    def move_model(self, population, source, target):
        """Copy a model from one place to another."""

    @default
    @inline_kernel
    def write_inputs(self, state, inputs):
        """Write what a model's weights are multiplied by in a state, if it has weights."""


class Update(
    Seam,
    built_in={
        "full": "ruleplay.core.reinforcement",
        "by_fitness": "ruleplay.contrib.fitness_scaled",
    },
):
    """How large a step a rule's prediction takes when its action set is paid."""

    def teach(self, agent, i, state, target, rate, total, weight):
        """Move the prediction of the rule at place i; `total` is what `sum_fitness` found."""

    @default
    @inline_kernel
    def sum_fitness(self, population, members):
        """Return the sum of fitness over an action set, if `teach` needs it."""
        return 0.0


class Bootstrap(
    Seam, built_in={"own": "ruleplay.core.prediction_array", "copy": "ruleplay.contrib.target_copy"}
):
    """What the next state is worth in a payoff."""

    def bootstrap(self, agent, state):
        """Return the value of a state, whose prediction array is in `scratch.values`."""


class Discovery(
    Seam,
    built_in={
        "genetic": "ruleplay.core.genetic",
        "extended": "ruleplay.contrib.discovery",
    },
):
    """How an action set finds new rules."""

    def discover(self, agent, members, state, action):
        """Let an action set evolve, if its turn has come."""

    @default
    @inline_kernel
    def may_vary(self, agent):
        """Return whether children may differ from their parents now."""
        return True

    @default
    @inline_kernel
    def stands(self, agent, i):
        """Return whether experiences let the rule at place i subsume others."""
        return True

    @default
    @inline_kernel
    def note_payoff(self, agent, slot, target):
        """Take note of what was taught for an experience; NaN: it is new."""


_SELECTION = "ruleplay.core.selection"


class Selection(Seam, built_in={"tournament": _SELECTION, "roulette": _SELECTION}):
    """Which rule of an action set becomes a parent."""

    def select_parent(self, population, members, scratch, rng):
        """Return the place of a parent, one of `members`."""


_CROSSOVER = "ruleplay.core.crossover"


class Crossover(Seam, built_in={"uniform": _CROSSOVER, "two_point": _CROSSOVER}):
    """How two children exchange alleles."""

    def cross(self, first, second, rng):
        """Exchange alleles of two vectors, in place."""


class Exploration(
    Seam,
    built_in={
        "plain": "ruleplay.core.exploration",
        "guided": "ruleplay.core.exploration",
        "curious": "ruleplay.contrib.count_bonus",
    },
):
    """How an agent decides in the course of an episode."""

    def decide(self, agent, state):
        """Return an action; match set and prediction array stay in `scratch`."""

    @default
    @inline_kernel
    def prefer(self, agent, state):
        """Return the action that is chosen when it is not a random one."""
        return choose_greedily(agent.scratch.values, agent.rng)

    @default
    @inline_kernel
    def settle(self, agent):
        """Take note that the action decided on becomes the last one."""

    @default
    @inline_kernel
    def last_mark(self, agent):
        """Return whether the last action was not greedy: 0 or 1."""
        return ZERO

    @default
    @inline_kernel
    def set_last_mark(self, agent, mark):
        """Say whether the last action was not greedy."""

    @default
    @inline_kernel
    def add_bonus(self, agent, state, action, reward):
        """Return the reward with what curiosity adds to it."""
        return reward


class Storage(
    Seam,
    built_in={
        "fifo": "ruleplay.replay.memory",
        "reservoir": "ruleplay.replay.reservoir",
        "protected": "ruleplay.contrib.protected",
    },
):
    """Where a replay memory puts a new experience."""

    def choose_slot(self, stored, capacity, rng):
        """Return the slot for the experience number `stored`, from 0 on; -1 to drop it.

        While there are empty slots, they are taken in order.
        """

    @default
    @inline_kernel
    def note_kept(self, memory, stored, slot, params):
        """Take note of an experience that was written to a slot."""


class Sampler(
    Seam,
    built_in={
        "uniform": "ruleplay.replay.uniform",
        "prioritized": "ruleplay.replay.prioritized",
        "stratified": "ruleplay.contrib.stratified",
    },
):
    """Which stored experience is replayed next."""

    def sample(self, memory, size, rng):
        """Return the slot to replay next, one of the first `size`."""

    @default
    @inline_kernel
    def note_stored(self, memory, slot, params):
        """Take note of an experience that was written to a slot."""

    @default
    @inline_kernel
    def weigh(self, agent, slot):
        """Return how much a drawn experience counts, a `Weight`."""
        return FULL

    @default
    @inline_kernel
    def wants_surprise(self):
        """Return whether `note_surprise` is to be told anything; True costs a prediction."""
        return False

    @default
    @inline_kernel
    def note_surprise(self, slot, surprise, params):
        """Take note of |payoff - system prediction| of a replayed experience, before learning.

        It is 0 where no rule matched.
        """


_RETURNS = "ruleplay.replay.returns"


class Returns(Seam, built_in={"one_step": _RETURNS, "n_step": _RETURNS}):
    """What a replayed experience pays."""

    def back_up(self, memory, agent, slot):
        """Return the payoff that a stored experience teaches."""

    def annotate(self, memory, agent, state):
        """Return the flags of the next experience, which begins in a state."""

    @default
    @inline_kernel
    def break_sequence(self, memory, agent):
        """Take note that what is stored next does not follow."""


class Mixing(
    Seam,
    built_in={"pure": "ruleplay.replay.memory", "interpolated": "ruleplay.contrib.interpolation"},
):
    """What of a drawn experience is learned."""

    def present(self, memory, agent, slot, target):
        """Return the state and the payoff to learn from, given those of the experience."""
