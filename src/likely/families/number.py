"""A number as it is: what logistic regression reads columns of numbers by, unless you say otherwise."""

from dataclasses import dataclass
from typing import ClassVar

from likely.data.table import Kind
from likely.families.family import Family
from likely.families.gaussian import Gaussian
from likely.priors import NormalInverseGamma, Prior


@dataclass(frozen=True, repr=False)
class Number(Gaussian):
    """Counted as Gaussian, but its square is no feature.

    See Also
    --------
    likely.LogisticRegression : reads columns of numbers by it.
    """

    prior: Prior = NormalInverseGamma()
    auto: ClassVar[tuple[Kind, ...]] = ()
    squares: ClassVar[bool] = False


@dataclass(frozen=True, repr=False)
class SparseNumber(Number):
    """Of a sparse matrix, which is not standardised: that would fill it.

    See Also
    --------
    likely.LogisticRegression : reads sparse matrices by it.
    """

    sparse: ClassVar[bool] = True
    feature_scale = Family.feature_scale  # type: ignore[assignment]
