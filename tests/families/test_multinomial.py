"""A bag of tokens, against scipy.stats and numbers worked by hand."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse, stats

from likely import NaiveBayes
from likely.families import BadCell, Multinomial
from likely.priors import Dirichlet, Laplace, MaximumLikelihood, MEstimate

from .blocks import counted, loo_scored, observed, scored

TOKENS = np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0]])
LABELS = np.array([0, 0, 1])
"""Class 0: 3, 1, 1 tokens. Class 1: 0, 3, 0."""

layouts = pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])


def shares(prior: object) -> np.ndarray:
    lines = NaiveBayes(Multinomial(prior=prior)).fit(TOKENS, LABELS).describe().lines
    assert {name for _, name, _ in lines} == {"share of tokens"}
    return np.array([values for _, _, values in lines]).T


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        (MaximumLikelihood(), [[3 / 5, 1 / 5, 1 / 5], [0, 1, 0]]),
        (Laplace(), [[4 / 8, 2 / 8, 2 / 8], [1 / 6, 4 / 6, 1 / 6]]),
        (Dirichlet((0.5, 1.0, 1.5)), [[3.5 / 8, 2 / 8, 2.5 / 8], [0.5 / 6, 4 / 6, 1.5 / 6]]),
        (Dirichlet(2.0, estimate="mode"), [[4 / 8, 2 / 8, 2 / 8], [1 / 6, 4 / 6, 1 / 6]]),
        (MEstimate(6), [[5 / 11, 3 / 11, 3 / 11], [2 / 9, 5 / 9, 2 / 9]]),
        (MEstimate(10, (0.5, 0.3, 0.2)), [[8 / 15, 4 / 15, 3 / 15], [5 / 13, 6 / 13, 2 / 13]]),
    ],
    ids=repr,
)
def test_estimates(prior, expected):
    np.testing.assert_allclose(shares(prior), expected)


@layouts
def test_the_score_is_the_log_probability_without_the_coefficient(layout):
    """The coefficient n! / (x1! ... xV!) is the same for all classes."""
    model = NaiveBayes(Multinomial(), class_prior="uniform").fit(layout(TOKENS), LABELS)
    row = np.array([[2.0, 1.0, 4.0]])
    even = stats.multinomial(7, [1 / 3] * 3).logpmf(row) - 7 * np.log(1 / 3)
    expected = [stats.multinomial(7, q).logpmf(row)[0] - even[0] for q in shares(Laplace())]
    np.testing.assert_allclose(model.predict_joint_log_proba(layout(row))[0] - np.log(0.5), expected)


@layouts
def test_a_token_that_never_occurred_is_impossible_by_maximum_likelihood(layout):
    """-inf and never NaN; where the token is absent it does no harm."""
    model = NaiveBayes(Multinomial(prior=MaximumLikelihood()), class_prior="uniform").fit(layout(TOKENS), LABELS)
    rows = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    expected = np.log([[3 / 5, np.nan], [1 / 25, 1], [1, 1]]) + np.log(0.5)
    expected[0, 1] = -np.inf
    np.testing.assert_allclose(model.predict_joint_log_proba(layout(rows)), expected)


@layouts
def test_a_class_without_tokens_makes_all_tokens_impossible_by_maximum_likelihood(layout):
    """A row without tokens is still possible in it."""
    model = NaiveBayes(Multinomial(prior=MaximumLikelihood())).fit(layout(np.array([[1.0, 0.0], [0.0, 0.0]])), [0, 1])
    found = model.predict_joint_log_proba(layout(np.array([[2.0, 0.0], [0.0, 0.0]])))
    np.testing.assert_array_equal(found, [[np.log(0.5), -np.inf], [np.log(0.5), np.log(0.5)]])


def test_a_class_without_tokens_can_be_described():
    """Its shares are no numbers that can be told; no warning, and no NaN in the other classes."""
    model = NaiveBayes(Multinomial(prior=MaximumLikelihood())).fit(np.array([[1.0, 3.0], [0.0, 0.0]]), [0, 1])
    found = np.array([values for _, _, values in model.describe().lines])
    np.testing.assert_allclose(found[:, 0], [0.25, 0.75])


def test_a_row_without_tokens_gets_the_class_prior():
    model = NaiveBayes(Multinomial()).fit(TOKENS, LABELS)
    np.testing.assert_allclose(model.predict_proba(np.zeros((1, 3))), [[2 / 3, 1 / 3]])


def test_a_missing_cell_is_no_token():
    model = NaiveBayes(Multinomial()).fit(np.where(TOKENS == 0, np.nan, TOKENS), LABELS)
    known = NaiveBayes(Multinomial()).fit(TOKENS, LABELS)
    np.testing.assert_allclose(model.predict_joint_log_proba(TOKENS), known.predict_joint_log_proba(TOKENS))


@layouts
def test_the_closed_form_of_leaving_out(layout):
    """Sum of x_j log[(N_j - x_j + a) / (N - |x| + aV)], the own class's; the other's with all rows."""
    seen = observed(layout(TOKENS), LABELS)
    out = loo_scored(counted(Multinomial(), seen), seen)
    first = 2 * np.log((3 - 2 + 1) / (5 - 3 + 3)) + np.log((1 - 1 + 1) / (5 - 3 + 3))
    np.testing.assert_allclose(out[0], [first, 2 * np.log(1 / 6) + np.log(1 / 6)])
    third = 3 * np.log((3 - 3 + 1) / (3 - 3 + 3))
    np.testing.assert_allclose(out[2], [3 * np.log(2 / 8), third])


def test_the_posterior_of_a_share_is_the_margin_of_a_dirichlet():
    posterior = NaiveBayes(Multinomial(prior=Laplace(0.5))).fit(TOKENS, LABELS).parameter_posterior(1)
    for k, (alpha, beta) in enumerate(((1.5, 5.0), (3.5, 1.0))):
        truth = stats.beta(alpha, beta)
        assert posterior.mean[k] == pytest.approx(truth.mean())
        np.testing.assert_allclose([bound[k] for bound in posterior.interval(0.8)], truth.interval(0.8))


def test_fractions_of_tokens_are_counted():
    model = NaiveBayes(Multinomial(prior=MaximumLikelihood())).fit(np.array([[0.25, 0.5], [0.25, 0.0]]), [0, 0])
    np.testing.assert_allclose(model.predict_joint_log_proba([[0.5, 1.5]]), [[2 * np.log(0.5)]])


def test_whole_numbers_are_summed_as_integers():
    for cells in (np.array([[1, 2], [3, 0]]), sparse.csr_array(np.array([[1, 2], [3, 0]]))):
        total = counted(Multinomial(), observed(cells, [0, 0])).statistics.total
        assert (total.dtype, total.tolist()) == (np.int64, [[4, 2]])


def test_a_sparse_table_keeps_one_number_of_rows_a_class():
    """Not one for each of a million columns."""
    block = counted(Multinomial(), observed(sparse.csr_array(TOKENS), LABELS))
    assert block.statistics.seen.tolist() == [[2], [1]]


@pytest.mark.parametrize("bad", [-1.0, np.inf])
def test_what_is_no_amount_is_named_with_its_place(bad):
    table = pa.table({"spam": [0.0, 1.0], "eggs": [1.0, bad]})
    with pytest.raises(
        ValueError,
        match=rf"no tokens: a bag needs numbers of 0 or more; column 'eggs', row 1, has {bad}$",
    ):
        NaiveBayes("multinomial").fit(table, [0, 1])


@layouts
@pytest.mark.parametrize("bad", [-1.0, np.inf])
def test_what_is_no_amount_is_refused_in_counting_and_in_scoring(layout, bad):
    wrong = TOKENS.copy()
    wrong[2, 1] = bad
    with pytest.raises(BadCell) as caught:
        counted(Multinomial(), observed(layout(wrong), np.zeros(3)))
    assert (caught.value.row, caught.value.column, caught.value.value) == (2, 1, bad)
    block = counted(Multinomial(), observed(layout(TOKENS), np.zeros(3)))
    with pytest.raises(BadCell):
        scored(block, layout(wrong))


def test_a_missing_value_that_is_stored_is_not_scored_as_nan():
    """A sparse table leaves out zeros, not unknowns: refused as in counting, or read as missing as in a dense one."""
    block = counted(Multinomial(), observed(TOKENS, np.zeros(3)))
    try:
        out = scored(block, sparse.csr_array(np.array([[1.0, np.nan, 0.0]])))
    except BadCell:
        return
    assert out.item() == pytest.approx(np.log(4 / 11))


def test_one_parameter_less_than_tokens():
    assert NaiveBayes(Multinomial()).fit(TOKENS, LABELS).describe().free_parameters == 1 + 2 * 2


def test_the_boundary_is_linear_in_the_tokens():
    line = NaiveBayes(Multinomial()).fit(TOKENS, LABELS).linear()
    np.testing.assert_allclose(line.weights, np.log(shares(Laplace())))
    np.testing.assert_allclose(line.bias, np.log([2 / 3, 1 / 3]))


def test_drawn_rows_are_as_long_as_those_learned():
    """On average 2.5 and 3 tokens, within 5 standard errors of a Poisson length."""
    drawn, y = NaiveBayes(Multinomial()).fit(TOKENS, LABELS).sample(4000, random_state=2)
    for label, length in ((0, 2.5), (1, 3.0)):
        lengths = drawn[y == label].sum(axis=1)
        assert abs(lengths.mean() - length) < 5 * np.sqrt(length / len(lengths))
