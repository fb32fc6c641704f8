"""Columns of Arrow's from numpy arrays and texts.

`pyarrow.array` would first import pandas, where that is installed, to see whether it was given something of pandas'.
That takes longer than all of `likely predict`.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def numbers(values: NDArray[Any]) -> pa.Array:
    if values.dtype.kind == "b":
        bits = np.packbits(values, bitorder="little")
        return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])
    data = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, data])


def texts(values: Iterable[str]) -> pa.Array:
    """Half characters, which are no text, are replaced."""
    encoded = _encoded(values)
    return _joined(encoded, np.fromiter(map(len, encoded), np.int64, len(encoded)))


def labels(values: NDArray[Any]) -> pa.Array:
    """Of classes or categories, which are numbers or text."""
    return texts(map(str, values.tolist())) if values.dtype.kind in "OUT" else numbers(values)


def coded(values: NDArray[Any], codes: NDArray[Any]) -> pa.Array:
    """The label of each code; a label is encoded once, however often it occurs."""
    if values.dtype.kind not in "OUT":
        return numbers(values[codes])
    each = np.array(_encoded(map(str, values.tolist())), object)
    return _joined(each[codes].tolist(), np.fromiter(map(len, each), np.int64, len(each))[codes])


def _encoded(values: Iterable[str]) -> list[bytes]:
    return [text.encode("utf-8", "replace") for text in values]


def _joined(encoded: list[bytes], sizes: NDArray[np.int64]) -> pa.Array:
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    return pa.Array.from_buffers(
        pa.large_string(), len(encoded), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    )
