"""Results that are tables: as a pandas frame, as Arrow, and as HTML in a notebook."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from likely.printing import safe

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray

Column: TypeAlias = "Sequence[Any] | NDArray[Any]"
Cells: TypeAlias = Mapping[str, Column]
"""The columns of a table, by name."""

SHOWN = 60
"""The most rows of a table that a notebook shows; a frame has all of them."""
LONGEST = 200
"""The most characters of a cell that a notebook shows."""
# The HTML class is that of pandas frames: notebooks and sites have a style for it, also for dark mode.
STYLE = "font-variant-numeric: tabular-nums; border-collapse: collapse"
PADDING = "padding: 0.15em 0.7em"


class Tabular(ABC):
    """A result that is a table. `pandas.DataFrame(result)` is the same as `result.to_frame()`."""

    @abstractmethod
    def cells(self) -> Cells:
        """The columns of the table, by name."""

    @property
    def caption(self) -> str:
        """The text that a notebook shows above the table."""
        return ""

    def __iter__(self) -> Iterator[Any]:
        """The rows, as dicts from column to cell."""
        cells = self.cells()
        return (dict(zip(cells, row, strict=True)) for row in zip(*map(_plain, cells.values()), strict=True))

    def to_frame(self) -> "pd.DataFrame":
        """The table as a pandas frame; needs pandas."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install pandas; or call to_arrow") from None
        return pd.DataFrame({name: _plain(values) for name, values in self.cells().items()})

    def to_arrow(self) -> "pa.Table":
        """The table as an Arrow table. In a column with values of several types they become text."""
        import pyarrow as pa

        return pa.table({name: _one_type(values) for name, values in self.cells().items()})

    def _repr_html_(self) -> str:
        cells = {name: _plain(values) for name, values in self.cells().items()}
        rows = list(zip(*(values[:SHOWN] for values in cells.values()), strict=True))
        more = len(next(iter(cells.values()), ())) - len(rows)
        head = "".join(
            f'<th style="text-align: {_side(values[0] if values else "")}; {PADDING}">{_text(name)}</th>'
            for name, values in cells.items()
        )
        body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
        below = [f"<p>and {more:,} more rows: <code>to_frame()</code></p>"] if more > 0 else []
        above = [f"<p>{'<br>'.join(map(_text, self.caption.splitlines()))}</p>"] if self.caption else []
        table = f'<table class="dataframe" style="{STYLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        return "".join([*above, table, *below])


def by_class(names: Cells, classes: "NDArray[Any]", lines: Column) -> Cells:
    """The columns `names`, then one for each class with its number of each line. A class with the name of a column is
    called "class NAME"."""
    labels = [str(label) for label in classes.tolist()]
    return dict(names) | {
        f"class {label}" if label in names else label: [float(numbers[at]) for numbers in lines]
        for at, label in enumerate(labels)
    }


def _plain(values: Column) -> list[Any]:
    """A list of Python values, from numpy arrays too."""
    return getattr(values, "tolist", lambda: list(values))()


def _one_type(values: Column) -> list[Any]:
    plain = _plain(values)
    kinds = {float if type(value) is int else type(value) for value in plain if value is not None}
    return plain if len(kinds) < 2 else [None if value is None else str(value) for value in plain]


def _side(value: Any) -> str:
    """The alignment of a cell: numbers at the right, all else at the left."""
    return "right" if isinstance(value, (int, float)) and not isinstance(value, bool) else "left"


def _cell(value: Any) -> str:
    side = _side(value)
    number = f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if side == "right" else None
    text = "" if value is None else _text(value) if number is None else number
    return f'<td style="text-align: {side}; {PADDING}">{text}</td>'


def _text(value: Any) -> str:
    text = str(value)
    return escape(safe(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"))
