"""Quadratic programs against the enumeration of all active sets."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.optimize import quadratic
from likely.optimize.quadratic import Conflict, Polytope, solve


def polytope(normals, bound, equal=None, equal_to=None):
    n = normals.shape[1]
    equal = np.zeros((0, n)) if equal is None else equal
    equal_to = np.zeros(0) if equal_to is None else equal_to
    return Polytope(equal, equal_to, 1e-15 * np.ones(len(equal)), normals, bound, 1e-15 * np.ones(len(bound)))


def enumerated(hessian, gradient, limits):
    """The least value over all sets of inequalities held with equality; None if no point satisfies all."""
    n, least = len(gradient), None
    for count in range(n - len(limits.equal) + 1):
        for rows in combinations(range(len(limits.bound)), count):
            held = np.concatenate([limits.equal, limits.normals[list(rows)]])
            to = np.concatenate([limits.equal_to, limits.bound[list(rows)]])
            if len(held) and np.linalg.matrix_rank(held) < len(held):
                continue
            matrix = np.block([[hessian, held.T], [held, np.zeros((len(held), len(held)))]])
            d = np.linalg.solve(matrix, np.concatenate([-gradient, to]))[:n]
            if (limits.normals @ d <= limits.bound + 1e-9).all():
                value = d @ hessian @ d / 2 + gradient @ d
                least = value if least is None else min(least, value)
    return least


@given(st.integers(0, 2**32 - 1))
def test_against_enumeration(seed):
    """Small integers make many constraints meet in one point, depend on each other or contradict each other."""
    rng = np.random.default_rng(seed)
    for _ in range(10):
        n, m = rng.integers(1, 5), rng.integers(1, 8)
        root = np.tril(rng.normal(size=(n, n))) + 2 * np.eye(n)
        hessian, gradient = root @ root.T, 3 * rng.normal(size=n)
        equal = rng.integers(-2, 3, (min(n - 1, 1), n)).astype(float) if rng.random() < 0.3 else np.zeros((0, n))
        equal = equal[np.abs(equal).sum(axis=1) > 0]
        limits = polytope(
            rng.integers(-2, 3, (m, n)).astype(float),
            rng.integers(-2, 4, m).astype(float),
            equal,
            rng.integers(-1, 2, len(equal)).astype(float),
        )
        least = enumerated(hessian, gradient, limits)
        if least is None:
            with pytest.raises(Conflict):
                solve(root, gradient, limits, [])
            continue
        found = solve(root, gradient, limits, [])
        d = found.d
        assert d @ hessian @ d / 2 + gradient @ d == pytest.approx(least, rel=1e-10, abs=1e-10)
        pull = found.equal @ limits.equal + found.at_most @ limits.normals
        np.testing.assert_allclose(hessian @ d + gradient + pull, 0, atol=1e-10)
        assert (found.at_most >= 0).all()
        np.testing.assert_allclose(found.at_most * (limits.normals @ d - limits.bound), 0, atol=1e-10)


def test_a_warm_start_leads_to_the_same_point():
    rng = np.random.default_rng(3)
    limits = polytope(rng.normal(size=(60, 20)), rng.random(60))
    cold = solve(np.eye(20), 5 * rng.normal(size=20), limits, [])
    gradient = 5 * rng.normal(size=20)
    np.testing.assert_allclose(
        solve(np.eye(20), gradient, limits, cold.active).d, solve(np.eye(20), gradient, limits, []).d, atol=1e-12
    )


@pytest.mark.parametrize("kind", ["bounds", "order", "random", "twice"])
@pytest.mark.parametrize("warm", [False, True])
def test_many_rows_put_right_together_hold_the_same_point(kind, warm, monkeypatch):
    rng = np.random.default_rng(7)
    n = 150
    normals = {"bounds": -np.eye(n), "order": -np.diff(np.eye(n), axis=0), "random": rng.normal(size=(90, n))}
    normals["twice"] = np.repeat(normals["bounds"], 2, axis=0)
    limits = polytope(normals[kind], 0.1 * rng.normal(size=len(normals[kind])))
    root = np.linalg.cholesky(np.cov(rng.normal(size=(n, 3 * n))))
    gradient = rng.normal(size=n)
    before = list(range(0, len(limits.bound), 3)) if warm else []
    together = solve(root, gradient, limits, before)
    monkeypatch.setattr(quadratic, "MANY", 10**9)
    one_by_one = solve(root, gradient, limits, before)
    assert len(together.active) > 30
    np.testing.assert_allclose(together.d, one_by_one.d, atol=1e-11)
    np.testing.assert_allclose(root @ root.T @ together.d + gradient + together.at_most @ limits.normals, 0, atol=1e-11)
    assert (together.at_most >= 0).all()
    assert (limits.normals @ together.d <= limits.bound + 1e-12).all()


def test_many_rows_that_contradict_each_other_are_found_out():
    """Of 50 numbers, each at most -1, the sum is to be at least -49."""
    normals = np.concatenate([np.eye(50), -np.ones((1, 50))])
    with pytest.raises(Conflict) as raised:
        solve(None, np.zeros(50), polytope(normals, np.append(np.full(50, -1.0), 49.0)), [])
    assert sorted(raised.value.inequalities) == list(range(51))


def test_a_conflict_names_the_rows():
    """x0 + x1 >= 3 with x0 <= 1 and x1 <= 1; the fourth row has nothing to do with it."""
    normals = np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    with pytest.raises(Conflict) as raised:
        solve(np.eye(2), np.zeros(2), polytope(normals, np.array([-3.0, 1.0, 1.0, 5.0])), [])
    assert sorted(raised.value.inequalities) == [0, 1, 2]


def test_equalities_that_contradict_each_other():
    equal = np.array([[1.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
    with pytest.raises(Conflict) as raised:
        solve(np.eye(2), np.zeros(2), polytope(np.zeros((0, 2)), np.zeros(0), equal, np.array([1.0, 0.0, 3.0])), [])
    assert raised.value.equalities == [0, 2]


def test_repeated_rows_do_no_harm():
    normals = np.repeat(np.array([[1.0, 2.0], [3.0, -1.0]]), 5, axis=0)
    found = solve(np.eye(2), np.array([-5.0, -5.0]), polytope(normals, np.repeat([2.0, 1.0], 5)), [])
    np.testing.assert_allclose(found.d, [4 / 7, 5 / 7])
