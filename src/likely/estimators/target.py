"""Checks the classes and weights of rows by scikit-learn's conventions."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning

from likely.data import encode_target
from likely.errors import BadCell, BadLabel
from likely.statistics import Labels
from likely.typing import Array


def target_of(y: Any, rows: int, estimator: str) -> tuple[Labels, NDArray[np.int32]]:
    """The classes of y, and the code of each row. The messages are those of scikit-learn, because its tests check
    them."""
    if y is None:
        raise ValueError(f"{estimator} requires y to be passed, but the target y is None.")
    if not hasattr(y, "to_numpy") and not isinstance(y, (list, tuple, np.ma.MaskedArray)):
        y = np.asarray(y)
    if len(getattr(y, "shape", ())) == 2 and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=3,
        )
        y = np.asarray(y)[:, 0]
    labels, codes = encode_target(y)
    if len(codes) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(codes)}]")
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.floor(labels)):
        row = int(np.flatnonzero(labels[codes] != np.floor(labels[codes]))[0])
        needs = "Unknown label type: continuous. Classes are names or whole numbers"
        raise BadLabel(needs, row, None, labels[codes[row]], "; for a regression target use a regressor")
    return labels, codes


def weights_of(weight: Any, rows: int) -> Array | None:
    """The checked weight of each row; None if there are none."""
    if weight is None:
        return None
    try:
        weight = np.asarray(weight, np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight must be numbers, one for each row") from None
    if weight.ndim == 0:
        weight = np.full(rows, float(weight))
    if weight.shape != (rows,):
        raise ValueError(f"sample_weight has shape {weight.shape}, but one weight for each of {rows} rows is needed")
    bad = np.flatnonzero(~((weight >= 0) & (weight < np.inf)))
    if bad.size:
        raise BadCell("weights must be finite and 0 or more", int(bad[0]), None, weight[bad[0]])
    if not weight.any():
        raise ValueError("every weight is zero: there is nothing to learn from")
    return np.ascontiguousarray(weight)
