"""Why a row gets its scores: the prior and the reasons sum to them."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from likely.data import read
from likely.errors import BadCell
from likely.families import FAMILIES, Bernoulli, Categorical, Complement, Multinomial, Poisson
from likely.models.explain import Explanation, aligned
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import MaximumLikelihood

from ..samples import readable, sample_of

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


def learned(x, y, **options):
    return NaiveBayesModel(**options).learn(sample_of(x, y))


def check_sums(model, x):
    """The prior and the contributions of each row sum to its scores."""
    scores = model.score(read(x))
    explanation = Explanation(model, read(x))
    assert len(explanation) == len(scores)
    for row, reasons in zip(scores, explanation, strict=True):
        assert_allclose(reasons.scores, row, rtol=1e-12)
        total = reasons.prior + sum(reason.contributions for reason in reasons.reasons)
        assert_allclose(total, row, rtol=1e-12)


RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (30, 4)).astype(float)
Y = RNG.integers(0, 3, 30)


@pytest.mark.parametrize("name", OF_CELLS)
def test_reasons_sum_to_the_scores_of_every_family(name):
    x = readable(name, X)
    check_sums(learned(x, Y, families=name), x)


@pytest.mark.parametrize("name", OF_CELLS)
def test_reasons_sum_to_the_scores_with_holes(name):
    x = readable(name, X).copy()
    x[RNG.random(x.shape) < 0.3] = np.nan
    x[0] = np.nan
    check_sums(learned(x, Y, families=name), x)


def mixed():
    return pd.DataFrame(
        {
            "word": ["x", "y", None, "x", "z", "y"],
            "number": [1.5, 2.5, 0.5, None, 1.0, 7.5],
            "flag": [True, False, None, True, True, False],
            "count": [3, 0, 1, 2, 2, 9],
        }
    )


@pytest.mark.parametrize("missing", ["ignore", "value"])
def test_reasons_sum_to_the_scores_of_a_mixed_table(missing):
    model = learned(mixed(), list("aabbab"), families={"count": "poisson"}, missing=missing)
    check_sums(model, mixed())


@pytest.mark.parametrize("family", [Multinomial(), Complement(), Complement(normalise=True), Bernoulli()], ids=repr)
@pytest.mark.parametrize("format_", [scipy.sparse.csr_array, scipy.sparse.csc_matrix])
def test_reasons_sum_to_the_scores_of_a_sparse_matrix(family, format_):
    x = format_(X)
    check_sums(learned(x, Y, families=family), x)


def test_reasons_sum_to_the_scores_of_sparse_columns_of_several_families():
    x = scipy.sparse.csr_array(X)
    check_sums(learned(x, Y, families={0: Bernoulli(), 1: "gaussian"}), x)


def test_reasons_of_an_impossible_row():
    model = learned([["x"], ["y"]], ["a", "b"], families=Categorical(MaximumLikelihood()))
    reasons = Explanation(model, read([["x"], ["z"]]))
    assert reasons[0].scores.tolist() == [np.log(0.5), -np.inf]
    assert reasons[1].scores.tolist() == [-np.inf, -np.inf]
    assert "nan" not in str(reasons)


def test_reasons_come_in_the_order_of_the_columns_with_their_values():
    model = learned(mixed(), list("aabbab"), families={"count": Poisson()}, missing="value")
    row = Explanation(model, read(mixed()))[2]
    assert [(reason.column, reason.value) for reason in row.reasons] == [
        ("word", None),
        ("word missing", True),
        ("number", 0.5),
        ("number missing", False),
        ("flag", None),
        ("flag missing", True),
        ("count", 1),
        ("count missing", False),
    ]


def test_a_missing_cell_contributes_nothing():
    model = learned(mixed(), list("aabbab"), families={"count": "poisson"})
    word, _, flag, _ = Explanation(model, read(mixed()))[2].reasons
    assert word.value is None
    assert word.contributions.tolist() == [0, 0]
    assert flag.contributions.tolist() == [0, 0]


def test_a_value_never_seen_is_said_to_be_new():
    model = learned([["x"], ["y"]], ["a", "b"], families="categorical")
    (reason,) = Explanation(model, read([["z"]]))[0].reasons
    assert reason.value == "(new value)"
    assert_allclose(reason.contributions, np.log([1 / 4, 1 / 4]), rtol=1e-15)


def test_contributions_by_hand():
    model = learned(np.array([[1, 0], [1, 1], [0, 1]]), ["a", "a", "b"], families="bernoulli")
    row = Explanation(model, read(np.array([[1, 0]])))[0]
    assert_allclose(row.prior, np.log([2 / 3, 1 / 3]), rtol=1e-15)
    assert_allclose(row.reasons[0].contributions, np.log([3 / 4, 1 / 3]), rtol=1e-15)
    assert_allclose(row.reasons[1].contributions, np.log([2 / 4, 1 / 3]), rtol=1e-15)


def test_of_a_sparse_row_only_what_is_there_is_listed():
    x = scipy.sparse.csr_array(np.array([[0, 2, 0, 1], [1, 0, 0, 0]]))
    model = learned(x, [0, 1], families="multinomial")
    first, second = Explanation(model, read(x))
    assert [(reason.column, reason.value) for reason in first.reasons] == [(1, 2), (3, 1)]
    assert [(reason.column, reason.value) for reason in second.reasons] == [(0, 1)]


def test_absent_bits_of_a_sparse_row_are_one_line():
    x = scipy.sparse.csr_array(np.array([[0, 1, 0, 1], [1, 0, 0, 0]]))
    model = learned(x, [0, 1], families="bernoulli")
    row = Explanation(model, read(x))[0]
    assert [reason.column for reason in row.reasons] == [1, 3, "all that is absent"]
    assert_allclose(row.reasons[-1].contributions, np.log([2 / 3, 1 / 3]) + np.log([2 / 3, 2 / 3]), rtol=1e-14)


def test_rows_by_position():
    explanation = Explanation(learned(X, Y, families="bernoulli"), read(X))
    assert_allclose(explanation[-1].scores, explanation[29].scores, rtol=0)
    for row in (30, -31):
        with pytest.raises(IndexError, match=rf"^row {row} of 30$"):
            explanation[row]


def test_as_text_the_reasons_stand_in_the_order_of_their_weight():
    model = learned(np.array([[1, 0], [1, 1], [0, 0]]), ["a", "a", "b"], families="bernoulli")
    assert str(Explanation(model, read(np.array([[1, 1]])))).splitlines() == [
        "row 0",
        "                     a       b  log odds",
        "class prior     -0.405  -1.099     0.693",
        "0            1  -0.288  -1.099     0.811",
        "1            1  -0.693  -1.099     0.405",
        "score           -1.386  -3.296     1.910",
    ]


BITS = np.random.default_rng(8).random((30, 7)) < 0.4


def test_of_many_classes_the_first_two_are_shown():
    x, y = BITS, [*"abcdef"] * 5
    model = learned(x, y, families="bernoulli")
    reasons = Explanation(model, read(x))[2]
    (best, second), scores = reasons.first_two, model.score(read(x))[2]
    assert scores[best] == max(scores)
    assert scores[second] == sorted(scores)[-2]
    head, *lines = str(reasons).splitlines()
    assert head.split() == ["abcdef"[best], "abcdef"[second], "log", "odds"]
    gaps = [float(line.split()[-1]) for line in lines[1:-1]]
    assert sorted(map(abs, gaps), reverse=True) == list(map(abs, gaps))
    assert_allclose(float(lines[-1].split()[-1]), scores[best] - scores[second], atol=5e-4)


def test_one_class_has_reasons_too():
    text = str(Explanation(learned([[1.0], [2.0]], ["only", "only"], families="gaussian"), read([[1.5]])))
    assert "only" in text
    assert "nan" not in text


def test_a_missing_cell_is_called_missing():
    assert "missing" in str(Explanation(learned([["x"], ["y"]], [0, 1]), read(np.array([[None]], object)))[0])


def test_lines_are_aligned():
    lines = [("a", "bb", "1", "20"), ("long", "b", "-1.5", "3")]
    assert aligned(lines).splitlines() == ["a     bb     1  20", "long  b   -1.5   3"]


@pytest.mark.parametrize("piece", [1, 1 << 19])
def test_the_strongest_reasons_of_many_rows_are_those_of_each(monkeypatch, piece):
    monkeypatch.setattr("likely.models.explain.PIECE", piece)
    texts = pd.DataFrame({"text": ["good day", None, "bad bad night zebra", "day", "night", "good"], **mixed()})
    explanation = Explanation(learned(texts, [0, 1, 2, 0, 1, 2]), read(texts))
    for strongest, reasons in zip(explanation.strongest(3), explanation, strict=True):
        ranked = [(reasons.log_odds(one.contributions), one) for one in reasons.ranked[:3]]
        expected = [(one.column, one.value, odds) for odds, one in ranked if odds]
        assert [one[:2] for one in strongest] == [one[:2] for one in expected]
        assert_allclose([one.log_odds for one in strongest], [one[2] for one in expected])


def test_a_cell_that_prediction_refuses_is_not_explained():
    model = learned(X[:, :1] + 0.5 * RNG.normal(size=(30, 1)), Y, families="gaussian")
    explained = Explanation(model, read([[1.0], [-1e200]]))
    assert len(explained[0].reasons) == 1
    with pytest.raises(BadCell, match="up to 1e150; column 0, row 1, has"):
        explained[1]
