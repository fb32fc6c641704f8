"""Columns of Arrow, and how they are read, for the tests of that."""

import numpy as np
import pyarrow as pa

from likely.data import read

ALL = slice(None)
TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
NUMBER_TYPES = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOAT_TYPES = [pa.float16(), pa.float32(), pa.float64()]


def column(values, type_=None, chunks=1, lead=0):
    """A table with one column "a", in so many chunks, each the slice of a longer array that `lead` values precede."""
    parts = np.array_split(np.arange(len(values)), chunks)
    arrays = []
    for part in parts:
        own = [values[i] for i in part]
        padding = [next((v for v in values if v is not None), None)] * lead
        arrays.append(pa.array(padding + own + padding, type_).slice(lead, len(own)))
    return pa.table([pa.chunked_array(arrays, type_)], names=["a"])


def numbers(table, missing=None, rows=ALL):
    """The only column, missing cells as None."""
    cells = read(table, missing).numbers([0], rows)[:, 0].tolist()
    return [None if cell != cell else cell for cell in cells]


def codes_of(table, known=None, missing=None, rows=ALL):
    codes, (labels,) = read(table, missing).categories([0], rows, None if known is None else [known])
    return codes[:, 0].tolist(), labels.tolist()


def objects(*labels):
    return np.array(labels, object)
