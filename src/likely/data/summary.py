"""A summary of a column: what was seen of its cells, by which its type is inferred and findings are made."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from math import lgamma, log
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.parsing import cast, is_nested, is_text
from likely.data.stream.columns import numbers, texts


@dataclass(frozen=True)
class ColumnSummary:
    """What was seen in a sample of rows, which is the whole table where it is not large."""

    name: str
    rows: int
    missing: int
    values: Mapping[Any, int]
    """How often each value occurs, the most frequent first; of a column of texts, as they are written."""
    distinct: int
    arrow: str
    """The type that Arrow finds."""
    words: float = 0.0
    """The mean number of words in a text, of those whose counts are kept."""
    numbers: float = 0.0
    """The share of texts, of those whose counts are kept, that are numbers and no codes such as 007."""
    given: bool = False
    """Whether the user gave the type."""
    unread: Mapping[str, int] = field(default_factory=dict)
    """Texts that are not of the column's type, and so read as missing."""
    marks: Mapping[str, int] = field(default_factory=dict)
    """Texts that mark a missing cell, and how often each occurs; of CSV."""
    consecutive: bool = False
    """Whether its whole numbers rise by one from row to row."""
    either: tuple[str, str] | None = None
    """Two ways to read its dates, where it is not known which is right."""
    alone: float | None = None
    """The share of rows whose class follows from their value alone, as other rows have it."""
    one_class: "OneClass | None" = None
    """Where only rows of one class have a value, or only these have none."""
    twin: "Twin | None" = None
    """An earlier column that says the same in every row."""

    @cached_property
    def present(self) -> int:
        return self.rows - self.missing

    @property
    def distinct_share(self) -> float:
        return self.distinct / max(self.present, 1)


@dataclass(frozen=True)
class OneClass:
    """Rows with a value, or those without one, that are nearly all of one class."""

    label: Any
    rows: int
    """How many of them are of this class."""
    of: int
    """How many there are."""
    present: bool


@dataclass(frozen=True)
class Twin:
    """A column whose value follows from that of another, and the other way round."""

    name: str
    same: bool
    """Whether the values are equal too; else each stands for another one."""


def summary(name: str, column: pa.ChunkedArray, given: bool = False) -> ColumnSummary:
    """Counts the values of a column."""
    type_ = column.type
    if is_nested(type_) or pa.types.is_null(type_):
        return ColumnSummary(name, len(column), column.null_count, {}, 0, str(type_), given=given)
    import pyarrow.compute as pc

    plain = cast(column, type_.value_type) if pa.types.is_dictionary(type_) else column
    counted = pc.value_counts(plain.drop_null())
    times = np.asarray(np.from_dlpack(counted.field("counts")), np.int64)
    order = np.argsort(-times, kind="stable")
    shown = counted.field("values").take(numbers(order[:MOST])).to_pylist()
    words = are_numbers = 0.0
    if is_text(plain.type) and len(times):
        often = times[order[:MOST]] / times[order[:MOST]].sum()
        words = float(np.array([len(text.split()) for text in shown]) @ often)
        are_numbers = float(np.array([is_number(text) and not LEADING_ZERO.match(text) for text in shown]) @ often)
    return ColumnSummary(
        name,
        len(column),
        column.null_count,
        dict(zip(shown, times[order[:MOST]].tolist(), strict=True)),
        len(times),
        str(plain.type),
        words,
        are_numbers,
        given,
        consecutive=_consecutive(plain),
    )


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


LEADING_ZERO = re.compile(r"\s*[+-]?0\d")
MOST = 10_000
"""Values whose counts are kept."""


def _consecutive(column: pa.ChunkedArray) -> bool:
    if not pa.types.is_integer(column.type) or column.null_count or len(column) < 20:
        return False
    steps = np.diff(np.from_dlpack(pa.concat_arrays(column.chunks)).astype(np.int64))
    # The rows may be parts of a larger table, with a jump from each part to the next.
    return bool(np.count_nonzero(steps != 1) <= len(steps) // 20)


def alone(table: pa.Table, seen: Mapping[str, ColumnSummary], target: str) -> dict[str, ColumnSummary]:
    """Adds the share of rows whose class each column alone gives: leave-one-out, by the most frequent class of the
    other rows with the same value. Also adds whether having a value gives the class, as with a date of cancellation."""
    y = _codes(table[target])
    found = dict(seen)
    for name, one in seen.items():
        if name != target:
            found[name] = replace(one, one_class=_one_class(_present(table[name], one), y, table[target]))
    seen = dict(found)
    for name, one in seen.items():
        if name == target or not 2 <= one.distinct <= one.present // 2 or is_nested(table[name].type):
            continue
        x = _codes(table[name])
        there = (x >= 0) & (y >= 0)
        if there.sum() < LEAST or len(np.unique(y[there])) < 2:
            continue
        pairs, rows = np.unique(x[there] * (y.max() + 1) + y[there], return_counts=True)
        value = pairs // (y.max() + 1)
        most = np.zeros(value[-1] + 1, np.int64)
        np.maximum.at(most, value, rows)
        ties = np.bincount(value, rows == most[value])
        right = (rows == most[value]) & (ties[value] == 1) & (rows > 1)
        second = np.zeros_like(most)
        np.maximum.at(second, value[~right], rows[~right])
        right &= rows - 1 > second[value]
        found[name] = replace(one, alone=float(rows[right].sum() / len(y)))
    return found


def _present(cells: pa.ChunkedArray, seen: ColumnSummary) -> NDArray[np.bool]:
    import pyarrow.compute as pc

    there = pc.is_valid(cells)
    if seen.unread and is_text(cells.type):
        marked = pc.is_in(pc.utf8_trim_whitespace(cells), value_set=texts(seen.unread).cast(cells.type))
        there = pc.and_(there, pc.invert(marked))
    return np.from_dlpack(there.cast(pa.uint8()).combine_chunks()).astype(bool)


def _one_class(present: NDArray[np.bool], y: NDArray[np.int64], classes: pa.ChunkedArray) -> OneClass | None:
    """The class of nearly all rows that have a value, or else of those that have none. Other classes must be much rarer
    among these than among all rows."""
    labelled = int(np.count_nonzero(y >= 0))
    share = np.bincount(y[y >= 0]).astype(np.float64) / (labelled or 1)
    if len(share) < 2:
        return None
    for which in (True, False):
        rows = np.bincount(y[(present == which) & (y >= 0)], minlength=len(share))
        of, most = int(rows.sum()), int(rows.argmax())
        others = (1 - share[most]) * of
        if of < labelled and others >= EXPECTED and of - rows[most] <= RARER * others:
            label = classes[int(np.flatnonzero(y == most)[0])].as_py()
            return OneClass(label, int(rows[most]), of, which)
    return None


def twins(table: pa.Table, seen: Mapping[str, ColumnSummary], names: Iterable[str]) -> dict[str, ColumnSummary]:
    """With the first of these columns that says the same in every row. Of columns that hardly repeat a value, as all
    measurements, only those with equal values do."""
    alike = dict[Any, list[str]]()
    for name in names:
        if (one := seen.get(name)) is not None and one.values:
            repeats, times = 2 * one.distinct <= one.present, tuple(islice(one.values.values(), FIRST))
            key = one.missing, one.distinct, times, () if repeats else tuple(islice(one.values, FIRST))
            alike.setdefault(key, []).append(name)
    found = dict(seen)
    for group in alike.values():
        firsts = dict[bytes, str]()
        for name in group if len(group) > 1 else ():
            first = firsts.setdefault(_codes(table[name]).tobytes(), name)
            if first != name and _arrangements(seen[name]) >= LEAST_ARRANGEMENTS:
                same = list(seen[first].values) == list(seen[name].values)
                found[name] = replace(seen[name], twin=Twin(first, same))
    return found


def _arrangements(seen: ColumnSummary) -> float:
    """The logarithm of how many columns have each value as often."""
    return lgamma(seen.present + 1) - sum(lgamma(times + 1) for times in seen.values.values())


LEAST_ARRANGEMENTS = log(1e9)
"""Columns of few rows are equal by chance too. Of 34 rows, half with one value and half with another, that is once in
two billion."""
FIRST = 50
"""Values by which columns are compared before all rows are."""
EXPECTED = 14
"""The fewest rows of other classes that must be expected. If they are, none occur by chance once in a million times."""
RARER = 0.05
"""The share of the expected rows of other classes that may still occur: dates are entered wrongly, too."""
LEAST = 20
"""Fewer rows do not show that a column holds the answer."""


def _codes(column: pa.ChunkedArray) -> NDArray[np.int64]:
    plain = column if not pa.types.is_dictionary(column.type) else column.cast(column.type.value_type)
    coded = plain.combine_chunks().dictionary_encode("encode")
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    codes = np.from_dlpack(coded.indices).astype(np.int64)
    if plain.null_count:
        codes[codes == coded.dictionary.to_pylist().index(None)] = -1
    return codes
