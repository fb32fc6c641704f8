"""Numbers as they are: the default of logistic regression for columns of numbers."""

from dataclasses import dataclass
from typing import ClassVar

from likely.data.table import Kind
from likely.families.family import Family
from likely.families.gaussian import Gaussian
from likely.priors import NormalInverseGamma, Prior


@dataclass(frozen=True, repr=False)
class Number(Gaussian):
    """Counted as Gaussian, but the square of the number is not a feature.

    See Also
    --------
    likely.LogisticRegression : reads columns of numbers by it.
    """

    prior: Prior = NormalInverseGamma()
    auto: ClassVar[tuple[Kind, ...]] = ()
    squares: ClassVar[bool] = False


@dataclass(frozen=True, repr=False)
class SparseNumber(Number):
    """Numbers of a sparse matrix. They are not standardised, which would fill the matrix.

    See Also
    --------
    likely.LogisticRegression : reads sparse matrices by it.
    """

    sparse: ClassVar[bool] = True
    feature_scale = Family.feature_scale  # type: ignore[assignment]
