"""The types in Likely's public signatures, with the names that `help` shows."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from scipy.sparse import sparray, spmatrix

    from likely.families import Family
    from likely.limits import Within
    from likely.optimize import Bounds, Linear
    from likely.priors import Dirichlet, Prior

Array: TypeAlias = NDArray[np.float64]
"""An array of numbers."""

LabelArray: TypeAlias = NDArray[Any]
"""An array of class labels: text, whole numbers or booleans."""


class ArrowStream(Protocol):
    """A table with Arrow's C stream interface: pandas, polars, pyarrow, DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Classifier(Protocol):
    """A classifier with scikit-learn's conventions: one of Likely's, or any other."""

    def fit(self, X: Any, y: Any) -> Any: ...

    def predict(self, X: Any) -> Any: ...


TableLike: TypeAlias = Union[ArrayLike, ArrowStream, "spmatrix", "sparray", Sequence[str]]
"""Rows and columns: a numpy array, a scipy sparse matrix, a pandas, polars or Arrow table, a list of rows, or a list of
texts. Where the documentation mentions Dask, also a Dask collection."""

LabelsLike: TypeAlias = ArrayLike | ArrowStream | Sequence[Hashable]
"""The class of each row: a list, an array, or a column of pandas, polars or Arrow."""

WeightsLike: TypeAlias = ArrayLike | ArrowStream | None
"""The weight of each row, 0 or more; None means 1 for all."""

Column: TypeAlias = Hashable
"""The name of a column, or its position if columns have no names."""

Label: TypeAlias = Hashable
"""A class: text, a whole number or a boolean."""

RandomState: TypeAlias = Union[int, "np.random.Generator", "np.random.RandomState", None]  # as strings: slow to import
"""A seed, or a generator of random numbers; None means a different seed each time."""

FamilyLike: TypeAlias = Union["Family", type["Family"], str]
"""A family, or its name, such as "gaussian"."""

FamiliesLike: TypeAlias = FamilyLike | Mapping[Any, FamilyLike]
"""How columns are read: "auto", one family for all, or a family for each of some columns."""

SmoothingLike: TypeAlias = Union["Prior", Literal["auto"], None]
"""A prior, or "auto" for the strength of the highest leave-one-out likelihood."""

ClassPriorLike: TypeAlias = Union[
    Literal["frequencies", "uniform"], "Dirichlet", "Within", Mapping[Any, float], Sequence[float], Array
]
"""How p(y) is estimated: a rule, a prior, or fixed probabilities of the classes."""

CalibrateLike: TypeAlias = bool | Literal["temperature", "isotonic"]
"""Whether to calibrate probabilities, and by which map."""

CostsLike: TypeAlias = Mapping[tuple[Any, Any], float] | str | ArrayLike | None
"""The costs of mistakes: by (class, predicted class), as text ("yes as no: 10") or as an array of classes x classes."""

ThresholdLike: TypeAlias = Mapping[Any, float] | float | None
"""The least probability with which a class is predicted, by class; one number is for the second of two classes."""

ClassifiersLike: TypeAlias = Classifier | Sequence[Classifier] | Mapping[str, Classifier]
"""One classifier, or several: in a list, or by name."""

Objective: TypeAlias = Callable[[Array], ArrayLike]
"""A function of x. It may have a `gradient` and a `hessian`."""

ConstraintLike: TypeAlias = Union["Bounds", "Linear", Objective]
ConstraintsLike: TypeAlias = ConstraintLike | Sequence[ConstraintLike]
"""One constraint, or a list of them."""
