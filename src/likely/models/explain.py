"""Why a row gets its scores: the class prior and what each column adds."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.table import Table
from likely.families import Text
from likely.families.family import Array, dense
from likely.models.block import Block
from likely.models.naive_bayes import NaiveBayes
from likely.statistics import Labels
from likely.text import Texts

SHOWN = 4
"""Classes that have a column each in print."""


@dataclass(frozen=True, eq=False)
class Reason:
    """What one column of a row adds to the score of each class."""

    column: Any
    value: Any
    contributions: Array


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

    def __init__(self, model: NaiveBayes, table: Table) -> None:
        model.check_parameters()
        self.model, self.table = model, table

    def _of(self, row: int) -> Reasons:
        reasons: dict[tuple[int, bool], Reason] = {}
        absent = np.zeros(len(self.model.classes))
        texts: list[Reason] = []
        for block in self.model.known.blocks:
            cells = block.read(self.table, slice(row, row + 1))
            if block.family.reads == "text":
                texts += self._of_text(block, cells)
                continue
            row_cells = cells if isinstance(cells, np.ndarray) else dense(cells)
            parts = block.family.contributions(block.parameters, row_cells)[0]
            for at, j in enumerate(block.plan.columns):
                if row_cells is not cells and row_cells[0, at] == 0:
                    absent += parts[:, at]  # of a sparse row only what is there is listed, the rest in one line
                    continue
                name = block.frame.columns[at]
                value = row_cells[0, at]
                if block.frame.cells is not None:
                    value = _label(block.frame.cells[at], value)
                if block.plan.absence:
                    name, value = f"{name} missing", bool(value)
                reasons[j, block.plan.absence] = Reason(name, _plain(value), parts[:, at])
        listed = [reasons[key] for key in sorted(reasons)] + texts
        if absent.any():
            listed.append(Reason("all that is absent", None, absent))
        return Reasons(self.model.classes, self.model.log_prior(), listed)

    def _of_text(self, block: Block, text: Texts) -> Iterator[Reason]:
        """Each word by itself, and what is not known in one line."""
        family = block.family
        assert isinstance(family, Text)
        name = "" if len(self.model.names) == 1 else f"{block.frame.columns[0]}: "
        for word, count, parts in family.reasons(block.parameters, text):
            yield Reason(name + word, count or "", parts)
        unseen = family.unseen(block.parameters, text)
        if unseen:
            yield Reason(name + "not known", ", ".join(unseen[:5]), np.zeros(len(self.model.classes)))


def aligned(lines: list[tuple[str, ...]]) -> str:
    """Lines of cells as text in columns: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def _label(labels: Labels, code: int) -> Any:
    return None if code < 0 else "(new value)" if code == len(labels) else labels[code]


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and np.isnan(value) else value


def _number(value: float) -> str:
    return f"{value:.3f}"


def _cell(value: Any) -> str:
    return "missing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
