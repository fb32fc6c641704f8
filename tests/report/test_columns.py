import numpy as np
import pandas as pd
import pytest
from scipy import stats

from likely import GaussianClassifier, NaiveBayes
from likely.report.columns import VALUES, draw_column, ends_of

from ..samples import sample_of

RNG = np.random.default_rng(0)
N = 400
Y = np.repeat(["a", "b"], N // 2)
TABLE = pd.DataFrame(
    {
        "tall": RNG.normal(np.where(Y == "a", 0.0, 3.0), 1.0),
        "skewed": RNG.exponential(np.where(Y == "a", 1.0, 2.0)),
        "visits": RNG.poisson(np.where(Y == "a", 2.0, 5.0)),
        "flag": RNG.random(N) < np.where(Y == "a", 0.2, 0.7),
        "kind": RNG.choice([f"k{j}" for j in range(9)], N),
    }
)
MODEL = NaiveBayes({"tall": "gaussian", "skewed": "histogram", "visits": "poisson"}).fit(TABLE, Y)


def drawn(name, model=MODEL, table=TABLE, y=Y):
    return draw_column(model.model_, sample_of(table, y), name)


def lines(picture):
    return {line.get_label(): line.get_xydata().T for line in picture.figure.axes[0].lines}


@pytest.mark.parametrize(
    "model", [MODEL, GaussianClassifier("diagonal", shrinkage=0.0).fit(TABLE[["tall", "skewed"]], Y)]
)
def test_a_gaussian_is_drawn_as_it_is(model):
    picture = drawn("tall", model, TABLE[[*model.feature_names_in_]])
    for label, (x, p) in lines(picture).items():
        own = TABLE["tall"][label == Y]
        np.testing.assert_allclose(p, stats.norm.pdf(x, own.mean(), own.std(ddof=0)), rtol=0.02, atol=1e-3)
        assert f"{label} {own.median():.4g}" in picture.says


def test_columns_that_vary_together_are_drawn_one_by_one():
    both = TABLE[["tall", "skewed"]]
    model = GaussianClassifier(shrinkage=0.0).fit(both, Y)
    x, p = lines(drawn("tall", model, both))["b"]
    np.testing.assert_allclose(p, stats.norm.pdf(x, model.means_[1, 0], model.covariances_[1, 0, 0] ** 0.5))


def test_a_histogram_is_drawn_with_its_steps():
    (edges,) = MODEL.model_.block_of("skewed")[0].frame.edges
    for label, (x, p) in lines(drawn("skewed")).items():
        inside = (x > edges[0]) & (x < edges[-1])
        own = TABLE["skewed"][label == Y]
        share = (np.histogram(own, edges)[0] + 1) / (len(own) + len(edges) - 1)
        np.testing.assert_allclose(p[inside], (share / np.diff(edges))[np.searchsorted(edges, x[inside], "right") - 1])


def test_counts_are_drawn_at_whole_numbers():
    for label, (x, p) in lines(drawn("visits")).items():
        assert (x == np.rint(x)).all()
        rate = MODEL.model_.parameter_posterior("visits").mean[0 if label == "a" else 1]
        np.testing.assert_allclose(p, stats.poisson.pmf(x, rate), rtol=1e-9)


def test_a_column_counts_as_often_as_it_does_but_is_drawn_as_it_is():
    weighed = NaiveBayes(column_weights=True).fit(TABLE[["tall"]], Y)
    plain = NaiveBayes({"tall": "gaussian"}, column_weights=False).fit(TABLE[["tall"]], Y)
    for label, (_, p) in lines(drawn("tall", weighed, TABLE[["tall"]])).items():
        np.testing.assert_allclose(p, lines(drawn("tall", plain, TABLE[["tall"]]))[label][1])


def test_bars_are_the_shares():
    bars = [bar.get_width() for bar in drawn("flag").figure.axes[0].patches]
    np.testing.assert_allclose(bars, [(TABLE["flag"][label == Y].sum() + 1) / (N / 2 + 2) for label in "ab"])
    picture = drawn("kind")
    axes = picture.figure.axes[0]
    assert len(axes.patches) == 2 * VALUES
    common = TABLE["kind"].value_counts()
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert sorted(common[names], reverse=True) == sorted(common, reverse=True)[:VALUES]
    assert axes.get_xlabel() == "3 more values"


def test_numbers_that_are_categories_are_drawn_in_their_order():
    few = pd.DataFrame({"n": np.repeat([9, 1, 5, 3], N // 4)})
    axes = drawn("n", NaiveBayes("categorical").fit(few, Y), few).figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "3", "5", "9"]
    many = pd.DataFrame({"n": RNG.integers(0, 40, N)})
    for label, (x, p) in lines(drawn("n", NaiveBayes("categorical").fit(many, Y), many)).items():
        own = many["n"][label == Y]
        assert x.tolist() == sorted(many["n"].unique())
        np.testing.assert_allclose(p, [((own == value).sum() + 1) / (len(own) + len(x)) for value in x], rtol=0.05)


def test_what_is_far_off_is_counted_and_not_drawn():
    far = TABLE.assign(tall=TABLE["tall"].where(TABLE.index != 5, 1e6))
    picture = drawn("tall", NaiveBayes({"tall": "gaussian"}).fit(far[["tall"]], Y), far[["tall"]])
    low, high = picture.figure.axes[0].get_xlim()
    beyond = (far["tall"] < low) | (far["tall"] > high)
    assert beyond[5]
    assert picture.figure.axes[0].get_xlabel().startswith(str(beyond.sum()))
    assert ends_of(np.array([])) == (0.0, 1.0)
    assert ends_of(np.full(9, 3.0)) == (3.0, 3.0)


def test_missing_cells_unseen_classes_and_constants():
    holes = TABLE[["tall"]].assign(same=1.0)
    holes.loc[::2, "tall"] = np.nan
    model = NaiveBayes().fit(holes, Y)
    assert set(lines(drawn("same", model, holes))) == {"a", "b"}
    new = np.where(np.arange(N) % 3 == 0, "c", Y)
    assert set(lines(drawn("tall", model, holes, new))) == {"a", "b"}
    with pytest.raises(ValueError, match="there is no column 'weight'"):
        drawn("weight")


def test_counts_that_belong_together_are_shares():
    words = pd.DataFrame({"x": [3, 0, 1, 0], "y": [1, 4, 1, 2]})
    labels = ["a", "b", "a", "b"]
    model = NaiveBayes("multinomial").fit(words, labels)
    bars = [bar.get_width() for bar in drawn("x", model, words, labels).figure.axes[0].patches]
    np.testing.assert_allclose(bars, [4 / 6, 0])
