"""Linear constraints: closed forms, linear programs against HiGHS, and what has no answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, lsq_linear
from scipy.special import expit

from likely.optimize import Bounds, Function, Infeasible, Linear, Unbounded, Unsolved, increasing, kkt, minimize


def distance(target):
    return Function(lambda x: (x - target) @ (x - target) / 2, lambda x: x - target, lambda x: np.eye(len(x)))


def simplex_projection(target):
    """By sorting (Held, Wolfe and Crowder 1974)."""
    falling = np.sort(target)[::-1]
    levels = (np.cumsum(falling) - 1) / np.arange(1, len(target) + 1)
    return np.maximum(target - levels[falling > levels][-1], 0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_projection_on_the_simplex(seed, n):
    target = np.random.default_rng(seed).normal(size=n)
    found = minimize(distance(target), np.zeros(n), equalities=Linear(np.ones(n), 1), at_most=Bounds(0))
    np.testing.assert_allclose(found.x, simplex_projection(target), atol=1e-14)
    assert found.x.min() >= 0
    assert found.kkt.worst < 1e-13


def test_water_filling():
    """max sum log(noise + power): powers rise to one level, whose inverse is the multiplier."""
    noise = np.array([0.2, 0.9, 2.5, 0.5, 1.4])
    objective = Function(
        lambda x: -np.log(noise + x).sum(), lambda x: -1 / (noise + x), lambda x: np.diag((noise + x) ** -2)
    )
    found = minimize(objective, np.full(5, 0.4), equalities=Linear(np.ones(5), 2), at_most=Bounds(0))
    level = (2 + 0.2 + 0.9 + 0.5) / 3  # the noise of the other two lies above it
    np.testing.assert_allclose(found.x, np.maximum(level - noise, 0), atol=1e-12)
    assert found.multipliers.equalities == pytest.approx(1 / level)
    np.testing.assert_allclose(
        found.multipliers.at_most.low, [0, 0, 1 / level - 1 / 2.5, 0, 1 / level - 1 / 1.4], atol=1e-12
    )


@given(st.integers(0, 2**32 - 1))
def test_bounded_least_squares(seed):
    rng = np.random.default_rng(seed)
    matrix, wanted = rng.normal(size=(12, 6)), 3 * rng.normal(size=12)
    low, high = -rng.random(6), rng.random(6)
    objective = Function(
        lambda x: ((matrix @ x - wanted) ** 2).sum() / 2,
        lambda x: matrix.T @ (matrix @ x - wanted),
        lambda x: matrix.T @ matrix,
    )
    found = minimize(objective, np.zeros(6), at_most=Bounds(low, high))
    truth = lsq_linear(matrix, wanted, (low, high), method="bvls", tol=1e-14)
    np.testing.assert_allclose(found.x, truth.x, atol=1e-9)
    assert ((found.x >= low) & (found.x <= high)).all()
    sides = found.multipliers.at_most
    np.testing.assert_array_equal((sides.low > 0) <= (found.x == low), True)
    np.testing.assert_array_equal((sides.high > 0) <= (found.x == high), True)


@given(st.integers(0, 2**32 - 1))
def test_linear_programs(seed):
    """Solved, infeasible and unbounded alike, as HiGHS finds them.

    HiGHS takes some that fall without end for infeasible; whether a point exists it is asked without a cost.
    """
    rng = np.random.default_rng(seed)
    for _ in range(10):
        n, m = rng.integers(1, 6), rng.integers(1, 9)
        matrix, bound = rng.integers(-2, 3, (m, n)).astype(float), rng.integers(-1, 4, m).astype(float)
        cost = rng.integers(-3, 4, n).astype(float)
        truth = linprog(cost, matrix, bound, bounds=(None, None))
        objective = Function(lambda x, c=cost: c @ x, lambda x, c=cost: c, lambda x: np.zeros((len(x), len(x))))
        start = 3 * rng.normal(size=n)
        if truth.status == 0:
            found = minimize(objective, start, at_most=Linear(matrix, bound))
            assert found.value == pytest.approx(truth.fun, rel=1e-9, abs=1e-9)
            assert found.kkt.worst < 1e-9
        else:
            exists = linprog(0 * cost, matrix, bound, bounds=(None, None)).status == 0
            with pytest.raises(Unbounded if exists else Infeasible):
                minimize(objective, start, at_most=Linear(matrix, bound))


def logistic(p, rows, seed):
    rng = np.random.default_rng(seed)
    x = 3 * rng.normal(size=(rows, p)) / np.sqrt(p)
    y = np.where(rng.random(rows) < expit(x @ rng.normal(size=p)), 1.0, -1.0)

    def hessian(w):
        s = expit(x @ w)
        return (x.T * (s * (1 - s))) @ x + np.eye(p)

    return Function(
        lambda w: np.logaddexp(0, -y * (x @ w)).sum() + w @ w / 2,
        lambda w: -x.T @ (y * expit(-y * (x @ w))) + w,
        hessian,
    )


@pytest.mark.parametrize(("kind", "p"), [("random", 500), ("ordered", 150), ("repeated", 150)])
def test_logistic_regression_of_many_weights_within_twice_as_many_constraints(kind, p):
    rng = np.random.default_rng(5)
    random = Linear(rng.normal(size=(2 * p, p)), 0.3 * rng.random(2 * p))
    constraints = {
        "random": random,
        "ordered": [Bounds(-0.5, 0.5), increasing(range(p), p)],
        "repeated": [random, random],
    }[kind]
    found = minimize(logistic(p, 2000, 0), 5 * rng.normal(size=p), at_most=constraints)
    assert found.kkt.worst < 1e-12
    assert found.calls["hessians"] <= 12
    alone = kkt(logistic(p, 2000, 0), found.x, at_most=constraints)
    assert alone.worst < 1e-9
    assert found.kkt.unique == (kind != "repeated")


def test_the_objective_is_never_asked_outside():
    asked = []

    def objective(x):
        asked.append(x)
        return -np.log(x[0]) - 2 * np.log(x[1]) - np.log(1 - x.sum())

    found = minimize(objective, [5.0, -3.0], at_most=[Bounds(1e-3, 0.9), Linear([1, 1], 0.999)])
    np.testing.assert_allclose(found.x, [1 / 4, 1 / 2], atol=1e-8)
    assert (np.array(asked) >= 1e-3).all()


def test_a_minimum_close_to_an_edge_is_reached_in_few_steps():
    counts = np.array([1.0, 1e8])
    objective = Function(lambda p: -counts @ np.log(p), lambda p: -counts / p, lambda p: np.diag(counts / p**2))
    found = minimize(objective, [0.5, 0.5], equalities=Linear([1, 1], 1), at_most=Bounds(0))
    np.testing.assert_allclose(found.x, counts / counts.sum(), rtol=1e-9)
    assert found.steps < 20


def test_where_the_start_is_cut_to_an_edge_it_is_moved_inside():
    """The nearest point on the simplex to the start is a corner, where the logarithm is infinite."""
    counts = np.array([2.0, 3.0, 5.0])
    found = minimize(
        lambda p: -counts @ np.log(p), [9.0, 0.0, 0.0], equalities=Linear(np.ones(3), 1), at_most=Bounds(0)
    )
    np.testing.assert_allclose(found.x, counts / 10, atol=1e-8)


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e3, 1e9])
def test_units_do_not_matter(scale):
    """Of x and of the objective: the answer is the same up to its unit."""
    rng = np.random.default_rng(0)
    target, matrix, bound = rng.normal(size=5), rng.normal(size=(6, 5)), rng.random(6)
    one = minimize(distance(target), np.zeros(5), at_most=Linear(matrix, bound))
    near = minimize(distance(scale * target), np.zeros(5), at_most=Linear(matrix, scale * bound))
    np.testing.assert_allclose(near.x, scale * one.x, rtol=1e-9, atol=1e-12 * scale)
    np.testing.assert_allclose(near.multipliers.at_most, scale * one.multipliers.at_most, rtol=1e-9, atol=1e-12 * scale)


def test_an_ill_conditioned_hessian():
    curves = 10.0 ** np.arange(-6, 7)
    objective = Function(lambda x: curves @ (x - 1) ** 2 / 2, lambda x: curves * (x - 1), lambda x: np.diag(curves))
    found = minimize(objective, np.zeros(13), at_most=[Bounds(high=np.where(np.arange(13) % 3, 2, 0.5))])
    np.testing.assert_allclose(found.x, np.where(np.arange(13) % 3, 1, 0.5), rtol=1e-12)


def test_dependent_equalities():
    found = minimize(lambda x: x @ x, np.zeros(3), equalities=Linear([[1, 1, 1], [2, 2, 2], [1, 0, 0]], [3, 6, 0]))
    np.testing.assert_allclose(found.x, [0, 1.5, 1.5], atol=1e-9)
    assert not found.kkt.unique
    assert "multipliers are not unique" in str(found.kkt)


def test_a_saddle_and_a_maximum_are_left():
    start = np.zeros(2)
    assert minimize(lambda x: x[0] ** 2 - x[1] ** 2, start, at_most=Bounds(-1, 2)).value == pytest.approx(-4)
    assert minimize(lambda x: float(np.cos(x).sum()), start).value == pytest.approx(-2)


def test_a_singular_hessian():
    found = minimize(lambda x: (x[0] + x[1] - 1) ** 2 + x[2], np.zeros(3), at_most=Bounds(-2, 5))
    assert found.x[0] + found.x[1] == pytest.approx(1)
    assert found.x[2] == -2
    assert found.kkt.curvature == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("objective", "constraints", "error", "message"),
    [
        (lambda x: x[0], {}, Unbounded, r"^the objective falls without end: it is -.* bound x where it falls$"),
        (lambda x: -np.log(x).sum(), {}, Unbounded, r"^the objective falls without end"),
        (lambda x: x[0] - x[1], {"at_most": Bounds(0)}, Unbounded, r"^the objective falls without end"),
        (lambda x: np.nan, {}, Unsolved, r"^the objective is nan at x = \[1., 1.\]; start where it and its neighbours"),
        (lambda x: -np.log(1 - x[0]), {}, Unsolved, r"^the objective is inf at x = \[1., 1.\]"),
        (
            lambda x: x @ x,
            {"equalities": [Linear([1, 1], 1), Linear([2, 2], 3)]},
            Infeasible,
            r"^no point satisfies all of equalities\[0\] and equalities\[1\]$",
        ),
        (lambda x: x @ x, {"at_most": Linear([[0, 0]], -1)}, Infeasible, r"^no point satisfies at_most\[0\]$"),
        (
            lambda x: x @ x,
            {"at_most": [Linear([[5, 5], [1, 1]], [99, 1]), Bounds(1, 3)]},
            Infeasible,
            r"^no point satisfies all of at_most\[0\]\[1\], x\[0\] >= 1 and x\[1\] >= 1$",
        ),
    ],
)
def test_no_answer(objective, constraints, error, message):
    with pytest.raises(error, match=message):
        minimize(objective, [1.0, 1.0], **constraints)


def test_a_gradient_that_is_not_finite():
    with pytest.raises(Unsolved, match=r"^the gradient of the objective is inf in x\[0\]"):
        minimize(Function(lambda x: float(np.sqrt(np.abs(x[0]))), lambda x: 0.5 / np.sqrt(np.abs(x))), [0.0])
