"""Text for people."""

import pytest

from likely.printing import aligned, counted, number, percent, probability, safe, safe_lines


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


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0, "0.0 %"), (0.0001, "< 0.1 %"), (0.0006, "0.1 %"), (0.999, "99.9 %"), (0.9999, "> 99.9 %"), (1.0, "100.0 %")],
)
def test_a_probability_is_certain_only_where_it_is(p: float, shown: str) -> None:
    assert probability(p) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(13120.4, "13,120"), (-1000, "-1,000"), (999.94, "999.9"), (0.00123456, "0.001235"), (3.0, "3"), (1e20, "1e+20")],
)
def test_numbers_have_their_thousands(value: float, shown: str) -> None:
    assert number(value) == shown


def test_what_is_counted() -> None:
    assert [counted(count, "folder") for count in (0, 1, 1.0, 1234)] == [
        "0 folders",
        "1 folder",
        "1 folder",
        "1,234 folders",
    ]
    assert [counted(count, "class", "classes") for count in (1, 2)] == ["1 class", "2 classes"]


def test_shares() -> None:
    assert (percent(0.1234), percent(1), percent(0.5, 0)) == ("12.3 %", "100.0 %", "50 %")
