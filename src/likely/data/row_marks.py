"""The marks of rows: bits of a hash of their cells and their class, by which a digest knows them again."""

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.data.read import read
from likely.data.row_digest import MARK, Marks
from likely.data.sample import Codes
from likely.data.table import Labels

if TYPE_CHECKING:
    import pyarrow as pa

Hashes = NDArray[np.uint64]

PIECE = 1 << 13
"""Rows that are hashed together."""


def row_marks(columns: "pa.Table", classes: Labels, y: Codes) -> Marks:
    """The mark of each row, with its class. Equal cells have equal marks, whatever type or order their columns have;
    a missing cell counts as a column that is not there."""
    of_class = np.array([_of_name(str(label)) for label in classes.tolist()], np.uint64)
    marks = np.empty(columns.num_rows, np.uint32)
    for start in range(0, columns.num_rows, PIECE):
        piece = slice(start, start + PIECE)
        hashes = mixed(_row_hashes(columns.slice(start, PIECE)) + of_class[y[piece]])
        rest = hashes & np.uint64((1 << 64 - MARK) - 1) | np.uint64(1 << 64 - MARK)
        zeros = np.log2((rest & (~rest + np.uint64(1))).astype(np.float64)).astype(np.uint32)  # a power of 2: exact
        marks[piece] = (hashes >> np.uint64(64 - MARK)).astype(np.uint32) << np.uint32(8) | zeros
    return marks


def _row_hashes(columns: "pa.Table") -> Hashes:
    import pyarrow as pa  # which those that only mix numbers need not wait for

    table, total = read(columns), np.zeros(columns.num_rows, np.uint64)
    for j, (name, kind) in enumerate(zip(columns.column_names, table.kinds, strict=True)):
        if kind == "empty":
            continue
        if kind == "category":
            cells = columns.column(j).cast(pa.large_string()).combine_chunks()
            hashes, there = _text_hashes(cells), table.texts(j, slice(None)).there()
        else:
            numbers = np.ascontiguousarray(table.numbers([j], slice(None))[:, 0], np.float64) + 0.0  # -0.0 is 0.0
            hashes, there = numbers.view(np.uint64), numbers == numbers
        total += np.where(there, mixed(hashes ^ np.uint64(_of_name(name))), np.uint64(0))
    return total


def _text_hashes(texts: "pa.LargeStringArray") -> Hashes:
    """Of all their bytes, eight at a time."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    size, sizes = int(ends[-1] - ends[0]), np.diff(ends)
    padded = np.zeros(size + 8, np.uint8)
    padded[:size] = np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]]
    words = -(-sizes // 8)
    first = np.cumsum(words) - words
    before = 8 * (np.arange(words.sum()) - np.repeat(first, words))
    after = np.minimum(np.repeat(sizes, words) - before, 8).astype(np.uint64)
    at = np.repeat(ends[:-1] - ends[0], words) + before
    cut = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(64) - np.uint64(8) * after)
    read_as = np.ndarray((size + 1,), "<u8", padded.data, strides=(1,))[at] & cut
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed(read_as ^ mixed(before.astype(np.uint64))))])
    return np.asarray(sums[first + words] - sums[first] + sizes.astype(np.uint64))


def _of_name(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def mixed(numbers: Hashes) -> Hashes:
    """SplitMix64's: neighbours have nothing in common."""
    found = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found ^ (found >> np.uint64(31))
