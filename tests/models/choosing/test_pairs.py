"""Pairs of columns that act together, and pairs that do not."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln, logsumexp

from likely.data import Sample, read
from likely.models.choosing.pairs import CELLS, STRENGTHS, additive, log_factors, ranked_pairs


def sample_of(frame, y, weight=None):
    classes, codes = np.unique(y, return_inverse=True)
    return Sample(read(frame), codes.astype(np.int32), classes, weight)


def drawn(rows=400, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=rows), "b": rng.choice(["p", "q"], rows), "c": rng.normal(size=rows)})
    return frame, rng


def test_columns_that_act_together_come_first():
    frame, rng = drawn()
    y = (frame["a"] > 0) ^ (frame["b"] == "p") ^ (rng.random(len(frame)) < 0.1)
    first, *others = ranked_pairs(sample_of(frame, y))
    assert (first.first, first.second) == (0, 1)
    assert first.log_factor > 20 > 0 > max(pair.log_factor for pair in others)


def test_columns_that_act_one_by_one_do_not_act_together():
    """Nor do copies of a column, which naive Bayes would count twice."""
    frame, rng = drawn()
    frame["copy"] = frame["a"]
    y = rng.random(len(frame)) < 1 / (1 + np.exp(-2 * frame["a"] - (frame["b"] == "p")))
    assert max(pair.log_factor for pair in ranked_pairs(sample_of(frame, y))) < 0


def test_a_whole_weight_is_that_many_rows():
    frame, rng = drawn(120)
    y, weight = rng.integers(0, 3, 120), rng.integers(1, 4, 120)
    frame["a"] = frame["a"].round()
    frame["c"] = frame["c"] > 0
    whole = ranked_pairs(sample_of(frame, y, weight.astype(float)))
    again = ranked_pairs(sample_of(frame.loc[np.repeat(np.arange(120), weight)], np.repeat(y, weight)))
    assert {pair[:2]: pair.log_factor for pair in whole} == pytest.approx({p[:2]: p.log_factor for p in again})


def test_the_additive_fit_has_the_counts_of_each_column_and_no_interaction():
    rng = np.random.default_rng(1)
    counts = rng.integers(20, 60, (1, 3, 4, 3)).astype(float)
    p = additive(counts)
    fitted = p * counts.sum(axis=3, keepdims=True)
    for axis in (1, 2):
        np.testing.assert_allclose(fitted.sum(axis=axis), counts.sum(axis=axis), atol=1)
    logs = np.log(p[0])
    odds = logs - logs[..., :1]
    mixed = odds - odds[:1] - odds[:, :1] + odds[:1, :1]
    np.testing.assert_allclose(mixed, 0, atol=1e-6)


def test_the_factor_is_that_of_the_formula():
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 9, (2, 2, 3, 2)).astype(float)
    p = additive(counts)
    for pair in range(2):
        logs = []
        for m in STRENGTHS:
            total = 0.0
            for cell, share in zip(counts[pair].reshape(-1, 2), p[pair].reshape(-1, 2), strict=True):
                total += gammaln(m) - gammaln(m + cell.sum()) + np.sum(gammaln(m * share + cell) - gammaln(m * share))
            logs.append(total)
        one_by_one = np.sum(counts[pair] * np.log(p[pair]))
        expected = logsumexp(logs) - np.log(len(STRENGTHS)) - one_by_one
        assert log_factors(counts)[pair] == pytest.approx(expected)


@pytest.mark.parametrize("values", [1, 2, CELLS, 3 * CELLS])
def test_any_number_of_values_has_its_cells(values):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.integers(0, values, 300), "b": rng.integers(0, 2, 300)})
    y = (frame["a"] % 2) ^ frame["b"] if values == 2 else rng.integers(0, 2, 300)
    found = ranked_pairs(sample_of(frame, y))
    assert len(found) == (values > 1)
    assert values != 2 or found[0].log_factor > 100
