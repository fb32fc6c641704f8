"""Which columns depend on the class, by the evidence of `likely.families.evidence`."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.sample import Array
from likely.families import Block
from likely.printing import aligned

SHOWN = 20
"""Columns in print: the most relevant and the least."""


@dataclass(frozen=True, eq=False)
class Relevance:
    """Of each column the log Bayes factor of "depends on the class" against "does not", the largest first."""

    columns: list[Any]
    log_factors: Array

    def __getitem__(self, column: Any) -> float:
        if column not in self.columns:
            raise KeyError(f"there is no column {column!r}")
        return float(self.log_factors[self.columns.index(column)])

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def relevant(self) -> list[Any]:
        """The columns with more evidence for than against."""
        return [column for column, log_factor in zip(self.columns, self.log_factors, strict=True) if log_factor > 0]

    def __str__(self) -> str:
        lines: list[tuple[str, ...]] = [("column", "", "log Bayes factor")]
        lines += [(str(c), "", f"{f:.1f}") for c, f in zip(self.columns, self.log_factors, strict=True)]
        if len(lines) > SHOWN + 1:
            half = SHOWN // 2
            lines = [*lines[: half + 1], (f"{len(lines) - 1 - SHOWN} more", "", "..."), *lines[-half:]]
        return aligned(lines)


def relevance(model: Any) -> Relevance:
    """Of each column that a model has learned; from its sums alone, in closed form.

    A factor above 0 speaks for a column that depends on the class, as its family reads it; a difference of 3 is a
    factor of 20. That cells are missing is a column of its own, where a model counts it.
    """
    blocks: tuple[Block, ...] = getattr(model, "model_", model).blocks
    found = [
        (name, factor)
        for block in blocks
        for name, factor in zip(block.frame.columns, block.family.log_bayes_factor(block).tolist(), strict=True)
    ]
    found.sort(key=lambda pair: -pair[1])
    return Relevance([name for name, _ in found], np.array([factor for _, factor in found]))
