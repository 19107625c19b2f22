"""Rows that come in chunks are learned from as a table of all of them is."""

import warnings

import numpy as np
import pandas as pd
import pytest

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.classifier.chunks import ChunkPresenter
from ruleplay.learners.classifier.survey import RowSample
from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.rules.spelling import ABSENT

COLOURS = ["amber", "blue", "coral", "denim", "ebony"]
WARM = ("amber", "coral", "ebony")


def sample(n_rows=1000, seed=0):
    """Make rows with gaps whose label depends on a number and a colour."""
    rng = np.random.default_rng(seed)
    colour, size = rng.choice(COLOURS, n_rows), rng.normal(50.0, 20.0, n_rows)
    label = np.where((size > 50.0) & np.isin(colour, WARM), "yes", "no")
    size[:20], colour = np.nan, np.where(np.arange(n_rows) % 50 == 0, None, colour)
    frame = pd.DataFrame({"size": size, "noise": rng.random(n_rows), "colour": colour})
    return frame.astype({"colour": "category"}), label


def cut(frame, labels, rows=150):
    """Divide a table into chunks, each with its own categories only."""
    return [
        (
            frame[first : first + rows].assign(
                colour=lambda part: part["colour"].cat.remove_unused_categories()
            ),
            labels[first : first + rows],
        )
        for first in range(0, len(frame), rows)
    ]


def classifier(**settings):
    return XCSClassifier(**{"population_size": 300, "random_state": 0, "epochs": 15} | settings)


@pytest.fixture(scope="module")
def whole():
    return classifier(n_steps=1, epochs=None).fit(*sample())


@pytest.fixture(scope="module")
def model():
    return classifier().fit_chunks(cut(*sample()))


@pytest.mark.parametrize("chunk_rows", [1, 7, 150])
def test_room_around_columns_is_that_of_the_whole_table(chunk_rows):
    frame, labels = sample(300)
    bits, third = np.arange(300) % 2, np.where(np.arange(300) == 250, 0.5, np.arange(300) % 2)
    frame = frame.assign(bits=bits, almost=third)
    of_chunks = classifier(epochs=1).fit_chunks(cut(frame, labels, chunk_rows)).engine_
    of_table = classifier(n_steps=1, epochs=None).fit(frame, labels).engine_
    assert np.array_equal(of_chunks.low, of_table.low)
    assert np.array_equal(of_chunks.high, of_table.high)
    assert of_table.low[-2:].tolist() == [-1.0, 0.0]


def test_chunks_are_described_as_the_whole_table_is(model, whole):
    assert model.classes_.tolist() == whole.classes_.tolist()
    assert model.class_prior_.tolist() == whole.class_prior_.tolist()
    assert np.array_equal(model.bounds_, whole.bounds_)
    assert {k: v.tolist() for k, v in model.categories_.items()} == {2: [*COLOURS, ABSENT]}
    assert model.layout_ == whole.layout_
    assert model.feature_names_in_.tolist() == ["size", "noise", "colour"]


def test_what_is_learned_is_right_about_other_rows(model):
    assert model.score(*sample(seed=1)) > 0.95  # 0.98 to 1.0 for ten seeds


def test_an_epoch_is_a_pass_over_all_rows(model):
    assert model.n_steps_ == 15 * 1000


def test_the_same_seed_gives_the_same_rules(model):
    again = classifier().fit_chunks(lambda: iter(cut(*sample())))
    assert again.rules_text(top=None) == model.rules_text(top=None)


def test_the_model_can_be_saved_and_goes_on(model, tmp_path):
    model.save(tmp_path / "model.ruleplay")
    same = XCSClassifier.load(tmp_path / "model.ruleplay")
    frame, labels = sample(seed=2)
    assert np.array_equal(same.predict_proba(frame), model.predict_proba(frame))
    same.partial_fit(frame, labels)


def test_training_ends_when_it_has_converged():
    assert classifier(epochs=None).fit_chunks(cut(*sample())).n_steps_ < 1_000_000


@pytest.mark.parametrize("weights", ["balanced", {"yes": 3.0}])
def test_class_weights_count_all_chunks(weights):
    frame, labels = sample()
    settings = {"class_weight": weights, "n_steps": 10, "epochs": None}
    ours = classifier(**settings).fit_chunks(cut(frame, labels))
    theirs = classifier(**settings).fit(frame, labels)
    assert ours.class_prior_ == pytest.approx(theirs.class_prior_)


def test_a_chunk_may_have_weights():
    X = np.arange(8.0).reshape(4, 2)
    ours = classifier(n_steps=10, epochs=None)
    ours.fit_chunks([(X[:2], [0, 1], [1.0, 3.0]), (X[2:], [1, 0], [0.0, 4.0])])
    assert ours.class_prior_.tolist() == [5 / 8, 3 / 8]
    assert ours.bounds_[1].tolist() == [6.0, 7.0]


def test_chunks_without_rows_are_passed_over():
    X, y = np.random.default_rng(0).random((20, 2)), [0, 1] * 10
    ours = classifier(n_steps=30, epochs=None).fit_chunks([(X[:0], []), (X, y), (X[:0], [])])
    assert ours.n_steps_ == 30


def test_a_column_may_lack_all_values_in_a_chunk():
    frame, labels = sample()
    chunks = cut(frame, labels)
    chunks[0] = chunks[0][0].assign(colour=np.nan, size=np.nan), chunks[0][1]
    ours = classifier(n_steps=10, epochs=None).fit_chunks(chunks)
    assert ours.categories_[2].tolist() == [*COLOURS, ABSENT]


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        (iter([]), "gone through several times, got list_iterator"),
        (3, "gone through several times, got int"),
        ([], "at least one row, got none"),
        ([3], r"a chunk must be \(X, y\) or \(X, y, sample_weight\), got int"),
        ([([[1.0]], [0]), ([[1.0]], ["a"])], "text in all chunks, or numbers in all"),
    ],
    ids=["iterator", "number", "empty", "no-pair", "kinds-of-labels"],
)
def test_odd_chunks_are_refused(chunks, message):
    with pytest.raises(ConfigError, match=message):
        classifier().fit_chunks(chunks)


def test_chunks_have_the_same_number_of_columns():
    with pytest.raises(ValueError, match="X has 1 features, but XCSClassifier is expecting 2"):
        classifier().fit_chunks([([[1.0, 2.0]], [0]), ([[1.0]], [1])])


def test_chunks_have_the_same_rows_in_each_pass():
    X, y = np.random.default_rng(0).random((20, 2)), [0, 1] * 10
    passes = iter([[(X, y)], [(X[:10], y[:10])], []])
    with pytest.raises(ConfigError, match="got 20 rows at first and 10 later"):
        classifier().fit_chunks(lambda: next(passes))


def test_rows_that_are_sorted_by_class_are_warned_about():
    X, y = np.random.default_rng(0).random((2000, 2)), np.repeat([0, 1], 1000)
    model = classifier(n_steps=10, epochs=None)
    with pytest.warns(UserWarning, match="50 % of all rows are of class '0', but some chunks"):
        model.fit_chunks([(X[:1100], y[:1100]), (X[1100:], y[1100:])])


@pytest.mark.parametrize("rows", [40, 500])
def test_nothing_is_said_about_rows_in_random_order(rows):
    X = np.random.default_rng(0).random((2000, 2))
    chunks = [(X[k : k + rows], X[k : k + rows, 0] > 0.9) for k in range(0, 2000, rows)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        classifier(n_steps=10, epochs=None).fit_chunks(chunks)


def test_a_column_is_of_one_kind_in_all_chunks():
    first, second = (pd.DataFrame({"a": [1.0, 2.0], "b": b}) for b in ([1, 2], ["x", "y"]))
    chunks = [(first, [0, 1]), (second.astype({"b": "category"}), [0, 1])]
    with pytest.raises(ConfigError, match="'b' must hold numbers in all chunks, or categories"):
        classifier().fit_chunks(chunks)


def test_ordered_categories_are_the_same_in_all_chunks():
    one, other = pd.CategoricalDtype(["s", "m"], True), pd.CategoricalDtype(["m", "s"], True)
    frame = pd.DataFrame({"a": ["s", "m"]})
    with pytest.raises(ConfigError, match="'a' must have the same ordered categories"):
        classifier().fit_chunks([(frame.astype(one), [0, 1]), (frame.astype(other), [0, 1])])
    model = classifier(n_steps=1, epochs=None).fit_chunks([(frame.astype(one), [0, 1])] * 2)
    assert model.categories_[0].tolist() == ["s", "m"]
    assert not model.layout_.nominal_columns


def test_a_column_of_names_is_refused():
    names = pd.DataFrame({"name": [f"n{k}" for k in range(1001)]}, dtype="category")
    with pytest.raises(ConfigError, match="at most 1000 categories, got 1001, such as 'n0'"):
        classifier().fit_chunks([(names, [0] * 1001)])


@pytest.mark.parametrize("name", ["early_stopping", "warm_start"])
def test_what_needs_all_rows_is_refused(name):
    with pytest.raises(ConfigError, match=f"fit_chunks needs {name}=False"):
        classifier(**{name: True}).fit_chunks(cut(*sample()))


def test_populations_that_learn_apart_are_refused():
    with pytest.raises(ConfigError, match="fit_chunks needs n_populations=1, got 2"):
        classifier(n_populations=2).fit_chunks(cut(*sample()))


def presented(weights, chunk_rows, passes):
    """Count how often each row is presented."""
    weights = np.asarray(weights)
    rows = np.arange(len(weights), dtype=float)[:, np.newaxis]
    labelled = LabelledRows(rows, np.zeros(len(rows), np.int64), weights)

    def read():
        for first in range(0, len(rows), chunk_rows):
            yield labelled.take(slice(first, first + chunk_rows))

    rng = np.random.default_rng(0)
    presenter = ChunkPresenter(read, len(rows), weights.sum(), 1, "both", rng)
    taken = np.concatenate([presenter.take(5)[0] for _ in range(len(rows) * passes // 5)])
    return np.bincount(taken.astype(int).ravel(), minlength=len(rows))


def test_rows_of_equal_weight_come_up_once_a_pass():
    assert presented(np.ones(20), chunk_rows=6, passes=3).tolist() == [3] * 20


def test_rows_come_up_by_their_weight_in_all_chunks():
    weights = [0.0] * 5 + [1.0] * 5 + [3.0] * 5 + [0.0] * 5
    counts = presented(weights, chunk_rows=10, passes=300)
    assert counts[5:10].mean() == pytest.approx(300, rel=0.02)
    assert counts[10:15].mean() == pytest.approx(900, rel=0.02)
    assert counts.sum() == counts[5:15].sum()


def test_a_sample_does_not_depend_on_how_rows_are_divided():
    def drawn(size):
        kept = RowSample(50, np.random.default_rng(0))
        for first in range(0, 600, size):
            kept.offer(np.arange(first, first + size))
        return kept.kept[0].tolist()

    assert drawn(600) == drawn(100) == drawn(3)
    assert len(set(drawn(3))) == 50


def test_each_row_has_the_same_chance_to_be_sampled():
    rng, counts = np.random.default_rng(0), np.zeros(40)
    for _ in range(5000):
        kept = RowSample(10, rng)
        for part in np.split(np.arange(40), 4):
            kept.offer(part)
        counts[kept.kept[0]] += 1
    assert counts.reshape(4, 10).mean(axis=1) == pytest.approx(1250, rel=0.03)  # four deviations
