"""The picture of what a pair adds."""

import numpy as np
import pandas as pd

import likely
from likely.data import read
from likely.report.pairs import draw_pair, pair_class, pair_terms


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
    assert written == [f"{added:+.1f}" for added in adds.ravel()]
    a, kind = (grid.axes[axis] for axis in grid.terms[first.term])
    at = pd.DataFrame({"a": np.tile(a.nodes, 2), "kind": np.repeat(kind.nodes, len(a.nodes)), "b": 0.0})
    reasons = likely.models.logistic.reasons.LogisticExplanation(model, read(at))
    added = [next(r for r in row.reasons if r.column == "a × kind").contributions[1] for row in reasons]
    np.testing.assert_allclose(added, adds.ravel())
    assert picture.says.startswith("What a and kind add together to the log odds of yes; the most is ")
    assert pair_class(model, first) == "yes"


def test_of_many_classes_it_is_of_the_one_to_which_the_pair_matters_most():
    x, model = fitted(3)
    first = pair_terms(model, read(x))[0]
    assert pair_class(model, first) == "yes"
    assert "log odds of yes" in draw_pair(model, first).says
