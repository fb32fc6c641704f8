"""Yes or no, against the lecture notes' tables and scipy.stats."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import optimize, sparse, stats

from likely import NaiveBayes
from likely.families import BadCell, Bernoulli
from likely.priors import Beta, Laplace, MaximumLikelihood, MEstimate

from .blocks import counted, observed, scored

LIONS = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 1]])
"""Has fur, long teeth, scary; the last one is a lion."""
LION = [0, 0, 1]

SURVEY = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [3, 2, 4, 1], axis=0)
"""Ten people: 7 listen to the first network, 6 to the second."""


def chances(prior: object, x: np.ndarray = SURVEY) -> list[float]:
    """The probability of a one in each column, in a model with one class."""
    model = NaiveBayes(Bernoulli(prior=prior)).fit(x, np.zeros(len(x)))
    return [values[0] for _, name, values in model.describe().lines if name == "probability of 1"]


def test_the_lion_table_by_maximum_likelihood():
    """Fur, teeth and fright come to half of the others and to all lions: 2/3 · 1/8 against 1/3 · 1."""
    model = NaiveBayes(Bernoulli(prior=MaximumLikelihood())).fit(LIONS, LION)
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba([[1, 1, 1]])), [[1 / 12, 1 / 3]])
    np.testing.assert_allclose(model.predict_proba([[1, 1, 1]]), [[0.2, 0.8]])


def test_a_cub_is_no_lion_by_maximum_likelihood():
    """No lion was ever not scary."""
    model = NaiveBayes(Bernoulli(prior=MaximumLikelihood())).fit(LIONS, LION)
    np.testing.assert_array_equal(model.predict_proba([[1, 1, 0]]), [[1.0, 0.0]])


def test_a_cub_may_be_a_lion_with_laplace_smoothing():
    """(1+1)/(1+2) for fur and teeth, (0+1)/(1+2) for a lion that does not scare."""
    model = NaiveBayes(Bernoulli(prior=Laplace())).fit(LIONS, LION)
    expected = [2 / 3 * 0.5**3, 1 / 3 * (2 / 3) ** 2 * (1 / 3)]
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba([[1, 1, 0]])), [expected])


def test_the_score_is_the_probability_of_ones_and_of_zeros():
    """The zeros count too: log(1 - p) depends on the class."""
    model = NaiveBayes(Bernoulli(prior=Laplace())).fit(SURVEY, np.zeros(10))
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    expected = stats.bernoulli.logpmf(rows, [8 / 12, 7 / 12]).sum(axis=1)
    np.testing.assert_allclose(model.predict_joint_log_proba(rows)[:, 0], expected)


@pytest.mark.parametrize(
    ("prior", "first", "second"),
    [
        (MaximumLikelihood(), 7 / 10, 6 / 10),
        (Laplace(), 8 / 12, 7 / 12),
        (Laplace(0.5), 7.5 / 11, 6.5 / 11),
        (Beta(2, 3), 9 / 15, 8 / 15),
        (Beta(2, 3, estimate="mode"), 8 / 13, 7 / 13),
        (MEstimate(4, 0.25), 8 / 14, 7 / 14),
        (MEstimate(4), 9 / 14, 8 / 14),
    ],
    ids=repr,
)
def test_estimates(prior, first, second):
    np.testing.assert_allclose(chances(prior), [first, second])


def test_the_mode_is_where_the_posterior_is_highest():
    found = optimize.minimize_scalar(lambda p: -stats.beta.logpdf(p, 7 + 2, 3 + 3), bounds=(0, 1), method="bounded")
    assert chances(Beta(2, 3, estimate="mode"))[0] == pytest.approx(found.x, abs=1e-5)


def test_the_posterior_is_a_beta():
    """Beta(ones + a, zeros + b), against scipy."""
    posterior = NaiveBayes(Bernoulli(prior=Beta(2, 3))).fit(SURVEY, np.zeros(10)).parameter_posterior(0)
    truth = stats.beta(7 + 2, 3 + 3)
    assert posterior.mean[0] == pytest.approx(truth.mean())
    np.testing.assert_allclose(np.ravel(posterior.interval(0.9)), truth.interval(0.9))
    assert posterior.mode[0] == pytest.approx(8 / 13)


def test_the_posterior_of_a_sparse_table():
    posterior = NaiveBayes(Bernoulli()).fit(sparse.csr_array(SURVEY), np.zeros(10)).parameter_posterior(1)
    assert (posterior.a.tolist(), posterior.b.tolist()) == ([7.0], [5.0])


def test_a_class_that_was_never_seen_in_a_column_is_undecided():
    """Half, with no prior; the prior's own mean with one."""
    x = np.array([[1.0], [np.nan]])
    for prior, expected in ((MaximumLikelihood(), 0.5), (Beta(1, 3), 0.25)):
        model = NaiveBayes(Bernoulli(prior=prior)).fit(x, [0, 1])
        assert np.exp(model.predict_joint_log_proba([[1.0]]))[0, 1] == pytest.approx(0.5 * expected)


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_what_never_occurred_is_impossible_by_maximum_likelihood(layout):
    """-inf and never NaN: for ones where all were zeros, for zeros where all were ones, and for both at once."""
    x = np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    model = NaiveBayes(Bernoulli(prior=MaximumLikelihood())).fit(layout(x), [0, 0, 1])
    rows = np.array([[1, 0, 1], [1, 1, 1], [0, 0, 0], [0, 1, 0], [0, 1, 1]], np.float64)
    half, third = np.log(2 / 3) + np.log(0.5), np.log(1 / 3)
    expected = [[half, -np.inf], [-np.inf, -np.inf], [-np.inf, -np.inf], [-np.inf, -np.inf], [-np.inf, third]]
    np.testing.assert_allclose(model.predict_joint_log_proba(layout(rows)), expected)


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_an_impossible_row_gets_the_class_prior(layout):
    x = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    model = NaiveBayes(Bernoulli(prior=MaximumLikelihood())).fit(layout(x), [0, 0, 1])
    np.testing.assert_allclose(model.predict_proba(layout(np.array([[1.0, 1.0]]))), [[2 / 3, 1 / 3]])


def test_weighted_ones_are_certain_whatever_cells_are_missing():
    """Sums of weights round: 0.7 + 0.3 + 0.1 in one order is not that in another. Certain is certain still."""
    x = np.array([[1, 1], [1, np.nan], [np.nan, 1], [1, 1], [1, 1], [1, 1]])
    weight = [0.7, 0.3, 0.7, 0.1, 0.7, 0.2]
    model = NaiveBayes(Bernoulli(prior=MaximumLikelihood())).fit(x, np.zeros(6), weight)
    np.testing.assert_array_equal(model.predict_joint_log_proba([[1.0, 1.0], [0.0, 0.0]]), [[0.0], [-np.inf]])


def test_naive_bayes_of_bits_has_one_and_two_d_parameters():
    """The radio survey: 1 + 2d against 2^(d+1) - 1 of the full joint distribution, for three networks 7 and 15."""
    description = NaiveBayes(Bernoulli()).fit(LIONS, LION).describe()
    assert (description.free_parameters, description.joint_parameters) == (7, 15)


def test_the_boundary_is_linear_in_the_log_odds():
    line = NaiveBayes(Bernoulli()).fit(SURVEY, np.zeros(10)).linear()
    np.testing.assert_allclose(line.weights, [[np.log(8 / 4), np.log(7 / 5)]])
    np.testing.assert_allclose(line.bias, [np.log(4 / 12) + np.log(5 / 12)])


def test_above_the_threshold_is_a_one():
    """The threshold itself is a zero, and a missing cell stays missing."""
    x = np.array([[2.0], [2.1], [5.0], [-1.0], [np.nan]])
    model = NaiveBayes(Bernoulli(prior=MaximumLikelihood(), threshold=2.0)).fit(x, np.zeros(5))
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba([[3.0], [2.0], [np.nan]])), [[0.5], [0.5], [1.0]])
    assert model.parameter_posterior(0).a.tolist() == [2.0]


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32])
def test_a_threshold_for_counts(dtype):
    x = np.array([[0], [1], [3], [7]], dtype)
    posterior = NaiveBayes(Bernoulli(threshold=1), smoothing=None).fit(x, np.zeros(4)).parameter_posterior(0)
    assert (posterior.a.tolist(), posterior.b.tolist()) == ([3.0], [3.0])


def test_a_threshold_below_nought_makes_ones_of_what_a_sparse_table_leaves_out():
    """Or it is refused; the two layouts must not differ in silence."""
    x, y, family = np.array([[0.0, 2.0], [1.0, 0.0], [-1.0, 0.0]]), [0, 0, 1], Bernoulli(threshold=-0.5)
    dense = NaiveBayes(family).fit(x, y).predict_joint_log_proba(x)
    try:
        found = NaiveBayes(family).fit(sparse.csr_array(x), y).predict_joint_log_proba(sparse.csr_array(x))
    except ValueError:
        return
    np.testing.assert_allclose(found, dense)


def test_a_value_that_is_no_bit_is_named_with_its_place():
    table = pa.table({"fur": [0.0, 1.0, 1.0], "teeth": [1.0, 0.0, 2.0]})
    with pytest.raises(ValueError, match=r"^Bernoulli needs 0 or 1; column 'teeth', row 2, has 2\.0$"):
        NaiveBayes("bernoulli").fit(table, [0, 1, 1])


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_a_value_that_is_no_bit_is_refused_in_counting_and_in_scoring(layout):
    good, bad = layout(np.array([[1.0, 0.0], [0.0, 1.0]])), layout(np.array([[1.0, 0.0], [0.0, 0.5]]))
    with pytest.raises(BadCell) as caught:
        counted(Bernoulli(), observed(bad, [0, 0]))
    assert (caught.value.row, caught.value.column, caught.value.value) == (1, 1, 0.5)
    block = counted(Bernoulli(), observed(good, [0, 0]))
    with pytest.raises(BadCell):
        scored(block, bad)


def test_drawn_rows_are_bits():
    model = NaiveBayes(Bernoulli(prior=MaximumLikelihood())).fit(np.array([[1.0, 0.0]]), [0])
    drawn, _ = model.sample(20, random_state=0)
    np.testing.assert_array_equal(drawn, np.tile([1, 0], (20, 1)))
