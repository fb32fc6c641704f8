import numpy as np

from likely.report.relevance import SHOWN, draw_relevance
from likely.validation import Relevance


def test_each_bar_says_its_factor(found):
    picture = draw_relevance(found.relevance)
    axes = picture.figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == found.relevance.columns
    assert [text.get_text() for text in axes.texts] == [f"{factor:.1f}" for factor in found.relevance.log_factors]
    np.testing.assert_allclose([bar.get_width() for bar in axes.patches], found.relevance.log_factors)


def test_of_many_columns_those_that_depend_most():
    found = Relevance([f"column {j}" for j in range(300)], np.linspace(2000.0, -50.0, 300))
    axes = draw_relevance(found).figure.axes[0]
    assert len(axes.patches) == SHOWN
    assert axes.texts[0].get_text() == "2,000"


def test_all_against_and_nothing_at_all():
    assert "a -3.0" in draw_relevance(Relevance(["a", "b"], np.array([-3.0, -4.0]))).says
    assert draw_relevance(Relevance(["a"], np.zeros(1))).says.endswith("a 0.0")
