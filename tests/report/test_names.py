import numpy as np
import pytest

from likely.data import Sample
from likely.report.names import EMPTY, LONGEST, NAME, apart, displayed, most_common, short


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("age", "age"),
        (7, "7"),
        ("", EMPTY),
        (" \n", EMPTY),
        ("two\nlines\tand more", "two lines and more"),
        ("\x00\x1b[31m", "\ufffd\ufffd[31m"),
        ("\u202eevil\u2066", "\ufffdevil\ufffd"),
        ("\ud800", "\ufffd"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("<b>&amp;", "<b>&amp;"),
    ],
)
def test_a_name_is_one_line_of_characters(name, shown):
    assert displayed(name) == shown


def test_a_long_name_is_cut_by_how_wide_it_is():
    assert displayed("x" * 1000) == "x" * (LONGEST - 1) + "…"
    assert short("x" * NAME) == "x" * NAME
    assert short("x" * (NAME + 1)) == "x" * (NAME - 1) + "…"
    assert short("列" * 50) == "列" * ((NAME - 1) // 2) + "…"


def test_names_that_begin_alike_are_cut_in_the_middle():
    long = [f"Department of Customer Relations no. {k}" for k in (3, 28)]
    assert apart([*long, "Sales"]) == ["Department…tions no. 3", "Department…ions no. 28", "Sales"]
    assert apart([long[0], "Sales"]) == ["Department of Custome…", "Sales"]
    assert apart(["列" * 30 + "a", "列" * 30 + "b"])[0].endswith("a")
    assert apart(["same", "same"]) == ["same", "same"]


def test_classes_with_most_rows_have_colours_in_their_order():
    y = np.repeat(np.arange(8), [5, 1, 9, 9, 2, 7, 7, 7]).astype(np.int32)
    sample = Sample(None, y, np.arange(8))
    assert most_common(sample) == [0, 2, 3, 5, 6, 7]
    assert most_common(sample.weighing(np.where(y == 1, 100.0, 1.0))) == [1, 2, 3, 5, 6, 7]
    assert most_common(Sample(None, y[:3], np.arange(8)))[0] == 0
