"""Helpers for the cells of a block, dense or sparse."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.sparse import Csr
from likely.errors import BadCell, Degenerate

Array = NDArray[np.float64]
Codes = NDArray[np.int32]


def check(position: int, block: Any, needs: str) -> None:
    """Raises BadCell if a kernel returned the position of a cell that it could not read; -1 is none."""
    if position < 0:
        return
    if isinstance(block, np.ndarray):
        row, column = divmod(position, block.shape[1])
        raise BadCell(needs, row, column, block[row, column], in_block=True)
    row = int(np.searchsorted(block.indptr, position, side="right")) - 1
    raise BadCell(needs, row, int(block.indices[position]), block.data[position], in_block=True)


def must_exist(parameters: NDArray[np.bool], else_: str) -> None:
    """Raises Degenerate for the first class and column that has no parameters."""
    if not parameters.all():
        of_class, column = map(int, np.argwhere(~parameters)[0])
        raise Degenerate(else_, of_class, column, "give it a prior, or leave the column out")


def csr(block: Csr) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The three arrays of a sparse block, which kernels take as arguments."""
    return block.indptr, block.indices, block.data


def dense(block: Csr) -> Array:
    """A sparse block as a dense array."""
    array = np.zeros(block.shape)
    array[np.repeat(np.arange(block.shape[0]), np.diff(block.indptr)), block.indices] = block.data
    return array


def taken(block: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of a block, dense or sparse."""
    if hasattr(block, "__getitem__"):
        return block[rows]
    sizes = np.diff(block.indptr)[rows]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(block.indptr.dtype)
    at = np.repeat(block.indptr[rows] - indptr[:-1], sizes) + np.arange(indptr[-1])
    shape = len(rows), block.shape[1]
    return replace(block, indptr=indptr, indices=block.indices[at], data=block.data[at], shape=shape)


def without(sums: NDArray[Any], own: NDArray[Any] | float) -> Array:
    """Sums minus what a row added to them; 0 where only rounding error is left."""
    left = sums - own
    return np.where(left <= 1e-9 * np.abs(own), 0.0, left)


def log_share(above: Array, below: Array) -> Array:
    """log(above / below); -inf where `above` is 0, even if `below` is 0 too."""
    with np.errstate(divide="ignore"):
        logs = np.log(above)
    logs -= np.log(below, out=np.zeros(np.shape(below)), where=np.asarray(below) > 0)
    return np.asarray(logs)


def terms(x: Array, weights: Array) -> Array:
    """x times weight; 0 where x is 0 or missing, even if the weight is infinite."""
    with np.errstate(invalid="ignore"):
        return np.where((x == 0) | np.isnan(x), 0.0, x * weights)


def stored(cells: Csr) -> tuple[Codes, Array]:
    """The row and the value of each stored cell."""
    row = np.repeat(np.arange(cells.shape[0], dtype=np.int32), np.diff(cells.indptr))
    return row, np.asarray(cells.data, np.float64)


def ratio(above: Any, below: Any, otherwise: float = 0.0) -> Array:
    """above / below; `otherwise` where `below` is not above 0."""
    out = np.full(np.broadcast_shapes(np.shape(above), np.shape(below)), otherwise)
    return np.asarray(np.divide(above, below, out=out, where=np.asarray(below) > 0))
