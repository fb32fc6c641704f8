"""The column to be predicted: class labels as codes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.array import KINDS, ArrayTable
from likely.data.read import columns_table, native
from likely.data.table import Labels, Table
from likely.errors import BadLabel
from likely.typing import LabelsLike


def encode_target(y: LabelsLike) -> tuple[Labels, NDArray[np.int32]]:
    """Class labels as codes.

    Parameters
    ----------
    y : labels
        The class of each row: a list, an array, or a column of pandas, polars or Arrow.

    Returns
    -------
    classes : array
        The distinct labels, in ascending order.
    codes : array of int
        The position of each row's label among them.

    See Also
    --------
    read : the other columns.

    Examples
    --------
    >>> from likely.data import encode_target
    >>> classes, codes = encode_target(["lion", "hyena", "lion"])
    >>> classes.tolist(), codes.tolist()
    (['hyena', 'lion'], [1, 0, 1])
    """
    y = as_vector(y)
    found, (labels,) = _column(y).categories([0], slice(None), None)
    codes = np.ascontiguousarray(found[:, 0])
    missing = codes < 0 if labels.dtype.kind != "f" else (codes < 0) | ~np.isfinite(np.append(labels, 0.0))[codes]
    if missing.any():
        row = int(missing.argmax())
        raise BadLabel("labels must be present and finite", row, None, _cell(y, row))
    if isinstance(y, np.ndarray) and y.dtype.kind in (*KINDS, "U"):
        labels = labels.astype(y.dtype.newbyteorder("="))
    order = np.argsort(labels)
    if (order[1:] > order[:-1]).all():
        return labels, codes
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return labels[order], rank[codes]


def as_vector(y: Any) -> Any:
    """Labels in any one-dimensional container: a column of pandas, polars or Arrow as it is, else an array."""
    if y is None:
        raise ValueError("y is needed: one label per row, but the target y is None")
    if isinstance(y, str):
        raise TypeError(
            f"y is {y!r}, and a table in memory needs the labels themselves, such as table[{y!r}]; only rows on a "
            "cluster take the name of a column"
        )
    if hasattr(y, "to_numpy") and not hasattr(y, "columns"):
        return y
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise BadLabel("labels must be present and finite", int(np.ma.getmaskarray(y).argmax()), None, None)
    array = np.asarray(y)
    if array.dtype.kind == "U" and isinstance(y, (list, tuple)) and any(not isinstance(label, str) for label in y):
        array = np.array(y, object)  # numpy made text of the numbers
    if array.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    return array


def _column(y: Any) -> Table:
    if isinstance(y, np.ndarray) and y.dtype.kind in KINDS:
        return ArrayTable(native(y[:, None]))
    if isinstance(y, np.ndarray) and y.dtype.kind in "mMcV":
        raise TypeError(f"labels must be text or numbers, not {y.dtype}")
    try:
        table = columns_table([y], ["y"], None)
    except (TypeError, ValueError) as error:
        raise TypeError(f"labels must be all text or all numbers: {error}") from None
    if table.moments[0]:
        raise TypeError("labels must be text or numbers, not dates or times")
    return table


def _cell(y: Any, row: int) -> Any:
    return y[row] if isinstance(y, np.ndarray) else y.to_pylist()[row] if hasattr(y, "to_pylist") else list(y)[row]
