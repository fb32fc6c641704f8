"""Small files as they come: what is inferred of them, and what is said."""
# ruff: noqa: E501 - one line is one file

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from likely.data import Dataset


def rows(*cells: str, header: str = "a", times: int = 1) -> bytes:
    return (header + "\n" + "".join(f"{cell}\n" for cell in cells) * times).encode()


COUNT = [str(i % 7) for i in range(40)]

FILES: dict[str, tuple[bytes, dict[str, Any], list[str]]] = {
    # name: the bytes, {column: (type, first cell)}, the kinds of findings
    "plain": (rows("1", "2"), {"a": ("integer", 1)}, []),
    "decimals": (rows("1", "2.5"), {"a": ("number", 1.0)}, []),
    "spaces around numbers": (rows(" 1 ", "2"), {"a": ("integer", 1)}, []),
    "a decimal comma": (b"a;b\n1,5;x\n2,25;y\n", {"a": ("number", 1.5), "b": ("category", "x")}, ["number_format"]),
    "thousands": (rows('"1,234"', '"12,345"'), {"a": ("integer", 1234)}, ["number_format"]),
    "thousands and decimals": (rows('"1,234.50"', '"7.00"'), {"a": ("number", 1234.5)}, ["number_format"]),
    "German thousands": (b"a;b\n1.234,50;x\n7,00;y\n", {"a": ("number", 1234.5)}, ["number_format"]),
    "Swiss thousands": (rows("1'234", "12'345.5"), {"a": ("number", 1234.0)}, ["number_format"]),
    "dollars": (rows("$12.50", "$3"), {"a": ("number", 12.5)}, ["number_format"]),
    "euros after": (rows("12.50 €", "3.00 €"), {"a": ("number", 12.5)}, ["number_format"]),
    "per cent": (rows("12 %", "3%"), {"a": ("number", 12.0)}, ["number_format"]),
    "narrow spaces between thousands": (rows('"1\u202f234,50 €"', '"12\u00a0345,00 €"'), {"a": ("number", 1234.5)}, ["number_format"]),
    "thousands in India": (rows('"12,34,567"', '"1,234"'), {"a": ("integer", 1234567)}, ["number_format"]),
    "negative in brackets": (rows('"($1,234.50)"', "$7.00"), {"a": ("number", -1234.5)}, ["number_format"]),
    "negative by a minus after": (rows("12.50-", "3.00"), {"a": ("number", -12.5)}, []),
    "a typographer's minus": (rows("−1.5", "2"), {"a": ("number", -1.5)}, []),
    "a spreadsheet's mark of texts": (rows("'1.5", "'2"), {"a": ("number", 1.5)}, []),
    "kilograms": (rows("72.5 kg", "80 kg"), {"a": ("number", 72.5)}, ["number_format"]),
    "a currency by its code": (rows("USD 12.50", "USD 3"), {"a": ("number", 12.5)}, ["number_format"]),
    "codes with a letter": (rows("A11", "A12"), {"a": ("category", "A11")}, []),
    "less than": (rows("<1", "2.5"), {"a": ("category", "<1")}, []),
    "thousands by what other columns have": (b"a;b\n950;1,5\n1.234;2,5\n", {"a": ("integer", 950)}, ["number_format"]),
    "decimals by what other columns have": (b"a;b\n950;1,5\n1,234;2,5\n", {"a": ("number", 950.0)}, ["number_format"]),
    "thousands or decimals": (b"a;b\n2.345;1\n1.234;2\n", {"a": ("number", 2.345)}, ["number_format"]),
    "errors of a spreadsheet": (rows("1", "#DIV/0!", "3"), {"a": ("integer", 1)}, []),
    "NULL as MySQL writes it": (rows("1", "\\N", "3"), {"a": ("integer", 1)}, []),
    "two currencies": (rows("$12", "€12"), {"a": ("category", "$12")}, ["units"]),
    "zip codes": (rows("01067", "99084"), {"a": ("category", "01067")}, ["leading_zeros"]),
    "007, 07 and 7": (rows("007", "07", "7"), {"a": ("category", "007")}, ["leading_zeros"]),
    "zeros before numbers of one width": (rows("07.50", "12.25"), {"a": ("number", 7.5)}, []),
    "zeros before decimals": (rows("0.5", "0.25"), {"a": ("number", 0.5)}, []),
    "zeros": (rows("0", "10"), {"a": ("integer", 0)}, []),
    "a question mark": (rows("1", "?", "3"), {"a": ("integer", 1)}, []),
    "question marks among names": (rows("x", "?", "x"), {"a": ("category", "x")}, ["marks"]),
    "NA among codes": (rows("NA", "DE", "US"), {"a": ("category", None)}, ["marks"]),
    "a question mark after a blank": (b"a, b\n1, ?\n2, x\n3, y\n", {"a": ("integer", 1), "b": ("category", None)}, ["marks"]),
    "blanks around names": (b"a , b\n x ,1\n\"x \",2\n", {"a": ("category", "x"), "b": ("integer", 1)}, ["constant"]),
    "capital letters": (rows("Yes", "yes", "no"), {"a": ("category", "Yes")}, ["case"]),
    "a blank": (rows("1", " ", "3", header="a"), {"a": ("integer", 1)}, ["unread"]),
    "dashes": (rows("1", "-", "3"), {"a": ("integer", 1)}, ["unread"]),
    "unknown among numbers": (rows("1", "unknown", "3"), {"a": ("integer", 1)}, ["unread"]),
    "unknown among names": (rows("x", "unknown", "x"), {"a": ("category", "x")}, ["marked"]),
    "one odd text in 40": (rows(*COUNT, "tall"), {"a": ("integer", 0)}, ["unread"]),
    "texts among numbers": (rows(*map(str, range(12)), "tall"), {"a": ("category", "0")}, ["numbers_as_text"]),
    "three numbers and more": (rows("1", "2", "3", "more"), {"a": ("category", "1")}, []),
    "-999": (rows(*COUNT, "-999", "-999"), {"a": ("integer", 0)}, ["sentinel"]),
    "a constant": (rows("5", "5", "5"), {"a": ("integer", 5)}, ["constant"]),
    "nothing": (b"a,b\n,1\n,2\n", {"b": ("integer", 1)}, ["nothing"]),
    "mostly nothing": (b"a,b\n,1\n,2\n1,3\n", {"a": ("integer", None), "b": ("integer", 1)}, ["missing"]),
    "identifiers": (rows(*(f"K{i}," + str(i % 3) for i in range(30)), header="a,b"), {"b": ("integer", 0)}, ["identifier"]),
    "row numbers": (rows(*(f"{i}," + str(i % 3) for i in range(30)), header="n,b"), {"b": ("integer", 0)}, ["identifier"]),
    "codes by name": (rows(*COUNT, header="type_code"), {"type_code": ("integer", 0)}, ["nominal"]),
    "true and false": (rows("true", "False"), {"a": ("yesno", True)}, []),
    "yes and no": (rows("yes", "no"), {"a": ("category", "yes")}, []),
    "ISO dates": (rows("2023-07-25", "2023-08-01"), {"a": ("date", "2023-07-25 00:00:00")}, []),
    "ISO times": (rows("2023-07-25T14:30:00", "2023-08-01T00:00:00"), {"a": ("date", "2023-07-25 14:30:00")}, []),
    "zones": (rows("2023-07-25T14:30:00Z", "2023-08-01T00:00:00Z"), {"a": ("date", "2023-07-25 14:30:00")}, []),
    "German dates": (rows("25.07.2023", "01.08.2023"), {"a": ("date", "2023-07-25 00:00:00")}, ["date_format"]),
    "American dates": (rows("7/25/2023", "8/1/2023"), {"a": ("date", "2023-07-25 00:00:00")}, ["date_format"]),
    "British dates": (rows("25/7/2023", "1/8/2023"), {"a": ("date", "2023-07-25 00:00:00")}, ["date_format"]),
    "dates of either kind": (rows("1/8/2023", "2/8/2023"), {"a": ("category", "1/8/2023")}, ["date_either"]),
    "months by name": (rows("25 Jul 2023", "1 Aug 2023"), {"a": ("date", "2023-07-25 00:00:00")}, ["date_format"]),
    "a date that is none": (rows("25.07.2023", "32.08.2023"), {"a": ("category", "25.07.2023")}, []),
    "one date in 40 that is none": (rows(*["25.07.2023"] * 39, "32.08.2023"), {"a": ("date", "2023-07-25 00:00:00")}, ["date_format", "unread"]),
    "dates of zeros": (rows("2023-07-25", "0000-00-00", "2023-07-26"), {"a": ("date", "2023-07-25 00:00:00")}, ["unread"]),
    "dates of Oracle": (rows("25-JUL-23", "01-AUG-23"), {"a": ("date", "2023-07-25 00:00:00")}, ["date_format"]),
    "dates with weekdays": (rows("Tue Jul 25 2023", "Tue Aug 01 2023"), {"a": ("date", "2023-07-25 00:00:00")}, ["date_format"]),
    "dates as numbers": (rows("20230725", "20230801", "20231231"), {"a": ("integer", 20230725)}, ["date_as_number"]),
    "hours and minutes": (rows("6:40", "14:05"), {"a": ("time", "06:40:00")}, ["date_format"]),
    "hours of twelve": (rows("2:30 PM", "11:05 AM"), {"a": ("time", "14:30:00")}, ["date_format"]),
    "versions": (rows("1.2.3", "1.2.4"), {"a": ("category", "1.2.3")}, []),
    "times of day": (rows("14:30:00", "09:00:00"), {"a": ("time", "14:30:00")}, []),
    "CR line ends": (b"a,b\r1,x\r2,y\r", {"a": ("integer", 1), "b": ("category", "x")}, []),
    "CRLF line ends": (b"a,b\r\n1,x\r\n2,y\r\n", {"a": ("integer", 1), "b": ("category", "x")}, []),
    "no end of the last line": (b"a,b\n1,x\n2,y", {"a": ("integer", 1), "b": ("category", "x")}, []),
    "empty lines first": (b"\n\na,b\n1,x\n", {"a": ("integer", 1), "b": ("category", "x")}, []),
    "a spreadsheet's delimiter": (b"sep=;\na;b\n1;x\n", {"a": ("integer", 1), "b": ("category", "x")}, []),
    "commas in a file of semicolons": (b'a;b\n1;"x, y, z"\n2;w\n', {"a": ("integer", 1), "b": ("category", "x, y, z")}, []),
    "a byte order mark": (b"\xef\xbb\xbfa\n1\n", {"a": ("integer", 1)}, []),
    "cp1252": ("a\n€5 – ü\n".encode("cp1252"), {"a": ("category", "€5 – ü")}, []),
    "a column without a name": (b",b\n1,x\n2,y\n", {"column 1": ("integer", 1), "b": ("category", "x")}, []),
    "quotes inside cells": (b'a,b\n5" pipe,x\n"say ""hi""",y\n', {"a": ("category", '5" pipe'), "b": ("category", "x")}, []),
    "newlines in cells": (b'a,b\n"one\ntwo",1\nx,2\n', {"a": ("category", "one\ntwo"), "b": ("integer", 1)}, []),
    "numbers above 2^53": (rows("9007199254740993", "1"), {"a": ("integer", 9007199254740993)}, []),
    "hostile names": (b'"driver\'s visits","row 7, ""x"""\n1,2\n', {"driver's visits": ("integer", 1), 'row 7, "x"': ("integer", 2)}, []),
    "compressed without an ending": (gzip.compress(b"a\n1\n2\n", mtime=0), {"a": ("integer", 1)}, []),
}  # fmt: skip


LAYOUTS: dict[str, tuple[bytes, dict[str, list[Any]], list[str]]] = {
    # name: the bytes, the cells, the kinds of findings of the file
    "a title": (b"Sales 2023\nof all regions\n\na,b\n1,x\n2,y\n", {"a": [1, 2], "b": ["x", "y"]}, ["before"]),
    "a spreadsheet's title": (b"Sales;;\n;;\na;b;c\n1;x;y\n2;z;w\n", {"a": [1, 2], "b": ["x", "z"], "c": ["y", "w"]}, ["before"]),
    "comments": (b"# made by a tool\n# today\na,b\nu,x\nv,y\n", {"a": ["u", "v"], "b": ["x", "y"]}, ["before"]),
    "questions in full": (b"Q1,Q2,Q3\nAge?,Size?,Why?\n" + b"1,2,x\n" * 6, {"Q1": [1] * 6, "Q2": [2] * 6, "Q3": ["x"] * 6}, ["below"]),
    "units below names": (b"m,s,k\nkg,s,\n(1),(2),\n" + b"1,2,x\n" * 6, {"m": [1] * 6, "s": [2] * 6, "k": ["x"] * 6}, ["below"]),
    "two columns of a name": (b"a,a,a 2,a\n1,2,3,4\n", {"a": [1], "a 3": [2], "a 2": [3], "a 4": [4]}, ["same_name", "same_name"]),
    "names of rows": (b'a b\n"r1" 1 x\n"r2" 2 y\n', {"column 1": ["r1", "r2"], "a": [1, 2], "b": ["x", "y"]}, ["extra"]),
    "commas at the ends of rows": (b"a,b\n1,x,\n2,y,\n", {"a": [1, 2], "b": ["x", "y"]}, []),
    "any number of blanks": (b"  a   b\n 1.5  x\n12.5 'y'\n", {"a": [1.5, 12.5], "b": ["x", "'y'"]}, []),
    "blanks, tabs and quotes": (b'a b\n1 \t"x y"\n2\t"z"\n', {"a": [1, 2], "b": ["x y", "z"]}, []),
    "an end of CP/M": (b"a,b\n1,x\n\x1a", {"a": [1], "b": ["x"]}, []),
    "no header": (b"39, Private, 5\n50, ?, 6\n38, Private, 7\n", {"39": [50, 38], "Private": [None, "Private"], "5": [6, 7]}, ["header"]),
    "years as names": (b"land,2019,2020\nx,1,2\ny,3,4\n", {"land": ["x", "y"], "2019": [1, 3], "2020": [2, 4]}, []),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout(name: str, tmp_path: Path) -> None:
    data, expected, kinds = LAYOUTS[name]
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    dataset = Dataset(path)
    assert pa.concat_tables([batch.table for batch in dataset]).to_pydict() == expected
    assert [finding.kind for finding in dataset.findings() if finding.column == str(path)] == kinds


@pytest.mark.parametrize("name", FILES)
def test_a_nasty_file(name: str, tmp_path: Path) -> None:
    data, expected, kinds = FILES[name]
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    dataset = Dataset(path)
    types = {column.name: column.type for column in dataset.schema.columns if column.type != "ignore"}
    table = pa.concat_tables([batch.table for batch in dataset])
    found = {column: (type_, _plain(table[column][0].as_py())) for column, type_ in types.items()}
    assert {column: found[column] for column in expected} == expected
    assert sorted(finding.kind for finding in dataset.findings() if finding.column in (*expected, "a", "n")) == kinds


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, float, str, bool)) else str(value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"a,b\n", "there is a header, and no rows"),
        (b"a,b\n1\n", "line 2, has 1 cells where the header has 2"),
        (b"a,b\n1,2\n3\n4,5\n", "line 3, has 1 cells where the header has 2"),
        (b"text\nhello, world\nbye, all\n", "line 2, has 2 cells where the header has 1"),
        (b'a,b\n1,"open\n2,x\n', "a quote that opens after line 1 is not closed"),
        (gzip.compress(b"a\n1\n2\n", mtime=0)[:-6], "is damaged or cut short"),
        (b"PK\x03\x04" + bytes(200), "workbook"),
    ],
)
def test_a_file_that_is_refused(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises((ValueError, ImportError), match=says):
        list(Dataset(path))


def test_a_row_without_an_end_is_refused_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.data.stream.csv.LONGEST_ROW", 1 << 16)
    monkeypatch.setattr("likely.data.stream.csv.HEAD", 1 << 12)
    monkeypatch.setattr("likely.data.stream.raw.BLOCK", 1 << 12)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n" + bytes(b"x" * (1 << 20))))
    with pytest.raises(ValueError, match="line 3: a row of more than 0 MB does not end"):
        list(Dataset(path))
    path.write_bytes(gzip.compress(bytes(b"x" * (1 << 20))))
    with pytest.raises(ValueError, match="does not end"):
        list(Dataset(path))
