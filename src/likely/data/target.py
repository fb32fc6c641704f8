"""The column to be predicted: class labels as codes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.table import Labels


def encode_target(y: Any) -> tuple[Labels, NDArray[np.int32]]:
    """The distinct labels in ascending order, and the position of each row's label among them."""
    y = as_vector(y)
    if y.dtype.kind == "O":
        y = _plain(y)
    if y.dtype.kind in "UST":
        labels, codes = _encode_text(y)
    elif y.dtype.kind in "biuf":
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            row = int(np.flatnonzero(~np.isfinite(y))[0])
            raise ValueError(f"labels must be present and finite; row {row} of y has {y[row]}")
        found = np.empty((1, len(y)), np.int32)
        (labels,) = _native.encode_numbers(y[:, None], None, found)
        labels, codes = labels.astype(y.dtype), found[0]
    else:
        raise TypeError(f"labels must be text or numbers, not {y.dtype}")
    order = np.argsort(labels)
    if (order[1:] > order[:-1]).all():
        return labels, codes
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return labels[order], rank[codes]


def as_vector(y: Any) -> NDArray[Any]:
    """Labels in any one-dimensional container as an array."""
    if y is None:
        raise ValueError("y is needed: one label per row, but the target y is None")
    if hasattr(y, "to_numpy"):  # of pandas, polars and Arrow, which numpy would read more slowly
        y = y.to_numpy()
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    return np.asarray(y)


def _plain(y: NDArray[Any]) -> NDArray[Any]:
    """An array of Python objects as one of text or numbers, if it is either throughout."""
    for row, label in enumerate(y):
        if label is None or label != label:
            raise ValueError(f"a label is missing: row {row} of y has {label}")
        if isinstance(label, str) != isinstance(y[0], str):
            raise TypeError(f"labels mix text and numbers: row 0 of y has {y[0]!r}, row {row} has {label!r}")
    if not len(y):
        return y.astype(np.float64)
    return y.astype(np.dtypes.StringDType()) if isinstance(y[0], str) else np.array(y.tolist())


def _encode_text(y: NDArray[Any]) -> tuple[Labels, NDArray[np.int32]]:
    import pyarrow as pa

    from likely.data.arrow import ArrowTable

    column = pa.array(y.astype(object) if y.dtype.kind != "U" else y, pa.large_string())
    codes, (labels,) = ArrowTable(pa.table([column], names=["y"])).categories([0], slice(None), None)
    return labels.astype(y.dtype if y.dtype.kind == "U" else object), codes[:, 0]
