"""A Bayes network as a graph: its factorisation, its tables, posteriors of any column, independence."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from likely.data.sample import Array
from likely.families import Block
from likely.models.network.bif import to_bif
from likely.models.network.elimination import Potential, marginal
from likely.models.network.separation import separated
from likely.printing import aligned

SHOWN = 24
"""Rows of a conditional table in print."""

OTHER = "(other)"
"""What stands for all values that were never seen."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Of the class and the columns by which it is predicted. Texts are not part of it."""

    target: Hashable
    """What the class is called here."""
    parents: dict[Hashable, tuple[Hashable, ...]]
    """Of each variable those that it depends on."""
    states: dict[Hashable, list[Any]]
    """The values of each variable; a bin is (low, high), and OTHER is whatever was never seen."""
    tables: dict[Hashable, Array]
    """p(variable | parents), with an axis for each parent and the last for the variable."""
    densities: tuple[Block, ...] = ()
    """Numbers that have a density given the class, in place of states and a table: the columns of each block by their
    family. Those of one Gaussian depend on each other, in their order."""
    unused: tuple[Hashable, ...] = ()
    """Columns of weight 0: they depend on others, none depends on them, and they are not part of the graph."""

    @property
    def edges(self) -> list[tuple[Hashable, Hashable]]:
        return [(parent, node) for node, of in self.parents.items() for parent in of]

    @property
    def free_parameters(self) -> int:
        """How many numbers the tables have, less one for each distribution, which sums to one. Values that were never
        seen are values. Of densities, those of their families."""
        of_tables = sum(
            (len(of_node) - 1) * prod(len(self.states[p]) for p in self.parents[node])
            for node, of_node in self.states.items()
        )
        return of_tables + sum(block.family.parameter_count(block) for block in self.densities)

    @property
    def factorisation(self) -> str:
        """The joint probability as a product of the tables."""
        factors = [
            f"p({node} | {', '.join(map(str, of))})" if of else f"p({node})" for node, of in self.parents.items()
        ]
        left = f"p({', '.join(map(str, self.parents))})"
        return f"{left} = {' '.join(factors)}"

    def __str__(self) -> str:
        joint = prod(len(of) for of in self.states.values()) - 1
        full = f"about 10^{len(str(joint)) - 1}" if joint >= 10**12 else f"{joint:,}"
        compared = "" if self.densities else f"; the full joint distribution would have {full}"
        lines = [self.factorisation, f"{self.free_parameters:,} free parameters{compared}"]
        if self.unused:
            lines.append(f"not used, because the class is predicted better without: {', '.join(map(str, self.unused))}")
        return "\n\n".join([*lines, *(self.table(node) for node in self.parents)])

    def table(self, node: Hashable) -> str:
        """The conditional probabilities of a variable in print: a row for each combination of values of its parents. Of
        a density the parameters, a row for each class."""
        self.check(node)
        if node not in self.tables:
            return self._parameters(node)
        of, p = self.parents[node], self.tables[node]
        lines = [(*map(str, of), *(_value(value) for value in self.states[node]))]
        for at in list(np.ndindex(*p.shape[:-1]))[:SHOWN]:
            given = (_value(self.states[parent][cell]) for parent, cell in zip(of, at, strict=True))
            lines.append((*given, *(f"{value:.3f}" for value in p[at])))
        more = prod(p.shape[:-1]) - SHOWN
        left = "" if more <= 0 else f"\nand {more:,} more rows"
        return f"p({node}{' | ' if of else ''}{', '.join(map(str, of))})\n{aligned(lines, '<' * len(of) + '>')}{left}"

    def _parameters(self, node: Hashable) -> str:
        block = next(block for block in self.densities if node in block.frame.columns)
        described = block.family.describe(block.parameters, block.frame)
        own = [one for one in described if block.frame.columns[one.column] == node]
        lines = [(str(self.target), *(one.name for one in own))]
        for at, label in enumerate(self.states[self.target]):
            lines.append((str(label), *(f"{one.values[at]:.4g}" for one in own)))
        given = ", ".join(map(str, self.parents[node]))
        return f"p({node} | {given}), {block.family!r}\n{aligned(lines, '<>')}"

    def query(self, evidence: Mapping[Hashable, Any] | None = None, of: Hashable | None = None) -> dict[Any, float]:
        """p(variable | evidence), of the class or of any column, exact: by variable elimination. Evidence is a value
        for each variable that is known; a number stands for its bin, or for itself where it has a density."""
        of = self.target if of is None else of
        return posterior(self.states.get(of, []), self.joint(evidence or {}, of))

    def joint(self, evidence: Mapping[Hashable, Any], of: Hashable) -> Array:
        """p(variable, evidence), of each value of the variable; where densities are known, up to a factor."""
        for name in (of, *evidence):
            self.check(name)
        if of not in self.states:
            raise ValueError(
                f"{of!r} has a density, and `query` gives probabilities of values; see network.table({of!r})"
            )
        known = {
            self._number[name]: self._state(name, value) for name, value in evidence.items() if name in self.states
        }
        wanted = self._number[of]
        potentials = [*self._potentials, Potential((self._number[self.target],), self._density(evidence))]
        p = marginal((one.at({k: v for k, v in known.items() if k != wanted}) for one in potentials), [wanted])
        return np.where(np.arange(len(p)) == known[wanted], p, 0.0) if wanted in known else p

    def _density(self, evidence: Mapping[Hashable, Any]) -> Array:
        """Of the numbers that are known in each class, relative to the class in which it is highest."""
        scores = np.zeros(len(self.states[self.target]))
        for block in self.densities:
            cells = np.array([[evidence.get(name, np.nan) for name in block.frame.columns]], np.float64)
            of_row = np.zeros((1, len(scores)))
            block.family.score(block.parameters, cells, of_row)
            scores += of_row[0]
        return np.exp(scores - scores.max()) if np.isfinite(scores.max()) else np.zeros(len(scores))

    def independent(self, a: Hashable, b: Hashable, given: str | Iterable[Hashable] = ()) -> bool:
        """Whether a and b are independent given others, whatever the probabilities are: whether these d-separate
        them. `given` is a name or several."""
        known: list[Hashable] = [given] if isinstance(given, str) else list(given)
        for node in (a, b, *known):
            self.check(node)
        return separated(self.parents, a, b, known)

    def to_networkx(self) -> Any:
        """A networkx.DiGraph of the variables; `states` and `table` of each node are as here, and of a density its
        `family`."""
        try:
            from networkx import DiGraph
        except ImportError:
            raise ImportError("networkx is not installed; pip install networkx") from None
        graph = DiGraph()
        for node in self.states:
            graph.add_node(node, states=self.states[node], table=self.tables[node])
        for block in self.densities:
            graph.add_nodes_from(block.frame.columns, family=block.family)
        graph.add_edges_from(self.edges)
        return graph

    def to_bif(self) -> str:
        """The network as text in the Bayesian Interchange Format, which holds tables alone."""
        return to_bif(self)

    @property
    def _number(self) -> dict[Hashable, int]:
        return {node: at for at, node in enumerate(self.parents)}

    @property
    def _potentials(self) -> list[Potential]:
        number = self._number
        return [
            Potential((*(number[parent] for parent in of), number[node]), self.tables[node])
            for node, of in self.parents.items()
            if node in self.tables
        ]

    def check(self, node: Hashable) -> None:
        """Raises where there is no such variable."""
        if node not in self.parents:
            some = ", ".join(map(repr, list(self.parents)[:6]))
            raise ValueError(
                f"there is no {node!r} in the network, which has {some}{', ...' if len(self.parents) > 6 else ''}"
            )

    def _state(self, node: Hashable, value: Any) -> int:
        states = self.states[node]
        if isinstance(value, np.generic):
            value = value.item()
        if value in states:
            return states.index(value)
        bins = [state for state in states if isinstance(state, tuple)]
        if bins and isinstance(value, (int, float)) and value == value:
            return int(np.searchsorted([low for low, _ in bins[1:]], value, side="right"))
        if OTHER in states:
            return states.index(OTHER)
        raise ValueError(f"{node!r} has no value {value!r}; its values are {', '.join(map(repr, states[:6]))}")


def posterior(values: Iterable[Any], joint: Array) -> dict[Any, float]:
    """p of each value, from that of the value and the evidence together."""
    if not joint.sum() > 0:
        raise ValueError("the evidence is impossible: its probability is 0")
    return dict(zip(values, (joint / joint.sum()).tolist(), strict=True))


def _value(value: Any) -> str:
    return f"{value[0]:.4g} to {value[1]:.4g}" if isinstance(value, tuple) else str(value)
