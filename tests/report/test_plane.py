import numpy as np
import pandas as pd
import pytest

from likely import LogisticRegression, NaiveBayes
from likely.data import read
from likely.report.plane import Plane

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "a": RNG.normal(size=90),
        "b": RNG.choice(["x", "y", "z"], 90),
        "c": RNG.integers(0, 4, 90),
        "text": ["some words"] * 45 + ["other words"] * 45,
    }
)
Y = np.repeat(["n", "p"], 45)


@pytest.mark.parametrize("make", [NaiveBayes, lambda **o: LogisticRegression(shrink_to="naive_bayes", **o)])
def test_a_model_says_the_same_of_a_plane_as_of_a_table_with_holes(make):
    model = make(families={"text": "text", "c": "categorical"}).fit(TABLE, Y).model_
    asked = {"a": np.array([0.0, 1.0, -2.0]), "b": np.array(["x", "new", "z"], object), "c": np.array([3, 1, 7])}
    for pair in (("a", "b"), ("c", "a")):
        plane = Plane(model.names, read(TABLE).kinds, {[*TABLE].index(name): asked[name] for name in pair})
        holes = pd.DataFrame({name: asked[name] if name in pair else [None] * 3 for name in TABLE}).astype(
            {name: TABLE[name].dtype if name in pair else object for name in TABLE}
        )
        holes = holes.astype({name: float for name in "ac" if name not in pair})
        np.testing.assert_allclose(model.predict_proba(plane), model.predict_proba(read(holes)))


def test_it_is_a_table():
    plane = Plane(
        ["a", "b"], ["float", "category"], {0: np.array([1.0, -5.0, 2.0]), 1: np.array(["q", "p", "q"], object)}
    )
    codes, (labels,) = plane.categories([1], slice(0, 3), None)
    assert labels[codes[:, 0]].tolist() == ["q", "p", "q"]
    assert plane.lowest([0]).tolist() == [-5.0]
    assert plane.highest([0]).tolist() == [plane.numbers([0], slice(None)).max()]
    assert plane.take(np.array([2, 0])).numbers([0], slice(0, 2))[:, 0].tolist() == [2.0, 1.0]
    assert plane.every(2).rows == 2
    assert not plane.texts(1, slice(0, 3)).there().any()
