"""Errors with their details as fields. Only `__str__` turns the fields into a sentence.

The code that raises an error rarely knows all details: a family knows the position of a cell in its block, a model the
name of the column, the command line the line of the file. Each sets the fields that it knows and raises the same error
again.
"""

from collections.abc import Sequence
from typing import Any


class TableError(ValueError):
    """The base of errors in a table, with the column and the row if they are known."""

    column: Any = None
    row: int | None = None
    """Counted from 0."""
    place: str = ""
    """The row's position in a file, if it has one. The sentence then begins with it, without the row number."""

    def sentence(self) -> str:
        return super().__str__()

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence()}" if self.place else self.sentence()


class BadCell(TableError):
    """A cell with a value that cannot be used: what is needed, and what the cell has instead."""

    def __init__(
        self, needs: str, row: int, column: Any, value: Any, comment: str = "", *, in_block: bool = False
    ) -> None:
        super().__init__(needs, row, column, value, comment)
        self.needs, self.row, self.column, self.comment, self.in_block = needs, row, column, comment, in_block
        self.value = value.item() if getattr(value, "shape", None) == () else value

    comment: str
    """Text that follows the value in the sentence."""
    in_block: bool
    """Whether `row` and `column` are still positions in the block of a family."""

    def sentence(self) -> str:
        needs = f"{self.needs}; " if self.needs else ""
        return f"{needs}{self._where()} has {self.value!r}{self.comment}"

    def _where(self) -> str:
        column = "" if self.column is None else f"column {self.column!r}"
        row = "" if self.place or self.row is None else self._row()
        return f"{column}, {row}," if column and row else column or row or "the cell"

    def _row(self) -> str:
        return f"row {self.row}"


class BadLabel(BadCell):
    """A label that cannot be used, in `y` or in the column that holds the classes."""

    def _row(self) -> str:
        return f"row {self.row} of y" if self.column is None else super()._row()


class WrongType(BadCell, TypeError):
    """A cell that is neither a number nor text."""


class MixedTypes(WrongType):
    """A cell of another type than the cells before it."""

    def __init__(self, row: int, column: Any, value: Any, before: Any) -> None:
        super().__init__("", row, column, value)
        self.args, self.before = (row, column, value, before), before

    def sentence(self) -> str:
        return f"column {self.column!r} mixes types: it has {self.before!r}, and in row {self.row} {self.value!r}"


class Degenerate(TableError):
    """Parameters that do not exist, such as the variance of one row."""

    def __init__(self, what: str, of_class: Any, column: Any, instead: str) -> None:
        super().__init__(what, of_class, column, instead)
        self.what, self.of_class, self.column, self.instead = what, of_class, column, instead

    def sentence(self) -> str:
        column = "" if self.column is None else f" for column {self.column!r}"
        in_class = "" if self.of_class is None else f" in class {self.of_class!r}"
        return f"{self.what}{column}{in_class}; {self.instead}"


class NeverLearned(TableError):
    """A model was asked to forget rows that it never learned."""

    def __init__(self, of_class: Any, cell: int) -> None:
        super().__init__(of_class, cell)
        self.of_class, self.cell = of_class, cell

    def sentence(self) -> str:
        column = "" if self.column is None else f"column {self.column!r}, "
        return (
            f"some of these rows were never learned: {column}class {self.of_class!r} would be left with less than "
            "nothing; nothing was forgotten"
        )


class EmptyColumns(UserWarning):
    """A warning of columns without a value in the rows learned. The model leaves them out until rows have one."""

    def __init__(self, columns: Sequence[Any]) -> None:
        super().__init__(columns)
        self.columns = columns

    def __str__(self) -> str:
        names, one = ", ".join(map(repr, self.columns)), len(self.columns) == 1
        which = f"column {names} has" if one else f"columns {names} have"
        return f"{which} no value present; the model leaves {'it' if one else 'them'} out until rows have one"
