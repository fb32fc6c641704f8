"""The features T(x) of logistic regression: a table as the matrix whose weights are learned.

Each family says what the scores of its columns are linear in: a number, with its square where classes may differ in
spread; an indicator of each category or bin; how often each word counts. Numbers are brought to mean 0 and deviation 1.
What is missing is 0, which is the mean of a number, and of columns in which something was missing is an indicator.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from likely.data.sample import Array, Sample
from likely.data.sparse import Csr
from likely.data.table import Table
from likely.engines import threads
from likely.families import Block, Family, Gaussian, Missing, Number, Plan, SparseNumber
from likely.families.block import naming
from likely.families.cells import dense
from likely.families.effects import Effects, first_seen
from likely.families.formula import LARGEST
from likely.models.learned import Learned, count
from likely.models.logistic.grid import Grid, axes_of, curves
from likely.optimize.softmax.solver import MOST_ROTATED, MOST_UNKNOWNS
from likely.statistics import Frame

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Feature = tuple[Any, Any]
"""(column, None) for the number in a column, (column, value) for the indicator of a value, bin or word."""

IndicatesMissing = Literal["indicate", "refuse"]

ChosenReading = Literal["family", "curve", "knots"]
READINGS: tuple[ChosenReading, ...] = ("curve", "knots", "family")
"""How numbers are read where the choice is left open: as x and x^2; as these and a curve between knots; or by what the
scores of naive Bayes are linear in, the indicators of bins for a histogram."""

KNOTS = 10
"""Of a column's curve."""

NUMBERS = ("int", "float")
MOSTLY_ZERO = 8
"""Features for each column from which on a matrix is held without its zeros."""
PART = 1 << 20
"""Bytes of a table that are read at a time where all is held in memory: what is in the works then stays small."""
MOST_CELLS = 1 << 27
"""Of a matrix with all its zeros: a gigabyte."""


class Standardising(NamedTuple):
    """How features are brought to mean 0 and deviation 1."""

    means: Array
    scales: Array


@dataclass(frozen=True, eq=False)
class Piece:
    """The features of one block: those of its family, standardised, and after them their squares if they are wanted."""

    block: Block
    standard: Standardising | None = None

    @property
    def squares(self) -> bool:
        return self.standard is not None and self.block.family.squares

    @cached_property
    def positions(self) -> Sequence[tuple[int, int | str | None]]:
        """Of each feature, the position of its column in the block, and what it is of there."""
        own = list(self.block.family.feature_names(self.block))
        return own + [(j, "squared") for j, _ in own] if self.squares else own

    @property
    def features(self) -> list[Feature]:
        frame = self.block.frame
        return [(frame.columns[j], frame.value_of(j, cell)) for j, cell in self.positions]

    @property
    def size(self) -> int:
        return self.block.family.feature_count(self.block) * (2 if self.squares else 1)

    @property
    def plain(self) -> bool:
        """Whether features are the cells themselves."""
        return type(self.block.family).features is Family.features and not self.squares

    def read(self, table: Table, rows: slice) -> "Array | Csr":
        """These rows x features."""
        frame, first = self.block.frame, rows.start or 0
        with naming(frame, first):
            cells = self.block.family.features(self.block, self.block.read(table, rows))
        if not isinstance(cells, np.ndarray):
            _check(cells, np.isfinite(cells.data), self, first)
            return cells
        x = np.asarray(cells, np.float64)
        if self.standard is None:
            return np.nan_to_num(x)
        _check(x, ~(np.abs(x) > LARGEST), self, first)
        z = np.nan_to_num((x - self.standard.means) / self.standard.scales, copy=False)
        return np.hstack([z, z * z]) if self.squares else z

    def original(self, weights: Array) -> tuple[Array, Array]:
        """Weights (outputs x features) of the columns in their own units, and what they add to the bias."""
        if self.standard is None:
            return weights, np.zeros(len(weights))
        means, scales = self.standard
        linear = weights[:, : len(means)] / scales
        bias = -linear @ means
        if not self.squares:
            return linear, bias
        square = weights[:, len(means) :] / scales**2
        return np.hstack([linear - 2 * square * means, square]), bias + square @ means**2

    def effects(self, table: Table, rows: slice, weights: Array, alone: bool) -> Effects:
        """What the features of rows add, by column; of a text by word, with its name unless it is `alone`."""
        block, cells = self.block, self.read(table, rows)
        if isinstance(cells, np.ndarray):
            row, feature = np.nonzero(cells)
            x = cells[row, feature]
        else:
            row, feature, x = np.repeat(np.arange(cells.shape[0]), np.diff(cells.indptr)), cells.indices, cells.data
        raw, frame, family = block.read(table, rows), block.frame, block.family
        used, title = first_seen(feature)
        positions = [self.positions[f] for f in used.tolist()]
        titles = [
            frame.columns[j] if family.domain != "text" else cell if alone else f"{frame.columns[j]}: {cell}"
            for j, cell in positions
        ]

        def value(at: int) -> Any:
            j, _ = positions[title[at]]
            in_column = family.domain != "text" and isinstance(raw, np.ndarray)
            return family.value(raw[row[at], j], frame, j) if in_column else x[at].item()

        return Effects(row, titles, title, x[:, None] * weights.T[feature], value)


@dataclass(frozen=True, eq=False)
class Design:
    """The features of a table, piece by piece."""

    pieces: "tuple[Piece | Grid, ...]"
    dense: bool

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What was counted of the rows learned, by which features are made."""
        found = (piece.block for piece in self.pieces if isinstance(piece, Piece))
        return tuple(block for block in found if block.statistics is not None)

    @property
    def absent(self) -> Sequence[int]:
        """The columns in which something was missing."""
        marks = (piece.block for piece in self.pieces if isinstance(piece, Piece) and piece.block.statistics is None)
        return next((block.columns for block in marks if block.family.marks_missing), ())

    @property
    def grids(self) -> "list[Grid]":
        return [piece for piece in self.pieces if isinstance(piece, Grid)]

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        """The names of both columns of each pair that has a surface of its own."""
        terms = [(grid, grid.terms[at]) for grid in self.grids for at in grid.surfaces]
        return [(grid.axes[a].name, grid.axes[b].name) for grid, (a, b) in terms]

    @property
    def products(self) -> bool:
        """Whether every two numbers have their product."""
        return any(not grid.nodes for grid in self.grids)

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)

    def start(self, block: Block) -> int | None:
        """Where the features of a block begin; None if it has none here."""
        starts = accumulate((piece.size for piece in self.pieces), initial=0)
        of_blocks = (
            (piece.block, at) for piece, at in zip(self.pieces, starts, strict=False) if isinstance(piece, Piece)
        )
        return next((at for other, at in of_blocks if other is block), None)

    @cached_property
    def features(self) -> list[Feature]:
        return [feature for piece in self.pieces for feature in piece.features]

    def matrix(self, table: Table, rows: slice, few: int = -1) -> tuple[Any, Array | None, Array | None]:
        """These rows, an array or CSR; and the means and deviations by which its columns are yet to be standardised.
        Up to `few` numbers are an array in any case.

        Neither a table of numbers that are all there is copied, nor a sparse matrix.
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

            found = list(threads.each(lambda part: self._sparse(table, _within(rows, part)), parts))
            return vstack(found, "csr"), None, None
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
        """All rows as CSR, in float32 and, up to two billion values, int32: half of the memory, for margins."""
        from scipy.sparse import csr_array

        def read(part: slice) -> Csr:
            x = self._sparse(table, part)
            return Csr(np.diff(x.indptr), x.indices.astype(np.int32, copy=False), x.data.astype(np.float32), x.shape)

        sizes, end, done = list[Array](), 0, 0
        whole = indices, data = np.empty(0, np.int32), np.empty(0, np.float32)
        for part in threads.stream(read, _chunks(table.rows, max(1, PART // max(table.row_bytes, 1)))):
            sizes.append(part.indptr)
            start, end, done = end, end + len(part.data), done + part.shape[0]
            if end > len(data):  # as much as all rows will have if they are like these: arrays that grow leave holes
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
        """Weights and bias of the columns in their own units."""
        found, at = [], 0
        for piece in self.pieces:
            own, more = piece.original(weights[:, at : at + piece.size])
            found.append(own)
            bias = bias + more
            at += piece.size
        return np.hstack(found), bias


def design(
    counted: Learned, rows: int, standardize: bool, missing: IndicatesMissing, grids: "Sequence[Grid]" = ()
) -> Design:
    """The features of a table whose blocks have counted its rows, by how many there are, and of grids."""
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
    """The blocks of naive Bayes with its numbers read otherwise, and the grids of that reading."""
    table = sample.table
    if reading == "family":
        return _with_numbers(known, sample), []
    numbers = [j for block in known.blocks if block.family.numeric for j in block.columns if table.kinds[j] in NUMBERS]
    numbers = sorted(set(numbers))
    kept = [(block, np.array([j not in numbers for j in block.columns])) for block in known.blocks]
    kept = [(block, some if block.family.numeric else some | True) for block, some in kept]
    others = sorted((block.of(some) for block, some in kept if some.any()), key=lambda block: block not in known.blocks)
    plan = Plan(Gaussian(), numbers, Frame([table.names[j] for j in numbers]))
    blocks = (*others, *(count([plan], sample).blocks if numbers else ()))
    axes = [axis for axis in axes_of(sample, numbers, KNOTS).values() if len(axis.nodes) > 2]
    return replace(known, blocks=blocks), [curves(axes)] if reading == "knots" and axes else []


def _with_numbers(known: Learned, sample: Sample) -> Learned:
    plans = numbers_of_bins(known.blocks, sample.table.names)
    return replace(known, blocks=(*known.blocks, *count(plans, sample).blocks)) if plans else known


def numbers_of_bins(plans: Sequence[Plan], names: Sequence[Any]) -> list[Plan]:
    """Plans that add x itself to its bins: a trend costs one weight, not one for each bin."""
    binned = sorted(j for plan in plans if plan.family.stepwise for j in plan.columns)
    return [Plan(Number(), binned, Frame([names[j] for j in binned]))] if binned else []


def pieces_of(
    blocks: Sequence[Block], gaps: Sequence[int], names: Sequence[Any], standardize: bool
) -> tuple[Piece, ...]:
    """Of blocks, and of the columns in which something was missing."""
    pieces = [Piece(block, _standardising(block, standardize)) for block in blocks]
    if gaps:
        pieces.append(Piece(Block(Missing(), gaps, Frame([f"{names[j]} missing" for j in gaps]))))
    return tuple(pieces)


def sparse_design(names: Sequence[Any]) -> Design:
    """The columns of a sparse matrix as they are."""
    return Design((Piece(Block(SparseNumber(), range(len(names)), Frame(names))),), dense=False)


def _standardising(block: Block, standardize: bool) -> Standardising | None:
    family = block.family
    if family.joint and family.reads != "text":
        raise ValueError(f"logistic regression reads columns one by one, and not as {family!r}; name another family")
    found = family.feature_scale(block)
    if found is None:
        return None
    means, variance = found
    if not standardize:
        return Standardising(np.zeros_like(means), np.ones_like(means))
    flat = (variance <= (1e-10 * means) ** 2) | (variance == 0)
    return Standardising(means, np.sqrt(np.where(flat, 1.0, variance)))


def _seen(block: Block) -> Iterator[tuple[int, float]]:
    return zip(block.columns, block.seen().tolist(), strict=True)


def _check(cells: Any, good: Any, piece: Piece, first_row: int) -> None:
    """Raises for the first cell that is not good, with its column and row."""
    if good.all():
        return
    at = int(np.argmin(good))
    if isinstance(cells, np.ndarray):
        (row, feature), value = divmod(at, cells.shape[1]), cells.ravel()[at]
    else:
        row, feature = int(np.searchsorted(cells.indptr, at, side="right")) - 1, cells.indices[at]
        value = cells.data[at]
    name = piece.block.frame.columns[piece.positions[feature][0]]
    up_to = ", up to 1e150" if isinstance(cells, np.ndarray) else ""
    raise ValueError(
        f"logistic regression needs finite numbers{up_to}; column {name!r}, row {first_row + row}, has {value}"
    )


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
