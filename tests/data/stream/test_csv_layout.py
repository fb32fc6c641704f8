"""The layout of CSV, found out from its first lines."""

import pytest

from likely.data.stream.csv_layout import CsvLayout, layout_of

ROWS = "1,2,x\n" * 6


def laid_out(text: str, path: str = "t.csv", delimiter: str | None = None, header: bool = True) -> CsvLayout:
    return layout_of(text, path, delimiter, header)


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("a,b\n1,2\n", CsvLayout(",", ["a", "b"])),
        ("a;b\n1,5;2\n2,5;3\n", CsvLayout(";", ["a", "b"])),
        ("a\n1\n", CsvLayout(",", ["a"])),
        ("a b\n1 2\n3 4\n", CsvLayout(" ", ["a", "b"])),
        ("some text\nhello world\n", CsvLayout(",", ["some text"])),
        ("Title\n\na,b\n1,2\n3,4\n", CsvLayout(",", ["a", "b"], before=2)),
        ("Title, of 2\na,b,c\n1,2,x\n3,4,y\n", CsvLayout(",", ["a", "b", "c"], before=1)),
        ("a,b,c\nA?,B?,C?\n" + ROWS, CsvLayout(",", ["a", "b", "c"], below=1)),
        ("a,b,c\nNA,?,C?\n" + ROWS, CsvLayout(",", ["a", "b", "c"])),
        ("a,b\nr,1,2\ns,3,4\n", CsvLayout(",", ["a", "b"], extra=0)),
        ("a,b\n1,2,\n3,4,\n", CsvLayout(",", ["a", "b"], extra=2)),
        ("a,b\nr,1,2\nr,3,4\n", CsvLayout(",", ["a", "b"])),
    ],
)
def test_a_layout(text: str, layout: CsvLayout) -> None:
    assert laid_out(text) == layout


def test_what_is_said_is_kept() -> None:
    assert laid_out("a b,c\n1 2,3\n", delimiter=" ").first == ["a", "b,c"]
    assert laid_out("a,b\n1,2\n", path="t.tsv").delimiter == "\t"
    assert laid_out("Title;;\na;b;c\n", header=False).before == 0
