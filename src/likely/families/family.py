"""The contract of a family: one likelihood p(x | y) for a block of columns.

A family is a value: its options and its prior. It keeps nothing of the data; what it counts is statistics, and what it
scores with is parameters derived from them. All that is peculiar to a likelihood is in its file, in the order of this
one: nothing outside `families/` asks which family it has. The cells of a block are rows x columns:

- numbers, in which NaN is a missing cell; a `sparse` family also takes CSR, where what is not stored is 0;
- or, for a family that reads categories, int32 codes into the frame's cells: -1 is missing, and the code after a
  column's last is a value not seen before;
- or, for a family that reads text, one column of `likely.text.Texts`.

Missing cells add nothing to counts and nothing to scores. To add a family: one file like `poisson.py`, one test file,
and its line in `likely.families.FAMILIES`; the laws in tests/laws then run on it.
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
"""How p(x | y) of a column is drawn in a report."""


class Family(FeatureMap, ABC):
    """See the module's text."""

    prior: Prior

    # What it reads

    reads: ClassVar[Reads] = "numbers"
    auto: ClassVar[tuple[Kind, ...]] = ()
    """The kinds of column for which "auto" may choose it."""
    auto_constant: ClassVar[tuple[Kind, ...]] = ()
    """The kinds of column that "auto" reads by it where they hold one value in all rows looked at but one."""
    counts_in: ClassVar[tuple[type[Statistics], ...]]
    """What its statistics are."""
    has_edges: ClassVar[bool] = False
    """Whether its frame has edges: of bins, or of what else it reads a number by."""
    sparse: ClassVar[bool] = False
    joint: ClassVar[bool] = False
    """Whether columns that are given together vary together, and are a block of their own."""
    independent: ClassVar[bool] = True
    """Whether columns are independent given the class, so that each can be weighted or left out by itself."""
    generative: ClassVar[bool] = True
    """Whether it describes rows, so that some can be sampled and parameters have a posterior."""
    marks_missing: ClassVar[bool] = False
    """Whether it is not the cells that are counted but whether they are missing."""
    domain: ClassVar[Domain] = "number"
    lowest: ClassVar[float] = -np.inf
    """The lowest number that it can read."""
    picture: ClassVar[Picture] = "density"

    @property
    def network(self) -> "Network | None":
        """Itself, where its columns are the nodes of a Bayes network."""
        return None

    def __repr__(self) -> str:
        return short(self)

    @classmethod
    def smoothed_by(cls, prior: Prior | None) -> Self:
        """With this prior in place of its own."""
        return cls() if prior is None else cls(prior=prior)  # type: ignore[call-arg]

    @classmethod
    def offered(cls, prior: Prior | None, kind: Kind, table: Table, columns: Sequence[int]) -> "Sequence[Family]":
        """What of it "auto" may try for these columns, which are of one kind."""
        return [cls.smoothed_by(prior)] if kind in cls.auto else []

    def for_kind(self, kind: Kind) -> "Family":
        """The family that reads a column of this kind where this one is named: for words that of tokens."""
        return self

    def suits(self, table: Table, columns: Sequence[int]) -> NDArray[np.bool]:
        """Which of these columns it can read."""
        if self.lowest == -np.inf:
            return np.ones(len(columns), np.bool)
        return np.asarray(table.lowest(columns) >= self.lowest)

    def read(
        self, table: Table, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None = None
    ) -> tuple[Any, tuple[Labels, ...] | None]:
        """These rows as cells; and, where categories are counted and none are known, those found."""
        return table.numbers(columns, rows, self.sparse), None

    def frame(self, columns: Sequence[Any], seen: Observations) -> Frame:
        """The frame in which these columns will be counted. Only a family that cuts bins looks at values here."""
        return Frame(columns)

    def framed(self, columns: Sequence[Any], cells: tuple[Labels, ...] | None, edges: Any = None) -> Frame:
        """The frame of these columns with what is counted of them, as a model file has it."""
        return Frame(columns, cells, edges)

    def settled(self, sample: Sample, column: int, alike: int) -> "Family":
        """With what is left open of how it reads a column chosen by rows; `alike` blocks of a model have such a
        family."""
        return self

    made_of: ClassVar[tuple[type, ...]] = ()
    """Types of its own that its options have, which a model file then holds too: dataclasses or named tuples."""

    def check_counted(self, statistics: Statistics, frame: Frame, classes: int) -> None:
        """Raises ValueError unless these are its statistics, in a frame of its, of this many classes."""
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
        """About how many bytes are counted into, which each piece of a table has of its own."""
        return 8 * classes * columns ** (2 if self.joint else 1)

    @abstractmethod
    def estimate(self, block: "Block") -> Any:
        """Parameters from the statistics of a block and the prior."""

    def parameters(self, block: "Block") -> Any:
        """What is estimated, to be scored with the weights of the block's columns."""
        found = self.estimate(block)
        return found if block.column_weights is None else replace(found, column_weights=block.column_weights)

    @abstractmethod
    def score(self, parameters: Any, cells: Any, out: Array) -> None:
        """Adds log p(x | y) of each row and class to out, rows x classes. The one that must be fast."""

    def score_by(self, parameters: Sequence[Any], which: Codes, cells: Any, out: Array) -> None:
        """As `score`, each row with those of several parameters that have its number in `which`."""
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
        """What each column of each row adds; `alone` if the model has no other block. Of a sparse row only what is
        stored is listed, the rest as one."""
        full = cells if isinstance(cells, np.ndarray) else dense(cells)
        parts = self.contributions(parameters, full)
        found = Effects.of_cells(parts, frame.columns, lambda row, at: self.value(full[row, at], frame, at))
        if full is cells:
            return found
        absent = full == 0
        rest = np.where(absent[:, None, :], parts, 0.0).sum(axis=2, keepdims=True)
        others = Effects.of_cells(rest, ["all that is absent"], lambda row, at: None)
        return joined([found.some(np.flatnonzero(~absent.ravel())), others.some(np.flatnonzero(rest.any(axis=(1, 2))))])

    def value(self, cell: Any, frame: Frame, column: int) -> Any:
        """What a cell of a column stands for; None where it is missing."""
        return None if cell != cell else cell.item()

    def values(self, cells: Any, frame: Frame, column: int) -> NDArray[Any]:
        """What the cells of a column stand for, where all are there."""
        return np.asarray(cells[:, column])

    # Scoring elsewhere: in a database, by a JSON file, by ONNX

    def formula(self, block: "Block") -> Sequence[Term]:
        """The weighted scores of a block as terms of its `cells`; none where it has none."""
        return ()

    # Leave-one-out: a row as if it had never been counted

    @abstractmethod
    def loo(self, block: "Block", seen: Observations) -> Array:
        """Leave-one-out log p(x | y) of each cell for the row's own class: rows x columns."""

    def loo_total(self, block: "Block", seen: Observations) -> Array:
        """The log probability of each column, leave-one-out: what families are chosen by.

        A row that weighs w counts as w rows: leave-one-out leaves out one of them.
        """
        one = None if seen.weight is None else np.minimum(seen.weight, 1.0)
        logs = self.loo(block, replace(seen, weight=one))
        if np.any(seen.whole):
            logs = np.where(seen.whole, np.minimum(logs, 0.0), logs)
        if seen.weight is None:
            return np.asarray(logs.sum(axis=0))
        return np.asarray(terms(seen.weight, logs.T).sum(axis=1))

    def loo_log_likelihood(self, block: "Block", seen: Observations) -> float:
        """The same of all columns together, also of a sparse block."""
        if isinstance(seen.cells, np.ndarray):
            return float(self.loo_total(block, seen).sum())
        one, scores = np.minimum(seen.weights, 1.0), np.zeros((len(seen.y), block.statistics.classes))
        self.loo_scores(block, replace(seen, weight=one), scores)
        return float(terms(seen.weights, scores[np.arange(len(seen.y)), seen.y]).sum())

    def loo_scores(self, block: "Block", seen: Observations, out: Array) -> None:
        """Adds the leave-one-out scores of each row to out.

        Leaving a row out changes the parameters of its own class alone, unless a family says otherwise.
        """
        before = out[np.arange(len(seen.y)), seen.y]
        self.score(block.parameters, seen.cells, out)
        _native.put_own_scores(self.loo(block, seen), block.column_weights, seen.y, before, out)

    def loo_contributions(self, block: "Block", seen: Observations) -> Array:
        """What each cell adds to each class's score, unweighted, as `contributions`: leave-one-out."""
        parts = np.array(self.contributions(self.estimate(block), seen.cells))
        parts[np.arange(len(seen.y)), seen.y] = self.loo(block, seen)
        return parts

    def unlearn_own_categories(self, block: "Block", seen: Observations, scores: Array) -> NDArray[np.bool]:
        """Corrects leave-one-out scores of rows that alone have a category, which nobody knows without them; and says
        which rows those are."""
        return np.zeros(len(seen.y), np.bool)

    # Options that are chosen by rows

    def tuning_rows(self, frame: Frame) -> int:
        """How many rows it wants to see, once they are counted, to choose the options that were left open."""
        return 0

    def tuned(self, block: "Block", seen: Observations) -> "Family":
        """With these chosen by some of the rows that were counted."""
        return self

    def chosen_by_rows(self, frame: Frame) -> list[str]:
        """What was chosen by looking at rows, so that leave-one-out scores still depend on the row they leave out: in
        words after which the columns are listed."""
        return [f"the options of {type(self).__name__} for"] if self.tuning_rows(frame) else []

    # The model itself

    @abstractmethod
    def sample(self, parameters: Any, y: Codes, rng: "np.random.Generator") -> Any:
        """Cells with one row sampled from p(x | y) for each class code."""

    def whole(self, values: Array) -> Array:
        """What was sampled of a column of whole numbers."""
        return np.rint(values)

    @abstractmethod
    def describe(self, parameters: Any, frame: Frame) -> Iterator[Parameter]:
        """The parameters, a line each."""

    @abstractmethod
    def parameter_count(self, block: "Block") -> int:
        """The number of free parameters, of all classes."""

    @abstractmethod
    def parameter_posterior(self, block: "Block", column: int) -> Prior:
        """The posterior of a column's parameters, per class: the prior with the rows seen added."""

    def multipliers(self, block: "Block", column: int) -> Any:
        """What the constraints on a column's probabilities cost."""
        name = block.frame.columns[column]
        raise ValueError(f"column {name!r} has no limits; give Categorical(prior=likely.limits.Within(...))")

    # Evidence

    def log_evidence(self, block: "Block") -> Array:
        """The log marginal likelihood of the cells of each class and column: classes x columns. What depends on the
        rows alone is left to `log_base`."""
        raise TypeError(f"{self!r}, which has no evidence in closed form")

    def log_base(self, seen: Observations) -> float:
        """The part of the log likelihood that is the same whatever the parameters are."""
        return 0.0

    @abstractmethod
    def log_bayes_factor(self, block: "Block") -> Array:
        """Of each column, the log evidence that its cells depend on the class less that they do not."""

    # How it is drawn

    def breaks(self, frame: Frame, column: int) -> Array:
        """Where the density of a column jumps."""
        return np.empty(0)
