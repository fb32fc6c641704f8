"""The options of logistic regression, parsed and checked: C, pairs of columns, constraints, families."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Table
from likely.families import Family, Number
from likely.limits import Limit
from likely.models.choosing.named import named_columns, position
from likely.statistics import Labels


def must_have_two(classes: Labels, weights: NDArray[Any]) -> None:
    """Raises where rows of fewer than two classes have a weight."""
    there = classes[np.flatnonzero(weights)].tolist()
    if len(there) < 2:
        whose = (
            f"all{'' if len(classes) == 1 else ' rows with a weight'} are of one class, {there[0]!r}" if there else ""
        )
        raise ValueError(f"logistic regression needs rows of two classes or more; {whose or 'no row has a weight'}")


def candidates_of(c: Any) -> tuple[float, ...] | None:
    """The values of C to choose from; None for the default grid."""
    if c is None or (isinstance(c, str) and c == "auto"):
        return None
    if isinstance(c, str):
        raise ValueError(f"C is a number above 0, several of them, or 'auto', not {c!r}")
    several = tuple(np.atleast_1d(np.asarray(c, np.float64)).tolist())
    if not several or not all(each > 0 for each in several):
        raise ValueError(f"C must be above 0, not {c}")
    return several


def pairs_of(interactions: Any) -> Any:
    """ "auto", or pairs of columns."""
    if isinstance(interactions, str):
        if interactions != "auto":
            raise ValueError(f"interactions is 'auto', 0, or a list of pairs of columns, not {interactions!r}")
        return interactions
    if interactions is None or interactions is False or (isinstance(interactions, int) and interactions == 0):
        return ()
    if isinstance(interactions, int) or not all(isinstance(p, (tuple, list)) and len(p) == 2 for p in interactions):
        raise ValueError(f"interactions is 'auto', 0, or a list of pairs of columns, not {interactions!r}")
    return tuple(tuple(pair) for pair in interactions)


def positions_of(table: Table, pair: tuple[Any, Any]) -> tuple[int, int]:
    """The positions of both columns."""
    a, b = (position(table.names, column, "interactions") for column in pair)
    for j in (a, b):
        if table.kinds[j] in ("text", "sparse"):
            raise ValueError(
                f"interactions pairs column {table.names[j]!r}, which holds texts or is sparse; name another"
            )
    if a == b:
        raise ValueError(f"interactions pairs column {table.names[a]!r} with itself")
    return a, b


def limits_of(limits: Any) -> tuple[Limit, ...]:
    several = (limits,) if isinstance(limits, Limit) else tuple(limits or ())
    for limit in several:
        if not isinstance(limit, Limit):
            raise TypeError(
                f"limits is a list of Between, Rising, Falling or Equal, of likely.limits; {limit!r} is none"
            )
    return several


def numbers_as_they_are(table: Table, families: Any) -> Any:
    """The families that you named; all other columns of numbers are read as they are, by `Number`."""
    if families is not None and not isinstance(families, dict):
        return families
    named = named_columns(table.names, families)
    numbers: dict[Any, Family] = {
        name: Number()
        for j, (name, kind) in enumerate(zip(table.names, table.kinds, strict=True))
        if j not in named and j not in table.periods and kind in ("int", "float", "bool", "sparse")
    }
    return numbers | (families or {})
