"""Rule discovery beyond the genetic algorithm: what an action set does when its turn has come.

Splitting, specifying and the genetic algorithm share one clock, that of the genetic algorithm:
a set whose rules have waited longer than theta_GA on average has its turn, and all three may
act on it, in this order. What is switched off takes no random number. At the end of a run
children may be plain copies of their parents: the population condenses.
"""

from typing import Annotated, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.contrib.discovery.evidence import stand_by_evidence, write_payoff
from ruleplay.contrib.discovery.settings import EVIDENCE, SETTINGS
from ruleplay.contrib.discovery.specify import specify
from ruleplay.contrib.discovery.splitting import split
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Discovery
from ruleplay.core.genetic import evolve, is_due
from ruleplay.core.matching import match_action
from ruleplay.core.state.agent import Agent
from ruleplay.core.state.arrays import SLOT, Array, allocate
from ruleplay.core.state.described import LARGEST_PAYOFF
from ruleplay.errors import ConfigError

NOTES = 2  # what `Extended.notes` holds, in this order
STEP, TURNS = 0, 1  # the learning step of the last turn, and the turns in it


@inline_kernel
def take_turn(own, agent):
    """Tell whether another set may have its turn in this learning step; count it if so."""
    notes = own.notes
    if own.niches == 0:
        return True
    if notes[STEP] != agent.state.time:
        notes[STEP], notes[TURNS] = agent.state.time, 0
    if notes[TURNS] >= own.niches:
        return False
    notes[TURNS] += 1
    return True


@kernel
def discover_more(own, agent, members, state, action):
    """Split, specify and evolve an action set whose turn has come."""
    if not is_due(agent, members) or not take_turn(own, agent):
        return
    found = agent.scratch.members
    if own.split > 0 and split(own, agent, members):
        members = found[: match_action(agent, state, action)]
    if members.shape[0] == 0:  # its only rule was split, and the part that matched deleted
        return
    if own.specifies != 0 and specify(own, agent, members, state, action):
        members = found[: match_action(agent, state, action)]
    evolve(agent, members, action)


@inline_kernel
def may_vary_still(own, agent):
    """Return whether the last part of the run, in which children are copies, has not begun."""
    horizon = agent.params.horizon
    if own.condensation == 0.0 or horizon == 0.0:
        return True
    return agent.state.time < (1.0 - own.condensation) * horizon


@Discovery.register(
    "extended",
    settings=SETTINGS,
    discover=discover_more,
    may_vary=may_vary_still,
    stands=stand_by_evidence,
    note_payoff=write_payoff,
)
class Extended(NamedTuple):
    """Rule discovery that is more than the genetic algorithm, and what it works with."""

    notes: Annotated[NDArray[np.int64], Array("i8", (NOTES,), "working space", fill=-1)]
    payoffs: Annotated[
        NDArray[np.float64],
        Array("f8", (SLOT,), "last taught for each experience, NaN: none", True, fill=np.nan),
    ]
    slots: Annotated[NDArray[np.int64], Array("i8", ("looks",), "experiences found")]
    residuals: Annotated[
        NDArray[np.float64], Array("f8", ("looks",), "payoff less prediction of each")
    ]
    states: NDArray[np.float32]  # (capacity, features): the memory's own array
    actions: NDArray[np.int64]  # (capacity,): the memory's own array
    niches: int  # sets that may have their turn in a learning step, 0: any number
    specifies: int
    threshold: float  # N_sp
    probability: float  # P_sp
    split: int  # experiences looked at before a rule is split, 0: never split
    verify: int  # experiences looked at before a rule subsumes, 0: none
    condensation: float  # share of the run in which children are copies

    @staticmethod
    def memory_settings() -> tuple[str, ...]:
        """Return the settings that mean nothing without a memory."""
        return EVIDENCE

    @staticmethod
    def serves(settings: Any) -> bool:
        """Tell whether the settings ask for it."""
        looks = settings.split_refuted > 0 or settings.verify_subsumption > 0
        limits = settings.ga_niches_per_step is not None
        return bool(looks or settings.specify or limits or settings.condensation_fraction > 0.0)

    @staticmethod
    def check_settings(settings: Any) -> None:
        """Refuse to verify what never happens."""
        subsumes = settings.ga_subsumption or settings.action_set_subsumption
        if settings.verify_subsumption > 0 and not subsumes:
            raise ConfigError(
                "verify_subsumption must be 0 without ga_subsumption and action_set_subsumption, "
                f"got {settings.verify_subsumption}"
            )

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "Extended":
        """Reserve what is needed to look at experiences; refuse to, where none are kept."""
        most = max(settings.split_refuted, settings.verify_subsumption)
        for name in EVIDENCE if sizes.capacity == 0 else ():
            value = getattr(settings, name)
            if value > 0:
                raise ConfigError(
                    f"{name} must be 0 without replay, whose memory it looks at, got {value}"
                )
        return allocate(
            cls,
            {SLOT: sizes.capacity if most else 0, "looks": most},
            states=np.zeros((0, sizes.n_features), np.float32),
            actions=np.zeros(0, np.int64),
            niches=settings.ga_niches_per_step or 0,
            specifies=int(settings.specify),
            threshold=settings.specify_threshold,
            probability=settings.specify_probability,
            split=settings.split_refuted,
            verify=settings.verify_subsumption,
            condensation=settings.condensation_fraction,
        )

    def looking_at(self, memory: Any) -> Self:
        """Return the same with the experiences of a memory in view."""
        if len(self.payoffs) == 0:
            return self
        return self._replace(states=memory.states, actions=memory.actions)

    def adopt(self, other: "Extended") -> None:
        """Take over what another knows of the experiences; a payoff is one in any scale."""
        self.payoffs[:] = other.payoffs

    def faults(self, agent: Agent) -> list[str]:
        """Return a sentence for each thing that does not hold of the noted payoffs."""
        known = self.payoffs[: int(agent.state["stored"])]
        if (np.isnan(known) | (np.abs(known) <= LARGEST_PAYOFF)).all():
            return []
        return [f"noted payoffs must be at most {LARGEST_PAYOFF:g} in size, or NaN for none"]
