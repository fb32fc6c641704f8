import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.report import draw_boundary
from likely.report.boundary import DOTS, VALUES
from likely.report.colours import CLASSES

RNG = np.random.default_rng(0)
N = 300
Y = np.repeat(["n", "p"], N // 2)
SIDE = np.where(Y == "n", -1.0, 1.0)
TABLE = pd.DataFrame(
    {
        "a": RNG.normal(SIDE),
        "b": RNG.normal(-SIDE),
        "visits": RNG.poisson(np.where(Y == "n", 3, 30)),
        "few": RNG.integers(0, 4, N),
        "flag": RNG.random(N) < 0.5,
        "kind": RNG.choice([f"k{j}" for j in range(12)], N),
    }
)
MODEL = NaiveBayes({"visits": "poisson", "few": "categorical"}).fit(TABLE, Y)


def colours(picture):
    """The colours of the shading, and the middle of each pixel."""
    (image,) = picture.figure.axes[0].images
    pixels = image.get_array()
    left, right, low, high = image.get_extent()
    up, across = pixels.shape[:2]
    x = left + (np.arange(across) + 0.5) * (right - left) / across
    y = low + (np.arange(up) + 0.5) * (high - low) / up
    return np.asarray(pixels)[:, :, :3], x, y


@pytest.mark.parametrize("make", [NaiveBayes, GaussianClassifier, lambda: NaiveBayes(calibrate=True)])
def test_the_colours_are_those_of_the_class_most_probable_there(make):
    numbers = TABLE[["a", "b", "visits"]].astype(float)
    model = make().fit(numbers, Y)
    found, x, y = colours(draw_boundary(model, numbers, Y, ["a", "b"]))
    across, up = np.meshgrid(x, y)
    p = model.predict_proba(pd.DataFrame({"a": across.ravel(), "b": up.ravel(), "visits": np.nan}))
    sure = np.abs(p[:, 0] - 0.5) > 0.02  # pixels lie between the points that were asked
    expected = np.where(p[:, :1] > 0.5, to_rgb(CLASSES[0]), to_rgb(CLASSES[1]))
    np.testing.assert_allclose(found.reshape(-1, 3)[sure], expected[sure])


@pytest.mark.parametrize(
    "columns", [("visits", "few"), ("flag", "kind"), ("kind", "a"), ("few", "flag"), ("visits", "b")]
)
def test_counts_bits_and_categories_have_their_places(columns):
    picture = draw_boundary(MODEL, TABLE, Y, columns)
    axes = picture.figure.axes[0]
    sides = {columns[0]: axes.get_xticklabels(), columns[1]: axes.get_yticklabels()}
    for name, labels in sides.items():
        shown = [label.get_text() for label in labels]
        if name == "flag":
            assert shown == ["false", "true"]
        if name == "few":
            assert shown == ["0", "1", "2", "3"]
        if name == "kind":
            assert len(shown) == VALUES
            assert f"kind: {VALUES} of 12" in picture.says
    assert "The 4 other columns are left out, as if missing." in picture.says


def test_without_columns_it_is_the_two_that_depend_most():
    assert "Decision boundary over visits and " in draw_boundary(MODEL, TABLE, Y).says


def test_logistic_regression_too():
    for model in (LogisticRegression(), LogisticRegression("auto", shrink_to="naive_bayes")):
        picture = draw_boundary(model.fit(TABLE, Y), TABLE, Y, ["a", "kind"])
        assert "missing, read as means" in picture.says


def test_dots_are_bounded_and_skip_missing_cells():
    many = pd.DataFrame({"a": RNG.normal(size=5000), "b": RNG.normal(size=5000)})
    many.loc[::2, "a"] = np.nan
    labels = np.arange(5000) % 2
    picture = draw_boundary(NaiveBayes().fit(many, labels), many, labels)
    assert (
        0 < sum(len(dots.get_offsets()) for dots in picture.figure.axes[0].collections if len(dots.get_sizes())) <= DOTS
    )


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (("a", "a"), "drawn over two columns, not over 'a' twice"),
        (("a",), "two columns of numbers or categories, not 1"),
        (("a", "nothing"), "there is no column 'nothing'; the columns are 'a', 'b', 'visits'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(columns, said):
    with pytest.raises(ValueError, match=said):
        draw_boundary(MODEL, TABLE, Y, columns)


def test_texts_and_empty_columns_are_refused():
    words = TABLE[["a"]].assign(text=["some words", "other words"] * (N // 2))
    model = NaiveBayes({"text": "text"}).fit(words, Y)
    with pytest.raises(ValueError, match="'text' has texts, which can't be an axis"):
        draw_boundary(model, words, Y, ["a", "text"])
    with pytest.raises(ValueError, match="not 1"):
        draw_boundary(model, words, Y)
    with pytest.raises(ValueError, match="'b' has no value in these rows"):
        draw_boundary(MODEL, TABLE.assign(b=np.nan), Y, ["a", "b"])
