"""Beta and Dirichlet: what they add to counts, and their posteriors against scipy.stats."""

import numpy as np
import pytest
from scipy import optimize, stats

from likely.priors import Beta, Dirichlet


def test_beta_imagines_zeros_then_ones():
    assert Beta(2, 5).proportions(2).tolist() == [5, 2]


def test_dirichlet_of_one_number_is_for_all():
    assert Dirichlet(0.5).proportions(3).tolist() == [0.5] * 3
    assert Dirichlet((1, 2, 3)).proportions(3).tolist() == [1, 2, 3]


@pytest.mark.parametrize(("prior", "expected"), [(Beta(2, 5, "mode"), [4, 1]), (Dirichlet((1, 3), "mode"), [0, 2])])
def test_for_a_mode_each_pseudocount_is_one_less(prior, expected):
    assert prior.proportions(2).tolist() == expected


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 3), (0.5, 0.5), (30, 4)])
def test_beta_against_scipy(a, b):
    belief, truth = Beta(a, b).posterior(7, 3), stats.beta(a + 7, b + 3)
    assert belief.mean == pytest.approx(truth.mean())
    assert belief.interval() == pytest.approx(truth.interval(0.95))
    assert belief.interval(0.5) == pytest.approx(truth.interval(0.5))
    best = optimize.minimize_scalar(lambda p: -truth.logpdf(p), bounds=(1e-9, 1 - 1e-9), method="bounded")
    assert belief.mode == pytest.approx(best.x, abs=1e-5)


@pytest.mark.parametrize(
    ("a", "b", "mode"),
    [(2, 2, 0.5), (3, 2, 2 / 3), (1, 3, 0), (0.5, 2, 0), (3, 1, 1), (2, 0.5, 1), (1, 1, np.nan), (0.5, 0.5, np.nan)],
)
def test_the_mode_of_a_beta(a, b, mode):
    """At an end where the density falls or rises throughout; none where it is even or highest at both ends."""
    np.testing.assert_allclose(Beta(a, b).mode, mode)


def test_a_beta_for_each_class():
    belief = Beta(1, 1).posterior(np.array([3, 0]), np.array([1, 4]))
    np.testing.assert_allclose(belief.mean, [4 / 6, 1 / 6])
    np.testing.assert_allclose(belief.mode, [3 / 4, 0])
    low, high = belief.interval(0.9)
    np.testing.assert_allclose(
        np.stack([low, high], axis=1), [stats.beta(4, 2).interval(0.9), stats.beta(1, 5).interval(0.9)]
    )


def test_the_lectures_posterior():
    """Beta(1, 1) and N_d of N: EAP (N_d + 1) / (N + 2)."""
    assert Beta(1, 1).posterior(12, 28).mean == pytest.approx(13 / 42)


def test_dirichlet_against_scipy():
    counts, alpha = np.array([4, 0, 6]), np.array([0.5, 1.5, 2.0])
    belief, truth = Dirichlet(tuple(alpha)).posterior(counts), stats.dirichlet(counts + alpha)
    np.testing.assert_allclose(belief.mean, truth.mean())
    margins = [stats.beta(a, 14 - a).interval(0.8) for a in counts + alpha]
    np.testing.assert_allclose(np.stack(belief.interval(0.8), axis=1), margins)


def test_the_mode_of_a_dirichlet_is_where_its_density_is_highest():
    alpha = np.array([4.5, 1.5, 8.0])
    found = optimize.minimize(
        lambda z: -stats.dirichlet(alpha).logpdf(np.exp([*z, 0]) / np.exp([*z, 0]).sum()),
        [0.0, 0.0],
        method="Nelder-Mead",
    )
    best = np.exp([*found.x, 0]) / np.exp([*found.x, 0]).sum()
    np.testing.assert_allclose(Dirichlet(tuple(alpha)).mode, best, atol=1e-4)


def test_a_dirichlet_below_one_has_no_mode():
    assert np.isnan(Dirichlet((0.5, 3.0)).mode).all()
    assert np.isnan(Dirichlet((1.0, 1.0)).mode).all()


def test_a_dirichlet_for_each_class():
    belief = Dirichlet(1).posterior(np.array([[1, 0], [2, 6]]))
    np.testing.assert_allclose(belief.mean, [[2 / 3, 1 / 3], [3 / 10, 7 / 10]])
    np.testing.assert_allclose(belief.mode, [[1, 0], [2 / 8, 6 / 8]])
