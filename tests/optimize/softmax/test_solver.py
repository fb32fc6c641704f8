"""The optimum against other solvers, the gap against the truth, and what must not matter."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import linalg
from sklearn.linear_model import LogisticRegression

from likely.models.logistic.information import information
from likely.optimize.softmax import NotFinite, direct, rows_of

from .problems import drawn, objective, solve

SHAPES = {
    "two classes": (400, 5, 2),
    "three classes": (400, 5, 3),
    "many classes": (900, 12, 30),
    "classes of one row": (90, 3, 40),
    "more columns than rows": (40, 150, 4),
    "more columns than rows, two classes": (40, 150, 2),
    "many unknowns": (300, 90, 15),
    "one column": (50, 1, 2),
}
KINDS = {"dense": np.asarray, "sparse": sp.csr_matrix}
cases = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@cases
@kinds
@pytest.mark.parametrize("c", [1e-3, 1.0, 100.0])
def test_the_optimum_of_scikit_learn(shape, kind, c):
    x, y = drawn(1, *shape)
    found = solve(kind(x), y, shape[2], c, tol=1e-10)
    assert not found.message
    peer = LogisticRegression(C=c, solver="newton-cholesky", tol=1e-11, max_iter=1000).fit(x, y)
    theirs = objective(x, y, peer.coef_, peer.intercept_, c)
    np.testing.assert_allclose(found.objective, objective(x, y, found.weights, found.bias, c), rtol=1e-12)
    assert found.objective <= theirs * (1 + 1e-10)
    assert found.objective - theirs <= found.gap + 1e-12 * theirs
    # P is strongly convex, with 1: |W - W*|^2 / 2 is at most the gap.
    distance = np.linalg.norm(found.weights - peer.coef_)
    assert distance <= np.sqrt(2 * found.gap) + 1e-5 * np.linalg.norm(peer.coef_) + 1e-7


@cases
@kinds
@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6, 1e-9])
def test_the_gap_holds(shape, kind, tol):
    x, y = drawn(2, *shape)
    found, best = (solve(kind(x), y, shape[2], 2.0, tol=t) for t in (tol, 1e-12))
    assert found.gap <= tol * max(found.objective, 2e-3 * len(y))
    assert found.objective - best.objective <= found.gap * (1 + 1e-6) + 1e-12 * best.objective
    assert found.objective - best.objective >= -best.gap


@pytest.mark.parametrize("classes", [2, 4])
def test_curvature_from_a_sample(classes, monkeypatch):
    """The gap is rigorous there too, and the optimum that of all rows."""
    x, y = drawn(3, 6000, 6, classes)
    exact = solve(x, y, classes, tol=1e-12)
    monkeypatch.setattr(direct, "ENOUGH", 100)
    assert direct._sample(direct.DenseRows(x, y, classes)).number < 500
    for tol in (1e-2, 1e-4, 1e-6, 1e-10):
        found = solve(x, y, classes, tol=tol)
        assert not found.message
        assert found.gap <= tol * found.objective
        assert -1e-12 * exact.objective <= found.objective - exact.objective <= found.gap * (1 + 1e-6)


def test_without_a_penalty_it_is_the_model_of_statsmodels():
    import statsmodels.api as sm

    x, y = drawn(4, 500, 4, 2)
    peer = sm.Logit(y, sm.add_constant(x)).fit(disp=0, tol=1e-14)
    found = solve(x, y, 2, np.inf, tol=1e-12)
    np.testing.assert_allclose(np.append(found.bias, found.weights), peer.params, rtol=1e-6)
    np.testing.assert_allclose(found.objective, -peer.llf, rtol=1e-12)
    assert not found.message


def test_without_a_penalty_softmax_is_that_of_statsmodels():
    import statsmodels.api as sm

    x, y = drawn(5, 800, 3, 3)
    peer = sm.MNLogit(y, sm.add_constant(x)).fit(disp=0, method="newton", tol=1e-14)
    found = solve(x, y, 3, np.inf, tol=1e-14)
    both = np.column_stack([found.bias, found.weights])
    np.testing.assert_allclose((both[1:] - both[0]).T, peer.params, rtol=1e-5, atol=1e-7)


def test_without_a_penalty_sparse_rows_have_no_gap():
    x, y = drawn(4, 500, 4, 2)
    found, dense = (solve(kind(x), y, 2, np.inf, tol=1e-10) for kind in (sp.csr_matrix, np.asarray))
    np.testing.assert_allclose(found.weights, dense.weights, rtol=1e-4)
    assert found.gap == np.inf
    assert found.message.startswith("without a penalty there is no gap")


@kinds
def test_a_penalised_bias_is_that_of_liblinear(kind):
    x, y = drawn(6, 300, 8, 2)
    peer = LogisticRegression(C=0.7, solver="liblinear", tol=1e-10).fit(x, y)
    found = solve(kind(x), y, 2, 0.7, penalise_bias=True, tol=1e-12)
    np.testing.assert_allclose(found.weights, peer.coef_, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found.bias, peer.intercept_, rtol=1e-4, atol=1e-5)


@kinds
@pytest.mark.parametrize("classes", [2, 3])
def test_weights_are_rows_repeated(kind, classes):
    x, y = drawn(7, 120, 4, classes)
    times = np.random.default_rng(0).integers(0, 4, 120)
    weighted = solve(kind(x), y, classes, weight=times.astype(float), tol=1e-12)
    repeated = solve(kind(np.repeat(x, times, axis=0)), np.repeat(y, times), classes, tol=1e-12)
    np.testing.assert_allclose(weighted.weights, repeated.weights, atol=1e-5)
    np.testing.assert_allclose(weighted.objective, repeated.objective, rtol=1e-11)


@kinds
@pytest.mark.parametrize("shape", [(200, 5, 2), (200, 5, 3), (30, 60, 3)])
def test_standardised_without_being_touched(kind, shape):
    x, y = drawn(8, *shape)
    x = x * np.geomspace(0.01, 100, x.shape[1]) + np.linspace(-300, 300, x.shape[1])
    means, scales = x.mean(axis=0), x.std(axis=0)
    folded = solve(kind(x), y, shape[2], means=means, scales=scales, tol=1e-11)
    explicit = solve((x - means) / scales, y, shape[2], tol=1e-11)
    np.testing.assert_allclose(folded.objective, explicit.objective, rtol=1e-10)
    np.testing.assert_allclose(folded.weights, explicit.weights, atol=1e-4)


@kinds
@pytest.mark.parametrize("penalise_bias", [True, False])
@pytest.mark.parametrize("shape", [*SHAPES.values(), (30, 60, 3)])
def test_an_offset_is_a_ridge_towards_the_weights_that_give_it(kind, shape, penalise_bias):
    """A small C stays at them; any C minimises 1/2 |w - w0|^2 + C loss(x w)."""
    x, y = drawn(9, *shape)
    outputs = 1 if shape[2] == 2 else shape[2]
    towards = np.random.default_rng(1).normal(size=(outputs, shape[1]))
    offset = np.ascontiguousarray(x @ towards.T)
    near = solve(kind(x), y, shape[2], 1e-9, offset=offset, penalise_bias=penalise_bias)
    np.testing.assert_allclose(near.weights, 0, atol=1e-5)
    found = solve(kind(x), y, shape[2], 0.5, offset=offset, penalise_bias=penalise_bias, tol=1e-10)

    def value(weights, bias):
        shrunk = penalise_bias * np.sum(bias**2) / 2 + np.sum((weights - towards) ** 2) / 2
        return shrunk + 0.5 * objective(x, y, weights, bias, np.inf)

    least = value(found.weights + towards, found.bias)
    np.testing.assert_allclose(found.objective, least, rtol=1e-12)
    rng = np.random.default_rng(2)
    for _ in range(20):
        weights, bias = (v + 0.01 * rng.normal(size=v.shape) for v in (found.weights + towards, found.bias))
        assert value(weights, bias) >= least - found.gap


@cases
@kinds
def test_a_warm_start_is_quick(shape, kind):
    x, y = drawn(10, *shape)
    cold = solve(kind(x), y, shape[2], tol=1e-8)
    warm = solve(kind(x), y, shape[2], tol=1e-6, start=cold)
    assert warm.passes <= min(8, cold.passes)
    assert warm.gap <= 1e-6 * max(warm.objective, 1e-3 * len(y))


@cases
@kinds
def test_a_start_by_weights_alone_is_quick(shape, kind):
    x, y = drawn(10, *shape)
    cold = solve(kind(x), y, shape[2], tol=1e-8)
    assert solve(kind(x), y, shape[2], tol=1e-6, start=replace(cold, dual=None)).passes <= min(8, cold.passes)


@kinds
@pytest.mark.parametrize("classes", [2, 3])
def test_classes_that_can_be_told_apart(kind, classes):
    y = np.repeat(np.arange(classes, dtype=np.int32), 20)
    x = np.column_stack([y + np.linspace(0, 0.5, len(y)), (y == 1) * 1.0])
    finite = solve(kind(x), y, classes, 1e4)
    assert not finite.message
    assert np.isfinite(finite.weights).all()
    if kind is np.asarray:
        free = solve(x, y, classes, np.inf)
        assert free.message.startswith("the classes are linearly separable")
        assert np.abs(free.weights).max() < 1e6


@kinds
def test_columns_that_tell_nothing(kind):
    x, y = drawn(11, 200, 4, 3)
    x[:, 1], x[:, 2] = 0.0, 1.0
    x = np.hstack([x, x[:, :1]])
    found = solve(kind(x), y, 3, tol=1e-10)
    assert not found.message
    np.testing.assert_allclose(found.weights[:, 1:3], 0, atol=1e-4)
    np.testing.assert_allclose(found.weights[:, 0], found.weights[:, 4], atol=1e-4)


@kinds
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("rows", [1, 2])
def test_rows_of_one_class_alone(kind, classes, rows):
    found = solve(kind(np.arange(2.0 * rows).reshape(rows, 2)), np.zeros(rows, np.int32), classes)
    assert found.objective < 1e-5
    assert not found.message


@pytest.mark.parametrize("dtype", ["f4", "i8", "u1", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_type_of_number(dtype, order):
    x, y = drawn(12, 300, 5, 3)
    x = np.asarray((x > 0) * 3 if dtype != "f4" else x).astype(dtype, order=order)
    found, plain = solve(x, y, 3), solve(np.ascontiguousarray(x, np.float64), y, 3)
    np.testing.assert_allclose(found.weights, plain.weights, rtol=1e-9, atol=1e-12)


def test_cells_that_are_no_numbers():
    x, y = drawn(13, 50, 3, 2)
    x[31, 2] = np.nan
    with pytest.raises(NotFinite, match=r"^logistic regression needs finite .* 1e150; row 31, column 0, has none$"):
        solve(x, y, 2)
    x[31, 2] = np.inf
    with pytest.raises(NotFinite, match=r"row 31, column 2"):
        solve(x, y, 2)


@pytest.mark.parametrize("c", [0, -1.0, np.nan])
def test_a_strength_that_is_none(c):
    with pytest.raises(ValueError, match=r"^C must be above 0, not "):
        solve(np.ones((2, 1)), np.array([0, 1], np.int32), 2, c)


@cases
@kinds
@pytest.mark.parametrize("c", [1e-3, 1.0, 100.0])
def test_a_penalised_bias_is_the_weight_of_a_column_of_ones(shape, kind, c):
    x, y = drawn(12, *shape)
    found = solve(kind(x), y, shape[2], c, penalise_bias=True, tol=1e-10)
    assert not found.message
    ones = np.column_stack([x, np.ones(len(x))])
    peer = LogisticRegression(C=c, solver="lbfgs", tol=1e-9, max_iter=10_000, fit_intercept=False).fit(ones, y)
    both = np.column_stack([found.weights, found.bias])
    ours, theirs = (objective(ones, y, w, 0.0, c) for w in (both, peer.coef_))
    np.testing.assert_allclose(found.objective, ours, rtol=1e-12)
    assert ours <= theirs * (1 + 1e-10)
    assert ours - theirs <= found.gap + 1e-12 * theirs
    assert np.linalg.norm(both - peer.coef_) <= np.sqrt(2 * found.gap) + 1e-4 * np.linalg.norm(both) + 1e-6


@pytest.mark.parametrize("shape", [(200, 5), (30, 80)], ids=["few columns", "many"])
def test_small_matrices_are_factored_by_one_thread_of_blas(shape, monkeypatch):
    from threadpoolctl import threadpool_info

    def watched(work):
        def run(*given, **options):
            numbers.update(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
            return work(*given, **options)

        return run

    numbers = set()
    monkeypatch.setattr("scipy.linalg.cho_factor", watched(linalg.cho_factor))
    monkeypatch.setattr("scipy.linalg.qr", watched(linalg.qr))
    x, y = drawn(1, *shape, 2)
    solution = solve(x, y, 2)
    information(rows_of(x, y, 2), solution).loo()
    assert numbers == {1}
