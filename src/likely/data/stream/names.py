"""The names of columns, from the cells of a header."""

from collections.abc import Iterable

BLANKS = " \t\u00a0"
"""What people leave around a name without meaning it; other white space, such as a line separator, is part of it."""


def column_names(cells: Iterable[str]) -> list[str]:
    """Without the blanks around them. A column without a name is `column 3`, and the second of the name `age` is `age
    2`."""
    found: dict[str, None] = {}
    stripped = [cell.strip(BLANKS) or f"column {at}" for at, cell in enumerate(cells, 1)]
    taken = set(stripped)
    for name in stripped:
        free, number = name, 1
        while free in found:
            number += 1
            free = f"{name} {number}" if f"{name} {number}" not in taken else free
        found[free] = None
    return list(found)
