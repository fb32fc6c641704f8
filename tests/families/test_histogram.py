"""Numbers in bins: where they are cut, and what falls where."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

from likely import NaiveBayes
from likely.families import BadCell, Histogram
from likely.priors import Dirichlet, Laplace, MaximumLikelihood
from likely.statistics import Frame

from .blocks import counted, framed, observed, scored

EDGES = (0.0, 1.0, 3.0, 7.0)
X = np.array([[0.5], [0.2], [2.0], [5.0], [2.9]])
"""Two values in the first bin, two in the second, one in the third; widths 1, 2, 4."""


def density(family: Histogram, values: list[float], x: np.ndarray = X) -> np.ndarray:
    model = NaiveBayes(family).fit(x, np.zeros(len(x)))
    return np.exp(model.predict_joint_log_proba(np.array(values)[:, None]))[:, 0]


def edges(family: Histogram, x: object, whole: bool = False, weight: object = None, y: object = None) -> np.ndarray:
    """Where a column is cut."""
    x = np.asarray(x)[:, None]
    seen = observed(x, np.zeros(len(x)) if y is None else y, weight=weight, whole=np.array([whole]))
    return framed(family, seen).edges[0]


# Edges that are given


def test_the_density_is_the_share_of_a_bin_over_its_width():
    found = density(Histogram(prior=MaximumLikelihood(), bins=EDGES), [0.7, 1.5, 6.0])
    np.testing.assert_allclose(found, [2 / 5 / 1, 2 / 5 / 2, 1 / 5 / 4])


def test_laplace_adds_one_to_each_bin():
    """Every number falls into a bin, so nothing is kept for the unseen."""
    found = density(Histogram(bins=EDGES), [0.7, 1.5, 6.0])
    np.testing.assert_allclose(found, [3 / 8 / 1, 3 / 8 / 2, 2 / 8 / 4])


@pytest.mark.parametrize("prior", [MaximumLikelihood(), Laplace(2), Dirichlet((0.5, 1, 4))], ids=repr)
def test_the_density_integrates_to_one(prior):
    total = density(Histogram(prior=prior, bins=EDGES), [0.5, 2.0, 5.0]) @ np.diff(EDGES)
    assert total == pytest.approx(1)


def test_an_edge_belongs_to_the_bin_above_it():
    family = Histogram(prior=MaximumLikelihood(), bins=EDGES)
    np.testing.assert_allclose(density(family, [1.0, 3.0]), density(family, [1.5, 3.5]))


def test_a_value_beyond_the_outer_edges_is_read_as_the_edge():
    family = Histogram(prior=MaximumLikelihood(), bins=EDGES)
    np.testing.assert_allclose(density(family, [-9.0, 0.0, 7.0, 1e9]), density(family, [0.5, 0.5, 5.0, 5.0]))
    outside = NaiveBayes(family).fit(np.array([[-3.0], [8.0], [2.0]]), np.zeros(3)).describe().lines
    np.testing.assert_allclose([values[0] for _, _, values in outside], [1 / 3, 1 / 3, 1 / 3])


def test_an_empty_bin_is_impossible_by_maximum_likelihood():
    found = density(Histogram(prior=MaximumLikelihood(), bins=(0.0, 1.0, 2.0)), [0.5, 1.5], np.array([[0.3]]))
    np.testing.assert_array_equal(found, [1.0, 0.0])


@pytest.mark.parametrize("given", [(0.0, 1.0, 3.0, 7.0), [0, 1, 3, 7], np.array([0.0, 1.0, 3.0, 7.0])])
def test_edges_come_as_a_tuple_a_list_or_an_array(given):
    family = Histogram(bins=given)
    assert family == Histogram(bins=EDGES)
    assert hash(family) == hash(Histogram(bins=EDGES))


@pytest.mark.parametrize("given", [(1.0,), (1.0, 1.0), (2.0, 1.0), ()])
def test_edges_must_ascend(given):
    with pytest.raises(ValueError, match="the edges of bins must ascend and be two at least"):
        Histogram(bins=given)


@pytest.mark.parametrize("given", [0, -3])
def test_there_is_one_bin_at_least(given):
    with pytest.raises(ValueError, match=f"bins must be 1 or more, not {given}"):
        Histogram(bins=given)


def test_no_mass_is_kept_for_the_unseen():
    with pytest.raises(ValueError, match="every number falls into a bin"):
        Histogram(unseen=True)


# A number of bins that is given


def test_as_many_rows_in_each_bin():
    x = np.random.default_rng(0).exponential(size=1000)
    cut = edges(Histogram(bins=8), x)
    assert (cut[0], cut[-1]) == (x.min(), x.max())
    assert np.histogram(x, cut)[0].tolist() == [125] * 8


@pytest.mark.parametrize("bins", [1, 2, 3, 7])
def test_any_number_of_bins(bins):
    assert len(edges(Histogram(bins=bins), np.arange(84) / 7)) == bins + 1


def test_bins_weigh_the_same():
    """Ten rows, of which the last weighs as much as the nine others."""
    assert edges(Histogram(bins=2), np.arange(10), weight=[1] * 9 + [9]).tolist() == [0, 8.5, 9]


def test_rows_without_weight_are_not_looked_at():
    x = [5.0, 1.0, 2.0, 3.0, 4.0, -100.0, 100.0]
    assert edges(Histogram(bins=2), x, weight=[0, 1, 1, 1, 1, 0, 0]).tolist() == [1.0, 2.5, 4.0]


def test_missing_cells_are_not_looked_at():
    x = [np.nan, 1.0, 2.0, np.nan, 3.0, 4.0]
    assert edges(Histogram(bins=2), x).tolist() == [1.0, 2.5, 4.0]


def test_a_value_that_fills_several_bins_has_one():
    """Of 100 rows 60 are nought: no bin is of width nought, and each that is left holds something."""
    x = np.r_[np.zeros(60), np.arange(1, 41)]
    cut = edges(Histogram(bins=10), x)
    assert (np.diff(cut) > 0).all()
    assert (np.histogram(x, cut)[0] > 0).all()


@pytest.mark.parametrize("bins", ["auto", 1, 4, 16])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_value_repeated_at_the_end_has_a_bin_of_some_width(bins, sign):
    x = sign * np.r_[np.random.default_rng(0).random(100), np.ones(60)]
    cut = edges(Histogram(bins=bins), x)
    assert (np.diff(cut) > 0).all()
    model = NaiveBayes(Histogram(bins=bins)).fit(x[:, None], np.zeros(160))
    assert np.isfinite(model.predict_joint_log_proba(x[:, None])).all()


@pytest.mark.parametrize("bins", ["auto", 1, 4])
@pytest.mark.parametrize("value", [0.0, -3.5, 1e8])
def test_a_constant_column_has_one_bin_and_tells_nothing(bins, value):
    x, y = np.full((9, 1), value), np.repeat([0, 1], [3, 6])
    model = NaiveBayes(Histogram(bins=bins)).fit(x, y)
    assert [len(column) for column in model.model_.learned.blocks[0].frame.edges] == [2]
    np.testing.assert_allclose(model.predict_proba([[value], [value + 50]]), [[1 / 3, 2 / 3]] * 2)


# Whole numbers


def test_whole_numbers_are_cut_half_way():
    """So that a bin's width is the number of whole numbers in it, and none lies on an edge."""
    cut = edges(Histogram(bins=3), np.arange(9), whole=True)
    assert cut.tolist() == [-0.5, 2.5, 5.5, 8.5]


def test_a_density_on_whole_numbers_is_a_probability():
    x = np.array([0, 0, 1, 2, 2, 2, 3, 3])
    model = NaiveBayes(Histogram(bins=4)).fit(x[:, None], np.zeros(8))
    found = np.exp(model.predict_joint_log_proba(np.arange(4)[:, None]))
    assert found.sum() == pytest.approx(1)


def test_a_lone_whole_number_has_a_bin_of_width_one():
    assert edges(Histogram(), np.full(5, 7), whole=True).tolist() == [6.5, 7.5]


# The number of bins chosen by leaving out


def total(family: Histogram, x: np.ndarray, y: np.ndarray, frame: Frame) -> float:
    """The log probability of the rows, each left out of its own count."""
    seen = observed(x, y)
    return family.loo(counted(family, seen, frame), seen).sum()


@pytest.mark.parametrize("draw", ["normal", "uniform", "exponential", "lognormal"])
def test_auto_is_the_best_of_the_powers_of_two(draw):
    """Of 256 different values all powers of two from 2 to 64 cut even bins."""
    x = getattr(np.random.default_rng(4), draw)(size=(256, 1))
    y = (x[:, 0] > np.median(x)).astype(np.int32)
    frames = {bins: framed(Histogram(bins=bins), observed(x, y)) for bins in (2, 4, 8, 16, 32, 64)}
    best = max(frames, key=lambda bins: total(Histogram(), x, y, frames[bins]))
    np.testing.assert_array_equal(edges(Histogram(), x[:, 0], y=y), frames[best].edges[0])


def test_few_bins_for_what_is_even_and_more_for_what_is_not():
    rng = np.random.default_rng(1)
    even, two_peaks = rng.random(2000), np.r_[rng.normal(0, 0.01, 1000), rng.normal(5, 0.01, 1000)]
    assert len(edges(Histogram(), even)) - 1 <= 4
    assert len(edges(Histogram(), two_peaks)) - 1 >= 8


def test_never_more_than_64_bins():
    assert len(edges(Histogram(), np.random.default_rng(2).pareto(0.3, 20_000))) - 1 <= 64


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 8])
def test_few_rows_are_no_trouble(rows):
    x = np.arange(rows, dtype=np.float64) ** 2
    cut = edges(Histogram(), x)
    assert (np.diff(cut) > 0).all()
    assert cut[0] <= x.min()
    assert cut[-1] >= x.max()


def test_maximum_likelihood_chooses_without_a_warning():
    """A value alone in its bin is impossible once left out, in any number of bins: then so be it."""
    x = np.random.default_rng(0).normal(size=40)
    assert (np.diff(edges(Histogram(prior=MaximumLikelihood()), x)) > 0).all()


# In a model


def test_bins_stay_as_they_were_cut():
    rng = np.random.default_rng(5)
    model = NaiveBayes(Histogram()).fit(rng.normal(size=(100, 1)), np.zeros(100))
    before = model.model_.learned.blocks[0].frame.edges[0]
    model.partial_fit(rng.normal(10, 5, (100, 1)), np.zeros(100))
    np.testing.assert_array_equal(model.model_.learned.blocks[0].frame.edges[0], before)


def test_models_with_edges_given_merge():
    a, b = (NaiveBayes(Histogram(bins=EDGES)).fit(X[rows], np.zeros(len(X[rows]))) for rows in (slice(2), slice(2, 5)))
    together = NaiveBayes(Histogram(bins=EDGES)).fit(X, np.zeros(5))
    rows = np.array([[0.5], [2.0], [4.0]])
    np.testing.assert_array_equal(a.merge(b).predict_joint_log_proba(rows), together.predict_joint_log_proba(rows))


def test_a_column_without_values_can_be_counted_with_others():
    """The estimator refuses it, the family does not."""
    x = np.array([[1.0, np.nan], [2.0, np.nan]])
    frame = framed(Histogram(), observed(x, [0, 0]))
    assert (np.diff(frame.edges[1]) > 0).all()


def test_the_posterior_of_the_shares_is_a_dirichlet():
    posterior = NaiveBayes(Histogram(bins=EDGES)).fit(X, np.zeros(5)).parameter_posterior(0)
    np.testing.assert_array_equal(posterior.alpha, [[3, 3, 2]])
    np.testing.assert_allclose(posterior.mean, [[3 / 8, 3 / 8, 2 / 8]])
    np.testing.assert_allclose(posterior.mode, [[2 / 5, 2 / 5, 1 / 5]])


def test_the_description_names_the_bins():
    lines = NaiveBayes(Histogram(bins=EDGES)).fit(X, np.zeros(5)).describe().lines
    assert [name for _, name, _ in lines] == [f"probability of {a} to {b}" for a, b in ((0, 1), (1, 3), (3, 7))]


def test_one_parameter_less_than_bins():
    assert NaiveBayes(Histogram(bins=EDGES)).fit(X, [0, 1, 0, 1, 0]).describe().free_parameters == 1 + 2 * 2


def test_what_is_drawn_is_even_within_a_bin():
    drawn, _ = (
        NaiveBayes(Histogram(prior=MaximumLikelihood(), bins=EDGES)).fit(X, np.zeros(5)).sample(5000, random_state=0)
    )
    counts = np.histogram(drawn, [0, 0.5, 1, 2, 3, 5, 7])[0] / 5000
    expected = np.array([0.2, 0.2, 0.2, 0.2, 0.1, 0.1])
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected * (1 - expected) / 5000)).all()


@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1e151])
def test_what_is_no_finite_number_is_refused(bad):
    table = pa.table({"height": [1.0, 2.0, bad]})
    with pytest.raises(ValueError, match=r"^Histogram needs finite numbers, up to 1e150; column 'height', row 2, has "):
        NaiveBayes(Histogram(bins=EDGES)).fit(table, [0, 1, 1])
    block = counted(Histogram(bins=EDGES), observed(X, np.zeros(5)))
    with pytest.raises(BadCell):
        scored(block, np.array([[bad]]))


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
@pytest.mark.parametrize("bins", ["auto", 4])
def test_what_is_no_finite_number_is_refused_when_bins_are_cut(bad, bins):
    with pytest.raises(ValueError, match=r"^Histogram needs finite numbers, up to 1e150; column 'height', row 2, has "):
        NaiveBayes(Histogram(bins=bins)).fit(pa.table({"height": [1.0, 2.0, bad, 4.0]}), [0, 1, 1, 0])


def test_a_sparse_table_is_read_as_a_dense_one():
    x = np.array([[0.0], [0.0], [2.5], [0.5]])
    found = (
        NaiveBayes(Histogram(bins=EDGES))
        .fit(sparse.csr_array(x), np.zeros(4))
        .predict_joint_log_proba(sparse.csr_array(x))
    )
    np.testing.assert_allclose(np.exp(found[:, 0]), [4 / 7, 4 / 7, 2 / 7 / 2, 4 / 7])
