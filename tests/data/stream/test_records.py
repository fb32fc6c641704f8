"""Sheets of workbooks and tables of SQLite."""
# ruff: noqa: E501 - XML

import sqlite3
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from likely.data import Dataset


def read(dataset: Dataset) -> dict[str, list[object]]:
    return pa.concat_tables([batch.table for batch in dataset]).to_pydict()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE sales (n INTEGER, price REAL, kind TEXT)")
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?)", [(1, 2.5, "a"), (2, None, "b"), (3, 7.5, "a")])
    connection.close()
    return path


def test_a_table_of_sqlite(database: Path) -> None:
    expected = {"n": [1, 2, 3], "price": [2.5, None, 7.5], "kind": ["a", "b", "a"]}
    assert read(Dataset(database)) == expected
    assert read(Dataset(f"{database}::sales")) == expected
    assert read(Dataset(database, query="SELECT n FROM sales WHERE n > 1")) == {"n": [2, 3]}


@pytest.mark.parametrize(
    ("name", "query", "says"),
    [("::none", None, "has the tables 'sales'; name one"), ("", "SELECT x FROM sales", "no such column: x"), ("", "DROP TABLE sales", "readonly")],
)  # fmt: skip
def test_what_the_database_has_not(name: str, query: str | None, says: str, database: Path) -> None:
    with pytest.raises(ValueError, match=says):
        read(Dataset(f"{database}{name}", query=query))


SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)


def workbook(path: Path, **sheets: list[list[object]]) -> Path:
    """The least that is a workbook."""
    main, office = (
        "http://schemas.openxmlformats.org/package/2006",
        "http://schemas.openxmlformats.org/officeDocument/2006",
    )
    with zipfile.ZipFile(path, "w") as file:
        parts = "".join(
            f'<Override PartName="/xl/s{i}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            for i in range(len(sheets))
        )
        file.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{main}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{parts}</Types>',
        )
        file.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{main}/relationships"><Relationship Id="r" Type="{office}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        names = "".join(f'<sheet name="{name}" sheetId="{i + 1}" r:id="r{i}"/>' for i, name in enumerate(sheets))
        file.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{office}/relationships"><sheets>{names}</sheets></workbook>',
        )
        links = "".join(
            f'<Relationship Id="r{i}" Type="{office}/relationships/worksheet" Target="s{i}.xml"/>'
            for i in range(len(sheets))
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{main}/relationships">{links}</Relationships>'
        )
        for i, rows in enumerate(sheets.values()):
            lines = [
                f'<row r="{at + 1}">'
                + "".join(_cell(chr(65 + j), at + 1, cell) for j, cell in enumerate(row))
                + "</row>"
                for at, row in enumerate(rows)
            ]
            file.writestr(f"xl/s{i}.xml", SHEET.format("".join(lines)))
    return path


def _cell(column: str, row: int, cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f'<c r="{column}{row}" t="inlineStr"><is><t>{cell}</t></is></c>'
    return f'<c r="{column}{row}"><v>{cell}</v></c>'


def test_a_sheet_of_a_workbook(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    path = workbook(
        tmp_path / "t.xlsx", first=[["n", "kind"], [1, "a"], [2.5, None], [None, "b"]], second=[["m"], [7], [8]]
    )
    assert read(Dataset(path)) == {"n": [1.0, 2.5, None], "kind": ["a", None, "b"]}
    assert read(Dataset(path, sheet="second")) == {"m": [7, 8]}
    with pytest.raises(ValueError, match="has no sheet 'third'; it has 'first', 'second'"):
        read(Dataset(path, sheet="third"))
    path.rename(tmp_path / "t.csv")
    assert read(Dataset(tmp_path / "t.csv", sheet="second")) == {"m": [7, 8]}
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(ValueError, match="can't be read as a workbook"):
        read(Dataset(tmp_path / "bad.xlsx"))
