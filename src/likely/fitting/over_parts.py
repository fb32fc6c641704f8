"""A model fitted to rows that lie in parts, in two passes: a glance to choose how to count, and then all rows once."""

from collections.abc import Callable, Hashable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TypeVar

from likely.data import Sample
from likely.engines.engine import PLACES, Parts, spread
from likely.errors import TableError
from likely.fitting.part_totals import PartTotals, Plans
from likely.fitting.row_sample import RowSample
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel

P = TypeVar("P")
S = TypeVar("S", bound=Sized)
M = TypeVar("M", bound=NaiveBayesModel)
Reader = Callable[[P], Sample | None]
"""Reads a part; None where it has no rows."""

FIRST_PARTS, FIRST_ROWS = 16, 1_000
"""Parts that are looked at first, and rows of each."""


def fit_parts(model: M, parts: Parts[P], as_sample: Reader[P]) -> tuple[M, RowSample]:
    """The model of all rows, and a sample of them to validate it by. Families and bins are chosen by rows of spread
    parts; smoothing, shrinkage and column weights by the sample."""
    model = model.unlearned
    chosen_by = model.marking_empty(spread_rows(parts, as_sample))
    totals = count_parts({"": model.plans(chosen_by)}, chosen_by.table.names, parts, as_sample)
    return finished(model, totals.counted[""], totals.rows, chosen_by), totals.rows


def spread_rows(parts: Parts[P], as_sample: Reader[P]) -> Sample:
    """Rows of parts that are spread over all."""
    found = spread_results(parts, partial(_some_rows, as_sample))
    first, *others = (found[at] for at in sorted(found))
    for at, sample in found.items():
        with naming(at):
            sample.table.must_have(first.table.names)
    return first.joined(others)


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


def _some_rows(as_sample: Reader[P], rows: int, number: int, part: P) -> Sample | None:
    with naming(number):
        sample = as_sample(part)
    return None if sample is None else sample.at_most(rows)


def count_parts(plans: Plans, names: Sequence[Hashable], parts: Parts[P], as_sample: Reader[P]) -> PartTotals:
    """What is counted by plans of all rows, which have the columns of these names."""
    return parts.total(partial(_count, plans, names, as_sample))


def _count(plans: Plans, names: Sequence[Hashable], as_sample: Reader[P], number: int, part: P) -> PartTotals:
    with naming(number):
        sample = as_sample(part)
        if sample is None:
            return PartTotals()
        sample.table.must_have(names)
        return replace(PartTotals.of(plans, sample, number * PLACES), shipped=True)


@contextmanager
def naming(number: int) -> Iterator[None]:
    """Fills in the part of an error."""
    try:
        yield
    except TableError as error:
        error.place = error.place or f"partition {number}" + ("" if error.row is None else f", row {error.row}")
        raise
    except ValueError as error:
        raise ValueError(f"partition {number}: {error}") from None
