"""What priors say of numbers that do not fit."""

import numpy as np
import pytest

from likely.priors import Beta, Dirichlet, Gamma, InverseWishart, Laplace, MEstimate, Normal, NormalInverseGamma


def said(value: object) -> str:
    """A name for an example: what it says, or nothing where it is a function."""
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Laplace(-1), "strength must be 0 or more, not -1"),
        (lambda: Laplace(np.nan), "strength must be 0 or more, not nan"),
        (lambda: MEstimate(-2), "m must be 0 or more, not -2"),
        (lambda: MEstimate(2, -0.1), "p must be 0 or more, not -0.1"),
        (lambda: Beta(-1, 1), "a must be 0 or more, not -1"),
        (lambda: Beta(1, -1), "b must be 0 or more, not -1"),
        (lambda: Dirichlet((1, -2)), "alpha must be 0 or more, not -2"),
        (lambda: Gamma(1, -1), "b must be 0 or more, not -1"),
        (lambda: NormalInverseGamma(mean_rows=-1), "mean_rows must be 0 or more, not -1"),
        (lambda: NormalInverseGamma(variance=-1), "variance must be 0 or more, not -1"),
        (lambda: NormalInverseGamma(variance_rows=-1), "variance_rows must be 0 or more, not -1"),
        (lambda: Beta(1, 1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: Dirichlet(1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: Gamma(1, 1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: NormalInverseGamma(estimate="median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: InverseWishart(1, 1, "median"), "the estimate is 'mean' or 'mode', not 'median'"),
        (lambda: InverseWishart(1, -1), "rows must be 0 or more, not -1"),
        (lambda: InverseWishart(1, np.nan), "rows must be 0 or more, not nan"),
        (lambda: InverseWishart(-1, 1), "covariance must be 0 or more, not -1"),
        (lambda: InverseWishart([1, -2], 1), "covariance must be 0 or more, not -2"),
        (lambda: InverseWishart(np.inf, 1), "covariance must be finite, not inf"),
        (lambda: InverseWishart(np.nan, 1), "covariance must be finite, not nan"),
        (lambda: InverseWishart([[1, 2], [0, 1]], 1), "the covariance must be symmetric"),
        (lambda: InverseWishart(np.ones((2, 3)), 1), "the covariance must be symmetric"),
        (lambda: InverseWishart([[1, 2], [2, 1]], 1), "the covariance must not be negative in any direction"),
        (lambda: Normal(np.nan, 1), "mean must be finite, not nan"),
        (lambda: Normal(0, np.nan), "covariance must be finite, not nan"),
        (lambda: Normal(0, -1), "covariance must be 0 or more, not -1"),
        (lambda: Normal(0, [[1, 2], [0, 1]]), "the covariance must be symmetric"),
        (lambda: Normal(0, [[1, 2], [2, 1]]), "the covariance must not be negative in any direction"),
    ],
    ids=said,
)
def test_what_is_no_prior_is_refused_when_it_is_made(make, said):
    with pytest.raises(ValueError, match=f"^{said}(\\.0)?$"):
        make()


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda: Beta().proportions(3), "Beta is a prior for two values, but there are 3: use Dirichlet"),
        (lambda: Dirichlet((1, 2)).proportions(3), "alpha has 2 numbers for 3 values"),
        (lambda: MEstimate(2, (0.5, 0.5)).proportions(3), "p has 2 numbers for 3 values"),
        (lambda: MEstimate(2, (0.5, 0.6)).proportions(2), "p must sum to 1, not 1.1"),
        (
            lambda: MEstimate(2, 0.5).proportions(3),
            "one p is enough for two values, but there are 3: give one p for each",
        ),
        (lambda: MEstimate(2, 1.5).proportions(2), "p must be at most 1, not 1.5"),
        (lambda: Beta(0.5, 2, "mode").proportions(2), "for a mode, each pseudo-count must be 1 or more, not 0.5"),
        (lambda: Gamma(0.5, 2, "mode").rate(), "for a mode, the pseudo-count of events a must be 1 or more, not 0.5"),
        (lambda: InverseWishart(np.eye(3), 1).wishart(2), "the covariance is of 3 columns, not of 2"),
        (lambda: InverseWishart([1, 2, 3], 1).wishart(2), "there are 3 variances for 2 columns"),
        (lambda: Normal(0, np.eye(3)).posterior(1, [0, 0], 1), "the covariance is of 3 columns, not of 2"),
        (lambda: Normal(0, [1, 2, 3]).posterior(1, [0, 0], 1), "there are 3 variances for 2 columns"),
        (lambda: Normal([0, 0, 0], 1).posterior(1, [0, 0], 1), "there are 3 means for 2 columns"),
    ],
    ids=said,
)
def test_a_prior_that_does_not_fit_the_values_says_why(use, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        use()


@pytest.mark.parametrize("units", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("bad", [[[1, 0.5], [0, 1]], [[1, 2], [2, 1]], [[1, 0], [0, -1]]], ids=str)
def test_what_is_no_covariance_is_none_in_other_units(bad, units):
    """Also if they are those of one column alone."""
    for scale in ([units, units], [units, 1.0]):
        with pytest.raises(ValueError, match=r"^the covariance must "):
            InverseWishart(np.array(bad) * np.outer(scale, scale), 1)
