"""The marks of rows: bits of a hash of their cells and their class, by which a digest knows them again."""

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.row_digest import MARK, Marks
from likely.data.sample import Codes
from likely.data.table import Labels

if TYPE_CHECKING:
    import pyarrow as pa

Hashes = NDArray[np.uint64]


def row_marks(columns: "pa.Table", classes: Labels, y: Codes) -> Marks:
    """The mark of each row, with its class. Equal rows have equal marks, whatever type or order their columns have. A
    missing cell counts as a column that is not there."""
    of_class = np.array([_of_name(str(label)) for label in classes.tolist()], np.uint64)
    hashes = mixed(_row_hashes(columns) + of_class[y])
    rest = hashes & np.uint64((1 << 64 - MARK) - 1) | np.uint64(1 << 64 - MARK)
    zeros = np.log2((rest & (~rest + np.uint64(1))).astype(np.float64)).astype(np.uint32)  # a power of 2: exact
    return np.asarray((hashes >> np.uint64(64 - MARK)).astype(np.uint32) << np.uint32(8) | zeros)


def _row_hashes(columns: "pa.Table") -> Hashes:
    from likely.data.arrow import ArrowTable  # which those that only mix numbers need not wait for

    table, total = ArrowTable(columns), np.zeros(columns.num_rows, np.uint64)
    for j, (name, kind) in enumerate(zip(columns.column_names, table.kinds, strict=True)):
        if kind == "category":
            _add_text_hashes(columns.column(j), _of_name(name), total)
        elif kind != "empty":
            _native.add_number_hashes(*table.cells(j, slice(0, table.rows)), _of_name(name), total)
    return total


def _add_text_hashes(column: "pa.ChunkedArray", name: int, total: Hashes) -> None:
    import pyarrow as pa

    texts = column.cast(pa.large_string()).combine_chunks()
    validity, offsets, data = texts.buffers()
    _native.add_text_hashes(
        np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1],
        np.frombuffer(data or b"", np.uint8),
        None if texts.null_count == 0 else np.frombuffer(validity, np.uint8),
        texts.offset,
        name,
        total,
    )


def _of_name(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def mixed(numbers: Hashes) -> Hashes:
    """The hash of SplitMix64: those of neighbouring numbers have nothing in common."""
    found = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found ^ (found >> np.uint64(31))
