"""Text for people."""

import pytest

from likely.printing import aligned, percent, safe, safe_lines


def test_lines_are_aligned() -> None:
    lines = [("a", "bb", "1", "20"), ("long", "b", "-1.5", "3")]
    assert aligned(lines).splitlines() == ["a     bb     1  20", "long  b   -1.5   3"]
    assert aligned([("a", "1", "b"), ("cc", "10", "")], "<><").splitlines() == ["a    1  b", "cc  10"]


def test_cells_are_safe_and_stay_aligned() -> None:
    assert aligned([("\x1b[2J", "1"), ("a\nb", "2")], "<>").splitlines() == ["\\x1b[2J  1", "a\\nb     2"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, né, 漢字, 👩\u200d🔬, a\u00a0b", "plain, né, 漢字, 👩\u200d🔬, a\u00a0b"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b\x7f\x00", "\\x9b\\x7f\\x00"),
        ("\u202eevil\u2069", "\\u202eevil\\u2069"),
        ("a\r\n\tb\u2028", "a\\r\\n\\tb\\u2028"),
        ("\udcff", "\\udcff"),
    ],
)
def test_unsafe_characters_are_escaped(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_lines_stay_lines() -> None:
    assert safe_lines("a\n\x1bb\n") == "a\n\\x1bb\n"


def test_shares() -> None:
    assert (percent(0.1234), percent(1), percent(0.5, 0)) == ("12.3 %", "100.0 %", "50 %")
