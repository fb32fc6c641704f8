"""A summary of a column: what was seen of its cells, by which its type is inferred and findings are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from likely.data.parsing import cast, is_nested, is_text


@dataclass(frozen=True)
class ColumnSummary:
    """Of the rows that were looked at, which are those of the whole table where it is not large."""

    name: str
    rows: int
    missing: int
    values: Mapping[Any, int]
    """How often each value occurs, the most frequent first; of a column of texts, as they are written."""
    distinct: int
    arrow: str
    """The type that Arrow finds."""
    words: float = 0.0
    """The mean number of words in a text."""
    given: bool = False
    """Whether the user gave the type."""
    unread: Mapping[str, int] = field(default_factory=dict)
    """Texts that are not of the column's type, and so read as missing."""
    consecutive: bool = False
    """Whether its whole numbers rise by one from row to row."""
    either: tuple[str, str] | None = None
    """Two ways to read its dates, where it is not known which is right."""
    alone: float | None = None
    """How often its value alone, of those met in other rows, gives the right class."""

    @cached_property
    def present(self) -> int:
        return self.rows - self.missing

    @property
    def distinct_share(self) -> float:
        return self.distinct / max(self.present, 1)


def summary(name: str, column: pa.ChunkedArray, given: bool = False) -> ColumnSummary:
    """Counts the values of a column."""
    type_ = column.type
    if is_nested(type_) or pa.types.is_null(type_):
        return ColumnSummary(name, len(column), column.null_count, {}, 0, str(type_), given=given)
    import pyarrow.compute as pc

    plain = cast(column, type_.value_type) if pa.types.is_dictionary(type_) else column
    counted = pc.value_counts(plain.drop_null())
    times = counted.field("counts").to_numpy()
    order = np.argsort(-times, kind="stable")
    shown = counted.field("values").take(pa.array(order[:MOST])).to_pylist()
    words = 0.0
    if is_text(plain.type) and len(times):
        spaces = pc.count_substring_regex(counted.field("values"), r"\S+").to_numpy()
        words = float(spaces @ times / times.sum())
    return ColumnSummary(
        name,
        len(column),
        column.null_count,
        dict(zip(shown, times[order[:MOST]].tolist(), strict=True)),
        len(times),
        str(plain.type),
        words,
        given,
        consecutive=_consecutive(plain),
    )


MOST = 10_000
"""Values whose counts are kept."""


def _consecutive(column: pa.ChunkedArray) -> bool:
    if not pa.types.is_integer(column.type) or column.null_count or len(column) < 20:
        return False
    steps = np.diff(column.to_numpy().astype(np.int64))
    # The rows looked at may be parts of a larger table, with a jump from each to the next.
    return bool(np.count_nonzero(steps != 1) <= len(steps) // 20)
