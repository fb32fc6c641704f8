"""What is said of how a file is laid out."""

from pathlib import Path

import pytest

from likely.data import Dataset


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Title\na,b\n1,x\n2,y\n", "its first line comes before the names of the columns: left out"),
        ("a,b,c\nA?,B?,C?\n" + "1,2,x\n" * 6, "line 2 has texts in columns of numbers, like a header: left out"),
        ("a,a\n1,2\n", "has 2 columns of the name 'a': column 2 is read as 'a 2'"),
        ("a,b\nr,1,2\ns,3,4\n", "rows have one cell more than the header: the first is read as 'column 1'"),
        (
            "id1,1,1\nid2,2,3\nid3,3,4\n",
            "its first line, id1, 1, 1, may be a row and not the names of columns (--no-header)",
        ),
        ("1,x\n2,x\n3,y\n", "its first line, 1, x, may be a row and not the names of columns (--no-header)"),
    ],
)
def test_a_file_as_it_is_laid_out(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    (finding,) = (str(one) for one in Dataset(path).findings() if one.column == str(path))
    assert finding == f"{path}: {says}"
