"""Run agents of ours on a control problem, in a process of its own as the peers are.

    python -m ruleplay.benchmarks.control.ours --contender xcs --problem CartPole-v1 --derived

`xcs` is `XCSAgent` with nothing set: the populations of its last ten checkpoints decide together.
Of the best ones, a list of at most ten rules is made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any, cast

from ruleplay import __version__
from ruleplay.benchmarks.control.course import Course, Row
from ruleplay.benchmarks.control.evaluating import Policy
from ruleplay.benchmarks.control.program import Job, Rows, Run, serve
from ruleplay.benchmarks.control.views import CountedSteps
from ruleplay.benchmarks.real_data.ours import size_of
from ruleplay.engine import XCS
from ruleplay.engine.uniting import LastPopulations, with_rules_of
from ruleplay.evaluation import Env
from ruleplay.learners.agent import XCSAgent
from ruleplay.learners.agent.checkpoints import MOST_TOGETHER
from ruleplay.learners.agent.interface import make_interface
from ruleplay.rules import RuleSet

MOST_RULES = 10


@dataclass(frozen=True)
class Together:
    """The rules of several populations of an agent, which act together."""

    agent: XCSAgent
    engine: XCS

    def __call__(self, observation: Any) -> Any:
        """Return the action that the rules value most."""
        with self.agent.acting_by(self.engine):
            return self.agent.predict(observation)[0]


class Agent:
    """An agent with all defaults; the choice among its averages is the course's, as for all."""

    def __init__(self, env: Env, seed: int) -> None:
        """Make the agent."""
        self.agent = XCSAgent(env, seed=seed)
        self.populations = LastPopulations(MOST_TOGETHER)

    def learn(self, steps: int, on_step: Callable[[int], None]) -> None:
        """Learn, without a choice among checkpoints."""

        def note(agent: XCSAgent) -> None:
            on_step(agent.num_timesteps)

        self.agent.learn(steps, note, keep="last")

    def policy(self) -> Together:
        """Take in the present population, and let the last ones act."""
        self.populations.add(self.agent.engine)
        return Together(self.agent, self.populations.united())

    def size(self, policy: Policy) -> Row:
        """Count rules and conditions."""
        return size_of(RuleSet.of(cast(Together, policy).engine))._asdict()


def run_agent(job: Job) -> Rows:
    """Let an agent learn; make a list of its rules if it is wanted."""
    compile_first(job)
    learner = Agent(job.problem.make(), job.seed)
    course = Course(job.problem, job.seed, job.steps, learner).run()
    rows = {job.contender: course.row()}
    if job.derived:
        rows[f"{job.contender}-list"] = list_row(course, cast(Together, course.best))
    return rows


def list_row(course: Course, best: Together) -> Row:
    """Make a list of the best rules; its time and its steps come on top."""
    envs: list[CountedSteps] = []

    def make() -> Env:
        envs.append(CountedSteps(course.problem.make()))
        return envs[-1]

    began = process_time()
    with best.agent.acting_by(with_rules_of(best.agent.engine, best.engine)):
        rules = best.agent.compact(max_rules=MOST_RULES, make_env=make).ruleset
    seconds = process_time() - began
    score = course.test(policy_of(rules, course.problem.make()))
    return {
        "last": score,
        "best": score,
        **size_of(rules)._asdict(),
        "seconds": course.seconds + seconds,
        "further_steps": sum(env.steps for env in envs),
    }


def policy_of(rules: RuleSet, env: Env) -> Policy:
    """Let a list act in an environment."""
    interface = make_interface(env, None, None, None)

    def act(observation: Any) -> Any:
        return interface.actions.take(rules.actions(interface.encode([observation])))[0]

    return act


def compile_first(job: Job) -> None:
    """Let an agent that is thrown away compile what is needed, or find it on disk."""
    agent = XCSAgent(job.problem.make(), seed=0).learn(200, keep="last")
    agent.predict(job.problem.make().reset(seed=0)[0])


CONTENDERS: dict[str, Run] = {"xcs": run_agent}

if __name__ == "__main__":
    serve(CONTENDERS, lambda contender: __version__)
