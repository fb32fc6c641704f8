"""A schema: as a value, as plain parts and as a file."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from likely.data.schema import MISSING, ColumnSchema, Schema, column_type

DATE = ColumnSchema("ein Datum", "date", "%d.%m.%Y", missing=("-",), parts=("month",))
SCHEMA = Schema(
    (ColumnSchema('n "quoted" \x7f\n', "number", decimal=",", unit="€"), DATE, ColumnSchema("c", "category")),
    missing=("", "?"),
    header=False,
    delimiter="\t",
    encoding="cp1252",
)


def test_plain_parts_give_the_schema_back() -> None:
    assert Schema.of_plain(SCHEMA.plain()) == SCHEMA
    assert Schema.of_plain(json.loads(json.dumps(SCHEMA.plain()))) == SCHEMA


def test_plain_parts_leave_out_what_is_as_by_default() -> None:
    assert Schema((ColumnSchema("a", "number"),)).plain() == {"columns": {"a": "number"}}
    assert Schema((DATE,), header=False).plain() == {
        "header": False,
        "columns": {"ein Datum": {"type": "date", "format": "%d.%m.%Y", "missing": ["-"], "parts": ["month"]}},
    }


@pytest.mark.parametrize(("name", "text"), [("s.toml", SCHEMA.toml()), ("s.JSON", json.dumps(SCHEMA.plain()))])
def test_a_file_gives_the_schema_back(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert Schema.load(tmp_path / name) == SCHEMA


def test_a_schema_prints_as_its_toml() -> None:
    assert str(Schema((ColumnSchema("a", "number"),), delimiter=";")) == 'delimiter = ";"\n\n[columns]\n"a" = "number"'
    assert tomllib.loads(str(SCHEMA)) == SCHEMA.plain()


def test_columns_are_found_by_their_names() -> None:
    assert SCHEMA["ein Datum"] is DATE
    assert "c" in SCHEMA
    assert "d" not in SCHEMA
    assert SCHEMA.names[1:] == ["ein Datum", "c"]


def test_columns_are_replaced_in_their_places() -> None:
    found = SCHEMA.with_columns([ColumnSchema("c", "ignore"), ColumnSchema("unknown", "text")])
    assert found.names == SCHEMA.names
    assert (found["c"].type, found["ein Datum"]) == ("ignore", DATE)
    assert found.delimiter == "\t"
    assert SCHEMA["c"].type == "category"


def test_a_user_names_a_type_and_its_format() -> None:
    assert column_type("a", "number") == ColumnSchema("a", "number")
    assert column_type("a", "time:%H:%M") == ColumnSchema("a", "time", "%H:%M")


@pytest.mark.parametrize(
    ("setting", "plain"),
    [("format", "%Y"), ("decimal", ","), ("thousands", "."), ("unit", "$"), ("missing", ("-",)), ("parts", None)],
)
def test_a_column_is_plain_unless_its_cells_are_written_otherwise(setting: str, plain: Any) -> None:
    assert ColumnSchema("a", "date", **{setting: plain or ("month",)}).plain == (plain is None)


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ([], "a schema has a table 'columns'"),
        ({"columns": ["a"]}, "a schema has a table 'columns'"),
        ({"columns": {}, "head": True}, "a schema has no setting 'head'"),
        ({"columns": {}, "header": 1}, "header is true or false, not 1"),
        ({"columns": {}, "delimiter": 1}, "delimiter is a text, not 1"),
        ({"columns": {}, "missing": "NA"}, "missing is a list of texts, not 'NA'"),
        pytest.param({"columns": {}, "missing": 5}, "missing is a list of texts, not 5"),
        ({"columns": {"a": "float"}}, "column 'a' cannot be of type 'float'"),
        ({"columns": {"a": "number:%d"}}, "column 'a' is of type 'number', which has no format '%d'"),
        ({"columns": {"a": {"format": "%d"}}}, "column 'a' has no type"),
        ({"columns": {"a": {"type": "date", "name": "b"}}}, "column 'a' has no setting 'name'"),
        ({"columns": {"a": {"type": "number", "unit": 1}}}, "unit of column 'a' is a text, not 1"),
        ({"columns": {"a": {"type": "number", "missing": [1]}}}, "missing of column 'a' is a list of texts"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, plain: Any, said: str) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match="^" + re.escape(f"{path} is no schema: {said}")):
        Schema.load(path)


def test_the_usual_marks_are_missing_unless_others_are_given() -> None:
    assert Schema.of_plain({"columns": {}}).missing == MISSING
    assert Schema.of_plain({"columns": {}, "missing": []}).missing == ()
