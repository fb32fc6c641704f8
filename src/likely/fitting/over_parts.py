"""A model fitted to rows that lie in parts, in two passes: a glance to choose how to count, and then all rows once."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import TypeVar

import numpy as np

from likely.data import Sample, Table
from likely.engines.engine import PLACES, Parts, spread
from likely.errors import TableError
from likely.fitting.part_totals import PartTotals, Plans
from likely.fitting.row_sample import RowSample, least_step
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel

P = TypeVar("P")
S = TypeVar("S", bound=Sized)
M = TypeVar("M", bound=NaiveBayesModel)
Reader = Callable[[P], Sample | None]
"""Reads a part; None where it has no rows."""

TEXT = ("category", "text")

FIRST_PARTS, FIRST_ROWS = 16, 1_000
"""Parts that are looked at first, and rows of each."""


def fit_parts(model: M, parts: Parts[P], as_sample: Reader[P]) -> tuple[M, RowSample]:
    """The model of all rows, and a sample of them to validate it by. Families and bins are chosen by rows of spread
    parts; smoothing, shrinkage and column weights by the sample."""
    model = model.unlearned
    first = spread_rows(parts, as_sample)
    chosen_by = model.marking_empty(first.sample)
    with first.naming():
        plans = model.plans(chosen_by)
    totals = count_parts({"": plans}, chosen_by.table, parts, as_sample, first.step)
    return finished(model, totals.counted[""], totals.rows, chosen_by), totals.rows


@dataclass(frozen=True)
class SomeRows:
    """Some rows of a part, one in `every`, and how many rows and bytes it has."""

    sample: Sample
    every: int
    rows: int
    size: int

    def __len__(self) -> int:
        return len(self.sample)


@dataclass(frozen=True)
class SpreadRows:
    """Rows of parts that are spread over all."""

    sample: Sample
    step: int
    """What a sample of all rows has at the least, so that no part sends more: a part of 64 MB would send 32."""
    found: Sequence[tuple[int, SomeRows]]
    """By the numbers of the parts, in their order."""

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Fills in the part of an error at one of these rows, and the row there."""
        try:
            yield
        except TableError as error:
            if (row := error.row) is not None and not error.place:
                starts = list(accumulate((len(some) for _, some in self.found), initial=0))
                at = bisect_right(starts, row) - 1
                number, some = self.found[at]
                error.place = f"partition {number}, row {(row - starts[at]) * some.every}"
            raise


def spread_rows(parts: Parts[P], as_sample: Reader[P]) -> SpreadRows:
    """Rows of parts that are spread over all."""
    results = spread_results(parts, partial(_some_rows, as_sample))
    (_, first), *others = found = [(at, results[at]) for at in sorted(results)]
    for at, some in found:
        with naming(at):
            _must_be_alike(some.sample.table, first.sample.table)
    step = least_step(sum(some.rows for _, some in found), sum(some.size for _, some in found))
    try:
        joined = first.sample.joined([some.sample for _, some in others])
    except (TypeError, ValueError):
        for at, some in others:
            with naming(at):
                first.sample.joined([some.sample])
        raise
    return SpreadRows(joined, step, found)


def spread_results(parts: Parts[P], work: Callable[[int, int, P], S | None]) -> dict[int, S]:
    """The results of parts that are spread over all, by their numbers. Work gets the most rows that it should read of a
    part. More parts are looked at while those before had few rows."""
    enough = FIRST_PARTS * FIRST_ROWS
    order, rows = spread(len(parts)), max(FIRST_ROWS, enough // max(len(parts), 1))
    found: dict[int, S] = {}
    looked = 0
    while looked < len(order) and sum(map(len, found.values())) < enough:
        some = order[looked : max(FIRST_PARTS, 2 * looked)]
        looked += len(some)
        results = parts.each(partial(work, rows), some)
        found.update((at, result) for at, result in zip(some, results, strict=True) if result is not None)
    if not found:
        raise ValueError("there are no rows to learn from")
    return found


def finished(model: M, learned: Learned, rows: RowSample, chosen_by: Sample) -> M:
    """The model of what was counted of all parts, with what is left open chosen by the sample of their rows. A column
    may hold nothing in some part: its kind is that in the rows by which it was chosen how to count."""
    learned = replace(learned, kinds=chosen_by.table.kinds)
    found = model.take_in(learned, rows.sample(learned.classes))
    found.known.refuse_incomplete()
    found.check_parameters()
    return found


def _some_rows(as_sample: Reader[P], rows: int, number: int, part: P) -> SomeRows | None:
    with naming(number):
        sample = as_sample(part)
    if sample is None:
        return None
    every = -(-len(sample) // rows)
    return SomeRows(sample.every(every), every, len(sample), len(sample) * sample.table.row_bytes)


def count_parts(plans: Plans, like: Table, parts: Parts[P], as_sample: Reader[P], step: int) -> PartTotals:
    """What is counted by plans of all rows, which have the columns of a table, and one row in `step` or fewer."""
    return parts.total(partial(_count, plans, like.take(np.zeros(0, np.intp)), as_sample, step))


def _count(plans: Plans, like: Table, as_sample: Reader[P], step: int, number: int, part: P) -> PartTotals:
    with naming(number):
        sample = as_sample(part)
        if sample is None:
            return PartTotals()
        _must_be_alike(sample.table, like)
        return replace(PartTotals.of(plans, sample, number * PLACES, step), shipped=True)


def _must_be_alike(table: Table, like: Table) -> None:
    """Raises for other columns, or one that holds text here and numbers there."""
    table.must_have(like.names)
    for name, kind, other in zip(like.names, table.kinds, like.kinds, strict=True):
        if "empty" not in (kind, other) and (kind in TEXT) != (other in TEXT):
            here, there = ("text", "numbers") if kind in TEXT else ("numbers", "text")
            raise ValueError(f"column {name!r} holds {here}, and in other partitions {there}")


@contextmanager
def naming(number: int) -> Iterator[None]:
    """Fills in the part of an error."""
    try:
        yield
    except TableError as error:
        error.place = error.place or f"partition {number}" + ("" if error.row is None else f", row {error.row}")
        raise
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"partition {number}: {error}") from None
