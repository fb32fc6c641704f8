"""Which columns depend on the class, by the evidence of `likely.families.evidence`; and which pairs of them act
together, by that of `likely.models.choosing.pairs`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from likely.data import Sample, read
from likely.data.sample import Array
from likely.families import Block
from likely.models.choosing.pairs import PairEvidence, ranked_pairs
from likely.printing import aligned

SHOWN = 20
"""Columns in print: the most relevant and the least."""


class PairFactor(NamedTuple):
    """Two columns, and the log Bayes factor of "they act together on the class" against "each by itself"."""

    first: Any
    second: Any
    log_factor: float


@dataclass(frozen=True, eq=False)
class Relevance:
    """Of each column the log Bayes factor of "depends on the class" against "does not", the largest first."""

    columns: list[Any]
    log_factors: Array
    pairs: list[PairFactor] = field(default_factory=list)
    """Pairs of columns with the log Bayes factor of "they act together on the class" against "each by itself", the
    largest first."""

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
        together = [pair for pair in self.pairs[: SHOWN // 2] if pair.log_factor > 0]
        lines += [("act together", "", ""), *(_line(pair) for pair in together)] if together else []
        return aligned(lines)


def relevance(model: Any, X: Any = None, y: Any = None) -> Relevance:
    """Of each column that a model has learned; from its sums alone, in closed form. With rows and their classes, or of
    a blend that has looked for pairs, also of each pair of columns.

    A factor above 0 speaks for a column that depends on the class, as its family reads it; a difference of 3 is a
    factor of 20. That cells are missing is a column of its own, where a model counts it.
    """
    known = getattr(model, "model_", model)
    blocks: tuple[Block, ...] = (
        known.blocks if known.counts_rows or known.generative is None else known.generative.blocks
    )
    found = [
        (name, factor)
        for block in blocks
        for name, factor in zip(block.frame.columns, block.family.log_bayes_factor(block).tolist(), strict=True)
    ]
    found.sort(key=lambda pair: -pair[1])
    return Relevance([name for name, _ in found], np.array([factor for _, factor in found]), _pairs(known, X, y))


def _pairs(model: Any, x: Any, y: Any) -> list[PairFactor]:
    if x is not None:
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        evidence: Sequence[PairEvidence] = ranked_pairs(Sample(read(x), codes.astype(np.int32), classes))
    else:
        evidence = () if model.counts_rows else model.known.evidence
    names = model.names
    return [PairFactor(names[pair.first], names[pair.second], pair.log_factor) for pair in evidence]


def _line(pair: PairFactor) -> tuple[str, ...]:
    return f"{pair.first} × {pair.second}", "", f"{pair.log_factor:.1f}"
