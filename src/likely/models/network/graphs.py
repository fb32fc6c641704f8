"""The graphs of a model: one or, of AODE, one for each column, which are averaged."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Never

import numpy as np
from numpy.typing import NDArray

from likely.families import Block, Network
from likely.models.network.graph import OTHER, Graph, posterior
from likely.statistics.joint import Clique

if TYPE_CHECKING:
    from likely.models.network.model import NetworkModel

SHOWN = 12
"""Tables in print."""


@dataclass(frozen=True, eq=False)
class AveragedGraph:
    """The mean of several graphs of the same variables. In each, one column, by which it is named here, depends on the
    class alone, and all others on the class and on this column."""

    graphs: dict[Hashable, Graph]

    @cached_property
    def any(self) -> Graph:
        """One of them, for what they share: the class and the values of each variable."""
        return next(iter(self.graphs.values()))

    @property
    def target(self) -> Hashable:
        return self.any.target

    @property
    def states(self) -> dict[Hashable, list[Any]]:
        return self.any.states

    @property
    def free_parameters(self) -> int:
        """As many as the graphs have together; p(class) and densities are one for all of them."""
        shared = len(self.states[self.target]) - 1
        shared += sum(block.family.parameter_count(block) for block in self.any.densities)
        return shared + sum(graph.free_parameters - shared for graph in self.graphs.values())

    @property
    def factorisation(self) -> str:
        """The joint probability as the mean of a product of tables for each column."""
        product = {column: graph.factorisation.split(" = ", 1) for column, graph in self.graphs.items()}
        left = product[next(iter(product))][0]
        of_class = f"p({self.target}) "
        terms = " + ".join(right.removeprefix(of_class) for _, right in product.values())
        return f"{left} = {of_class}1/{len(product)} [{terms}]"

    def __str__(self) -> str:
        lines = [
            self.factorisation,
            f"the mean of {len(self.graphs)} graphs, with {self.free_parameters:,} free parameters together",
        ]
        tables = [(column, node) for column in self.graphs for node in self.states if node != self.target]
        densities = [name for block in self.any.densities for name in block.frame.columns]
        lines += [self.any.table(node) for node in (self.target, *densities)]
        lines += [self.graphs[of].table(node) for of, node in tables[:SHOWN]]
        if len(tables) > SHOWN:
            lines.append(f"and {len(tables) - SHOWN:,} more tables; see the graphs, one by one")
        return "\n\n".join(lines)

    def query(self, evidence: Mapping[Hashable, Any] | None = None, of: Hashable | None = None) -> dict[Any, float]:
        """p(variable | evidence), of the class or of any column, by variable elimination in each graph. As in what is
        predicted, those are averaged whose own column is in the evidence, and all where none is."""
        of, known = self.target if of is None else of, evidence or {}
        graphs = [graph for column, graph in self.graphs.items() if column in known] or list(self.graphs.values())
        return posterior(self.states.get(of, []), np.sum([graph.joint(known, of) for graph in graphs], axis=0))

    def independent(self, a: Hashable, b: Hashable, given: str | Iterable[Hashable] = ()) -> bool:
        """Whether a and b are independent given others, whatever the probabilities are. Which graph a row comes from is
        not known, and every column depends on it: only what is given itself is independent of others."""
        known: list[Hashable] = [given] if isinstance(given, str) else list(given)
        for node in (a, b, *known):
            self.any.check(node)
        return a in known or b in known

    def to_bif(self) -> Never:
        """Refused: a file in this format holds one network."""
        raise self._one_by_one("a BIF file holds", "to_bif")

    def to_networkx(self) -> Never:
        """Refused: a networkx.DiGraph is one graph."""
        raise self._one_by_one("networkx.DiGraph is", "to_networkx")

    def _one_by_one(self, holds: str, export: str) -> ValueError:
        one = next(iter(self.graphs))
        return ValueError(
            f"AODE is the mean of {len(self.graphs)} graphs and {holds} one; take each by its column, such as "
            f"network.graphs[{one!r}].{export}()"
        )


def graph_of(model: "NetworkModel") -> Graph | AveragedGraph:
    """The graph of a model, or those that AODE averages."""
    block = model.network_block
    if block is None:
        if not model.densities:
            raise ValueError("all columns are texts, which depend on the class alone: there is no network")
        return _graph(model)
    family = block.family.network
    assert family is not None
    structure, columns = family.structure, len(block.frame.columns)
    of_factors = list(zip(structure.factors, block.parameters.tables, strict=True))
    graphs = {}
    for first in range(0, len(of_factors), columns):
        factors = of_factors[first : first + columns]
        graphs[block.frame.columns[factors[0][0][-1]]] = _graph(model, block, family, factors)
    return AveragedGraph(graphs) if structure.averaged else next(iter(graphs.values()))


def _graph(
    model: "NetworkModel",
    block: Block | None = None,
    family: Network | None = None,
    factors: Sequence[tuple[Clique, NDArray[np.float64]]] = (),
) -> Graph:
    names = [] if block is None else list(block.frame.columns)
    weights = None if block is None else block.column_weights
    target: Hashable = "class"
    while target in model.names:
        target = f"{target}_"
    parents: dict[Hashable, tuple[Hashable, ...]] = {target: ()}
    states: dict[Hashable, list[Any]] = {target: model.classes.tolist()}
    tables = {target: np.exp(model.log_prior())}
    unused = [] if weights is None else [name for name, weight in zip(names, weights, strict=True) if weight == 0]
    for (*of, j), p in sorted(factors, key=lambda factor: factor[0][-1]):
        if (name := names[j]) in unused:
            continue
        parents[name] = (target, *(names[parent] for parent in of))
        assert block is not None
        assert family is not None
        states[name] = _states(block, family, j)
        for axis, parent in enumerate(of, start=1):  # the parent's slots: missing, its values, and one not seen
            kept = slice(1, None if family.cut_at(parent) is None else -1)
            p = p[(slice(None),) * axis + (kept,)]
        tables[name] = p[..., : len(states[name])]
    for density in model.densities:
        columns = density.frame.columns
        for at, name in enumerate(columns):
            parents[name] = (target, *(columns[:at] if density.family.joint else ()))
    return Graph(target, parents, states, tables, model.densities, tuple(unused))


def _states(block: Block, family: Network, column: int) -> list[Any]:
    edges = family.cut_at(column)
    if edges is not None:
        return list(pairwise(edges))
    assert block.frame.cells is not None
    return [*block.frame.cells[column].tolist(), OTHER]
