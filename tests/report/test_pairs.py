"""The picture of what a pair adds."""

import numpy as np
import pandas as pd

import likely
from likely.data import read
from likely.report.pairs import _signed, draw_pair, pair_class, pair_terms


def fitted(classes=2):
    rng = np.random.default_rng(0)
    x = pd.DataFrame({"a": rng.normal(size=200), "kind": rng.choice(["p", "q"], 200), "b": rng.normal(size=200)})
    y = np.where(
        (x["a"] > 0) == (x["kind"] == "p"), "yes", np.where(x["b"] > 0, "no", "never" if classes > 2 else "no")
    )
    return x, likely.LogisticRegression(interactions=[("b", "kind"), ("a", "kind")]).fit(x, y).model_


def test_the_pair_that_adds_most_comes_first_and_the_picture_has_what_it_adds():
    x, model = fitted()
    first, second = pair_terms(model, read(x))
    assert (first.name, second.name) == ("a × kind", "b × kind")
    picture = draw_pair(model, first)
    grid, adds = first.grid, first.grid.surface(first.term, first.weights)[0].T
    written = [text.get_text() for text in picture.figure.axes[0].texts]
    signed = [float(text.replace("−", "-")) for text in written]
    np.testing.assert_allclose(signed, adds.ravel(), atol=0.05 + 1e-9)
    a, kind = (grid.axes[axis] for axis in grid.terms[first.term])
    at = pd.DataFrame({"a": np.tile(a.nodes, 2), "kind": np.repeat(kind.nodes, len(a.nodes)), "b": 0.0})
    reasons = likely.models.logistic.reasons.LogisticExplanation(model, read(at))
    added = [next(r for r in row.reasons if r.column == "a × kind").contributions[1] for row in reasons]
    np.testing.assert_allclose(added, adds.ravel())
    assert picture.says.startswith("What a and kind together add to the log-odds of yes; the largest value is ")
    assert model.classes[pair_class(first)] == "yes"


def test_of_many_classes_it_is_of_the_one_to_which_the_pair_matters_most():
    x, model = fitted(3)
    first = pair_terms(model, read(x))[0]
    assert model.classes[pair_class(first)] == "yes"
    assert "log-odds of yes" in draw_pair(model, first).says


def test_of_two_classes_it_is_of_the_one_in_focus():
    x, model = fitted()
    first = pair_terms(model, read(x))[0]
    other, own = (
        [float(text.get_text().replace("−", "-")) for text in draw_pair(model, first, focus).figure.axes[0].texts]
        for focus in (0, 1)
    )
    assert other == [-added for added in own]
    assert "log-odds of no;" in draw_pair(model, first, 0).says


def test_months_are_in_their_order():
    rng = np.random.default_rng(0)
    x = pd.DataFrame({"a": rng.normal(size=300), "month": rng.choice(["jun", "apr", "may"], 300)})
    y = (x["a"] > 0) == (x["month"] == "may")
    model = likely.LogisticRegression(interactions=[("a", "month")]).fit(x, y).model_
    (pair,) = pair_terms(model, read(x))
    axes = draw_pair(model, pair).figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["apr", "may", "jun"]
    surface, nodes = pair.grid.surface(pair.term, pair.weights)[0].T, [*pair.grid.axes[1].nodes]
    written = [float(text.get_text().replace("−", "-")) for text in axes.texts]
    expected = [surface[nodes.index(name)] for name in ("apr", "may", "jun")]
    np.testing.assert_allclose(written, np.ravel(expected), atol=0.05 + 1e-9)


def test_what_rounds_to_nothing_has_no_sign():
    assert [_signed(added) for added in (-0.04, 0.04, -0.06, 0.06)] == ["0", "0", "−0.1", "+0.1"]
