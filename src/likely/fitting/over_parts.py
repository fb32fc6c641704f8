"""A model fitted to rows in parts, in two passes: first some rows, to choose how to count, then all rows once."""

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
"""A function that reads a part; it returns None if the part has no rows."""

TEXT = ("category", "text")

FIRST_PARTS, FIRST_ROWS = 16, 1_000
"""The number of parts in the first pass, and of rows of each."""


def fit_parts(model: M, parts: Parts[P], as_sample: Reader[P]) -> tuple[M, RowSample]:
    """The model of all rows, and a sample of them to validate it by. Families and bins are chosen by rows of some
    parts, which are spread evenly; smoothing, shrinkage and column weights by the sample."""
    model = model.unlearned
    first = spread_rows(parts, as_sample)
    chosen_by = model.marking_empty(first.sample)
    with first.naming():
        plans = model.plans(chosen_by)
    totals = count_parts({"": plans}, chosen_by.table, parts, as_sample, first.step)
    return finished(model, totals.counted[""], totals.rows, chosen_by), totals.rows


@dataclass(frozen=True)
class SomeRows:
    """One row in `every` of a part, with the number of rows and bytes of the whole part."""

    sample: Sample
    every: int
    rows: int
    size: int

    def __len__(self) -> int:
        return len(self.sample)


@dataclass(frozen=True)
class SpreadRows:
    """Rows of some parts, which are spread evenly over all parts."""

    sample: Sample
    step: int
    """A sample of all rows will have at most one row in this many, so no part needs to send more. Without this, a part
    of 64 MB would send 32 MB."""
    found: Sequence[tuple[int, SomeRows]]
    """The rows of each part, with the number of the part, in order."""

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Adds the part, and the row in it, to an error at one of these rows."""
        try:
            yield
        except TableError as error:
            if (row := error.row) is not None and not error.place:
                starts = list(accumulate((len(of_part) for _, of_part in self.found), initial=0))
                at = bisect_right(starts, row) - 1
                number, of_part = self.found[at]
                error.place = f"partition {number}, row {(row - starts[at]) * of_part.every}"
            raise


def spread_rows(parts: Parts[P], as_sample: Reader[P]) -> SpreadRows:
    """Rows of some parts, which are spread evenly over all parts."""
    results = spread_results(parts, partial(_some_rows, as_sample))
    (_, first), *others = by_part = [(at, results[at]) for at in sorted(results)]
    for at, of_part in by_part:
        with naming(at):
            _check_same_columns(of_part.sample.table, first.sample.table)
    step = least_step(sum(of_part.rows for _, of_part in by_part), sum(of_part.size for _, of_part in by_part))
    try:
        joined = first.sample.joined([of_part.sample for _, of_part in others])
    except (TypeError, ValueError):
        for at, of_part in others:
            with naming(at):
                first.sample.joined([of_part.sample])
        raise
    return SpreadRows(joined, step, by_part)


def spread_results(parts: Parts[P], work: Callable[[int, int, P], S | None]) -> dict[int, S]:
    """The results of some parts, which are spread evenly over all parts, by their numbers. The first argument of `work`
    is the most rows to use of a part. If the first parts have few rows, more parts follow."""
    enough = FIRST_PARTS * FIRST_ROWS
    order, rows = spread(len(parts)), max(FIRST_ROWS, enough // max(len(parts), 1))
    by_part: dict[int, S] = {}
    looked = 0
    while looked < len(order) and sum(map(len, by_part.values())) < enough:
        next_parts = order[looked : max(FIRST_PARTS, 2 * looked)]
        looked += len(next_parts)
        results = parts.each(partial(work, rows), next_parts)
        by_part.update((at, result) for at, result in zip(next_parts, results, strict=True) if result is not None)
    if not by_part:
        raise ValueError("there are no rows to learn from")
    return by_part


def finished(model: M, learned: Learned, rows: RowSample, chosen_by: Sample) -> M:
    """The model of the statistics of all parts, with open options chosen by the sample of their rows. A column may be
    empty in some parts, so its kind is taken from `chosen_by`, the rows of the first pass."""
    learned = replace(learned, kinds=chosen_by.table.kinds)
    fitted = model.take_in(learned, rows.sample(learned.classes))
    fitted.known.refuse_incomplete()
    fitted.check_parameters()
    return fitted


def _some_rows(as_sample: Reader[P], rows: int, number: int, part: P) -> SomeRows | None:
    """At most `rows` rows of a part; None if it has none."""
    with naming(number):
        sample = as_sample(part)
    if sample is None:
        return None
    every = -(-len(sample) // rows)
    return SomeRows(sample.every(every), every, len(sample), len(sample) * sample.table.row_bytes)


def count_parts(plans: Plans, like: Table, parts: Parts[P], as_sample: Reader[P], step: int) -> PartTotals:
    """The totals of all parts: statistics by these plans, and a sample of at most one row in `step`. All parts must
    have the columns of the table `like`."""
    return parts.total(partial(_count, plans, like.take(np.zeros(0, np.intp)), as_sample, step))


def _count(plans: Plans, like: Table, as_sample: Reader[P], step: int, number: int, part: P) -> PartTotals:
    with naming(number):
        sample = as_sample(part)
        if sample is None:
            return PartTotals()
        _check_same_columns(sample.table, like)
        return replace(PartTotals.of(plans, sample, number * PLACES, step), shipped=True)


def _check_same_columns(table: Table, like: Table) -> None:
    """Raises if tables have different columns, or a column has text in one and numbers in the other."""
    table.must_have(like.names)
    for name, kind, other in zip(like.names, table.kinds, like.kinds, strict=True):
        if "empty" not in (kind, other) and (kind in TEXT) != (other in TEXT):
            here, there = ("text", "numbers") if kind in TEXT else ("numbers", "text")
            raise ValueError(f"column {name!r} holds {here}, and in other partitions {there}")


@contextmanager
def naming(number: int) -> Iterator[None]:
    """Adds the number of the part to an error."""
    try:
        yield
    except TableError as error:
        error.place = error.place or f"partition {number}" + ("" if error.row is None else f", row {error.row}")
        raise
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"partition {number}: {error}") from None
