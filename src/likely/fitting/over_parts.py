"""A model fitted to rows that lie in parts, in two passes: a glance to choose how to count, and then all rows once."""

from collections.abc import Callable, Hashable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from likely.data import Sample
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

FIRST_PARTS, FIRST_ROWS = 16, 1_000
"""Parts that are looked at first, and rows of each."""


def fit_parts(model: M, parts: Parts[P], as_sample: Reader[P]) -> tuple[M, RowSample]:
    """The model of all rows, and a sample of them to validate it by. Families and bins are chosen by rows of spread
    parts; smoothing, shrinkage and column weights by the sample."""
    model = model.unlearned
    first_rows, step = spread_rows(parts, as_sample)
    chosen_by = model.marking_empty(first_rows)
    totals = count_parts({"": model.plans(chosen_by)}, chosen_by.table.names, parts, as_sample, step)
    return finished(model, totals.counted[""], totals.rows, chosen_by), totals.rows


@dataclass(frozen=True)
class SomeRows:
    """Some rows of a part, and how many rows and bytes it has."""

    sample: Sample
    rows: int
    size: int

    def __len__(self) -> int:
        return len(self.sample)


def spread_rows(parts: Parts[P], as_sample: Reader[P]) -> tuple[Sample, int]:
    """Rows of parts that are spread over all; and the step that a sample of all rows has at the least, so that no part
    sends more of them: a part of 64 MB would send 32."""
    found = spread_results(parts, partial(_some_rows, as_sample))
    first, *others = (found[at].sample for at in sorted(found))
    for at, some in found.items():
        with naming(at):
            some.sample.table.must_have(first.table.names)
    step = least_step(sum(some.rows for some in found.values()), sum(some.size for some in found.values()))
    return first.joined(others), step


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
    return SomeRows(sample.at_most(rows), len(sample), len(sample) * sample.table.row_bytes)


def count_parts(
    plans: Plans, names: Sequence[Hashable], parts: Parts[P], as_sample: Reader[P], step: int
) -> PartTotals:
    """What is counted by plans of all rows, which have the columns of these names, and one row in `step` or fewer."""
    return parts.total(partial(_count, plans, names, as_sample, step))


def _count(
    plans: Plans, names: Sequence[Hashable], as_sample: Reader[P], step: int, number: int, part: P
) -> PartTotals:
    with naming(number):
        sample = as_sample(part)
        if sample is None:
            return PartTotals()
        sample.table.must_have(names)
        return replace(PartTotals.of(plans, sample, number * PLACES, step), shipped=True)


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
