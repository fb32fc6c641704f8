"""Cells that any number of blanks separate."""

import io

import pytest

from likely.data.stream.blanks import TabSeparated, split_at_blanks

TEXT = b'  a \t b\n1   "x  y"  \n\n22\t3'


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_one_tab_is_left_between_cells_however_bytes_arrive(size: int) -> None:
    stream = TabSeparated(io.BytesIO(TEXT))
    parts = iter(lambda: stream.read(size), b"")
    assert b"".join(parts) == b'a\tb\n1\t"x  y"\n\n22\t3'


def test_lines_are_split_outside_of_quotes() -> None:
    assert split_at_blanks(['a  "b c"', ""]) == [["a", '"b c"'], []]
