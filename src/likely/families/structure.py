"""Which columns depend on which: the directed acyclic graph of a Bayes network over the columns of a block."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from likely.statistics.joint import Clique

Parents = tuple[tuple[int, ...], ...]
"""For each column, the columns that it depends on in addition to the class, the strongest first."""

Kind = Literal["naive", "tan", "kdb", "aode", "given"]


@dataclass(frozen=True)
class Structure:
    """One network; for AODE several, which are averaged: one for each column that varies. Every column also depends on
    the class."""

    kind: Kind
    networks: tuple[Parents, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "networks", tuple(tuple(map(tuple, parents)) for parents in self.networks))
        for parents in self.networks:
            topological(parents)

    @property
    def averaged(self) -> bool:
        return self.kind == "aode"

    @property
    def parents(self) -> Parents:
        """The parents of each column of a single network."""
        (parents,) = self.networks
        return parents

    @property
    def most_parents(self) -> int:
        return max(len(of_column) for parents in self.networks for of_column in parents)

    @property
    def forest(self) -> bool:
        """Whether each column has at most one parent, so that missing cells can be marginalised out row by row."""
        return not self.averaged and all(len(of_column) <= 1 for of_column in self.parents)

    @cached_property
    def factors(self) -> list[Clique]:
        """For each network and column, the parents of the column and then the column itself. The factors of a network
        of AODE start with the column on which all others depend."""
        return [
            (*parents[j], j)
            for parents in self.networks
            for j in (
                sorted(range(len(parents)), key=lambda j: len(parents[j])) if self.averaged else range(len(parents))
            )
        ]

    @cached_property
    def cliques(self) -> tuple[Clique, ...]:
        """The sets of columns that are counted together."""
        return tuple(sorted({tuple(sorted(factor)) for factor in self.factors if len(factor) > 1}))

    @classmethod
    def naive(cls, columns: int) -> "Structure":
        return cls("naive", (((),) * columns,))

    @classmethod
    def aode(cls, columns: int, first: Sequence[int] | None = None) -> "Structure":
        """Averaged one-dependence estimators: each column in turn, or each of `first`, is the parent of all others."""
        parents = range(columns) if first is None else first
        return cls("aode", tuple(tuple(() if j == p else (p,) for j in range(columns)) for p in parents))


def topological(parents: Sequence[Sequence[int]]) -> list[int]:
    """The columns in topological order: each after its parents. Raises ValueError if the graph has a cycle."""
    order: list[int] = []
    left = {j: set(of_column) for j, of_column in enumerate(parents)}
    while left:
        ready = [j for j, waits_for in left.items() if not waits_for & left.keys()]
        if not ready or any(not 0 <= p < len(parents) for p in left[ready[0]]):
            raise ValueError("the edges of a network must not form a cycle")
        order += ready
        for j in ready:
            del left[j]
    return order
