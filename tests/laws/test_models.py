"""The laws on whole models, through what users call. Every registered family, and all of them in one table."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import likely
from likely import NaiveBayes
from likely.families import Complement, Family
from likely.priors import Dirichlet

from .cases import OF_CELLS, example, settled

SAME = {"rtol": 1e-9, "atol": 1e-9}
KINDS = {name: family for name, family in OF_CELLS.items() if not family.marks_missing}
"""Whether a cell is missing is no column of its own: it is counted beside one, and has its laws in test_contract.py."""
LABELS = np.array(["ash", "birch", "cedar"])


@dataclass(frozen=True, eq=False)
class Data:
    """A table, its classes, and the families that read it."""

    families: dict[int, Any]
    X: np.ndarray
    y: np.ndarray
    probe: np.ndarray
    bins: bool
    """Whether a family cuts bins by looking at the values: then models must start from one frame."""

    def fresh(self) -> NaiveBayes:
        """A model that has learned nothing. Where bins are cut, one that knew all rows and has forgotten them."""
        model = NaiveBayes(self.families)
        return model.fit(self.X, self.y).forget(self.X, self.y) if self.bins else model

    def learned(self, *parts: Any) -> NaiveBayes:
        """A model that learned these rows, part by part."""
        model = self.fresh()
        for rows in parts:
            model.partial_fit(self.X[rows], self.y[rows])
        return model

    def score(self, model: NaiveBayes) -> np.ndarray:
        return model.predict_joint_log_proba(self.probe)


def make(kinds: Iterable[type[Family]], rows: int = 90) -> Data:
    """Two columns for each of these families, with some cells missing."""
    columns, probes, families, bins = [], [], {}, False
    for kind in kinds:
        family = settled(kind())
        case = example(family, np.random.default_rng(5), rows, columns=2, classes=3, holes=0.1)
        bins |= case.frame.edges is not None
        for found, cells in ((columns, case.cells), (probes, case.probe)):
            found.append(np.where(cells < 0, np.nan, cells) if family.reads == "categories" else cells)
        at = sum(cells.shape[1] for cells in columns[:-1])
        families |= {(at, at + 1): family} if family.joint else {at: family, at + 1: family}
    return Data(families, np.hstack(columns), LABELS[case.y], np.hstack(probes), bins)


@pytest.fixture(scope="module", params=[*KINDS, "all"])
def data(request) -> Data:
    return make(KINDS.values() if request.param == "all" else [KINDS[request.param]])


def thirds(data: Data) -> tuple[slice, slice, slice]:
    n = len(data.y) // 3
    return slice(0, n), slice(n, 2 * n), slice(2 * n, None)


def by_class(data: Data) -> list[np.ndarray]:
    return [np.flatnonzero(data.y == label) for label in LABELS]


# Learning in parts


@pytest.mark.parametrize("parts", [2, 7, 90])
def test_learning_in_parts_is_learning_at_once(data, parts):
    at_once, in_parts = (
        NaiveBayes(data.families).fit(data.X, data.y),
        data.learned(*np.array_split(np.arange(len(data.y)), parts)),
    )
    assert in_parts.classes_.tolist() == LABELS.tolist()
    np.testing.assert_array_equal(in_parts.class_count_, at_once.class_count_)
    np.testing.assert_allclose(data.score(in_parts), data.score(at_once), **SAME)


def test_the_order_of_rows_does_not_matter(data):
    order = np.random.default_rng(2).permutation(len(data.y))
    shuffled = NaiveBayes(data.families).fit(data.X[order], data.y[order])
    np.testing.assert_allclose(data.score(shuffled), data.score(data.learned(slice(None))), **SAME)


def test_classes_may_arrive_late(data):
    """One class after another, from the last to the first."""
    late = data.learned(*reversed(by_class(data)))
    assert late.classes_.tolist() == LABELS.tolist()
    np.testing.assert_allclose(data.score(late), data.score(data.learned(slice(None))), **SAME)


@pytest.mark.parametrize("column", [0, 1])
def test_values_may_arrive_late(data, column):
    """Rows in descending order of a column: each part brings categories that the parts before had not."""
    order = np.argsort(-data.X[:, column], kind="stable")
    late = data.learned(*np.array_split(order, 6))
    np.testing.assert_allclose(data.score(late), data.score(data.learned(slice(None))), **SAME)


def test_classes_may_be_announced(data):
    """A class that has not come yet has no rows and no probability."""
    first, _, _ = thirds(data)
    model = NaiveBayes(data.families).partial_fit(data.X[first], data.y[first], classes=[*LABELS, "dogwood"])
    assert model.classes_.tolist() == [*LABELS, "dogwood"]
    assert model.class_count_[3] == 0
    assert (model.predict_proba(data.probe)[:, 3] == 0).all()


def test_a_first_batch_of_one_class_is_certain_of_it(data):
    rows = by_class(data)[1]
    model = data.learned(rows) if not data.bins else NaiveBayes(data.families).fit(data.X[rows], data.y[rows])
    assert model.classes_.tolist() == ["birch"]
    np.testing.assert_array_equal(model.predict_proba(data.probe), 1.0)
    assert (model.predict(data.probe) == "birch").all()


def test_weight_two_is_the_row_twice(data):
    twice = data.learned(slice(None), slice(None))
    weighed = data.fresh().partial_fit(data.X, data.y, sample_weight=np.full(len(data.y), 2.0))
    np.testing.assert_allclose(data.score(weighed), data.score(twice), **SAME)


# Merging


def test_merging_is_learning_both(data):
    merged = likely.merge([data.learned(rows) for rows in thirds(data)])
    np.testing.assert_allclose(data.score(merged), data.score(data.learned(slice(None))), **SAME)


def test_merging_commutes(data):
    a, b, _ = (data.learned(rows) for rows in thirds(data))
    np.testing.assert_allclose(data.score(likely.merge([a, b])), data.score(likely.merge([b, a])), **SAME)


def test_merging_associates(data):
    a, b, c = (data.learned(rows) for rows in thirds(data))
    left, right = likely.merge([likely.merge([a, b]), c]), likely.merge([a, likely.merge([b, c])])
    np.testing.assert_allclose(data.score(left), data.score(right), **SAME)


def test_models_of_different_classes_merge(data):
    merged = likely.merge([data.learned(rows) for rows in reversed(by_class(data))])
    assert merged.classes_.tolist() == LABELS.tolist()
    np.testing.assert_allclose(data.score(merged), data.score(data.learned(slice(None))), **SAME)


def test_models_of_different_values_merge(data):
    """Low, middle and high values of a column: each model knows categories that the others do not."""
    parts = np.array_split(np.argsort(data.X[:, 0], kind="stable"), 3)
    merged = likely.merge([data.learned(rows) for rows in reversed(parts)])
    np.testing.assert_allclose(data.score(merged), data.score(data.learned(slice(None))), **SAME)


def test_merging_leaves_the_models_as_they_were(data):
    a, b, _ = (data.learned(rows) for rows in thirds(data))
    before = data.score(a), data.score(b)
    merged = likely.merge([a, b])
    np.testing.assert_array_equal(data.score(a), before[0])
    np.testing.assert_array_equal(data.score(b), before[1])
    assert merged.class_count_.sum() == a.class_count_.sum() + b.class_count_.sum()


def test_one_model_merged_is_itself(data):
    model = data.learned(slice(None))
    np.testing.assert_array_equal(data.score(likely.merge([model])), data.score(model))


# Forgetting


def test_what_is_learned_can_be_forgotten(data):
    first, second, third = thirds(data)
    model = data.learned(slice(None)).forget(data.X[second], data.y[second])
    np.testing.assert_allclose(data.score(model), data.score(data.learned(first, third)), **SAME)


def test_a_model_that_forgot_everything_learns_again(data):
    model = NaiveBayes(data.families).fit(data.X, data.y)
    expected = data.score(model)
    again = copy(model).forget(data.X, data.y)
    assert (again.class_count_ == 0).all()
    np.testing.assert_allclose(data.score(again.partial_fit(data.X, data.y)), expected, **SAME)


def test_forgetting_what_was_never_learned_raises_and_changes_nothing(data):
    first, _, _ = thirds(data)
    model = data.learned(first)
    before, counts = data.score(model), model.class_count_.copy()
    with pytest.raises(ValueError, match=r"never learned.*nothing was forgotten"):
        model.forget(data.X, data.y)
    np.testing.assert_array_equal(data.score(model), before)
    np.testing.assert_array_equal(model.class_count_, counts)


def test_forgetting_a_class_that_never_came_raises(data):
    model = data.learned(slice(None))
    before = data.score(model)
    with pytest.raises(ValueError, match="never learned"):
        model.forget(data.X[:1], ["elm"])
    assert model.classes_.tolist() == LABELS.tolist()
    np.testing.assert_array_equal(data.score(model), before)


# Fading


def test_decay_by_one_is_neutral(data):
    model = data.learned(slice(None))
    np.testing.assert_array_equal(data.score(copy(model).decay(1)), data.score(model))


def test_decay_multiplies(data):
    once, twice = data.learned(slice(None)).decay(0.25), data.learned(slice(None)).decay(0.5).decay(0.5)
    np.testing.assert_allclose(data.score(once), data.score(twice), **SAME)


def test_decay_is_a_weight_on_all_rows_so_far(data):
    first, second, _ = thirds(data)
    faded = data.learned(first).decay(0.25).partial_fit(data.X[second], data.y[second])
    rows = np.r_[first, second]
    weight = np.where(rows < second.start, 0.25, 1.0)
    weighed = data.fresh().partial_fit(data.X[rows], data.y[rows], sample_weight=weight)
    np.testing.assert_allclose(data.score(faded), data.score(weighed), **SAME)


@pytest.mark.parametrize("factor", [0.0, -1.0, 1.5, np.nan])
def test_decay_is_by_a_factor_above_nought_and_at_most_one(data, factor):
    with pytest.raises(ValueError, match="the factor must be above 0 and at most 1"):
        data.learned(slice(None)).decay(factor)


# Scores


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("class_prior", ["frequencies", "uniform", Dirichlet(2.0), (0.2, 0.3, 0.5)], ids=str)
def test_leave_one_out_is_forgetting_the_row(data, class_prior, weighted):
    """Also of the class prior: the own class has one row less, and so have all together."""
    weight = np.random.default_rng(3).choice([0.5, 1.0, 3.0], len(data.y)) if weighted else None
    model = NaiveBayes(data.families, class_prior=class_prior).fit(data.X, data.y, weight)
    found = model.loo_scores(data.X, data.y, weight)
    for i in range(0, len(data.y), 7):
        row, own = data.X[[i]], None if weight is None else weight[[i]]
        without = copy(model).forget(row, data.y[[i]], own)
        np.testing.assert_allclose(found[i], without.predict_joint_log_proba(row)[0], **SAME)


def test_reasons_sum_to_the_scores(data):
    model = data.learned(slice(None))
    reasons = model.explain(data.probe)
    np.testing.assert_allclose([each.scores for each in reasons], data.score(model), **SAME)
    assert [len(each.reasons) for each in reasons] == [data.X.shape[1]] * len(data.probe)


def test_a_row_of_missing_cells_gets_the_class_prior(data):
    model = data.learned(slice(None))
    blank = np.full((1, data.X.shape[1]), np.nan)
    np.testing.assert_allclose(model.predict_proba(blank)[0], model.class_count_ / len(data.y), rtol=1e-12)


def test_a_missing_column_adds_nothing(data):
    """Where columns are independent given the class; a joint family takes it out of the vector instead."""
    if any(family.joint for family in data.families.values()):
        data = make(family for family in KINDS.values() if not family.joint)
    model = data.learned(slice(None))
    blank = data.probe.copy()
    blank[:, 1] = np.nan
    without = [each.scores - each.reasons[1].contributions for each in model.explain(data.probe)]
    np.testing.assert_allclose(model.predict_joint_log_proba(blank), without, **SAME)


def test_probabilities_are_scores_made_to_sum_to_one(data):
    model = data.learned(slice(None))
    scores = data.score(model)
    top = scores.max(axis=1, keepdims=True)
    total = top + np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_log_proba(data.probe), scores - total, **SAME)
    np.testing.assert_allclose(model.predict_proba(data.probe), np.exp(scores - total), **SAME)
    assert (model.predict(data.probe) == LABELS[scores.argmax(axis=1)]).all()


def test_sampled_rows_have_the_classes_in_their_proportions():
    """Within 5 standard errors, and every column can be read by the model that it was sampled from."""
    data = make(family for family in KINDS.values() if family.generative)
    model = data.learned(slice(None))
    rows, y = model.sample(20_000, random_state=4)
    share = model.class_count_ / len(data.y)
    error = np.sqrt(share * (1 - share) / len(y))
    assert (np.abs(np.array([(y == label).mean() for label in LABELS]) - share) < 5 * error).all()
    assert np.isfinite(model.predict_joint_log_proba(rows)).all()


def test_a_family_that_samples_nothing_says_so_in_a_model():
    data = make([Complement])
    with pytest.raises(TypeError, match="use Multinomial"):
        data.learned(slice(None)).sample(3)


# What must agree before models can be added


def test_models_of_different_families_do_not_merge():
    X, y = np.array([[0.0], [1.0], [1.0], [0.0]]), [0, 0, 1, 1]
    with pytest.raises(ValueError, match="give both models the same families"):
        NaiveBayes("bernoulli").fit(X, y).merge(NaiveBayes("gaussian").fit(X, y))


def test_models_of_different_bins_do_not_merge():
    rng = np.random.default_rng(0)
    a, b = (NaiveBayes("histogram").fit(rng.normal(size=(50, 1)), np.repeat([0, 1], 25)) for _ in range(2))
    with pytest.raises(ValueError, match="cut into different bins"):
        a.merge(b)


def test_classes_of_text_and_of_numbers_do_not_merge():
    X = np.array([[0.0], [1.0]])
    with pytest.raises(ValueError, match="text and numbers do not mix"):
        NaiveBayes("gaussian").fit(X, [0, 1]).merge(NaiveBayes("gaussian").fit(X, ["a", "b"]))
