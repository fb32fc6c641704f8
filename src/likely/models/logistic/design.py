"""The features T(x) of logistic regression: a table as the matrix whose weights are learned.

Each family tells what the scores of its columns are linear in: a number, with its square where classes may differ in
spread; an indicator of each category or bin; how often each word counts. Numbers are brought to mean 0 and deviation 1.
What is missing is 0, which is the mean of a number, and of columns in which something was missing is an indicator.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from likely.data.table import Table
from likely.engines import threads
from likely.families import Bernoulli, Gaussian, Poisson
from likely.families.family import Array, Csr, dense
from likely.families.histogram import LARGEST
from likely.models.block import Block, Plan, naming
from likely.models.describe import value_of
from likely.models.logistic.solver import MOST_ROTATED, MOST_UNKNOWNS
from likely.statistics import Frame, Moments, Tallies, Totals

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Feature = tuple[Any, Any]

Missing = Literal["indicate", "refuse"]

MOST_CELLS = 1 << 27
"""Of a matrix with all its zeros: a gigabyte."""


@dataclass(frozen=True, repr=False)
class Number(Gaussian):
    """A number as it is: what a column of numbers is read by, unless one says otherwise."""

    squares: ClassVar[bool] = False


class Piece(ABC):
    """Some of the features."""

    size: int
    features: Sequence[Feature]
    """(column, None) for the number in a column, (column, value) for the indicator of a value, bin or word."""

    @abstractmethod
    def read(self, table: Table, rows: slice) -> Any:
        """These rows x features, an array or CSR."""

    def original(self, weights: Array) -> tuple[Array, Array]:
        """Weights (outputs x features) of the columns in their own units, and what they add to the bias."""
        return weights, np.zeros(len(weights))


class Numbers(Piece):
    """Numbers, standardised, and after them all their squares if these are wanted."""

    def __init__(self, block: Block, means: Array, scales: Array) -> None:
        self.block, self.means, self.scales = block, means, scales
        self.squares = block.family.squares
        names = block.frame.columns
        self.features = [(name, None) for name in names] + [(name, "squared") for name in names if self.squares]
        self.size = len(self.features)

    def read(self, table: Table, rows: slice) -> Array:
        cells = np.asarray(self.block.read(table, rows), np.float64)
        large = np.abs(cells) > LARGEST
        if large.any():
            row, column = map(int, np.argwhere(large)[0])
            raise ValueError(
                f"logistic regression needs finite numbers, up to 1e150; column {self.block.frame.columns[column]!r}, "
                f"row {(rows.start or 0) + row}, has {cells[row, column]}"
            )
        z = np.nan_to_num((cells - self.means) / self.scales, copy=False)
        return np.hstack([z, z * z]) if self.squares else z

    def original(self, weights: Array) -> tuple[Array, Array]:
        of_numbers = weights[:, : len(self.means)] / self.scales
        bias = -of_numbers @ self.means
        if not self.squares:
            return of_numbers, bias
        of_squares = weights[:, len(self.means) :] / self.scales**2
        return np.hstack([of_numbers - 2 * of_squares * self.means, of_squares]), bias + of_squares @ self.means**2


class Others(Piece):
    """What a family makes of its columns: indicators, bits, or how often tokens count."""

    def __init__(self, block: Block) -> None:
        self.block = block
        texts = block.statistics.starts if isinstance(block.statistics, Tallies) else None
        self.size = int(block.frame.starts[-1]) if texts is None else len(texts) - 1

    @cached_property
    def features(self) -> Sequence[Feature]:  # type: ignore[override]
        block = self.block
        line = block.family.natural(block.parameters, block.frame)
        assert line is not None
        return [(block.frame.columns[at], value_of(block.frame, at, cell)) for at, cell in line.features]

    def read(self, table: Table, rows: slice) -> Any:
        block = self.block
        with naming(block.frame, rows.start or 0):
            found = block.family.features(block.statistics, block.read(table, rows), block.frame)
        if isinstance(found, np.ndarray):
            return np.nan_to_num(np.asarray(found, np.float64))
        return found


class Absences(Piece):
    """Whether the cells of some columns are missing."""

    def __init__(self, names: Sequence[Any], columns: Sequence[int]) -> None:
        """Of these columns of those with these names."""
        self.plan = Plan(Bernoulli(), columns, Frame([names[j] for j in columns]), absence=True)
        self.features = [(name, "missing") for name in self.plan.frame.columns]
        self.size = len(columns)

    def read(self, table: Table, rows: slice) -> Array:
        cells: Array = self.plan.read(table, rows, None)[0]
        return cells


class Bag(Piece):
    """The columns of a sparse matrix as they are."""

    def __init__(self, names: Sequence[Any]) -> None:
        self.names, self.size = names, len(names)

    @property
    def features(self) -> Sequence[Feature]:  # type: ignore[override]
        return [(name, None) for name in self.names]

    def read(self, table: Table, rows: slice) -> Any:
        part = table.numbers(range(self.size), rows, sparse=True)
        part = _csr(part) if isinstance(part, np.ndarray) else part
        finite = np.isfinite(part.data)
        if not finite.all():
            at = int(np.argmin(finite))
            row = int(np.searchsorted(part.indptr, at, side="right")) - 1
            raise ValueError(
                f"logistic regression needs finite numbers; column {self.names[part.indices[at]]!r}, row "
                f"{(rows.start or 0) + row}, has {part.data[at]}"
            )
        part.data = part.data.astype(np.float64, copy=False)
        return _csr(part)


@dataclass(frozen=True, eq=False)
class Design:
    """The features of a table, piece by piece."""

    pieces: tuple[Piece, ...]
    dense: bool

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)

    @cached_property
    def features(self) -> list[Feature]:
        return [feature for piece in self.pieces for feature in piece.features]

    def matrix(self, table: Table, rows: slice) -> tuple[Any, Array | None, Array | None]:
        """These rows, an array or CSR; and the means and deviations by which its columns are yet to be standardised.

        Neither a table of numbers that are all there is copied, nor a sparse matrix.
        """
        only = self.pieces[0]
        if len(self.pieces) == 1 and isinstance(only, Numbers) and not only.squares:
            x = only.block.read(table, rows)
            with np.errstate(over="ignore", invalid="ignore"):
                if np.isfinite(x.sum()):
                    return x, only.means, only.scales
        if len(self.pieces) == 1 and isinstance(only, Bag):
            return only.read(table, rows), None, None
        number = rows.stop - rows.start
        parts = threads.pieces(number, table.row_bytes)
        if not self.dense:
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

    def _sparse(self, table: Table, rows: slice) -> Any:
        from scipy.sparse import hstack

        parts = [_csr(piece.read(table, rows)) for piece in self.pieces]
        return parts[0] if len(parts) == 1 else hstack(parts, "csr")

    def original(self, weights: Array, bias: Array) -> tuple[Array, Array]:
        """Weights and bias of the columns in their own units."""
        told, at = [], 0
        for piece in self.pieces:
            own, more = piece.original(weights[:, at : at + piece.size])
            told.append(own)
            bias = bias + more
            at += piece.size
        return np.hstack(told), bias


def design(
    table: Table, blocks: Sequence[Block], total: float, outputs: int, standardize: bool, missing: Missing
) -> Design:
    """The features of a table that these blocks have counted, its rows with this weight in all."""
    gaps = sorted({j for block in blocks for j in _with_gaps(block, total)})
    if gaps and missing == "refuse":
        raise ValueError(f"column {table.names[gaps[0]]!r} has missing cells; fill them in, or give missing='indicate'")
    pieces = pieces_of(table.names, blocks, gaps, standardize)
    columns = sum(piece.size for piece in pieces)
    few = (columns + 1) * outputs <= MOST_UNKNOWNS or table.rows <= MOST_ROTATED
    texts = any(block.family.reads == "text" for block in blocks)
    return Design(pieces, few and not texts and columns * table.rows <= MOST_CELLS)


def pieces_of(
    names: Sequence[Any], blocks: Sequence[Block], gaps: Sequence[int], standardize: bool
) -> tuple[Piece, ...]:
    """Of blocks of columns with these names, and of the columns in which something was missing."""
    pieces = [_piece(block, standardize) for block in blocks]
    return (*pieces, *([Absences(names, gaps)] if gaps else []))


def _piece(block: Block, standardize: bool) -> Piece:
    family, statistics = block.family, block.statistics
    if family.joint and family.reads != "text":
        raise ValueError(f"logistic regression reads columns one by one, and not as {family!r}; name another family")
    if isinstance(statistics, Moments):
        pooled = statistics.pooled()
        means, variance = pooled.mean, pooled.total / np.maximum(pooled.n, 1e-300)
    elif isinstance(statistics, Totals) and isinstance(family, Poisson):
        means = statistics.total.sum(axis=0) / np.maximum(statistics.seen.sum(axis=0), 1e-300)
        variance = means  # as it would be, were all of one rate
    else:
        return Others(block)
    if not standardize:
        return Numbers(block, np.zeros_like(means), np.ones_like(means))
    flat = variance <= (1e-10 * means) ** 2
    return Numbers(block, means, np.sqrt(np.where(flat | (variance == 0), 1.0, variance)))


def _with_gaps(block: Block, total: float) -> list[int]:
    """The columns of the table in which this block has seen less than everything."""
    present = block.statistics.present.sum(axis=0, dtype=np.float64)
    if len(present) > 1:
        present = np.diff(np.concatenate([[0.0], np.cumsum(present)])[block.frame.starts])
    seen = np.broadcast_to(present, len(block.plan.columns))
    return [j for j, weight in zip(block.plan.columns, seen, strict=True) if weight < total * (1 - 1e-9)]


def _csr(cells: Array | Csr) -> "csr_array":
    from scipy.sparse import csr_array

    if isinstance(cells, np.ndarray):
        return csr_array(cells)
    return csr_array((cells.data, cells.indices, cells.indptr), shape=cells.shape)


def _within(rows: slice, part: slice) -> slice:
    return slice(rows.start + part.start, rows.start + part.stop)
