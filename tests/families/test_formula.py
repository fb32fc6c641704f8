"""A formula worked out cell by cell in plain Python is the score, but for what all classes have alike."""

import math

import numpy as np
import pytest

from likely.data import Sample, encode_target, read
from likely.families import Bernoulli, Exponential, Histogram, MultivariateGaussian
from likely.families.formula import Lookup
from likely.models.naive_bayes import NaiveBayesModel

from ..databases import FAMILIES, mixed

TABLE = mixed(300)
SAMPLE = Sample(read(TABLE.drop_columns("y")), *reversed(encode_target(TABLE["y"])))


def read_cell(cell, x):
    """As `likely.families.formula` describes it; None where nothing is there to be read."""
    if cell.reading == "missing":
        return float(x is None)
    if x is None or (cell.lenient and x < cell.low):
        return None
    if cell.reading == "log":
        return math.log(x)
    if cell.reading in ("cos", "sin"):
        return getattr(math, cell.reading)(2 * math.pi * x / cell.by)
    if cell.reading == "above":
        return float(x > cell.by)
    if cell.reading == "bin":
        return sum(edge <= x for edge in cell.by)
    if cell.reading == "category":
        values = cell.by.tolist()
        return values.index(x) if x in values else len(values)
    return float(x)


def scored(term, x):
    t = read_cell(term.cell, x)
    if t is None:
        return np.zeros(3)
    if isinstance(term, Lookup):
        return term.scores[:, int(t)]
    apart = t - term.centre
    return term.constant + term.weight * apart + term.square * apart**2


def centred(scores):
    return scores - scores.mean(axis=1, keepdims=True)


@pytest.mark.parametrize("missing", ["ignore", "value"])
@pytest.mark.parametrize("column_weights", [False, True])
@pytest.mark.parametrize(
    "families",
    [FAMILIES, FAMILIES | {"skewed": Exponential(), "normal": Histogram(bins=5), "visits": Bernoulli(threshold=2)}],
)
def test_the_sum_of_the_terms_is_the_score(missing, column_weights, families):
    model = NaiveBayesModel(families, missing=missing, column_weights=column_weights).fit(SAMPLE)
    rows = TABLE.drop_columns("y").to_pylist()
    names = TABLE.column_names
    for block in model.blocks:
        scores = np.zeros((len(rows), 3))
        block.score(SAMPLE.table, slice(0, len(rows)), scores)
        terms = block.family.formula(block)
        found = np.array([sum(scored(term, row[names[term.cell.column]]) for term in terms) for row in rows])
        np.testing.assert_allclose(centred(found), centred(scores), rtol=1e-11, atol=1e-11)


def test_what_can_not_be_said_so():
    texts = ["one two", "two three", "three", "four"] * 3
    model = NaiveBayesModel("text").fit(Sample(read(texts), np.arange(12, dtype=np.int32) % 2, np.array(["a", "b"])))
    (block,) = model.blocks
    assert block.family.cells(block, 0) == ()
    assert block.family.formula(block) == ()


def test_columns_that_vary_together_need_all_their_cells():
    sample = Sample(read(TABLE.select(["normal", "skewed"])), SAMPLE.y, SAMPLE.classes)
    (block,) = NaiveBayesModel(MultivariateGaussian()).fit(sample).blocks
    assert all(cell.required for at in range(2) for cell in block.family.cells(block, at))
    assert len({term.cell.column for term in block.family.formula(block) if hasattr(term, "cell")}) == 2
