"""Sets of classes that hold the true one as often as asked for."""

import numpy as np
import pytest

from likely import GaussianClassifier, LogisticRegression, NaiveBayes, load
from likely.models.prediction_sets import Conformity
from likely.validation.measures import wilson

ABC = np.array(["a", "b", "c"])


def clouds(rows, seed, shares=(0.6, 0.3, 0.1)):
    rng = np.random.default_rng(seed)
    y = rng.choice(3, rows, p=shares)
    centres = np.array([[0, 0], [1.5, 0], [0, 1.5]])
    return rng.normal(centres[y], 1.0), ABC[y]


def test_the_cutoff_is_the_order_statistic_of_conformal_prediction():
    own = np.arange(1, 20) / 20  # .05 ... .95, 19 rows
    found = Conformity(np.zeros(19, np.int32), own)
    assert found.cutoffs(0.9, 1, False) == [0.1]  # the (1 - .9)(19 + 1) = 2nd lowest
    assert found.cutoffs(0.95, 1, False) == [0.05]
    assert found.cutoffs(0.96, 1, False) == [0.0]  # 19 rows can't tell: every class is in
    thrice = Conformity(np.zeros(19, np.int32), own, np.full(19, 3.0))
    assert thrice.cutoffs(0.9, 1, False) == [0.05]  # 5.8 of 57 rows: the first of each three


def test_sets_hold_the_probable_classes_and_are_never_empty():
    found = Conformity(np.array([0, 1, 1, 2], np.int32), np.array([0.9, 0.8, 0.7, 0.6]))
    sets = found.sets(np.array([[0.5, 0.3, 0.2], [0.1, 0.85, 0.05]]), ABC, 0.5)  # from .7 on
    assert list(sets) == [["a"], ["b"]]
    sets = found.sets(np.array([[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]]), ABC, 0.99)
    assert list(sets) == [["a", "b", "c"], ["c", "b", "a"]]
    assert sets.sizes.tolist() == [3, 3]
    assert sets[1:][0] == ["c", "b", "a"]
    assert sets.covers(np.array([2, 1])).all()


@pytest.mark.parametrize("kind", [NaiveBayes, GaussianClassifier, LogisticRegression])
@pytest.mark.parametrize("by_class", [False, True])
def test_coverage_on_new_rows_is_as_asked_for(kind, by_class):
    model = kind(calibrate=True).fit(*clouds(1500, 0))
    x, y = clouds(8000, 1)
    codes = np.searchsorted(ABC, y)
    for coverage in (0.8, 0.95):
        sets = model.predict_set(x, coverage, by_class=by_class)
        cutoffs = model.calibration_.conformity.cutoffs(coverage, 3, by_class)
        own = model.predict_proba(x)[np.arange(8000), codes] >= cutoffs[codes]
        for rows in [codes == k for k in range(3)] if by_class else [codes >= 0]:
            n, learned = rows.sum(), 1500 * rows.mean()
            # binomial in the rows judged and in those learned from
            low, high = wilson(coverage * min(n, learned), min(n, learned), z=3.3)
            assert low - 1 / learned <= own[rows].mean() <= high + 1 / learned
            assert sets.covers(codes)[rows].mean() >= own[rows].mean()  # the most probable class is always in
        assert sets.sizes.min() >= 1


def test_sets_of_single_classes_cover_where_classes_are_apart():
    x, y = clouds(600, 0)
    apart = x + 20 * np.searchsorted(ABC, y)[:, None]
    assert (NaiveBayes(calibrate=True).fit(apart, y).predict_set(apart).sizes == 1).all()


def test_they_survive_a_file(tmp_path):
    x, y = clouds(300, 0)
    model = NaiveBayes(calibrate=True).fit(x, y, sample_weight=np.linspace(0.5, 2, 300))
    model.save(tmp_path / "m.likely")
    assert list(load(tmp_path / "m.likely").predict_set(x, 0.9)) == list(model.predict_set(x, 0.9))


def test_what_is_not_possible_is_said():
    x, y = clouds(100, 0)
    with pytest.raises(ValueError, match="fit with calibrate=True"):
        NaiveBayes().fit(x, y).predict_set(x)
    with pytest.raises(ValueError, match="coverage is above 0 and below 1, not 95"):
        NaiveBayes(calibrate=True).fit(x, y).predict_set(x, 95)


def test_coverage_holds_where_few_rows_choose_the_weights_of_many_columns():
    """20 draws of 60 rows and 25 columns, most of them noise: a row that has a part in choosing the families and the
    weights of its columns looks less surprising than a new one. With its part the mean was 0.91."""
    covered = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 460)
        x = rng.normal(size=(460, 25))
        x[:, :2] += y[:, None]
        sets = NaiveBayes(calibrate=True).fit(x[:60], y[:60]).predict_set(x[60:], 0.95)
        covered.append(sets.covers(y[60:]).mean())
    assert np.mean(covered) + 2 * np.std(covered) / 20**0.5 >= 0.95
