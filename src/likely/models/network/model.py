"""A Bayes network over the columns of a table: p(x, y) = p(y) times the product of p(x_j | parents of j, y)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

from likely.data.sample import Sample
from likely.families import Block, Family, Plan
from likely.families.network import MOST_CELLS
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.network import search
from likely.models.network.few_rows import scale_of_few
from likely.models.network.loss import loss, scale_of, scores_of, strengths
from likely.models.network.numbers import Densities, is_density
from likely.models.network.scale import scalable, scaled, unscaled
from likely.statistics import JointFrame

KINDS = ("auto", "naive", "tan", "kdb", "aode")


@dataclass(frozen=True, eq=False)
class NetworkModel(NaiveBayesModel):
    """The model behind `likely.BayesNetwork`, where its parameters are described: naive Bayes of one block whose
    columns depend on each other, of blocks of numbers that have a density, and of a block for each column of text."""

    column_weights: Literal["auto"] | bool = "auto"
    """Whether the columns have one weight together: `retuned` and the search choose it."""
    structure: Any = "auto"
    """One of KINDS, or edges as pairs of names."""
    bins: Any = "auto"

    name: ClassVar[str] = "BayesNetwork"
    title: ClassVar[str] = "Bayes network"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "structure", _structure(self.structure))
        if isinstance(self.bins, str) and self.bins == "auto":
            return
        whole = isinstance(self.bins, Integral) and not isinstance(self.bins, bool)
        if not whole or not 1 <= int(self.bins) <= MOST_CELLS:
            raise ValueError(f"bins is 'auto' or a whole number from 1 to {MOST_CELLS:,}, not {self.bins!r}")
        object.__setattr__(self, "bins", int(self.bins))

    @property
    def weighs_columns(self) -> bool:
        """Not one by one, as naive Bayes does."""
        return False

    def plans(self, sample: Sample) -> Sequence[Plan]:
        if self.learned is None:
            return search.plans(self, sample)
        return super().plans(sample)

    def retuned(self, sample: Sample) -> Self:
        """With the strength of the smoothing, and the options of other columns, chosen by these rows, which were
        learned. Bins and structure stay."""
        found = super().retuned(sample)
        known = sample.among(found.classes).at_most(search.ROWS)
        if found.class_counts.sum() < 2:
            return found
        block, best = found.network_block, None
        plain = Densities(tuple(unscaled(one) for one in found.densities))
        if block is not None:
            best = min(strengths(unscaled(block)), key=lambda one: loss(one, found, known, plain.loo))
        of_columns = [*([] if block is None else [block]), *found.densities]
        scale = scale_of_few(known, of_columns)
        if not self.column_weights or not scalable(of_columns):
            scale = 1.0
        elif scale is None:
            scale = scale_of(scores_of(best, found, known, plain.loo))
        blocks = []
        for one in found.blocks:
            if one in of_columns:
                one = scaled(best if best is not None and one is block else unscaled(one), scale)
            blocks.append(one)
        return replace(found, learned=replace(found.known, blocks=tuple(blocks)))

    def _with(self, learned: Learned) -> Self:
        found = super()._with(learned)
        if (block := found.network_block) is not None:
            network, frame = block.family.network, block.frame
            assert network is not None
            assert isinstance(frame, JointFrame)
            network.check_size(frame, len(learned.classes))
        return found

    @property
    def network_block(self) -> Block | None:
        """The block of the network; None where all columns are numbers with a density, or texts."""
        return next((block for block in self.blocks if block.family.network is not None), None)

    @property
    def densities(self) -> tuple[Block, ...]:
        """The blocks of numbers that depend on the class and not on the network."""
        return tuple(block for block in self.blocks if is_density(block, self.kinds))

    @property
    def chosen_families(self) -> dict[Any, Family]:
        """How each column is read."""
        block = self.network_block
        network = None if block is None else block.family.network
        found = {} if block is None or network is None else dict(zip(block.columns, network.readings, strict=True))
        by_column = {j: one.family for one in self.blocks for j in one.columns} | found
        return {self.names[j]: by_column[j] for j in sorted(by_column)}


def _structure(given: Any) -> Any:
    """A kind, or edges as pairs of names: of a networkx graph its edges."""
    if isinstance(given, str):
        if given not in KINDS:
            raise ValueError(f"structure is {', '.join(map(repr, KINDS))} or edges as pairs of names, not {given!r}")
        return given
    if hasattr(given, "is_directed") and not given.is_directed():
        raise ValueError("the edges of a network have a direction; give a networkx.DiGraph")
    edges = given.edges if hasattr(given, "edges") else given
    try:
        found = tuple((parent, child) for parent, child in edges)
    except (TypeError, ValueError):
        raise ValueError(
            f"structure is {', '.join(map(repr, KINDS))} or edges as pairs of names, not {given!r}"
        ) from None
    return found
