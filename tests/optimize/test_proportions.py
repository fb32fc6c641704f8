"""Probabilities within limits, against `minimize`, the conditions themselves and brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy

from likely.optimize import Bounds, Infeasible, Linear, Multipliers, kkt, minimize, proportions


@st.composite
def limited(draw):
    k = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    counts = rng.integers(0, 20, k) * rng.integers(0, 2, k)
    share = rng.dirichlet(np.ones(k))  # some p within the limits, so that there is one
    low = share * rng.random(k) * rng.integers(0, 2, k)
    high = np.minimum(share + rng.random(k) * (1 - share) * rng.integers(0, 2, k) + 1e-3, 1)
    return counts.astype(float), low, high


@given(limited())
def test_the_conditions_hold(problem):
    counts, low, high = problem
    found = proportions(counts, low, high)
    assert found.p.sum() == pytest.approx(1, abs=1e-12)
    assert ((found.p >= low) & (found.p <= high)).all()
    seen = counts > 0
    slope = np.where(seen, counts / np.where(seen, found.p, 1), 0)
    np.testing.assert_allclose(slope, found.total + found.limits.high - found.limits.low, rtol=1e-9, atol=1e-9)
    assert (found.limits.low >= 0).all()
    assert (found.limits.high >= 0).all()
    np.testing.assert_allclose(found.limits.low * (found.p - low), 0, atol=1e-12)
    np.testing.assert_allclose(found.limits.high * (found.p - high), 0, atol=1e-12)


@given(limited())
def test_minimize_finds_the_same(problem):
    counts, low, high = problem
    found = proportions(counts, low, high)
    constraints = {"equalities": Linear(np.ones(len(low)), 1), "at_most": Bounds(low, high)}
    start = (low + high) / 2
    other = minimize(lambda p: -xlogy(counts, p).sum(), start, **constraints)
    assert -xlogy(counts, found.p).sum() == pytest.approx(other.value, rel=1e-9, abs=1e-9)
    seen = counts > 0
    np.testing.assert_allclose(found.p[seen], other.x[seen], atol=1e-6)
    multipliers = Multipliers(found.total, found.limits)
    assert kkt(lambda p: -xlogy(counts, p).sum(), found.p, **constraints, multipliers=multipliers).holds(1e-6)


def test_without_limits_it_is_the_frequencies():
    found = proportions([3, 0, 5, 2])
    assert found.p.tolist() == [0.3, 0, 0.5, 0.2]
    assert found.total == 10
    assert found.limits.low.tolist() == [0, 10, 0, 0]
    assert not found.limits.high.any()


def test_by_hand():
    """0.5 is cut to 0.4 and 0 raised to 0.05; 0.55 is left for 3 and 2."""
    found = proportions([3, 0, 5, 2], 0.05, 0.4)
    np.testing.assert_allclose(found.p, [0.33, 0.05, 0.4, 0.22])
    assert found.total == pytest.approx(5 / 0.55)


def test_what_seen_cells_may_not_take_is_shared_by_the_others():
    np.testing.assert_allclose(proportions([9, 0, 0, 0], 0, [0.4, 1, 1, 0.1]).p, [0.4, 0.25, 0.25, 0.1])
    np.testing.assert_allclose(proportions([0, 0, 0, 0], [0.4, 0, 0, 0]).p, [0.4, 0.2, 0.2, 0.2])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([3, -1],), ValueError, r"^counts must be a vector of finite numbers of 0 or more$"),
        (([],), ValueError, r"^counts must be a vector"),
        (([1, 2], [0.1]), ValueError, r"^low must be one number or 2, not NaN$"),
        (([1, 2], 0, np.nan), ValueError, r"^high must be one number or 2, not NaN$"),
        (([1, 2], 0.6), Infeasible, r"^the limits allow a sum from 1.2 to 2, but probabilities sum to 1$"),
        (([1, 2], 0, 0.4), Infeasible, r"^the limits allow a sum from 0 to 0.8, but"),
        (
            ([1, 2], [0, 0.5], [1, 0.4]),
            Infeasible,
            r"^the limits of cell 1 exclude each other: at least 0.5 and at most",
        ),
        (([1, 2], 0, [1, 0]), Infeasible, r"^cell 1 was seen, but its limit is probability 0$"),
    ],
)
def test_bad_limits(arguments, error, message):
    with pytest.raises(error, match=message):
        proportions(*arguments)
