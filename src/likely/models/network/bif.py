"""The Bayesian Interchange Format: a network as text that pgmpy and R's bnlearn read."""

import re
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from likely.models.network.graph import Graph


def to_bif(graph: "Graph") -> str:
    """Names of variables and values hold letters, digits and underscores alone, as the format asks for: any other
    character is an underscore, and those that would then be alike are numbered. Probabilities have all their digits.
    Raises where a number has a density."""
    for block in graph.densities:
        raise ValueError(
            f"a BIF file holds tables alone, and column {block.frame.columns[0]!r} has the density {block.family!r}; "
            "give bins=8, or another number, to cut numbers into bins"
        )
    names = identifiers(graph.parents)
    states = {node: list(identifiers(of, "v").values()) for node, of in graph.states.items()}
    lines = ["network likely {", "}"]
    for node, name in names.items():
        listed = ", ".join(states[node])
        lines += [f"variable {name} {{", f"  type discrete [ {len(states[node])} ] {{ {listed} }};", "}"]
    for node, name in names.items():
        parents, table = graph.parents[node], graph.tables[node]
        if not parents:
            lines += [f"probability ( {name} ) {{", f"  table {_row(table)};", "}"]
            continue
        lines.append(f"probability ( {name} | {', '.join(names[parent] for parent in parents)} ) {{")
        for at in np.ndindex(*table.shape[:-1]):
            given = ", ".join(states[parent][cell] for parent, cell in zip(parents, at, strict=True))
            lines.append(f"  ({given}) {_row(table[at])};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def identifiers(labels: Iterable[Hashable], prefix: str = "x") -> dict[Hashable, str]:
    """A name of letters, digits and underscores for each of these, no two alike."""
    found: dict[Hashable, str] = {}
    for label in labels:
        name = re.sub(r"[^A-Za-z0-9_]", "_", str(label)) or prefix
        if not name[0].isalpha():
            name = f"{prefix}{'' if name[0] == '_' else '_'}{name}"
        unique, number = name, 2
        while unique in found.values():
            unique, number = f"{name}_{number}", number + 1
        found[label] = unique
    return found


def _row(p: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> str:
    return ", ".join(repr(float(value)) for value in p)
