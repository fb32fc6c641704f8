"""The contract of a family: one likelihood p(x | y) for a block of columns.

A family is a value: its options and its prior. It keeps nothing of the data; what it counts is statistics, and what it
scores with is parameters derived from them. A block is rows x columns:

- numbers, in which NaN is a missing cell; a `sparse` family also takes a CSR matrix, where what is not stored is 0;
- or, for a family that reads categories, int32 codes into the frame's cells: -1 is missing, and the code after a
  column's last is a value not seen before;
- or, for a family that reads text, one column of `likely.text.Texts`.

Missing cells add nothing to counts and nothing to scores. To add a family: one file like `poisson.py`, one test file,
and its line in `likely.families.FAMILIES`; the laws in tests/laws then run on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.priors import Prior, short
from likely.statistics import Frame, Statistics

Array = NDArray[np.float64]
Codes = NDArray[np.int32]


class Csr(Protocol):
    """What is used of a scipy CSR matrix or array."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]
    shape: tuple[int, int]


class Rows(NamedTuple):
    """Such a matrix without scipy, which takes 0.1 s to load."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]
    shape: tuple[int, int]


class BadCell(ValueError):
    """A cell that the family cannot read, by its place in the block."""

    def __init__(self, needs: str, row: int, column: int, value: Any) -> None:
        super().__init__(f"{needs}; column {column}, row {row}, has {value}")
        self.needs, self.row, self.column, self.value = needs, row, column, value


class Degenerate(ValueError):
    """Parameters that do not exist, by the class and the column of the block, where they are those of one."""

    def __init__(self, what: str, of_class: int | None, column: int | None, instead: str) -> None:
        for_column = "" if column is None else f" for column {column}"
        in_class = "" if of_class is None else f" in class {of_class}"
        super().__init__(f"{what}{for_column}{in_class}; {instead}")
        self.what, self.of_class, self.column, self.instead = what, of_class, column, instead


class Parameter(NamedTuple):
    """A line of a model's description: one parameter of one column, for all classes."""

    column: int
    name: str
    values: Array


class Line(NamedTuple):
    """Scores as weights @ features + bias. A feature is a column, or one cell or word of it."""

    weights: Array
    bias: Array
    features: Sequence[tuple[int, int | str | None]]


class Family(ABC):
    """See the module's text. In all methods `y` holds class codes and `weight` is None where every row counts once."""

    prior: Prior
    reads: ClassVar[Literal["numbers", "categories", "text"]] = "numbers"
    sparse: ClassVar[bool] = False
    draws: ClassVar[bool] = True
    """Whether it describes rows, so that some can be drawn and parameters have a posterior."""
    joint: ClassVar[bool] = False
    """Whether its columns belong together, so that those given together are a block of their own."""
    squares: ClassVar[bool] = False
    """Whether the squares of its features are features too."""

    def __repr__(self) -> str:
        return short(self)

    def frame(
        self,
        columns: Sequence[Any],
        block: Any,
        y: Codes,
        classes: int,
        weight: Array | None,
        whole: NDArray[np.bool],
    ) -> Frame:
        """The frame in which these columns will be counted; `whole` marks the columns of whole numbers.

        Only a family that must look at values first, to cut bins, does anything here.
        """
        return Frame(columns)

    @abstractmethod
    def count(self, block: Any, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Statistics:
        """The statistics of these rows. Raises BadCell for a value that the family cannot read."""

    @abstractmethod
    def estimate(self, statistics: Any, frame: Frame) -> Any:
        """Parameters from statistics and prior."""

    @abstractmethod
    def score(self, parameters: Any, block: Any, out: Array) -> None:
        """Adds log p(x | y) of each row and class to out, rows x classes."""

    def score_by(self, parameters: Sequence[Any], which: Codes, block: Any, out: Array) -> None:
        """As `score`, each row with those of several parameters that have its number in `which`."""
        order = np.argsort(which.astype(np.min_scalar_type(len(parameters))), kind="stable")  # few bits sort by radix
        ends = np.searchsorted(which[order], np.arange(len(parameters)), side="right")
        for of_set, start, end in zip(parameters, [0, *ends], ends, strict=False):
            rows = order[start:end]
            scores = out[rows]
            if len(rows):
                self.score(of_set, taken(block, rows), scores)
            out[rows] = scores

    @abstractmethod
    def contributions(self, parameters: Any, block: Any) -> Array:
        """What each cell adds to each class's score: rows x classes x columns; they sum to the score."""

    @abstractmethod
    def left_out(self, statistics: Any, block: Any, y: Codes, weight: Array | None, frame: Frame) -> Array:
        """log p(x | y) of each cell for the row's own class, as if the row had never been counted: rows x columns."""

    def left_out_total(
        self, statistics: Any, block: Any, y: Codes, weight: Array | None, frame: Frame, whole: NDArray[np.bool]
    ) -> Array:
        """The log probability of each column, every row left out in turn: what families are chosen by.

        A row that weighs w counts as w rows, each with one of them left out. `whole` marks the columns of whole
        numbers, on which a density stands for an interval of width one and is at most 1.
        """
        one = None if weight is None else np.minimum(weight, 1.0)
        logs = self.left_out(statistics, block, y, one, frame)
        if whole.any():
            logs = np.where(whole, np.minimum(logs, 0.0), logs)
        if weight is None:
            return np.asarray(logs.sum(axis=0))
        return np.asarray(terms(weight, logs.T).sum(axis=1))

    def score_left_out(
        self, statistics: Any, block: Any, y: Codes, weight: Array | None, frame: Frame, out: Array
    ) -> None:
        """Adds each row's scores, as if the row had never been counted, to out.

        A row left out changes the parameters of its own class alone, unless a family says otherwise.
        """
        rows = np.arange(len(y))
        own = out[rows, y]
        self.score(self.estimate(statistics, frame), block, out)
        out[rows, y] = own + self.left_out(statistics, block, y, weight, frame).sum(axis=1)

    def tuning_rows(self, frame: Frame) -> int:
        """How many rows it wants to see, once they are counted, to choose what was left to be chosen of its options."""
        return 0

    def tuned(self, statistics: Any, block: Any, y: Codes, weight: Array | None, frame: Frame) -> "Family":
        """With that chosen by some of the rows that were counted."""
        return self

    @abstractmethod
    def sample(self, parameters: Any, y: Codes, rng: "np.random.Generator") -> Any:
        """A block with one row drawn from p(x | y) for each class code."""

    @abstractmethod
    def describe(self, parameters: Any, frame: Frame) -> Iterator[Parameter]:
        """The parameters, a line each."""

    @abstractmethod
    def free(self, statistics: Statistics, frame: Frame) -> int:
        """The number of free parameters, of all classes."""

    @abstractmethod
    def posterior(self, statistics: Any, frame: Frame, column: int) -> Prior:
        """What is believed of a column's parameters, per class: a prior with the rows seen added."""

    def linear(self, parameters: Any, frame: Frame) -> Line | None:
        """The score as a linear function, or None where it is none."""
        return None

    # The discriminative twin

    def features(self, statistics: Any, block: Any, frame: Frame) -> Any:
        """T(x), the sufficient statistics of each row: an array, NaN where a cell is missing, or CSR. Their `squares`
        come after them.
        """
        return block

    def natural(self, parameters: Any, frame: Frame) -> Line | None:
        """The score as a linear function of T(x), or None where it is none."""
        return self.linear(parameters, frame)


def check(position: int, block: Any, needs: str) -> None:
    """Raises BadCell if a kernel returned the position of a cell that it could not read."""
    if position < 0:
        return
    if isinstance(block, np.ndarray):
        row, column = divmod(position, block.shape[1])
        raise BadCell(needs, row, column, block[row, column].item())
    row = int(np.searchsorted(block.indptr, position, side="right")) - 1
    raise BadCell(needs, row, int(block.indices[position]), block.data[position].item())


def csr(block: Csr) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The arrays of a sparse block, as kernels take them."""
    return block.indptr, block.indices, block.data


def dense(block: Csr) -> Array:
    """A sparse block with all its zeros."""
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


def per_row(weight: Array | None) -> Any:
    """Weights as a column to multiply cells with."""
    return 1.0 if weight is None else weight[:, None]


def without(sums: NDArray[Any], own: NDArray[Any] | float) -> Array:
    """Sums less what a row added to them; nothing where only rounding is left."""
    left = sums - own
    return np.where(left <= 1e-9 * np.abs(own), 0.0, left)


def log_share(above: Array, below: Array) -> Array:
    """log(above / below); -inf where nothing is above, also where nothing is below."""
    with np.errstate(divide="ignore"):
        logs = np.log(above)
    logs -= np.log(below, out=np.zeros(np.shape(below)), where=np.asarray(below) > 0)
    return np.asarray(logs)


def terms(x: Array, weights: Array) -> Array:
    """x times weight; what is absent or missing adds nothing, even where it is impossible."""
    with np.errstate(invalid="ignore"):
        return np.where((x == 0) | np.isnan(x), 0.0, x * weights)


def stored(block: Any, weight: Array | None) -> tuple[Codes, Array, Any]:
    """The row, value and weight of each value that is stored."""
    row = np.repeat(np.arange(block.shape[0], dtype=np.int32), np.diff(block.indptr))
    return row, np.asarray(block.data, np.float64), 1.0 if weight is None else weight[row]
