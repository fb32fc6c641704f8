"""Why a row gets its scores: the class prior and what each column adds."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.sample import Array
from likely.data.table import Table
from likely.families.family import Reason
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned
from likely.statistics import Labels

SHOWN = 4
"""Classes that have a column each in print."""


@dataclass(frozen=True, eq=False)
class Reasons:
    """One row: the prior and the reasons, which sum to the scores: log p(x, y), or what logistic regression has."""

    classes: Labels
    prior: Array
    reasons: list[Reason]
    begins: str = "class prior"
    """What the prior is called: of weights that were fitted it is a bias."""

    @property
    def scores(self) -> Array:
        return np.asarray(np.sum([self.prior, *(reason.contributions for reason in self.reasons)], axis=0))

    @property
    def first_two(self) -> tuple[int, int]:
        """The positions of the winner and the runner-up among the classes; the same twice if there is but one."""
        order = np.argsort(-self.scores, kind="stable")
        return int(order[0]), int(order[min(1, len(order) - 1)])

    def log_odds(self, contributions: Array) -> float:
        """What contributions add to the log odds of the winner against the runner-up."""
        a, b = contributions[list(self.first_two)]
        return 0.0 if a == b else float(a - b)

    @property
    def ranked(self) -> list[Reason]:
        """The reasons in the order in which they part the winner from the runner-up."""
        return sorted(self.reasons, key=lambda reason: -abs(self.log_odds(reason.contributions)))

    def __str__(self) -> str:
        """A table: the prior, then the reasons as ranked. Of many classes, the winner and the runner-up."""
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


class Explanations(ABC):
    """The reasons of each row, worked out when asked for: `explanation[i]`, or all in turn."""

    table: Table

    def __len__(self) -> int:
        return self.table.rows

    def __iter__(self) -> Iterator[Reasons]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, row: int) -> Reasons:
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        return self._of(row % len(self))

    @abstractmethod
    def _of(self, row: int) -> Reasons: ...

    def __str__(self) -> str:
        return "\n\n".join(f"row {i}\n{reasons}" for i, reasons in enumerate(self))


class Explanation(Explanations):
    """Of naive Bayes."""

    def __init__(self, model: NaiveBayesModel, table: Table) -> None:
        model.check_parameters()
        self.model, self.table = model, table

    def _of(self, row: int) -> Reasons:
        """In the order of the columns, then the words of texts, then what is absent of a sparse row."""
        found: list[tuple[tuple[float, bool], Reason]] = []
        alone = len(self.model.names) == 1
        for block in self.model.blocks:
            place = dict(zip(block.frame.columns, block.columns, strict=True))
            cells = block.read(self.table, slice(row, row + 1))
            for reason in block.family.reasons(block.parameters, cells, block.frame, alone):
                found.append(((place.get(reason.column, np.inf), block.family.marks_missing), reason))
        found.sort(key=lambda pair: pair[0])
        return Reasons(self.model.classes, self.model.log_prior(), [reason for _, reason in found])


def _number(value: float) -> str:
    return f"{value:.3f}"


def _cell(value: Any) -> str:
    return "missing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
