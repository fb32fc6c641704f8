"""Sheets of workbooks."""
# ruff: noqa: E501 - XML

import zipfile
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest

from likely.data import Dataset


def read(dataset: Dataset) -> dict[str, list[object]]:
    return pa.concat_tables([batch.table for batch in dataset]).to_pydict()


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


OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns"
ODS_CELLS = [
    [
        'office:value-type="float" office:value="1.5"',
        'office:value-type="string"',
        'office:value-type="date" office:date-value="2024-02-29"',
    ],
    [
        'office:value-type="percentage" office:value="0.25"',
        'table:number-columns-repeated="1"',
        'office:value-type="date" office:date-value="2024-03-01T12:30:00"',
    ],
]


def open_document(path: Path, sheet: str) -> Path:
    """The least that is a workbook of LibreOffice."""
    texts = [["1.5", "a", "29.02.24"], ["25 %", None, "01.03.24"]]
    header = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{n}</text:p></table:table-cell>'
        for n in ("n", "kind", "day")
    )
    rows = [
        "".join(
            f"<table:table-cell {how}>" + (f"<text:p>{text}</text:p>" if text else "") + "</table:table-cell>"
            for how, text in zip(cells, shown, strict=True)
        )
        for cells, shown in zip(ODS_CELLS, texts, strict=True)
    ]
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in (header, *rows))
    spaces = " ".join(f'xmlns:{name}="{OPEN_DOCUMENT}:{name}:1.0"' for name in ("office", "table", "text"))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{OPEN_DOCUMENT}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
        )
        file.writestr(
            "content.xml",
            f'<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="{sheet}">{table}</table:table></office:spreadsheet></office:body></office:document-content>',
        )
    return path


def test_a_sheet_of_libreoffice(tmp_path: Path) -> None:
    path = open_document(tmp_path / "t.ods", "sales")
    expected = {"n": [1.5, 0.25], "kind": ["a", None], "day": [datetime(2024, 2, 29), datetime(2024, 3, 1, 12, 30)]}
    assert read(Dataset(path)) == read(Dataset(path, sheet="sales")) == expected
    with pytest.raises(ValueError, match=r"has no sheet 'x'; it has 'sales'"):
        read(Dataset(path, sheet="x"))


def test_an_archive_is_no_workbook(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("data.csv", "a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"t\.zip is an archive with data\.csv; unpack it first"):
        list(Dataset(tmp_path / "t.zip"))


def test_what_is_not_read_of_a_workbook_is_said(tmp_path: Path) -> None:
    title = [["Sales", None, None], [None, None, None], ["n", "kind", "n"], [1, "a", 3], [2, "b", 4]]
    dataset = Dataset(workbook(tmp_path / "t.xlsx", first=title, second=[["m"], [7]]))
    assert read(dataset) == {"n": [1, 2], "kind": ["a", "b"], "n 2": [3, 4]}
    assert [str(finding) for finding in dataset.findings() if finding.kind == "read"] == [
        f"{tmp_path / 't.xlsx'}: its first sheet, 'first', is read; others are 'second' (--sheet)",
        f"{tmp_path / 't.xlsx'}: row 3 has the names of columns; what is above it is left out",
    ]
