"""Which family reads which column, and whether a missing cell tells anything: by left-out likelihood.

A candidate is judged by the probability it gives to each value when that row is left out of its own count: no data
is held back, and a family with many parameters cannot win by memorising.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Kind, Table
from likely.engines import threads
from likely.families import (
    FAMILIES,
    Bernoulli,
    Categorical,
    Complement,
    Family,
    Gaussian,
    Histogram,
    Multinomial,
    Poisson,
    Text,
)
from likely.families.family import Array, Codes
from likely.families.text import TUNING_ROWS, Event
from likely.models.block import Block, Plan, naming
from likely.priors import Auto, Prior
from likely.statistics import Frame, Tallies
from likely.text import Texts, Tokens

ROWS = 10_000
"""Rows looked at in choosing: evenly spaced in a larger table. The standard error of a mean log likelihood is then
about 0.01 a row, and columns on which two families differ by less don't care."""

CANDIDATES: dict[Kind, list[type[Family]]] = {
    "float": [Gaussian, Histogram],
    "int": [Gaussian, Histogram, Poisson, Categorical],
}
"""The last is for a column with one value in all rows looked at but one, of which nothing can be learned there: that
row left out, the others have no spread. The few values that differ must not count for much: read as Gaussian, one such
column of 54 took covertype from an error of 0.33 to one of 0.45."""

TEXT_WORDS = 4
"""A column of strings is text if they have so many words on average, and are mostly different."""

PAIRS_BYTES = 4 << 20
"""Of texts, what is looked at to choose whether pairs of neighbouring words are counted too: that takes some six times
as long as words alone."""

Missing = Literal["ignore", "value", "auto"]


def plan(
    table: Table,
    y: Codes,
    classes: int,
    weight: Array | None,
    families: Any,
    smoothing: Prior | None,
    missing: Missing,
) -> tuple[Plan, ...]:
    """The blocks in which a table will be counted: columns of equal families together."""
    look = Look(table, y, classes, weight, smoothing)
    said = given(table.names, families)
    said = [part for family, columns in said for part in _by_text(family, table, columns)]
    blocks: list[tuple[Family, Sequence[int]]] = []
    for family, columns in [*said, *look.best_of_others([members for _, members in said])]:
        same = next((at for at, (other, _) in enumerate(blocks) if other == family and not family.joint), None)
        if same is None:
            blocks.append((family, columns))
        else:
            blocks[same] = family, sorted([*blocks[same][1], *columns])
    odds = [at for at, (family, _) in enumerate(blocks) if isinstance(family, Text) and family.event == "odds"]
    for at in odds:
        family, columns = blocks[at]
        assert isinstance(family, Text)
        blocks[at] = replace(look.read_by(family, columns[0]), of=len(odds)), columns
    plans = [Plan(family, columns, look.frame(family, columns)) for family, columns in blocks]
    telling = look.telling_absences(missing)
    if telling:
        plans.append(Plan(look.with_prior(Bernoulli), telling, Frame(look.names(telling)), absence=True))
    return tuple(plans)


def _by_text(family: Family, table: Table, columns: Sequence[int]) -> Iterator[tuple[Family, Sequence[int]]]:
    """What was said of some columns, with each text by itself; a family of tokens is there that of the words in it."""
    events: dict[type[Family], Event] = {
        Multinomial: "multinomial",
        Complement: "complement",
        Bernoulli: "bernoulli",
    }
    texts = [j for j in columns if isinstance(family, Text) or (table.kinds[j] == "text" and type(family) in events)]
    for j in texts:
        of_words = family if isinstance(family, Text) else Text(events[type(family)], prior=family.prior)
        if of_words is not family and family != type(family)(prior=family.prior):  # type: ignore[call-arg]
            raise ValueError(f"{family!r} has an option that texts have not; use {of_words!r}")
        yield of_words, [j]
    if len(texts) < len(columns):
        yield family, columns if not texts else [j for j in columns if j not in texts]


def given(names: Sequence[Hashable], families: Any) -> list[tuple[Family, Sequence[int]]]:
    """The families that the user named, and their columns."""
    if names_none(families):
        return []
    if not isinstance(families, Mapping):
        return [(as_family(families), range(len(names)))]
    said: list[tuple[Family, Sequence[int]]] = []
    named: set[int] = set()
    for key, family in families.items():
        several = isinstance(key, tuple) and key not in names
        columns = [_position(names, column) for column in (key if several else (key,))]
        if not columns:
            raise ValueError("families names no column for one of its families")
        for j in columns:
            if j in named:
                raise ValueError(f"families names column {names[j]!r} twice")
            named.add(j)
        said.append((as_family(family), columns))
    return said


def _position(names: Sequence[Hashable], column: Hashable) -> int:
    if column in names:
        return names.index(column)
    if isinstance(column, int) and -len(names) <= column < len(names):
        return column % len(names)
    some = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
    raise ValueError(f"families names a column {column!r}, but the columns are {some}")


def tuned(block: Block, table: Table, y: Codes, weight: Array | None) -> Block:
    """The block with what was left open of its family's options chosen by rows of the table, which it has counted."""
    rows = block.family.tuning_rows(block.frame)
    if not rows:
        return block
    step = max(1, -(-table.rows // rows))
    cells = block.read(table if step == 1 else table.every(step), slice(None))
    part = None if weight is None else np.ascontiguousarray(weight[::step])
    with naming(block.frame, 0, step):
        family = block.family.tuned(block.statistics, cells, np.ascontiguousarray(y[::step]), part, block.frame)
    return replace(block, plan=replace(block.plan, family=family))


def names_none(families: Any) -> bool:
    """Whether all families are left to be chosen."""
    return families is None or (isinstance(families, str) and families == "auto")


def names_family(value: Any) -> bool:
    """Whether it is a family, one by its class or one by its name."""
    if isinstance(value, type):
        return issubclass(value, Family)
    return isinstance(value, Family) or (isinstance(value, str) and value.lower() in FAMILIES)


def as_family(value: Any) -> Family:
    if not names_family(value):
        raise ValueError(f"{value!r} is not a family; the families are {', '.join(FAMILIES)}")
    if isinstance(value, Family):
        return value
    family: type[Family] = FAMILIES[value.lower()] if isinstance(value, str) else value
    return family()


def _one_value(numbers: Array) -> NDArray[np.bool]:
    """Which columns have one value in all rows but one, at the most."""
    above = (numbers > np.fmin.reduce(numbers, axis=0)).sum(axis=0)
    below = (numbers < np.fmax.reduce(numbers, axis=0)).sum(axis=0)
    return np.asarray((above <= 1) | (below <= 1))


class Look:
    """The rows that are looked at in choosing."""

    def __init__(self, table: Table, y: Codes, classes: int, weight: Array | None, smoothing: Prior | None) -> None:
        self.step = max(1, -(-table.rows // ROWS))
        self.table = table if self.step == 1 else table.every(self.step)
        self.lowest = table.lowest  # of all rows: a count that is right for those looked at must be so for the rest
        self.y = np.ascontiguousarray(y[:: self.step])
        self.weight = None if weight is None else np.ascontiguousarray(weight[:: self.step])
        self.classes, self.smoothing = classes, smoothing
        self.frames: dict[type[Family], tuple[Sequence[int], Frame]] = {}

    def with_prior(self, family: type[Family]) -> Family:
        if self.smoothing is None or (family is Text and isinstance(self.smoothing, Auto)):  # texts choose their own
            return family()
        return family(prior=self.smoothing)  # type: ignore[call-arg]

    def names(self, columns: Sequence[int]) -> Sequence[Hashable]:
        names = self.table.names
        return names if len(columns) == len(names) else tuple(names[j] for j in columns)

    def best_of_others(self, said: list[Sequence[int]]) -> Iterator[tuple[Family, Sequence[int]]]:
        """Families for the columns of which nothing was said, with their columns."""
        kinds = self.table.kinds
        if sum(map(len, said)) == len(kinds):
            return
        decided = {j for columns in said for j in columns}
        for kind in dict.fromkeys(kinds):
            columns: Sequence[int] = range(len(kinds))
            if decided or kinds.count(kind) < len(kinds):
                columns = [j for j, other in enumerate(kinds) if other == kind and j not in decided]
            if columns:
                yield from self._best(kind, columns)

    def _best(self, kind: Kind, columns: Sequence[int]) -> Iterator[tuple[Family, Sequence[int]]]:
        if kind == "text":
            for j in columns:
                yield self.with_prior(Text), [j]
        elif kind == "bool":
            yield self.with_prior(Bernoulli), columns
        elif kind == "category":
            texts = [j for j in columns if self._reads_as_text(j)]
            for j in texts:
                yield self.with_prior(Text), [j]
            if len(texts) < len(columns):
                yield self.with_prior(Categorical), [j for j in columns if j not in texts] if texts else columns
        elif kind == "sparse":
            yield self.with_prior(Multinomial if (self.lowest(columns) >= 0).all() else Gaussian), columns
        else:
            numbers = self.table.numbers(columns, slice(None))
            candidates = [self.with_prior(family) for family in CANDIDATES[kind]]
            with naming(Frame(self.names(columns)), 0, self.step):
                best = np.argmax([self._left_out(family, columns, numbers) for family in candidates], axis=0)
            best[_one_value(numbers)] = len(candidates) - 1
            for at, family in enumerate(candidates):
                chosen = [j for j, winner in zip(columns, best.tolist(), strict=True) if winner == at]
                if chosen:
                    yield family, chosen

    def read_by(self, family: Text, column: int) -> Text:
        """With the tokens that tell classes best, if that was left open: words, or pairs of neighbours too."""
        if family.tokens is not None:
            return family
        if self.table.rows < TUNING_ROWS:  # so few tell nothing for certain, and models of parts must be alike to merge
            return replace(family, tokens=family.how)
        looked_at = 1 + int(self.table.texts(column, slice(None)).sizes().sum() // PAIRS_BYTES)
        left_out = looked_at * -(-self.table.rows // (looked_at * TUNING_ROWS))
        (texts, y, weight), some = self._texts(column, looked_at), self._texts(column, left_out)

        readers = [replace(family, tokens=replace(family.how, ngrams=ngrams)) for ngrams in ((1, 1), (1, 2))]

        def tally(reader: Text) -> Tallies:
            return reader.how.tally_piece(texts, y, self.classes, weight, reader.fixed)

        tallies = threads.stream(tally, readers)
        (words, words_loss), (pairs, pairs_loss) = (
            reader.tuned_with_loss(tallied, *some) for reader, tallied in zip(readers, tallies, strict=True)
        )
        return pairs if pairs_loss < 0.99 * words_loss else words  # or they are not worth their memory and time

    def _texts(self, column: int, step: int) -> tuple[Texts, Codes, Array | None]:
        """Every so many of a column's texts, with their classes and weights."""
        texts = (self.table if step == 1 else self.table.every(step)).texts(column, slice(None))
        weight = None if self.weight is None else np.ascontiguousarray(self.weight[::step])
        return texts, np.ascontiguousarray(self.y[::step]), weight

    def _reads_as_text(self, column: int) -> bool:
        """Whether a column of strings is text and not categories: long, and mostly different."""
        codes, (labels,) = self.table.categories([column], slice(None), None)
        there = int((codes >= 0).sum())
        if 2 * len(labels) <= there or labels.dtype.kind != "O":
            return False
        *_, times = Tokens().rows(self.table.texts(column, slice(None)), None)
        return bool(times.sum() >= TEXT_WORDS * there)

    def _left_out(self, family: Family, columns: Sequence[int], numbers: Array) -> Array:
        """The log probability of each column, each row left out; -inf for a column that the family cannot read."""
        fits: NDArray[np.bool] = np.ones(len(columns), np.bool)
        if isinstance(family, Poisson):
            fits = self.lowest(columns) >= 0
            numbers = np.where(fits, numbers, 0)
        block, frame = numbers, self._frame(family, columns, numbers)
        if family.reads == "categories":
            block, frame = Plan(family, columns, frame).read(self.table, slice(None), None)
        statistics = family.count(block, self.y, self.classes, self.weight, frame)
        whole = self._whole(columns)
        return np.where(fits, family.left_out_total(statistics, block, self.y, self.weight, frame, whole), -np.inf)

    def _whole(self, columns: Sequence[int]) -> NDArray[np.bool]:
        return np.array([self.table.kinds[j] == "int" for j in columns])

    def frame(self, family: Family, columns: Sequence[int]) -> Frame:
        """The frame of a block; the one it was judged in, if it was."""
        if family.reads != "numbers" or (family.sparse and self.table.kinds[columns[0]] == "sparse"):
            return Frame(self.names(columns))
        tried, frame = self.frames.get(type(family), ((), None))
        place = {j: at for at, j in enumerate(tried)}
        if frame is not None and family == self.with_prior(type(family)) and place.keys() >= set(columns):
            return frame.of([place[j] for j in columns])
        return self._frame(family, columns, self.table.numbers(columns, slice(None)))

    def _frame(self, family: Family, columns: Sequence[int], numbers: Array) -> Frame:
        names = self.names(columns)
        with naming(Frame(names), 0, self.step):
            frame = family.frame(names, numbers, self.y, self.classes, self.weight, self._whole(columns))
        self.frames[type(family)] = columns, frame
        return frame

    def telling_absences(self, missing: Missing) -> list[int]:
        """The columns in which a missing cell is information: all or none as the user says, or where it depends on
        the class more than a left-out count of all classes together explains.
        """
        if missing not in ("ignore", "value", "auto"):
            raise ValueError(f"missing is 'ignore', 'value' or 'auto', not {missing!r}")
        if missing == "ignore":
            return []
        columns = [j for j, kind in enumerate(self.table.kinds) if kind != "sparse"]
        if missing == "value" or not columns:
            return columns
        family = self.with_prior(Bernoulli)
        frame = Frame(self.names(columns))
        block, _ = Plan(family, columns, frame, absence=True).read(self.table, slice(None), None)
        whole = np.zeros(len(columns), np.bool)
        apart, together = (
            family.left_out_total(family.count(block, y, k, self.weight, frame), block, y, self.weight, frame, whole)
            for y, k in ((self.y, self.classes), (np.zeros_like(self.y), 1))
        )
        return [j for j, tells in zip(columns, apart > together, strict=True) if tells]
