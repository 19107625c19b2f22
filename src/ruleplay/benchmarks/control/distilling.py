"""Distil a policy into a small decision tree: DAgger, weighted as VIPER does [Bastani2018].

The tree plays, the teacher says what it would have done, and the next tree is fitted to all that
was said so far. The best tree is chosen by episodes, as our lists are.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from ruleplay.benchmarks.control.course import Course, Row
from ruleplay.benchmarks.control.evaluating import Policy, mean_score
from ruleplay.benchmarks.control.views import CountedSteps, View
from ruleplay.evaluation import play_episodes

LEAVES = 11  # as our lists: at most ten rules and one for all else
ROUNDS = 20
EPISODES = 10  # of each round, to be answered by the teacher
CHOICE_EPISODES = 40  # by which a tree is chosen
FIRST_SEED, SEEDS_OF_RUN = 9_000_000, 10_000

Floats = NDArray[np.float64]
Teacher = Callable[[list[Any]], tuple[Any, Any]]  # observations -> actions, weights


class TreePolicy:
    """A tree that acts: the features of an observation lead to a leaf with an action."""

    def __init__(self, tree: DecisionTreeClassifier, view: View) -> None:
        """Read the action of each leaf."""
        self.tree, self.view = tree, view
        self.actions = tree.classes_[tree.tree_.value[:, 0].argmax(axis=1)]

    def __call__(self, observation: Any) -> Any:
        """Return the action of the leaf that an observation reaches."""
        row = self.view.features(observation).astype(np.float32)[None]
        return self.view.action(self.actions[self.tree.tree_.apply(row)[0]])

    def size(self) -> Row:
        """Return the number of leaves."""
        return {"rules": int(self.tree.get_n_leaves())}


def tree_row(course: Course, teacher: Teacher) -> Row:
    """Make a tree of a teacher's policy; its time and its steps come on top."""
    env = CountedSteps(course.problem.make())
    numbered = isinstance(env.action_space, spaces.Discrete)
    if not numbered and np.ndim(teacher([env.reset(seed=0)[0]])[0]) > 1:
        return {"not_applicable": "trees choose among numbered actions"}
    began = process_time()
    tree = distil(course, teacher, env)
    seconds = process_time() - began
    score = course.test(tree)
    return {
        "last": score,
        "best": score,
        **tree.size(),
        "seconds": course.seconds + seconds,
        "further_steps": env.steps,
    }


def distil(course: Course, teacher: Teacher, env: CountedSteps) -> TreePolicy:
    """Return the best of the trees of all rounds."""
    view = View(env, numbered=True)
    first = FIRST_SEED + SEEDS_OF_RUN * course.seed
    choice = [*range(first, first + CHOICE_EPISODES)]

    def teach(observation: Any) -> Any:
        return view.action(teacher([observation])[0][0])

    said: list[tuple[Floats, Any, Any]] = []
    policy: Policy = teach
    best: tuple[float, TreePolicy] | None = None
    for place in range(ROUNDS):
        start = first + CHOICE_EPISODES + EPISODES * place
        said.append(ask(teacher, view, visited(env, policy, range(start, start + EPISODES))))
        tree = fit(said, view, course.seed)
        score = mean_score(course.problem, tree, choice, env)
        if best is None or score > best[0]:
            best = score, tree
        policy = tree
    assert best is not None
    return best[1]


def visited(env: CountedSteps, policy: Policy, seeds: range) -> list[Any]:
    """Return the observations of some episodes."""
    seen: list[Any] = []

    def act(observation: Any) -> Any:
        seen.append(observation)
        return policy(observation)

    list(play_episodes(env, lambda now: act(now.observation), [*seeds]))
    return seen


def ask(teacher: Teacher, view: View, observations: list[Any]) -> tuple[Floats, Any, Any]:
    """Return the features of observations, the teacher's actions, and their weights."""
    actions, weights = teacher(observations)
    return view.interface.encode(observations), actions, weights


def fit(said: list[tuple[Floats, Any, Any]], view: View, seed: int) -> TreePolicy:
    """Fit a tree to all that the teacher has said."""
    features, actions, weights = (np.concatenate(column) for column in zip(*said, strict=True))
    tree = DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=seed)
    given = weights if weights.sum() > 0.0 else None
    return TreePolicy(tree.fit(features, actions, sample_weight=given), view)
