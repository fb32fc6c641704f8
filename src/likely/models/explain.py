"""Why a row gets its scores: the class prior and what each column adds."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from likely.data.sample import Array
from likely.data.table import Table
from likely.families.effects import Effects, joined
from likely.families.family import Reason
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned
from likely.statistics import Labels
from likely.tabular import Cells, Tabular, by_class

SHOWN = 4
"""With more classes than this, a printed table shows only the winner and the runner-up."""

PIECE = 1 << 19
"""The number of cells times classes that are explained at a time."""


@dataclass(frozen=True, eq=False)
class Reasons(Tabular):
    """The scores of one row as a sum of the prior and the reasons: log p(x, y), or the linear predictor of logistic
    regression."""

    classes: Labels
    prior: Array
    reasons: list[Reason]
    begins: str = "class prior"
    """The name of the prior; in logistic regression it is a bias."""

    @property
    def scores(self) -> Array:
        return np.asarray(np.sum([self.prior, *(reason.contributions for reason in self.reasons)], axis=0))

    @property
    def first_two(self) -> tuple[int, int]:
        """The positions of the winner and the runner-up among the classes; the same twice if there is only one."""
        order = np.argsort(-self.scores, kind="stable")
        return int(order[0]), int(order[min(1, len(order) - 1)])

    def log_odds(self, contributions: Array) -> float:
        """What contributions add to the log odds of the winner against the runner-up."""
        a, b = contributions[list(self.first_two)]
        return 0.0 if a == b else float(a - b)

    @property
    def ranked(self) -> list[Reason]:
        """The reasons, those that separate the winner from the runner-up most first."""
        return sorted(self.reasons, key=lambda reason: -abs(self.log_odds(reason.contributions)))

    def cells(self) -> Cells:
        """The prior, the ranked reasons and the score: what each adds to the score of each class."""
        ranked = self.ranked
        numbers = [self.prior, *(reason.contributions for reason in ranked), self.scores]
        columns = {
            "column": [self.begins, *(reason.column for reason in ranked), "score"],
            "value": [None, *(reason.value for reason in ranked), None],
            "log odds": [self.log_odds(parts) for parts in numbers],
        }
        return by_class(columns, self.classes, numbers)

    def __str__(self) -> str:
        """A table of the prior, the ranked reasons and the score. With many classes it shows only the winner and the
        runner-up."""
        shown = list(range(len(self.classes)) if len(self.classes) <= SHOWN else self.first_two)

        def line(name: Any, value: str, parts: Array) -> tuple[str, ...]:
            odds = () if len(self.classes) == 1 else (_number(self.log_odds(parts)),)
            return str(name), value, *map(_number, parts[shown]), *odds

        names = self.classes.tolist()
        lines = [("", "", *(str(names[k]) for k in shown), *(() if len(names) == 1 else ("log odds",)))]
        lines.append(line(self.begins, "", self.prior))
        lines += [line(reason.column, _cell(reason.value), reason.contributions) for reason in self.ranked]
        lines.append(line("score", "", self.scores))
        return aligned(lines)


class Strongest(NamedTuple):
    """A reason of a row, with what it adds to the log-odds of the winner against the runner-up."""

    column: Any
    value: Any
    log_odds: float


class Explanations(Tabular):
    """The reasons of each row, computed on demand: `explanation[i]`, or by iteration."""

    table: Table
    classes: Labels
    begins: ClassVar[str] = "class prior"

    @property
    @abstractmethod
    def prior(self) -> Array:
        """The score of each class before any column is seen."""

    @abstractmethod
    def effects(self, rows: slice) -> Effects:
        """What the columns and words of these rows add to the prior."""

    def __len__(self) -> int:
        return self.table.rows

    def __iter__(self) -> Iterator[Reasons]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, row: int) -> Reasons:
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        at = row % len(self)
        return Reasons(self.classes, self.prior, list(self.effects(slice(at, at + 1)).reasons()), self.begins)

    def pieces(self) -> Iterator[slice]:
        """Slices of the rows, with a few megabytes of entries each."""
        step = max(1, PIECE // (max(len(self.table.names), 16) * len(self.classes)))
        return (slice(a, min(a + step, len(self))) for a in range(0, len(self), step))

    def strongest(self, most: int) -> Iterator[list[Strongest]]:
        """For each row, the first `most` reasons of `ranked`, computed for many rows at a time."""
        for piece in self.pieces():
            effects, rows = self.effects(piece), np.arange(piece.stop - piece.start)
            order = np.argsort(-(self.prior + effects.sums(len(rows))), axis=1, kind="stable")
            first, second = order[:, 0], order[:, min(1, order.shape[1] - 1)]
            entry = np.arange(len(effects.rows))
            a, b = effects.adds[entry, first[effects.rows]], effects.adds[entry, second[effects.rows]]
            odds = np.subtract(a, b, out=np.zeros(len(a)), where=a != b)
            ranked = np.lexsort((-np.abs(odds), effects.rows))
            starts = np.searchsorted(effects.rows[ranked], np.append(rows, len(rows)))
            for start, end in pairwise(starts.tolist()):
                kept = (at for at in ranked[start : min(end, start + most)].tolist() if odds[at])
                yield [Strongest(effects.titles[effects.title[at]], effects.value(at), float(odds[at])) for at in kept]

    def cells(self) -> Cells:
        """The reasons of all rows, each with the number of its row."""
        table: dict[str, list[Any]] = {"row": []}
        for row, reasons in enumerate(self):
            for name, values in reasons.cells().items():
                table.setdefault(name, []).extend(values)
            table["row"] += [row] * (len(table["column"]) - len(table["row"]))
        return dict(table)

    def __str__(self) -> str:
        return "\n\n".join(f"row {i}\n{reasons}" for i, reasons in enumerate(self))


class Explanation(Explanations):
    """The explanations of naive Bayes."""

    def __init__(self, model: NaiveBayesModel, table: Table) -> None:
        model.check_parameters()
        self.model, self.table, self.classes = model, table, model.classes

    @cached_property
    def prior(self) -> Array:
        return self.model.log_prior()

    def effects(self, rows: slice) -> Effects:
        """In the order of the columns, then the words of texts, then the absent cells of a sparse row."""
        effects, place = list[Effects](), dict[Any, tuple[float, bool]]()
        scores = np.zeros((rows.stop - rows.start, len(self.classes)))
        alone = len(self.model.names) == 1
        for block in self.model.blocks:
            block.score(self.table, rows, scores)  # raises for a cell that it cannot read
            columns = dict(zip(block.frame.columns, block.columns, strict=True))
            of_block = block.family.effects(block.parameters, block.read(self.table, rows), block.frame, alone)
            effects.append(of_block)
            for title in of_block.titles:
                place.setdefault(title, (columns.get(title, np.inf), block.family.marks_missing))
        return joined(effects, sorted(place, key=lambda title: place[title]))


def explanation(model: Any, table: Table) -> Explanations:
    """The explanations of a model of any kind."""
    if model.counts_rows:
        return Explanation(model, table)
    from likely.models.logistic.reasons import LogisticExplanation

    return LogisticExplanation(model, table)


def _number(value: float) -> str:
    return f"{value:.3f}"


def _cell(value: Any) -> str:
    return "missing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
