"""Columns that vary together: the posteriors of their means and covariances."""

import numpy as np
import pytest

from likely.families import MultivariateGaussian
from likely.priors import InverseWishart, Normal

from .gaussians import TOGETHER, X, Y, every_shape, holed, learned

BEFORE = Normal([1.0, 0.0, 2.0], TOGETHER + np.eye(3))


def posterior(n: np.ndarray, mean: np.ndarray, covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The notes' formulas, S_post = (S^-1 + N C^-1)^-1 and m_post = S_post (S^-1 m + N C^-1 mean), of one class."""
    prior, rows = np.linalg.inv(BEFORE.covariance), np.diag(n) @ np.linalg.inv(covariance)
    after = np.linalg.inv(prior + rows)
    return after @ (prior @ BEFORE.mean + rows @ mean), after


def full(parameters: object) -> np.ndarray:
    if hasattr(parameters, "covariance"):
        return np.broadcast_to(parameters.covariance, (len(parameters.mean), 3, 3))
    return parameters.variance[:, None, :] * np.eye(3)


@pytest.mark.parametrize("holes", [(), ((0, 0), (1, 0), (2, 0), (5, 0), (5, 1), (9, 2))], ids=["whole", "holes"])
@every_shape
def test_the_posterior_of_the_means_is_the_notes_formula(shape, holes):
    """N is the rows in which a column was seen; where columns vary together, those in which all were."""
    x = holed(*holes) if holes else X
    family = MultivariateGaussian(shape, 0.2, mean_prior=BEFORE)
    block = learned(family, x)
    parameters, found = family.estimate(block), family.posteriors(block).mean
    for k in range(3):
        mine = x[k == Y]
        if shape in ("full", "tied"):
            mine = mine[~np.isnan(mine).any(axis=1)]
        n = (~np.isnan(mine)).sum(axis=0)
        mean, covariance = posterior(n, np.nanmean(mine, axis=0), full(parameters)[k])
        np.testing.assert_allclose(found.mean[k], mean, rtol=1e-9)
        np.testing.assert_allclose(found.covariance[k], covariance, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(parameters.mean[k], mean, rtol=1e-9)


@pytest.mark.parametrize("holes", [(), ((0, 0), (1, 0), (2, 0), (5, 0), (5, 1), (9, 2))], ids=["whole", "holes"])
@every_shape
def test_without_a_prior_a_mean_is_as_uncertain_as_its_rows_leave_it(shape, holes):
    x = holed(*holes) if holes else X
    family = MultivariateGaussian(shape, 0.2)
    block = learned(family, x)
    variance = np.diagonal(full(family.estimate(block)), axis1=1, axis2=2)
    for j in range(3):
        found = family.parameter_posterior(block, j)
        n = block.statistics.n[:, j if block.statistics.n.shape[1] > 1 else 0]
        np.testing.assert_allclose(found.mean, block.statistics.mean[:, j])
        np.testing.assert_allclose(found.covariance, variance[:, j] / n)
        np.testing.assert_allclose(
            found.interval(0.95)[1] - found.mean, 1.959963984540054 * np.sqrt(variance[:, j] / n)
        )


@every_shape
def test_of_a_class_without_rows_the_posterior_is_the_prior(shape):
    family = MultivariateGaussian(shape, 0.0, InverseWishart(TOGETHER, 3.0), BEFORE)
    found = family.posteriors(learned(family, classes=4))
    np.testing.assert_allclose(found.mean.mean[3], BEFORE.mean)
    np.testing.assert_allclose(found.mean.covariance[3], BEFORE.covariance)
    if shape == "full":
        np.testing.assert_allclose(found.covariance.mean[3], TOGETHER)
        assert found.covariance.rows[3] == 3


@every_shape
def test_of_a_class_without_rows_and_without_a_prior_nothing_is_known(shape):
    """Its mean may be anywhere; those of the others are as if it were not there."""
    family = MultivariateGaussian(shape, 0.2)
    found, alone = (family.parameter_posterior(learned(family, classes=k), 1) for k in (4, 3))
    np.testing.assert_allclose(found.mean[:3], alone.mean)
    np.testing.assert_allclose(found.covariance[:3], alone.covariance)
    assert found.covariance[3] == np.inf


@pytest.mark.parametrize("holes", [(), ((0, 0), (1, 0), (2, 0), (5, 0))], ids=["whole", "holes"])
@pytest.mark.parametrize("shape", ["full", "tied", "diagonal"])
def test_the_mean_of_the_posterior_of_a_covariance_is_what_it_is_estimated_as(shape, holes):
    """As the prior's estimate is its mean; of a tied covariance there is one, of all rows."""
    family = MultivariateGaussian(shape, 0.0, InverseWishart(np.diag([1.0, 2.0, 3.0]), 4.0))
    block = learned(family, holed(*holes) if holes else X)
    found = family.posteriors(block).covariance
    np.testing.assert_allclose(found.mean, full(family.estimate(block)), atol=1e-12)
