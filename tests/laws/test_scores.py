"""What scores must agree with, for every registered family, with every option and prior that fits it."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from likely.families import Family
from likely.families.cells import dense

from ..families.blocks import counted, observed, scored
from .cases import (
    Case,
    cases,
    column_by_column,
    estimable,
    every_family,
    every_variant,
    example,
    missing,
)

SAME = {"rtol": 1e-10, "atol": 1e-10}

few = settings(max_examples=15)
"""There are some thirty variants: 450 examples of each law."""


@cache
def is_linear(family: Family) -> bool:
    case = example(family, np.random.default_rng(0), rows=60, columns=2, classes=2)
    return family.linear(case.block().parameters, case.frame) is not None


def estimated(data: Any, family: Any, **options: Any) -> Case:
    case = data.draw(cases(family, **options))
    assume(estimable(case, case.count()))
    return case


@every_variant()
@few
@given(data=st.data())
def test_contributions_sum_to_the_score(family, data):
    """What the native kernel adds up is what the cells contribute in numpy, and it is added to what was there."""
    case = estimated(data, family)
    parameters = case.block().parameters
    contributions = family.contributions(parameters, case.probe)
    assert contributions.shape == (len(case.probe), case.classes, case.cells.shape[1])
    out = np.full((len(case.probe), case.classes), 2.5)
    family.score(parameters, case.probe, out)
    np.testing.assert_allclose(out - 2.5, contributions.sum(axis=2), **SAME)


@every_variant()
@pytest.mark.parametrize("classes", [1, 3, 4, 5, 8, 11, 12, 13, 20, 25, 37])
def test_native_scores_equal_numpy_for_any_number_of_classes_and_rows(family, classes):
    """Kernels take four classes and up to 256 rows at a time; none may fall between."""
    case = example(family, np.random.default_rng(classes), rows=1163, columns=9, classes=classes, holes=0.01)
    parameters = case.block().parameters
    expected = family.contributions(parameters, case.probe).sum(axis=2)
    np.testing.assert_allclose(scored(case.block(), case.probe), expected, **SAME)


@every_variant()
@few
@given(data=st.data())
def test_a_score_is_a_number_or_infinite_but_never_nan(family, data):
    case = estimated(data, family)
    assert not np.isnan(case.score(case.count())).any()


@every_variant(lambda family: not family.joint)
@few
@given(data=st.data())
def test_a_missing_cell_adds_nothing(family, data):
    """With some cells missing, the score is the sum of what the others contribute."""
    case = estimated(data, family)
    parameters = case.block().parameters
    probe = case.probe if family.reads == "categories" else case.probe.astype(np.float64)
    hidden = np.array(data.draw(st.lists(st.booleans(), min_size=probe.size, max_size=probe.size))).reshape(probe.shape)
    rest = np.where(hidden, -1 if family.reads == "categories" else np.nan, probe).astype(probe.dtype)
    expected = np.where(hidden[:, None, :], 0.0, family.contributions(parameters, probe)).sum(axis=2)
    np.testing.assert_allclose(scored(case.block(), rest), expected, **SAME)


@every_variant(column_by_column)
@few
@given(data=st.data())
def test_a_missing_column_is_a_column_never_learned(family, data):
    """Where columns are independent given the class."""
    case = estimated(data, family)
    columns = range(case.cells.shape[1])
    keep = sorted(data.draw(st.sets(st.sampled_from(columns), min_size=1)))
    probe = case.probe if family.reads == "categories" else case.probe.astype(np.float64)
    hidden = np.where(np.isin(columns, keep), probe, -1 if family.reads == "categories" else np.nan)
    seen = observed(case.cells[:, keep], case.y, case.classes, case.weight)
    expected = scored(counted(family, seen, case.frame.of(keep)), probe[:, keep])
    np.testing.assert_allclose(case.score(case.count(), hidden.astype(probe.dtype)), expected, **SAME)


@every_variant()
@few
@given(data=st.data())
def test_weight_two_is_the_row_twice_in_parameters_and_scores(family, data):
    case = estimated(data, family, weighted=False)
    rows = np.repeat(np.arange(len(case.y)), 2)
    twice, weighed = case.count(rows), case.count() * 2
    assume(estimable(case, twice) and estimable(case, weighed))
    np.testing.assert_allclose(case.score(weighed), case.score(twice), **SAME)
    found, expected = case.parameters(weighed), case.parameters(twice)
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, **SAME, err_msg=str(name))


@every_variant()
@few
@given(data=st.data())
def test_scores_after_forgetting_are_those_of_the_rest(family, data):
    """A row forgotten leaves no trace in the scores, for whole rows."""
    case = data.draw(cases(family, weighted=False))
    row = data.draw(st.integers(0, len(case.y) - 1))
    rest = case.count(np.arange(len(case.y)) != row)
    assume(estimable(case, rest))
    np.testing.assert_allclose(case.score(case.count() - case.count([row])), case.score(rest), rtol=1e-9, atol=1e-9)


@every_variant()
@few
@given(data=st.data())
def test_scores_of_pieces_added_are_those_of_all_at_once(family, data):
    case = data.draw(cases(family))
    cut = data.draw(st.integers(0, len(case.y)))
    assume(estimable(case, case.count()))
    added = case.count(slice(0, cut)) + case.count(slice(cut, None))
    np.testing.assert_allclose(case.score(added), case.score(case.count()), rtol=1e-9, atol=1e-9)


@every_family()
@few
@given(data=st.data())
def test_rows_are_scored_one_by_one_as_all_together(family, data):
    case = estimated(data, family)
    one_by_one = [case.score(case.count(), case.probe[[i]])[0] for i in range(len(case.probe))]
    np.testing.assert_allclose(case.score(case.count()), one_by_one, **SAME)


@every_variant(is_linear)
@few
@given(data=st.data())
def test_a_line_gives_the_scores(family, data):
    """Weights @ features + bias is the score, up to what all classes share: the boundary is linear."""
    case = estimated(data, family, holes=False)
    parameters = case.block().parameters
    line = family.linear(parameters, case.frame)
    assume(np.isfinite(line.weights).all() and np.isfinite(line.bias).all())
    cells = case.cells.astype(np.float64)
    features = np.stack([feature(case, cells[:, j], j, cell) for j, cell in line.features], axis=1)
    found, expected = features @ line.weights.T + line.bias, scored(case.block(), case.cells)
    np.testing.assert_allclose(found - found[:, :1], expected - expected[:, :1], **SAME)


def feature(case: Case, column: np.ndarray, j: int, cell: int | None) -> np.ndarray:
    """A column, or where it holds one of its categories or falls into one of its bins."""
    if cell is None:
        return column
    if case.frame.edges is not None:
        column = np.searchsorted(case.frame.edges[j][1:-1], column, side="right")
    return (column == cell).astype(np.float64)


@every_variant(lambda family: family.sparse)
@few
@given(data=st.data())
def test_sparse_rows_count_and_score_as_dense(family, data):
    case = estimated(data, family, holes=False)
    thin, probe = replace(case, cells=sparse.csr_array(case.cells)).count(), sparse.csr_array(case.probe)
    for name, array in case.count().arrays().items():
        np.testing.assert_allclose(np.broadcast_to(thin.arrays()[name], array.shape), array, **SAME)
    np.testing.assert_allclose(case.score(thin, probe), case.score(case.count()), **SAME)


@every_variant(lambda family: family.sparse)
@few
@given(data=st.data())
def test_a_zero_that_is_stored_is_a_zero(family, data):
    case = estimated(data, family, holes=False)
    stored = sparse.csr_array(np.ones_like(case.probe, np.float64))
    stored.data = case.probe.astype(np.float64).ravel()
    np.testing.assert_allclose(case.score(case.count(), stored), case.score(case.count()), **SAME)


@every_variant(lambda family: family.sparse)
@pytest.mark.parametrize("classes", [1, 3, 4, 8, 9, 20, 23])
def test_sparse_scores_equal_dense_for_any_number_of_classes(family, classes):
    case = example(family, np.random.default_rng(classes), rows=97, columns=40, classes=classes)
    case.probe[np.random.default_rng(1).random(case.probe.shape) < 0.8] = 0
    statistics = case.count()
    expected = case.score(statistics)
    for dtype in (np.int32, np.int64):
        probe = sparse.csr_array(case.probe)
        probe.indices, probe.indptr = probe.indices.astype(dtype), probe.indptr.astype(dtype)
        np.testing.assert_allclose(case.score(statistics, probe), expected, **SAME)


@every_family(lambda family: family.reads == "numbers" and family.lowest <= 0)
def test_a_table_is_read_alike_in_any_type_and_layout(family):
    """float32, integers, columns first, every other row: the same counts and scores, without a copy by the caller."""
    case = example(family, np.random.default_rng(3), rows=50, columns=4, classes=3)
    cells = np.round(np.abs(case.cells)).clip(0, 1)
    assert cells.any()
    expected = counted(family, observed(cells, case.y, 3), case.frame)
    wide = np.zeros((50, 8))
    wide[:, ::2] = cells
    for same in (*(cells.astype(t) for t in "fdlihbLIHB?"), np.asfortranarray(cells), wide[:, ::2]):
        found = counted(family, observed(same, case.y, 3), case.frame)
        for field, array in expected.statistics.arrays().items():
            np.testing.assert_array_equal(found.statistics.arrays()[field], array)
        np.testing.assert_array_equal(scored(expected, same), scored(expected, cells))


def test_missing_marks_what_the_contract_calls_missing():
    assert missing(np.array([[np.nan, 0.0]])).tolist() == [[True, False]]
    assert missing(np.array([[-1, 0]], np.int32)).tolist() == [[True, False]]


@every_variant(lambda family: not family.joint)
@few
@given(data=st.data())
def test_scores_are_linear_in_the_features(family, data):
    """But for what is the same for all classes."""
    case = estimated(data, family)
    block = case.block()
    line = family.natural(block.parameters, case.frame)
    assume(np.isfinite(line.weights).all() and np.isfinite(line.bias).all())
    rows = case.probe[~missing(case.probe).any(axis=1)]
    if family.reads == "categories":
        rows = rows[(rows < case.frame.sizes).all(axis=1)]
    features = family.features(block, rows)
    features = np.asarray(features, float) if isinstance(features, np.ndarray) else dense(features)
    if family.squares:
        features = np.hstack([features, features**2])
    left = scored(case.block(), rows) - features @ line.weights.T - line.bias
    np.testing.assert_allclose(left - left[:, :1], 0, atol=1e-8 * max(1.0, np.abs(line.weights).max(initial=0)))


@every_variant()
@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_rows_by_parameters_of_their_own_are_scored_by_each(family, holes):
    """With dense rows, and with sparse ones where the family takes them."""
    case = example(family, np.random.default_rng(11), 60, 3, 3, holes=holes)
    which = np.random.default_rng(12).integers(0, 3, 60).astype(np.int32)
    blocks = [case.block(np.flatnonzero(np.arange(60) % 3 != s)) for s in range(3)]
    expected = np.array([scored(blocks[s], case.cells[[i]])[0] for i, s in enumerate(which)])
    for cells in (case.cells, sparse.csr_array(case.cells))[: 2 if family.sparse and not holes else 1]:
        out = np.full((60, 3), 0.5)
        family.score_by([block.parameters for block in blocks], which, cells, out)
        np.testing.assert_allclose(out, 0.5 + expected, **SAME)
