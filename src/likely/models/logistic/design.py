"""The features T(x) of logistic regression: a table as a matrix of features.

They are the features of each block (`piece.py`). A missing cell is 0, which is the mean of a standardised number, and
each column that had missing cells has an indicator for them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from likely.data.sample import Array, Sample
from likely.data.sparse import Csr
from likely.data.table import Table
from likely.engines import threads
from likely.families import Block, Gaussian, Missing, Number, Plan, SparseNumber
from likely.families.cells import dense
from likely.limits import Feature
from likely.models.learned import Learned, count
from likely.models.logistic.grid import Grid, axes_of, curves
from likely.models.logistic.piece import Piece, standardising
from likely.optimize.softmax.solver import MOST_ROTATED, MOST_UNKNOWNS
from likely.statistics import Frame

if TYPE_CHECKING:
    from scipy.sparse import csr_array

IndicatesMissing = Literal["indicate", "refuse"]

ChosenReading = Literal["family", "curve", "knots"]
READINGS: tuple[ChosenReading, ...] = ("curve", "knots", "family")
"""The ways to read numbers that are tried if you leave it open: as x and x^2; as x, x^2 and a curve between knots; or
as the features of the naive Bayes family, such as indicators of bins for a histogram."""

KNOTS = 10
"""The number of knots of a column's curve."""

NUMBERS = ("int", "float")
MOSTLY_ZERO = 8
"""With more features than this for each column, the matrix is sparse."""
PART = 1 << 20
"""Bytes of a table to read at a time into one matrix, so that intermediate results stay small."""
MOST_CELLS = 1 << 27
"""The most cells of a dense matrix: a gigabyte."""


@dataclass(frozen=True, eq=False)
class Design:
    """The features of a table, piece by piece."""

    pieces: "tuple[Piece | Grid, ...]"
    dense: bool

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the rows learned, from which features are computed."""
        blocks = (piece.block for piece in self.pieces if isinstance(piece, Piece))
        return tuple(block for block in blocks if block.statistics is not None)

    @property
    def absent(self) -> Sequence[int]:
        """The columns that had missing cells."""
        marks = (piece.block for piece in self.pieces if isinstance(piece, Piece) and piece.block.statistics is None)
        return next((block.columns for block in marks if block.family.marks_missing), ())

    @property
    def grids(self) -> "list[Grid]":
        return [piece for piece in self.pieces if isinstance(piece, Grid)]

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        """The names of both columns of each pair that has an interaction term."""
        terms = [(grid, grid.terms[at]) for grid in self.grids for at in grid.surfaces]
        return [(grid.axes[a].name, grid.axes[b].name) for grid, (a, b) in terms]

    @property
    def products(self) -> bool:
        """Whether the product of every two numbers is a feature."""
        return any(not grid.nodes for grid in self.grids)

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)

    def start(self, block: Block) -> int | None:
        """The position of the first feature of a block; None if it has no features in this design."""
        starts = accumulate((piece.size for piece in self.pieces), initial=0)
        of_blocks = (
            (piece.block, at) for piece, at in zip(self.pieces, starts, strict=False) if isinstance(piece, Piece)
        )
        return next((at for other, at in of_blocks if other is block), None)

    @cached_property
    def features(self) -> list[Feature]:
        return [feature for piece in self.pieces for feature in piece.features]

    def matrix(self, table: Table, rows: slice, few: int = -1) -> tuple[Any, Array | None, Array | None]:
        """These rows as an array or CSR; and the means and deviations to standardise its columns with, or None if they
        are standardised already. Up to `few` numbers are always an array.

        A table of numbers without missing cells is not copied, nor is a sparse matrix.
        """
        only = self.pieces[0] if len(self.pieces) == 1 and isinstance(self.pieces[0], Piece) else None
        if only is not None and only.plain and only.block.family.sparse:
            return _csr(only.read(table, rows)), None, None
        if only is not None and only.plain and only.standard is not None:
            x = only.block.read(table, rows)
            with np.errstate(over="ignore", invalid="ignore"):
                if np.isfinite(x.sum()):
                    return x, *only.standard
        number = rows.stop - rows.start
        parts = threads.pieces(number, table.row_bytes)
        if not self.dense and number * self.size > few:
            from scipy.sparse import vstack

            matrices = list(threads.each(lambda part: self._sparse(table, _within(rows, part)), parts))
            return vstack(matrices, "csr"), None, None
        out = np.empty((number, self.size))

        def fill(part: slice) -> None:
            at = 0
            for piece in self.pieces:
                cells = piece.read(table, _within(rows, part))
                out[part, at : at + piece.size] = cells if isinstance(cells, np.ndarray) else dense(cells)
                at += piece.size

        threads.run(fill, parts)
        return out, None, None

    def compact(self, table: Table) -> "csr_array":
        """All rows as CSR in half the memory, for margins: values are float32, and positions int32 for up to two
        billion values."""
        from scipy.sparse import csr_array

        def read(part: slice) -> Csr:
            x = self._sparse(table, part)
            return Csr(np.diff(x.indptr), x.indices.astype(np.int32, copy=False), x.data.astype(np.float32), x.shape)

        sizes, end, done = list[Array](), 0, 0
        whole = indices, data = np.empty(0, np.int32), np.empty(0, np.float32)
        for part in threads.stream(read, _chunks(table.rows, max(1, PART // max(table.row_bytes, 1)))):
            sizes.append(part.indptr)
            start, end, done = end, end + len(part.data), done + part.shape[0]
            if end > len(data):  # the expected size for all rows, since growing in many steps fragments memory
                _resize(whole, max(end, round(1.05 * end * table.rows / done)))
            indices[start:end], data[start:end] = part.indices, part.data
        _resize(whole, end)
        starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
        index = np.int32 if end <= np.iinfo(np.int32).max else np.int64
        return csr_array((data, indices.astype(index, copy=False), starts.astype(index)), shape=(table.rows, self.size))

    def _sparse(self, table: Table, rows: slice) -> Any:
        from scipy.sparse import hstack

        parts = [_csr(piece.read(table, rows)) for piece in self.pieces]
        return parts[0] if len(parts) == 1 else hstack(parts, "csr")

    def original(self, weights: Array, bias: Array) -> tuple[Array, Array]:
        """Weights and bias for features in their original units, before they are standardised."""
        of_pieces, at = [], 0
        for piece in self.pieces:
            own, more = piece.original(weights[:, at : at + piece.size])
            of_pieces.append(own)
            bias = bias + more
            at += piece.size
        return np.hstack(of_pieces), bias


def design(
    counted: Learned, rows: int, standardize: bool, missing: IndicatesMissing, grids: "Sequence[Grid]" = ()
) -> Design:
    """The features of blocks that have counted the rows, and of grids. The number of rows decides whether they are
    dense."""
    total, names = float(counted.class_counts.sum()), counted.names
    gaps = sorted({j for block in counted.blocks for j, seen in _seen(block) if seen < total * (1 - 1e-9)})
    if gaps and missing == "refuse":
        raise ValueError(f"column {names[gaps[0]]!r} has missing cells; fill them in, or give missing='indicate'")
    pieces = pieces_of(counted.blocks, gaps, names, standardize)
    mostly_zero = any(grid.nodes for grid in grids) or sum(piece.size for piece in pieces) > MOSTLY_ZERO * len(names)
    columns = sum(piece.size for piece in pieces) + sum(grid.size for grid in grids)
    outputs = 1 if len(counted.classes) == 2 else len(counted.classes)
    few = (columns + 1) * outputs <= MOST_UNKNOWNS or rows <= MOST_ROTATED
    texts = any(block.family.reads == "text" for block in counted.blocks)
    return Design((*pieces, *grids), few and not texts and not mostly_zero and columns * rows <= MOST_CELLS)


def read_as(reading: ChosenReading, known: Learned, sample: Sample) -> "tuple[Learned, list[Grid]]":
    """The blocks of naive Bayes with its numbers read in another way, and the grids of that reading."""
    table = sample.table
    if reading == "family":
        return _with_numbers(known, sample), []
    numbers = [j for block in known.blocks if block.family.numeric for j in block.columns if table.kinds[j] in NUMBERS]
    numbers = sorted(set(numbers))
    kept = [(block, np.array([j not in numbers for j in block.columns])) for block in known.blocks]
    kept = [(block, of_block if block.family.numeric else of_block | True) for block, of_block in kept]
    others = sorted(
        (block.of(of_block) for block, of_block in kept if of_block.any()), key=lambda block: block not in known.blocks
    )
    plan = Plan(Gaussian(), numbers, Frame([table.names[j] for j in numbers]))
    blocks = (*others, *(count([plan], sample).blocks if numbers else ()))
    axes = [axis for axis in axes_of(sample, numbers, KNOTS).values() if len(axis.nodes) > 2]
    return replace(known, blocks=blocks), [curves(axes)] if reading == "knots" and axes else []


def _with_numbers(known: Learned, sample: Sample) -> Learned:
    plans = numbers_of_bins(known.blocks, sample.table.names)
    return replace(known, blocks=(*known.blocks, *count(plans, sample).blocks)) if plans else known


def numbers_of_bins(plans: Sequence[Plan], names: Sequence[Any]) -> list[Plan]:
    """Plans that add the number x to the indicators of its bins: a trend then needs one weight, not one for each
    bin."""
    binned = sorted(j for plan in plans if plan.family.stepwise for j in plan.columns)
    return [Plan(Number(), binned, Frame([names[j] for j in binned]))] if binned else []


def pieces_of(
    blocks: Sequence[Block], gaps: Sequence[int], names: Sequence[Any], standardize: bool
) -> tuple[Piece, ...]:
    """The pieces of the blocks, and of the indicators of columns with missing cells (`gaps`)."""
    pieces = [Piece(block, standardising(block, standardize)) for block in blocks]
    if gaps:
        pieces.append(Piece(Block(Missing(), gaps, Frame([f"{names[j]} missing" for j in gaps]))))
    return tuple(pieces)


def sparse_design(names: Sequence[Any]) -> Design:
    """The columns of a sparse matrix as they are."""
    return Design((Piece(Block(SparseNumber(), range(len(names)), Frame(names))),), dense=False)


def _seen(block: Block) -> Iterator[tuple[int, float]]:
    return zip(block.columns, block.seen().tolist(), strict=True)


def _csr(cells: "Array | Csr") -> "csr_array":
    from scipy.sparse import csr_array

    if isinstance(cells, np.ndarray):
        return csr_array(cells)
    data = cells.data.astype(np.float64, copy=False)
    return csr_array((data, cells.indices, cells.indptr), shape=cells.shape)


def _resize(arrays: tuple[Any, ...], size: int) -> None:
    for array in arrays:
        array.resize(size, refcheck=False)


def _chunks(rows: int, size: int) -> list[slice]:
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]


def _within(rows: slice, part: slice) -> slice:
    return slice(rows.start + part.start, rows.start + part.stop)
