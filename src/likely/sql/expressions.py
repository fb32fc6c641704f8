"""What a family reads of a cell, as SQL."""

from collections.abc import Callable, Sequence
from math import pi

from likely.data.table import Kind
from likely.families.formula import Cell
from likely.sql.dialects import Dialect


def number(dialect: Dialect, column: str, kind: Kind) -> str:
    """A column of numbers as float64."""
    return (dialect.double_of_bool if kind == "bool" else dialect.double).format(column)


def good(dialect: Dialect, cell: Cell, x: str) -> str:
    """The condition that a number, or NULL, must not fail for its family to read it."""
    ends = [(low, high) for low, high in [(">=", cell.low), ("<=", cell.high)] if abs(high) != float("inf")]
    conditions = [f"{x} {sign} {dialect.number(end)}" for sign, end in ends]
    if cell.whole:
        conditions.append(f"{x} = {dialect.whole.format(x)}")
    return " AND ".join(conditions)


def reading(dialect: Dialect, cell: Cell, x: str) -> str:
    """What is read of a number, which is a column or NULL; NULL where that is missing."""
    if cell.reading == "number":
        return x
    if cell.reading == "log":
        return f"CASE WHEN {x} > 0 THEN ln({x}) END"
    if cell.reading in ("cos", "sin"):
        turn = f"({x} / {dialect.number(cell.by)} - floor({x} / {dialect.number(cell.by)}))"
        return f"{cell.reading}({turn} * {dialect.number(2 * pi)})"
    if cell.reading == "above":
        return f"CASE WHEN {x} > {dialect.number(cell.by)} THEN 1 WHEN {x} IS NOT NULL THEN 0 END"
    if cell.reading == "missing":
        return f"CASE WHEN {x} IS NULL THEN 1 ELSE 0 END"
    if cell.reading == "bin":
        found = searched(x, [dialect.number(edge) for edge in cell.by], str)
        return f"CASE WHEN {x} IS NOT NULL THEN {found} END"
    if not len(cell.by):
        return f"CASE WHEN {x} IS NOT NULL THEN 0 END"
    cases = " ".join(f"WHEN {dialect.value(value)} THEN {at}" for at, value in enumerate(cell.by.tolist()))
    return f"CASE WHEN {x} IS NOT NULL THEN CASE {x} {cases} ELSE {len(cell.by)} END END"


def searched(x: str, edges: Sequence[str], result: Callable[[int], str], first: int = 0) -> str:
    """The result of the number of edges that are x or less, by halving: nested, so that few are compared."""
    if not edges:
        return result(first)
    middle = len(edges) // 2
    below = searched(x, edges[:middle], result, first)
    above = searched(x, edges[middle + 1 :], result, first + middle + 1)
    return f"CASE WHEN {x} < {edges[middle]} THEN {below} ELSE {above} END"


def total(terms: Sequence[str]) -> str:
    """Their sum, in balanced parentheses: databases bound how deep an expression is, SQLite at 1,000."""
    if len(terms) <= 8:
        return " + ".join(terms)
    half = len(terms) // 2
    return f"({total(terms[:half])}) + ({total(terms[half:])})"
