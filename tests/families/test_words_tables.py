"""Tables with columns of text."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

from likely import merge
from likely.families import Categorical, Gaussian, Text, TextBernoulli, TextComplement, TextMultinomial
from likely.text import Tokens

from .texts import WORDS, X, Y, as_said, at, fitted, frames

RNG = np.random.default_rng(12)
LONG = [f"{' '.join(words)} and some more of number{i}" for i, words in enumerate(RNG.choice(WORDS, (40, 5)))]
TABLE = {
    "head": LONG,
    "body": [None if text is None else f"{text} {other}" for text, other in zip(X, LONG[::-1], strict=True)],
    "colour": RNG.choice(["red", "green", "blue"], 40).tolist(),
    "number": RNG.normal(size=40).tolist(),
    "flag": (RNG.random(40) < 0.5).tolist(),
}


@frames
@pytest.mark.parametrize("missing", ["ignore", "value"])
def test_columns_of_a_mixed_table_add_their_scores(make, missing):
    """Two texts are two bags of words, which a model of one column has by itself."""
    said = {"head": TextMultinomial(), "body": TextBernoulli()}
    model = fitted(said, make(TABLE), missing=missing)
    chosen = model.families_
    prior = np.log(np.bincount(Y) / 40)
    expected = np.tile(prior, (40, 1))
    for name in TABLE:
        column = make({name: TABLE[name]})
        expected += fitted({name: chosen[name]}, column, missing=missing).predict_joint_log_proba(column) - prior
    assert_allclose(model.predict_joint_log_proba(make(TABLE)), expected, rtol=1e-10)
    for reasons, scores in zip(model.explain(make(TABLE)), expected, strict=True):
        assert_allclose(reasons.scores, scores, rtol=1e-10)


@frames
def test_of_texts_of_which_nothing_is_said_each_is_one_of_so_many(make):
    chosen = fitted("auto", make(TABLE)).families_
    assert [as_said(chosen["head"]), as_said(chosen["body"])] == [Text(of=2), Text(of=2)]
    assert chosen["colour"] == Categorical()


@frames
def test_a_column_of_texts_is_scored_as_a_list_of_them(make):
    column = make({"t": X})
    for family in (TextMultinomial(), TextBernoulli(), TextComplement(Tokens(ngrams=(1, 2)))):
        found = fitted({"t": family}, column).predict_joint_log_proba(column)
        assert_allclose(found, fitted(family).predict_joint_log_proba(X), rtol=1e-12)


def test_one_family_for_several_texts_reads_each_by_itself():
    x = pd.DataFrame({name: TABLE[name] for name in ("head", "body")})
    expected = fitted({"head": Text(), "body": Text()}, x).predict_joint_log_proba(x)
    for families in (Text(), "text", {("head", "body"): Text()}):
        model = fitted(families, x)
        assert len(model.model_.known.blocks) == 2
        assert_allclose(model.predict_joint_log_proba(x), expected, rtol=1e-12)


@frames
def test_a_table_with_texts_keeps_the_laws(make):
    def part(rows):
        return make({name: at(values, rows) for name, values in TABLE.items()})

    families = {"head": TextMultinomial(), "body": TextBernoulli(), "number": Gaussian(), "flag": "bernoulli"}
    first = np.arange(40) < 20
    whole, x = fitted(families, make(TABLE)), make(TABLE)
    expected = whole.predict_joint_log_proba(x)
    halves = [fitted(families, part(half), Y[half]) for half in (first, ~first)]
    assert_allclose(merge(halves).predict_joint_log_proba(x), expected, rtol=1e-9)
    learned_on = halves[0].partial_fit(part(~first), Y[~first])
    assert_allclose(learned_on.predict_joint_log_proba(x), expected, rtol=1e-9)
    left = whole.forget(part(~first), Y[~first]).predict_joint_log_proba(x)
    assert_allclose(left, fitted(families, part(first), Y[first]).predict_joint_log_proba(x), rtol=1e-9)


def worded(count, word="word"):
    """Twenty different texts of so many words."""
    return [" ".join([f"{i:02d}", *[word] * (count - 1)]) for i in range(20)]


COLUMNS = {
    "long and different": (worded(4), Text),
    "long and different, with holes": ([*worded(4)[:10], *[None] * 30], Text),
    "a word shorter": (worded(3), Categorical),
    "long, but half of them alike": (worded(8)[:10] * 2, Categorical),
    "long, and more than half of them different": (worded(8)[:11] + worded(8)[:9], Text),
    "long on average": (["word " * 60, *(f"{i:02d}" for i in range(13))], Text),
    "long names": ([name.replace(" ", "_") for name in worded(8)], Categorical),
    "in other letters": (worded(4, "слово"), Text),
}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dictionary", "rows"])
def test_strings_are_text_where_they_are_long_and_mostly_different(column, kind):
    """Four words on average of those that are there."""
    values, expected = COLUMNS[column]
    table = {
        "pandas": lambda: pd.DataFrame({"t": values}),
        "polars": lambda: pl.DataFrame({"t": values}),
        "pyarrow": lambda: pa.table({"t": pa.array(values, pa.string_view())}),
        "dictionary": lambda: pa.table({"t": pa.array(values).dictionary_encode()}),
        "rows": lambda: [[value] for value in values],
    }[kind]()
    (family,) = fitted("auto", table, np.arange(len(values)) % 2).families_.values()
    assert type(family) is expected


def test_a_sentinel_is_no_text_in_choosing():
    x = pd.DataFrame({"t": [*worded(4), *["?"] * 15]})
    assert as_said(fitted("auto", x, np.arange(35) % 2, missing_values="?").families_["t"]) == Text()


@pytest.mark.parametrize("missing", ["value", "auto"])
def test_that_a_text_is_missing_may_tell(missing):
    x = ["good", "day", "good day", "night"] * 5 + [None] * 10
    y = [0] * 20 + [1] * 9 + [0]
    x[0], y[0] = "night", 1
    found = fitted("auto", x, y, missing=missing).predict_proba([None, "good"])
    assert found[0, 1] > 0.7
    assert found[1, 0] > 0.7
    x = pd.DataFrame({"t": pd.Series(x, dtype=object)})
    assert_allclose(fitted({"t": Text()}, x, y, missing=missing).predict_proba(x.iloc[[-1, 4]]), found)
