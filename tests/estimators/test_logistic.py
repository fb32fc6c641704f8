"""LogisticRegression beside scikit-learn's, statsmodels' formulas, and its own certificate."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from scipy.special import log_softmax
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from likely import LogisticRegression

DATA = {"iris": load_iris, "cancer": load_breast_cancer, "digits": load_digits}


@parametrize_with_checks([LogisticRegression(), LogisticRegression(standardize=False)])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def objective(model, x, y, c):
    scores = model.decision_function(x)
    scores = scores if scores.ndim == 2 else np.column_stack([np.zeros(len(x)), scores])
    logs = log_softmax(scores, axis=1)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return 0.5 * (model.coef_**2).sum() - c * logs.sum()


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("c", [0.01, 1.0, 100.0])
def test_weights_are_scikit_learns(name, c):
    x, y = DATA[name](return_X_y=True)
    x = StandardScaler().fit_transform(x)
    ours = LogisticRegression(c, standardize=False, tol=1e-12).fit(x, y)
    solver = {"solver": "newton-cholesky"} if name == "cancer" else {"solver": "lbfgs"}
    peer = Peer(C=c, tol=1e-10, max_iter=100_000, **solver).fit(x, y)
    assert ours.objective_ <= objective(peer, x, y, c) * (1 + 1e-9)
    assert_allclose(ours.objective_, objective(ours, x, y, c), rtol=1e-9)
    assert_allclose(ours.predict_proba(x), peer.predict_proba(x), atol=2e-4)
    assert ours.coef_.shape == peer.coef_.shape
    assert ours.intercept_.shape == peer.intercept_.shape


@pytest.mark.parametrize("name", DATA)
def test_the_gap_bounds_how_far_the_objective_is_from_the_best(name):
    x, y = DATA[name](return_X_y=True)
    best = LogisticRegression(tol=1e-13).fit(x, y).objective_
    for tol in (1e-1, 1e-3, 1e-6, 1e-9):
        model = LogisticRegression(tol=tol).fit(x, y)
        assert model.gap_ <= tol * model.objective_
        assert -1e-9 * best <= model.objective_ - best <= model.gap_ + 1e-9 * best


def test_columns_are_standardised_inside_and_told_in_their_own_units():
    x, y = load_breast_cancer(return_X_y=True)
    scaler = StandardScaler().fit(x)
    inside = LogisticRegression(tol=1e-12).fit(x, y)
    outside = LogisticRegression(standardize=False, tol=1e-12).fit(scaler.transform(x), y)
    assert_allclose(inside.coef_ * scaler.scale_, outside.coef_, atol=1e-5)
    assert_allclose(inside.predict_proba(x), outside.predict_proba(scaler.transform(x)), atol=1e-6)


def test_a_sparse_matrix_is_as_the_dense_one():
    x, y = load_digits(return_X_y=True)
    dense = LogisticRegression(1e-3, standardize=False, tol=1e-11).fit(x, y)
    sparse = LogisticRegression(1e-3, tol=1e-11).fit(csr_array(x), y)
    assert_allclose(sparse.predict_proba(csr_array(x)), dense.predict_proba(x), atol=1e-4)
    assert_allclose(sparse.objective_, dense.objective_, rtol=1e-9)


def test_weights_of_rows_are_rows_again_and_classes_may_weigh_too():
    x, y = load_iris(return_X_y=True)
    times = np.arange(len(y)) % 3 + 1
    weighed = LogisticRegression(standardize=False, tol=1e-12).fit(x, y, times)
    repeated = LogisticRegression(standardize=False, tol=1e-12).fit(np.repeat(x, times, axis=0), np.repeat(y, times))
    assert_allclose(weighed.coef_, repeated.coef_, atol=1e-5)
    some = np.concatenate([np.arange(70), np.arange(100, 110)])
    balanced = LogisticRegression(class_weight="balanced", standardize=False, tol=1e-12).fit(x[some], y[some])
    peer = Peer(class_weight="balanced", tol=1e-10, max_iter=10_000).fit(x[some], y[some])
    assert_allclose(balanced.coef_, peer.coef_, atol=1e-4)


def test_weights_that_do_not_exist_are_told_once():
    x, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), [0, 0, 1, 1]
    with pytest.warns(ConvergenceWarning, match="weights without a penalty do not exist") as told:
        LogisticRegression(np.inf).fit(x, y)
    assert len(told) == 1


def test_without_a_penalty_standard_errors_are_those_of_the_observed_information():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, 3))
    y = rng.random(400) < 1 / (1 + np.exp(-x @ [1.0, -0.5, 0.2] - 0.3))
    model = LogisticRegression(np.inf, standardize=False, tol=1e-12).fit(x, y)
    p, design = model.predict_proba(x)[:, 1], np.column_stack([x, np.ones(400)])
    observed = design.T @ (design * (p * (1 - p))[:, None])
    errors = model.information(x, y).standard_errors
    assert_allclose(errors[0], np.sqrt(np.diag(np.linalg.inv(observed))), rtol=1e-5)


def test_scores_with_a_row_left_out_are_nearly_those_of_a_refit():
    x, y = load_breast_cancer(return_X_y=True)
    x, y = StandardScaler().fit_transform(x)[:120, :5], y[:120]
    model = LogisticRegression(standardize=False, tol=1e-12).fit(x, y)
    scores, leverage, _ = model.information(x, y).loo()
    refits = [
        LogisticRegression(standardize=False, tol=1e-12)
        .fit(np.delete(x, i, axis=0), np.delete(y, i))
        .decision_function(x[i : i + 1])[0]
        for i in range(len(y))
    ]
    assert np.abs(scores[:, 0] - refits)[leverage < 0.1].max() < 0.05
    assert np.abs(model.decision_function(x) - refits).max() > 0.1  # what is not left out is further off


@pytest.mark.parametrize("c", [0.0, -1.0, np.nan])
def test_a_penalty_that_is_none(c):
    with pytest.raises(ValueError, match="C must be above 0"):
        LogisticRegression(c).fit([[0.0], [1.0], [0.5]], [0, 1, 0])


def test_balanced_classes_count_the_weights_of_rows():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2))
    y, weight = (x[:, 0] + rng.normal(size=60) > 0.5).astype(int), rng.integers(1, 4, 60)
    ours = LogisticRegression(class_weight="balanced", standardize=False, tol=1e-10).fit(x, y, weight)
    repeated = LogisticRegression(class_weight="balanced", standardize=False, tol=1e-10)
    repeated.fit(np.repeat(x, weight, axis=0), np.repeat(y, weight))
    theirs = Peer(class_weight="balanced", tol=1e-10).fit(x, y, weight)
    np.testing.assert_allclose(ours.coef_, repeated.coef_, rtol=1e-4)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (pd.DataFrame({"g": list("aaaabbbb")}), [0, 0, 0, 0, 1, 0, 1, 0]),
        ([[0.0], [1], [1], [2]], [0, 0, 1, 1]),
        ([[0.0], [1], [1], [2], [9], [9]], [0, 0, 1, 1, 2, 2]),
    ],
)
def test_without_a_penalty_quasi_separation_is_warned_of(x, y):
    with pytest.warns(ConvergenceWarning, match="weights without a penalty do not exist; give a finite C"):
        LogisticRegression(C=np.inf).fit(x, y)


def test_odds_of_which_nothing_is_known_go_from_nothing_to_infinity():
    x, y = [[0.0], [1], [1], [2]], [0, 0, 1, 1]
    with pytest.warns(ConvergenceWarning):
        model = LogisticRegression(C=np.inf).fit(x, y)
    line = model.odds_ratios(x, y).lines[0]
    assert (line.low, line.high) == (0, np.inf)


@pytest.mark.parametrize("tol", [-1, 0, np.nan, np.inf, "1"])
def test_a_tolerance_is_above_nothing(tol):
    with pytest.raises(ValueError, match="tol is a number above 0, or None, not"):
        LogisticRegression(tol=tol).fit([[0.0], [1.0]], [0, 1])


def test_without_a_tolerance_a_fit_of_one_strength_is_as_near_as_ever():
    x, y = np.random.default_rng(0).normal(size=(80, 3)), np.arange(80) % 2
    model = LogisticRegression().fit(x, y)
    assert model.tol is None
    assert model.gap_ <= 1e-6 * model.objective_


def test_columns_are_selected_by_their_importance():
    frame = pd.DataFrame({"noise": [1.0, -1.0] * 10, "kind": list("xxyyzz" * 4)[:20], "same": [0.5, 0.6] * 10})
    y = (frame["kind"] == "y").astype(int)
    model = LogisticRegression().fit(frame, y)
    assert model.column_importances_.shape == (3,)
    assert len(model.features_) == 5
    kind = [at for at, (column, _) in enumerate(model.features_) if column == "kind"]
    np.testing.assert_allclose(model.column_importances_[1], np.linalg.norm(model.coef_[:, kind]))
    selected = SelectFromModel(LogisticRegression(), importance_getter="column_importances_").fit(frame, y)
    assert selected.get_feature_names_out().tolist() == ["kind"]


def test_the_weights_of_a_pair_are_of_both_its_columns():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3))
    y = (x[:, 0] * x[:, 1] > 0).astype(int)
    model = LogisticRegression(shrink_to="naive_bayes", interactions=[(0, 1)]).fit(x, y)
    assert any(column == (0, 1) for column, _ in model.features_)
    own = {column: np.linalg.norm([model.coef_[0, at] for at, (c, _) in enumerate(model.features_) if c == column])
           for column in (0, 1, 2, (0, 1))}  # fmt: skip
    expected = [np.hypot(own[0], own[0, 1]), np.hypot(own[1], own[0, 1]), own[2]]
    np.testing.assert_allclose(model.column_importances_, expected)
    assert "column_importances_" in dir(model)


def test_passes_are_an_array_as_in_scikit_learn():
    assert LogisticRegression().fit([[0.0], [1.0]], [0, 1]).n_iter_.shape == (1,)


@pytest.mark.parametrize("candidates", [1.0, "auto"])
def test_weights_beyond_any_sum_are_refused(candidates):
    x, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"sample_weight adds up to 1.5e\+102; .* use weights of about 1"):
        LogisticRegression(C=candidates).fit(x, y, np.full(150, 1e100))
    LogisticRegression(C=candidates).fit(x, y, np.full(150, 1e10))
