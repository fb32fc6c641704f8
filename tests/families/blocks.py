"""Blocks from arrays: what the tests of families, and the laws, hand to a family."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.families import Block, Family
from likely.families.family import Observations
from likely.statistics import Frame, Statistics


def observed(cells: Any, y: Any, classes: int = 0, weight: Any = None, whole: Any = False) -> Observations:
    """These cells with their classes: as many as the highest code says, unless there are more."""
    codes = np.ascontiguousarray(y, np.int32)
    weight = None if weight is None else np.ascontiguousarray(weight, np.float64)
    return Observations(cells, codes, classes or int(codes.max()) + 1, weight, whole)


def block_of(family: Family, statistics: Statistics, frame: Frame, column_weights: Any = None) -> Block:
    """The columns of a frame, in their order, with what was counted of them."""
    return Block(family, range(len(frame.columns)), frame, column_weights, statistics)


def counted(family: Family, seen: Observations, frame: Frame | None = None, column_weights: Any = None) -> Block:
    """The block of some rows, in the frame that the family gives its columns unless there is another."""
    frame = framed(family, seen) if frame is None else frame
    return block_of(family, family.count(seen, frame), frame, column_weights)


def framed(family: Family, seen: Observations, columns: Sequence[Any] | None = None) -> Frame:
    size = 1 if family.reads == "text" else seen.cells.shape[1]
    return family.frame(range(size) if columns is None else columns, seen)


def scored(block: Block, cells: Any, parameters: Any = None) -> np.ndarray:
    """The scores of some cells: rows x classes."""
    out = np.zeros((len(cells) if block.family.reads == "text" else cells.shape[0], block.statistics.classes))
    block.family.score(block.parameters if parameters is None else parameters, cells, out)
    return out


def loo_scored(block: Block, seen: Observations, start: float = 0.0) -> np.ndarray:
    """The scores of rows that the block has counted, each left out, added to what was there."""
    out = np.full((len(seen.y), block.statistics.classes), start)
    block.family.loo_scores(block, seen, out)
    return out
