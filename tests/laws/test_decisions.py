"""Decisions by leave-one-out are those of refits: each row is predicted by a model that was fitted without it, and
thresholds and prediction sets are chosen from these probabilities in plain loops."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from likely import BayesNetwork, GaussianClassifier, LogisticRegression, NaiveBayes
from likely.priors import Laplace
from likely.validation import Result, calibration, choose_threshold, leave_one_out, thresholds

from ..validation.tables import FAMILIES, mixed

ROWS = 60
COSTS = {("yes", "no"): 4.0, ("no", "yes"): 1.0}
MIXED, OF_THREE = mixed(ROWS)
OF_TWO = np.where(OF_THREE == "red", "yes", "no")
NUMBERS = np.random.default_rng(1).normal((OF_TWO == "yes")[:, None] * [1.2, 0.4, 0.0])
NAMES = np.column_stack([MIXED["name"].to_pandas().fillna("none"), np.where(NUMBERS[:, :2] > 0.5, "high", "low")])

CASES: dict[str, tuple[Any, Any]] = {
    "naive Bayes": (NaiveBayes(FAMILIES, column_weights=False), MIXED),
    "naive Bayes, smoothed": (NaiveBayes(FAMILIES, smoothing=Laplace(2.5), column_weights=False), MIXED),
    "naive Bayes, even classes": (NaiveBayes(FAMILIES, class_prior="uniform", column_weights=False), MIXED),
    "Gaussian, full": (GaussianClassifier("full", shrinkage=0.0), NUMBERS),
    "Gaussian, tied": (GaussianClassifier("tied", shrinkage=0.0), NUMBERS),
    "Gaussian, diagonal": (GaussianClassifier("diagonal", shrinkage=0.0), NUMBERS),
    "network": (BayesNetwork([(0, 1), (0, 2)], column_weights=False), NAMES),
}
"""Models of which nothing is chosen by looking at rows, so that leave-one-out has one meaning."""
EXACT = {"rtol": 1e-9, "atol": 1e-12}


def refitted(model: Any, x: Any, y: np.ndarray) -> np.ndarray:
    """p(y | x) of each row, by a fit to all the others."""
    rows = np.arange(len(y))
    take = x.take if hasattr(x, "schema") else x.__getitem__
    return np.array([model.fit(take(rows[rows != i]), y[rows != i]).predict_proba(take([i]))[0] for i in rows])


@cache
def both(name: str) -> tuple[Result, Result]:
    """The leave-one-out predictions, and those of the refits."""
    model, x = CASES[name]
    ours, p = leave_one_out(model, x, OF_TWO), refitted(model, x, OF_TWO)
    return ours, Result("refits", ours.classes, ours.rows, ours.y, p.argmax(axis=1).astype(np.int32), np.log(p))


def cost_from(threshold: float, p: np.ndarray) -> float:
    """The mean cost of a row if "yes" is predicted from this probability on."""
    predicted = ["yes" if at >= threshold else "no" for at in p[:, 1]]
    return sum(COSTS.get(pair, 0.0) for pair in zip(OF_TWO.tolist(), predicted, strict=True)) / len(p)


@pytest.mark.parametrize("name", CASES)
def test_every_threshold_comes_to_what_refits_come_to(name):
    ours, brute = both(name)
    found = thresholds(ours, "yes", COSTS)
    levels = np.unique(brute.probabilities[:, 1])[::-1]
    np.testing.assert_allclose(found.threshold, levels, **EXACT)
    yes = OF_TWO == "yes"
    for cut, level in zip(map(found.__getitem__, range(len(found))), levels, strict=True):
        flagged = brute.probabilities[:, 1] >= level
        assert cut.flagged == pytest.approx(flagged.mean(), rel=1e-9)
        assert cut.recall == pytest.approx(flagged[yes].mean(), rel=1e-9)
        assert cut.precision == pytest.approx(yes[flagged].mean(), rel=1e-9)
        assert cut.cost == pytest.approx(cost_from(level, brute.probabilities), rel=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_the_chosen_threshold_is_the_one_that_refits_choose(name):
    ours, brute = both(name)
    levels = np.append(np.unique(brute.probabilities[:, 1]), np.inf)
    least = min(cost_from(level, brute.probabilities) for level in levels)
    chosen, by_refits = (choose_threshold(of, COSTS, "yes") for of in (ours, brute))
    assert cost_from(chosen.threshold, brute.probabilities) == pytest.approx(least, rel=1e-9)
    np.testing.assert_allclose(chosen.threshold, by_refits.threshold, **EXACT)
    for figure, of_refits in zip(chosen.cells().values(), by_refits.cells().values(), strict=True):
        np.testing.assert_allclose(figure, of_refits, **EXACT)
    assert least < cost_from(0.5, brute.probabilities)  # there is a choice to be made


@pytest.mark.parametrize("how", ["temperature", "isotonic"])
@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_prediction_sets_are_those_of_refits(name, by_class, how):
    model, x = CASES[name]
    brute, p = both(name)[1], clone(model).fit(x, OF_TWO).predict_proba(x)
    map_ = calibration(np.log(brute.probabilities), brute.y, brute.classes, how)
    p, own = map_(np.log(p)), map_.conformity.own
    learned = clone(model).set_params(calibrate=how).fit(x, OF_TWO)
    for coverage in (0.7, 0.9, 0.95):
        sets = learned.predict_set(x, coverage, by_class=by_class)
        for row in range(ROWS):
            inside = {p[row].argmax()}
            for k in range(2):
                judged = own[brute.y == k] if by_class else own
                less_probable = (judged <= p[row, k]).sum()  # rows that found their own class no more probable
                if less_probable >= int((1 - coverage) * (len(judged) + 1) + 1e-9):
                    inside.add(k)
            assert set(sets[row]) == {brute.classes[k] for k in inside}


@pytest.mark.parametrize("options", [{}, {"shrink_to": "naive_bayes", "families": "gaussian", "interactions": 0}])
def test_the_threshold_of_logistic_regression_costs_refits_one_row_more_at_most(options):
    """Its leave-one-out is a Newton step for each row, which is near the refit without it but not the same."""
    model = LogisticRegression(C=1.0, **options)
    ours, p = leave_one_out(model, NUMBERS, OF_TWO), refitted(model, NUMBERS, OF_TWO)
    assert 0 < abs(ours.probabilities - p).max() <= ours.worst + 1e-12
    chosen = choose_threshold(ours, COSTS, "yes")
    least = min(cost_from(level, p) for level in np.unique(p[:, 1]))
    assert cost_from(chosen.threshold, p) <= least + COSTS["yes", "no"] / ROWS
    assert least + COSTS["yes", "no"] / ROWS < cost_from(0.5, p)
