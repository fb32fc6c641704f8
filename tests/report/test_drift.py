"""The picture of drift: a bar for each column, and the classes before and after."""

import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes
from likely.report.drift import SHOWN, draw_drift
from likely.validation import drift

RNG = np.random.default_rng(0)


def rows(shift=0.0, n=400):
    y = RNG.choice(["<no>", "yes"], n)
    return pd.DataFrame({"age": RNG.normal(40 + shift, 9, n) + 9 * (y == "yes"), "<b>": RNG.choice(["n", "s"], n)}), y


def test_bars_are_the_divergences_and_moved_ones_say_how():
    found = drift(NaiveBayes(calibrate=True).fit(*rows()), rows(30.0)[0])
    picture = draw_drift(found)
    axes, classes = picture.figure.axes
    widths = sorted(bar.get_width() for bar in axes.patches)
    assert widths == sorted(one.divergence for one in found.columns)
    said = [text.get_text() for text in axes.texts]
    assert " did not move" in said
    assert any("mean" in text for text in said)
    assert classes.lines[0].get_xdata()[0] == found.classes.before[0]
    assert picture.says == f"Drift: {found.caption} {found.classes.caption}"
    assert "<b>" not in picture.svg().replace("&lt;b&gt;", "")


@pytest.mark.parametrize("columns", [1, SHOWN + 5])
def test_two_tables_have_no_classes(columns):
    old, new = (pd.DataFrame(RNG.normal(size=(200, columns))).add_prefix("x") for _ in range(2))
    picture = draw_drift(drift(old, new))
    assert len(picture.figure.axes) == 1
    assert len(picture.figure.axes[0].patches) == min(columns, SHOWN)
