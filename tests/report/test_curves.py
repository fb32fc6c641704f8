import numpy as np

from likely.report.curves import draw_curves
from likely.validation import Curve


def test_the_lines_are_the_means_over_rows_on_a_logarithm():
    rng = np.random.default_rng(0)
    errors, losses = ({name: rng.random((3, 8)) for name in ("naive Bayes", "<b>")} for _ in range(2))
    picture = draw_curves(Curve(np.array([16, 90, 500]), errors, losses))
    for axes, of in zip(picture.figure.axes, (errors, losses), strict=True):
        assert axes.get_xscale() == "log"
        assert [label.get_text() for label in axes.get_xticklabels()] == ["16", "90", "500"]
        for line, values in zip(axes.lines, of.values(), strict=True):
            np.testing.assert_allclose(line.get_ydata(), values.mean(axis=1))
    assert f"naive Bayes {errors['naive Bayes'][-1].mean():.4f}" in picture.says
    assert "<b>" not in picture.svg().replace("&lt;b&gt;", "")


def test_what_is_never_wrong_is_drawn():
    none = {"a": np.zeros((2, 3))}
    assert draw_curves(Curve(np.array([10, 20]), none, none)).figure.axes[0].get_ylim() == (0.0, 1.0)
