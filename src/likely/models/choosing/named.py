"""The `families` option: families by name, class or value, for all columns or by column."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from likely.families import FAMILIES, Family


def names_none(families: Any) -> bool:
    """Whether the model chooses all families."""
    return families is None or (isinstance(families, str) and families == "auto")


def names_family(value: Any) -> bool:
    """Whether `value` is a family, the class of one, or the name of one."""
    if isinstance(value, type):
        return issubclass(value, Family)
    return isinstance(value, Family) or (isinstance(value, str) and value.lower() in FAMILIES)


def as_family(value: Any) -> Family:
    """The family that `value` names. Raises ValueError if it names none."""
    if not names_family(value):
        raise ValueError(f"{value!r} is not a family; the families are {', '.join(FAMILIES)}")
    if isinstance(value, Family):
        return value
    family: type[Family] = FAMILIES[value.lower()] if isinstance(value, str) else value
    return family()


def named_families(names: Sequence[Hashable], families: Any) -> list[tuple[Family, Sequence[int]]]:
    """The families that you named, and their columns."""
    if names_none(families):
        return []
    if not isinstance(families, Mapping):
        return [(as_family(families), range(len(names)))]
    chosen: list[tuple[Family, Sequence[int]]] = []
    named: set[int] = set()
    for key, family in families.items():
        several = isinstance(key, tuple) and key not in names
        columns = [position(names, column) for column in (key if several else (key,))]
        if not columns:
            raise ValueError("families names no column for one of its families")
        for j in columns:
            if j in named:
                raise ValueError(f"families names column {names[j]!r} twice")
            named.add(j)
        chosen.append((as_family(family), columns))
    return chosen


def named_columns(names: Sequence[Hashable], families: Any) -> set[int]:
    """The columns whose family you named."""
    return {j for _, columns in named_families(names, families) for j in columns}


def position(names: Sequence[Hashable], column: Hashable, parameter: str = "families") -> int:
    """The position of a column that a parameter names, by name or by position."""
    if column in names:
        return names.index(column)
    if isinstance(column, int) and -len(names) <= column < len(names):
        return column % len(names)
    some = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
    raise ValueError(f"{parameter} names a column {column!r}, but the columns are {some}")
