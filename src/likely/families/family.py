"""The contract of a family: one likelihood p(x | y) for a block of columns.

A family is a value: its options and its prior. It stores no data. It counts rows into statistics, estimates parameters
from them, and scores rows with the parameters. Everything special about a likelihood is in its file, in the order of
this one: no code outside `families/` asks which family it has. The cells of a block are rows x columns:

- numbers, where NaN is a missing cell; a `sparse` family also takes CSR, where a cell that is not stored is 0;
- or, for a family that reads categories, int32 codes, which are positions in `frame.cells[column]`: -1 is missing, and
  the number of known values stands for a value not seen before;
- or, for a family that reads text, one column of `likely.text.Texts`.

Missing cells add nothing to counts and nothing to scores. To add a family, write one file like `poisson.py`, one test
file, and its line in `likely.families.FAMILIES`; the laws in tests/laws then run on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.sample import Array, Codes, Sample
from likely.data.table import Kind, Labels, Table
from likely.families.cells import dense, taken, terms
from likely.families.effects import Effects, joined
from likely.families.feature_map import FeatureMap
from likely.families.formula import Term
from likely.families.observations import Line, Observations, Parameter, Reason
from likely.priors import Prior, short
from likely.statistics import Frame, Statistics

if TYPE_CHECKING:
    from likely.families.block import Block
    from likely.families.network import Network

__all__ = ["Domain", "Family", "Line", "Observations", "Parameter", "Picture", "Reads", "Reason"]

Reads = Literal["numbers", "categories", "text"]
Domain = Literal["number", "whole", "bit", "category", "text"]
"""What a cell can be: any number, a whole number, 0 or 1, one of several values, words."""
Picture = Literal["density", "mass", "bars", "shares", "words"]
"""How a report plots p(x | y) of a column."""


class Family(FeatureMap, ABC):
    """One likelihood p(x | y); the module's docstring says what its methods work on."""

    prior: Prior

    # What it reads

    reads: ClassVar[Reads] = "numbers"
    auto: ClassVar[tuple[Kind, ...]] = ()
    """The kinds of column for which "auto" may choose it."""
    auto_constant: ClassVar[tuple[Kind, ...]] = ()
    """The kinds of column for which "auto" chooses it if nearly all rows have the same value."""
    counts_in: ClassVar[tuple[type[Statistics], ...]]
    """The types of its statistics."""
    has_edges: ClassVar[bool] = False
    """Whether its frame has edges, such as those of bins."""
    sparse: ClassVar[bool] = False
    """Whether it also reads sparse matrices."""
    joint: ClassVar[bool] = False
    """Whether all columns specified with one family value are one block, whose columns vary together."""
    independent: ClassVar[bool] = True
    """Whether columns are independent given the class, so that each can be weighted or left out by itself."""
    generative: ClassVar[bool] = True
    """Whether it is a likelihood of rows: then rows can be sampled, and its parameters have a posterior."""
    marks_missing: ClassVar[bool] = False
    """Whether it counts which cells are missing instead of their values."""
    domain: ClassVar[Domain] = "number"
    lowest: ClassVar[float] = -np.inf
    """The lowest number that it can read."""
    picture: ClassVar[Picture] = "density"

    @property
    def network(self) -> "Network | None":
        """This family, if its columns are the nodes of a Bayes network; otherwise None."""
        return None

    def __repr__(self) -> str:
        return short(self)

    @classmethod
    def smoothed_by(cls, prior: Prior | None) -> Self:
        """The family with this prior; None for its default."""
        return cls() if prior is None else cls(prior=prior)  # type: ignore[call-arg]

    @classmethod
    def offered(cls, prior: Prior | None, kind: Kind, table: Table, columns: Sequence[int]) -> "Sequence[Family]":
        """The variants of this family that "auto" may try for these columns, all of one kind."""
        return [cls.smoothed_by(prior)] if kind in cls.auto else []

    def for_kind(self, kind: Kind) -> "Family":
        """The family to use where you name this one for a column of this kind: a family of counts of words has another
        that reads texts."""
        return self

    def suits(self, table: Table, columns: Sequence[int]) -> NDArray[np.bool]:
        """Which of these columns it can read: a bool for each."""
        if self.lowest == -np.inf:
            return np.ones(len(columns), np.bool)
        return np.asarray(table.lowest(columns) >= self.lowest)

    def read(
        self, table: Table, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None = None
    ) -> tuple[Any, tuple[Labels, ...] | None]:
        """These rows as cells. For a family of categories, also the categories of each column, if `known` is None."""
        return table.numbers(columns, rows, self.sparse), None

    def frame(self, columns: Sequence[Any], seen: Observations) -> Frame:
        """The frame in which these columns are counted. Only a family that cuts bins uses the values of `seen`."""
        return Frame(columns)

    def framed(self, columns: Sequence[Any], cells: tuple[Labels, ...] | None, edges: Any = None) -> Frame:
        """The frame of these columns with the categories and edges that a model file has stored."""
        return Frame(columns, cells, edges)

    def settled(self, sample: Sample, column: int, alike: int) -> "Family":
        """This family with the options for reading that you left open, chosen by looking at rows. `alike` is the number
        of blocks of the model that have this type of family."""
        return self

    made_of: ClassVar[tuple[type, ...]] = ()
    """The types of its own that its options use, so that a model file can hold them: dataclasses or named tuples."""

    def check_counted(self, statistics: Statistics, frame: Frame, classes: int) -> None:
        """Raises ValueError unless statistics and frame are of this family and have this many classes."""
        if not isinstance(statistics, self.counts_in):
            raise ValueError(f"{type(self).__name__} does not count {type(statistics).__name__}")
        if (frame.cells is not None, frame.edges is not None) != (self.reads == "categories", self.has_edges):
            raise ValueError(f"the frame is not one of {type(self).__name__}")
        statistics.check(classes, int(frame.starts[-1]))

    # Counting and scoring

    @abstractmethod
    def count(self, seen: Observations, frame: Frame) -> Statistics:
        """The statistics of these rows. Raises BadCell for a value that the family cannot read."""

    def piece_bytes(self, classes: int, columns: int) -> int:
        """About how many bytes the statistics take. Each piece of a table, counted in parallel, has its own."""
        return 8 * classes * columns ** (2 if self.joint else 1)

    @abstractmethod
    def estimate(self, block: "Block") -> Any:
        """Parameters from the statistics of a block and the prior."""

    def parameters(self, block: "Block") -> Any:
        """The estimated parameters together with the column weights of the block."""
        parameters = self.estimate(block)
        return parameters if block.column_weights is None else replace(parameters, column_weights=block.column_weights)

    @abstractmethod
    def score(self, parameters: Any, cells: Any, out: Array) -> None:
        """Adds log p(x | y) of each row and class to `out`, rows x classes. This method must be fast."""

    def score_by(self, parameters: Sequence[Any], which: Codes, cells: Any, out: Array) -> None:
        """Like `score`, with several parameters: row i is scored by `parameters[which[i]]`."""
        order = np.argsort(which.astype(np.min_scalar_type(len(parameters))), kind="stable")  # few bits sort by radix
        ends = np.searchsorted(which[order], np.arange(len(parameters)), side="right")
        for of_set, start, end in zip(parameters, [0, *ends], ends, strict=False):
            rows = order[start:end]
            scores = out[rows]
            if len(rows):
                self.score(of_set, taken(cells, rows), scores)
            out[rows] = scores

    @abstractmethod
    def contributions(self, parameters: Any, cells: Any) -> Array:
        """What each cell adds to each class's score: rows x classes x columns; they sum to the score."""

    def effects(self, parameters: Any, cells: Any, frame: Frame, alone: bool = False) -> Effects:
        """The contribution of each column of each row; `alone` if the model has no other block. A sparse row lists its
        stored cells, and the sum of all others as one effect."""
        full = cells if isinstance(cells, np.ndarray) else dense(cells)
        parts = self.contributions(parameters, full)
        stored = Effects.of_cells(parts, frame.columns, lambda row, at: self.value(full[row, at], frame, at))
        if full is cells:
            return stored
        absent = full == 0
        rest = np.where(absent[:, None, :], parts, 0.0).sum(axis=2, keepdims=True)
        others = Effects.of_cells(rest, ["all that is absent"], lambda row, at: None)
        return joined(
            [stored.some(np.flatnonzero(~absent.ravel())), others.some(np.flatnonzero(rest.any(axis=(1, 2))))]
        )

    def value(self, cell: Any, frame: Frame, column: int) -> Any:
        """The value in the table for which this cell stands; None if it is missing."""
        return None if cell != cell else cell.item()

    def values(self, cells: Any, frame: Frame, column: int) -> NDArray[Any]:
        """The values in the table of a column of cells, none of them missing."""
        return np.asarray(cells[:, column])

    # Scoring elsewhere: in a database, by a JSON file, by ONNX

    def formula(self, block: "Block") -> Sequence[Term]:
        """The weighted scores of a block as a sum of terms of its `cells`; empty if they can't be written like that."""
        return ()

    # Leave-one-out: a row as if it had never been counted

    @abstractmethod
    def loo(self, block: "Block", seen: Observations) -> Array:
        """Leave-one-out log p(x | y) of each cell for the row's own class: rows x columns."""

    def loo_total(self, block: "Block", seen: Observations) -> Array:
        """The leave-one-out log likelihood of each column, summed over rows; families are chosen by it.

        A row of weight w counts as w rows, and leave-one-out subtracts one of them. Columns of whole numbers have a
        probability mass, so that no log is above 0.
        """
        one_row = None if seen.weight is None else np.minimum(seen.weight, 1.0)
        logs = self.loo(block, replace(seen, weight=one_row))
        if np.any(seen.whole):
            logs = np.where(seen.whole, np.minimum(logs, 0.0), logs)
        if seen.weight is None:
            return np.asarray(logs.sum(axis=0))
        return np.asarray(terms(seen.weight, logs.T).sum(axis=1))

    def loo_log_likelihood(self, block: "Block", seen: Observations) -> float:
        """The leave-one-out log likelihood of all columns together; cells may be sparse."""
        if isinstance(seen.cells, np.ndarray):
            return float(self.loo_total(block, seen).sum())
        one_row, scores = np.minimum(seen.weights, 1.0), np.zeros((len(seen.y), block.statistics.classes))
        self.loo_scores(block, replace(seen, weight=one_row), scores)
        return float(terms(seen.weights, scores[np.arange(len(seen.y)), seen.y]).sum())

    def loo_scores(self, block: "Block", seen: Observations, out: Array) -> None:
        """Adds the leave-one-out scores of each row to `out`, rows x classes.

        Leaving a row out changes only the parameters of its own class; a family for which that is not so overrides it.
        """
        before = out[np.arange(len(seen.y)), seen.y]
        self.score(block.parameters, seen.cells, out)
        _native.put_own_scores(self.loo(block, seen), block.column_weights, seen.y, before, out)

    def loo_contributions(self, block: "Block", seen: Observations) -> Array:
        """The leave-one-out form of `contributions`, without column weights: rows x classes x columns."""
        parts = np.array(self.contributions(self.estimate(block), seen.cells))
        parts[np.arange(len(seen.y)), seen.y] = self.loo(block, seen)
        return parts

    def unlearn_own_categories(self, block: "Block", seen: Observations, scores: Array) -> NDArray[np.bool]:
        """Corrects the leave-one-out scores of rows with a category that no other row has: without the row, that
        category is unseen. Returns which rows those are."""
        return np.zeros(len(seen.y), np.bool)

    # Options that are chosen by looking at rows

    def tuning_rows(self, frame: Frame) -> int:
        """How many of the counted rows `tuned` needs to choose the options that you left open."""
        return 0

    def tuned(self, block: "Block", seen: Observations) -> "Family":
        """This family with the open options chosen, by some of the rows that were counted."""
        return self

    def chosen_by_rows(self, frame: Frame) -> list[str]:
        """What was chosen by looking at rows, so that leave-one-out scores still depend on the row they leave out.
        Each text is followed by the names of the columns."""
        return [f"the options of {type(self).__name__} for"] if self.tuning_rows(frame) else []

    # The model itself

    @abstractmethod
    def sample(self, parameters: Any, y: Codes, rng: "np.random.Generator") -> Any:
        """Cells of rows sampled from p(x | y), one row for each class code in `y`."""

    def whole(self, values: Array) -> Array:
        """Sampled values as whole numbers, for a column that has only those."""
        return np.rint(values)

    @abstractmethod
    def describe(self, parameters: Any, frame: Frame) -> Iterator[Parameter]:
        """The parameters, one at a time."""

    @abstractmethod
    def parameter_count(self, block: "Block") -> int:
        """The number of free parameters, of all classes."""

    @abstractmethod
    def parameter_posterior(self, block: "Block", column: int) -> Prior:
        """The posterior of a column's parameters, for each class: the prior updated by the rows counted."""

    def multipliers(self, block: "Block", column: int) -> Any:
        """The Lagrange multipliers of the constraints on a column's probabilities."""
        name = block.frame.columns[column]
        raise ValueError(f"column {name!r} has no limits; give Categorical(prior=likely.limits.Within(...))")

    # Evidence

    def log_evidence(self, block: "Block") -> Array:
        """The log marginal likelihood of the cells of each class and column: classes x columns. `log_base` has the part
        that does not depend on the parameters."""
        raise TypeError(f"{self!r}, which has no evidence in closed form")

    def log_base(self, seen: Observations) -> float:
        """The part of the log likelihood that is the same for all parameters."""
        return 0.0

    @abstractmethod
    def log_bayes_factor(self, block: "Block") -> Array:
        """For each column, the log evidence that its cells depend on the class, minus that they do not."""

    # How it is plotted

    def breaks(self, frame: Frame, column: int) -> Array:
        """Where the density of a column jumps."""
        return np.empty(0)
