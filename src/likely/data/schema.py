"""A schema: what each column of a table is, and how its cells are written. Settled once, stored with a model."""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, Self, get_args

ColumnType = Literal["number", "integer", "category", "text", "date", "time", "yesno", "ignore"]
TYPES: tuple[ColumnType, ...] = get_args(ColumnType)

MISSING = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "NULL", "null", "NaN", "nan", "-NaN", "-nan"),
    *("Null", "NAN", "NaT", "<NA>", "<null>", "\\N", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!"),
    *("-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN"),
)
"""Texts that mark a missing cell in every column, unless `not_missing` names them."""


@dataclass(frozen=True)
class ColumnSchema:
    """One column: its type, and how its cells are written where that is not the plain way."""

    name: str
    type: ColumnType
    format: str = ""
    """How a date or time is written, as for `datetime.strptime`; empty: in ISO 8601."""
    decimal: str = "."
    thousands: str = ""
    unit: str = ""
    """What is written around each number: "%", or a currency."""
    missing: tuple[str, ...] = ()
    """Texts that mark a missing cell here, besides those of the schema."""
    parts: tuple[str, ...] = ()
    """What a model reads of a date besides the day: "month", "weekday" and "hour", where they differ."""

    @property
    def plain(self) -> bool:
        """Whether cells are written as Arrow's reader of CSV reads them."""
        return not (self.format or self.thousands or self.unit or self.missing) and self.decimal == "."


@dataclass(frozen=True)
class Schema:
    """What each column of a table is read as, and what holds for all columns.

    Parameters
    ----------
    columns : tuple of ColumnSchema
        The columns, in their order.
    missing : tuple of str
        What marks a missing cell.
    header : bool, default True
        Whether CSV has the names of the columns in its first line.
    delimiter : str, optional
        What separates the cells of CSV; detected for each file by default.
    encoding : str, optional
        The encoding of CSV; detected for each file by default.

    See Also
    --------
    Dataset : infers a schema, or reads by one.

    Examples
    --------
    >>> from likely.data import Dataset
    >>> from likely.datasets import ANIMALS
    >>> schema = Dataset(ANIMALS).schema
    >>> schema["legs"].type
    'integer'
    >>> print(schema.toml().splitlines()[1])
    "has_fur" = "yesno"
    """

    columns: tuple[ColumnSchema, ...]
    missing: tuple[str, ...] = MISSING
    header: bool = True
    """Whether CSV has the names of the columns in its first line."""
    delimiter: str | None = None
    """Of CSV; None: detected for each file."""
    encoding: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {column.name: column for column in self.columns})

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> ColumnSchema:
        return self._by_name[name]

    _by_name: Mapping[str, ColumnSchema] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def with_columns(self, changed: Iterable[ColumnSchema]) -> Self:
        """With these columns in place of those of the same names."""
        by_name = {column.name: column for column in changed}
        return replace(self, columns=tuple(by_name.get(column.name, column) for column in self.columns))

    def __str__(self) -> str:
        return self.toml().rstrip("\n")

    # As plain values, for model files and schema files

    def plain(self) -> dict[str, object]:
        """As dicts, lists, texts and numbers, without what has its default."""
        found = {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.init and one.name != "columns" and getattr(self, one.name) != one.default
        }
        if "missing" in found:
            found["missing"] = list(self.missing)
        return {**found, "columns": {column.name: _plain_column(column) for column in self.columns}}

    @classmethod
    def of_plain(cls, plain: object) -> Self:
        """Raises ValueError, with the name of what is wrong."""
        given: Any = plain
        try:
            rest = {name: value for name, value in given.items() if name != "columns"}
            columns = tuple(_column(name, value) for name, value in given["columns"].items())
        except (AttributeError, KeyError, TypeError):
            raise ValueError("a schema has a table 'columns', with the type of each column by its name") from None
        known = {one.name: one for one in fields(cls) if one.init}
        for name, value in rest.items():
            if name not in known:
                raise ValueError(f"a schema has no setting {name!r}; it has {', '.join(known)}")
            if name == "missing":
                rest[name] = _texts(value, "missing")
            elif name == "header" and not isinstance(value, bool):
                raise ValueError(f"header is true or false, not {value!r}")
            elif name in ("delimiter", "encoding") and value is not None and not isinstance(value, str):
                raise ValueError(f"{name} is a text, not {value!r}")
        return cls(columns, **rest)

    # As a file

    def toml(self) -> str:
        """As TOML, which people can read and change."""
        plain: dict[str, Any] = self.plain()
        lines = [f"{name} = {_toml(value)}" for name, value in plain.items() if name != "columns"]
        lines += ["", "[columns]"] if lines else ["[columns]"]
        lines += [f"{_toml(name)} = {_toml(value)}" for name, value in plain["columns"].items()]
        return "\n".join(lines) + "\n"

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """From a file of TOML or JSON, by the ending of its name."""
        try:
            text = Path(path).read_text("utf-8")
            plain = json.loads(text) if os.fspath(path).lower().endswith(".json") else tomllib.loads(text)
            return cls.of_plain(plain)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{os.fspath(path)} is no schema: {error}") from None


def column_type(name: str, said: str) -> ColumnSchema:
    """A column as a user names its type: "number", or "date:%d.%m.%Y" with the way it is written."""
    type_, _, format_ = said.partition(":")
    if type_ not in TYPES:
        raise ValueError(f"column {name!r} cannot be of type {type_!r}; the types are {', '.join(TYPES)}")
    if format_ and type_ not in ("date", "time"):
        raise ValueError(f"column {name!r} is of type {type_!r}, which has no format {format_!r}")
    return ColumnSchema(name, type_, format_)


def _plain_column(column: ColumnSchema) -> Any:
    other = {
        one.name: getattr(column, one.name)
        for one in fields(column)
        if one.name not in ("name", "type") and getattr(column, one.name) != one.default
    }
    other = {name: list(value) if isinstance(value, tuple) else value for name, value in other.items()}
    return {"type": column.type, **other} if other else column.type


def _column(name: str, plain: Any) -> ColumnSchema:
    if isinstance(plain, str):
        return column_type(name, plain)
    if not isinstance(plain, Mapping) or not isinstance(plain.get("type"), str):
        raise ValueError(f"column {name!r} has no type; the types are {', '.join(TYPES)}")
    column = column_type(name, plain["type"])
    known = asdict(column)
    other: dict[str, Any] = {}
    for setting, value in plain.items():
        if setting == "name" or setting not in known:
            raise ValueError(f"column {name!r} has no setting {setting!r}")
        if setting in ("missing", "parts"):
            other[setting] = _texts(value, f"{setting} of column {name!r}")
        elif not isinstance(value, str):
            raise ValueError(f"{setting} of column {name!r} is a text, not {value!r}")
        elif setting != "type":
            other[setting] = value
    return replace(column, **other)


def _texts(value: Any, what: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{what} is a list of texts, not {value!r}")
    return tuple(value)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {_toml(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # A string of JSON is one of TOML, except for DEL, which TOML wants escaped, and half characters.
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return text.encode("utf-8", "replace").decode()
