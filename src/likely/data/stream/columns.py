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
    """What is no text, as half of a character, is replaced."""
    encoded = [text.encode("utf-8", "replace") for text in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return pa.Array.from_buffers(
        pa.large_string(), len(encoded), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    )


def labels(values: NDArray[Any]) -> pa.Array:
    """Of classes or categories, which are numbers or text."""
    return texts(map(str, values.tolist())) if values.dtype.kind in "OUT" else numbers(values)
