"""Pruning: rare words are removed from what was learned, for a smaller model."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from likely.families import Block
from likely.models.learned import Learned
from likely.printing import percent


@dataclass(frozen=True)
class Pruned:
    """How many words and tokens a column of texts had, and how many are left."""

    column: Hashable
    words: int
    words_left: int
    tokens: float
    tokens_left: float

    def __str__(self) -> str:
        share = self.tokens_left / self.tokens if self.tokens else 1.0
        return f"{self.column}: {self.words_left:,} of {self.words:,} words left, with {percent(share)} of the tokens"


def prune(known: Learned, minimum: float = 0, most: int | None = None) -> tuple[Learned, list[Pruned]]:
    """What was learned without the words counted less than `minimum` times; of the others only the `most` most
    frequent are kept."""
    if most is not None and most < 0:
        raise ValueError(f"most is how many words may stay, 0 or more, not {most}")
    blocks, pruned = list(known.blocks), []
    for at, block in enumerate(blocks):
        if block.family.reads == "text":
            blocks[at], of_block = _without_rare(block, minimum, most)
            pruned.append(of_block)
    if not pruned:
        raise ValueError("there are no words to prune: no column was learned as text")
    return replace(known, blocks=tuple(blocks)), pruned


def _without_rare(block: Block, minimum: float, most: int | None) -> tuple[Block, Pruned]:
    column, tallies = block.frame.columns[0], block.statistics
    if tallies.fixed:
        raise ValueError(f"column {column!r} counts a fixed vocabulary or buckets, and none of them can be pruned")
    counts = tallies.of_words()
    kept = counts >= minimum
    if most is not None:
        first = np.argsort(-np.where(kept, counts, 0.0), kind="stable")[:most]
        kept &= np.isin(np.arange(len(counts)), first)
    left = replace(block, statistics=tallies.of_cells(kept))
    return left, Pruned(column, len(counts), int(kept.sum()), float(counts.sum()), float(counts[kept].sum()))
