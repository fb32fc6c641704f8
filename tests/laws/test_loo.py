"""Left out in closed form is the same as counted again without the row, for every family, option and prior."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from likely.families.cells import terms

from ..families.blocks import loo_scored, scored
from .cases import Case, cases, estimable, every_variant, example, missing

EXACT = {"rtol": 1e-9, "atol": 1e-9}

few = settings(max_examples=15)


def recounted(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """The scores of each row under the parameters of all other rows, and which rows have such parameters."""
    expected = np.zeros((len(case.y), case.classes))
    exists = np.ones(len(case.y), np.bool)
    for i in range(len(case.y)):
        others = case.count(np.arange(len(case.y)) != i)
        exists[i] = estimable(case, others)
        if exists[i]:
            expected[i] = case.score(others, case.cells[[i]])[0]
    return expected, exists


def loo(case: Case, start: float = 0.0) -> np.ndarray:
    return loo_scored(case.block(), case.seen(), start)


@every_variant()
@given(data=st.data())
@settings(max_examples=30)
def test_leave_one_out_is_a_recount_without_the_row(family, data):
    """For all classes, with weights and missing cells."""
    case = data.draw(cases(family))
    expected, exists = recounted(case)
    assume(exists.any())
    np.testing.assert_allclose(loo(case)[exists], expected[exists], **EXACT)


@every_variant()
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_is_a_recount_on_a_larger_table(family, weighted):
    case = example(family, np.random.default_rng(7), 60, 4, 3, weighted=weighted, holes=0.1)
    expected, exists = recounted(case)
    assert exists.all()
    np.testing.assert_allclose(loo(case), expected, **EXACT)


@every_variant(lambda family: family.independent)
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_columns_count_by_their_weights(family, weighted):
    """Those that count nothing, too: not even where they make a row impossible."""
    case = example(family, np.random.default_rng(8), 40, 3, 3, weighted=weighted, holes=0.1)
    times = np.array([0.0, 0.4, 1.7])
    block = case.block(column_weights=times)
    out = loo_scored(block, case.seen())
    for i in range(40):
        others = case.block(np.arange(40) != i, times)
        np.testing.assert_allclose(out[i], scored(others, case.cells[[i]])[0], **EXACT)
    parts = family.loo_contributions(block, case.seen())
    np.testing.assert_allclose(terms(times, parts).sum(axis=2), out, **EXACT)


@every_variant()
@few
@given(data=st.data())
def test_leave_one_out_adds_to_what_was_there(family, data):
    case = data.draw(cases(family))
    assume(estimable(case, case.count()))
    np.testing.assert_allclose(loo(case, -1.5) + 1.5, loo(case), **EXACT)


@every_variant()
@few
@given(data=st.data())
def test_leave_one_out_cells_sum_to_the_score_of_the_own_class(family, data):
    case = data.draw(cases(family))
    assume(estimable(case, case.count()))
    cells = family.loo(case.block(), case.seen())
    assert cells.shape == case.cells.shape
    assert (cells[missing(case.cells)] == 0).all()
    np.testing.assert_allclose(cells.sum(axis=1), loo(case)[np.arange(len(case.y)), case.y], **EXACT)


@every_variant()
@few
@given(data=st.data())
def test_the_leave_one_out_total_is_the_sum_of_the_cells(family, data):
    """A row that weighs 3 is three rows, each of them left out in turn."""
    case = data.draw(cases(family, weighted=False))
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(case.y), max_size=len(case.y))))
    rows = np.repeat(np.arange(len(case.y)), times)
    whole = np.full(case.cells.shape[1], case.cells.dtype.kind in "iub" and family.reads == "numbers")
    each, block = replace(case.seen(rows), whole=whole), case.block(rows)
    cells = family.loo(block, each)
    cells = np.where(whole, np.minimum(cells, 0.0), cells).sum(axis=0)
    np.testing.assert_allclose(family.loo_total(block, each), cells, **EXACT)
    weighed = replace(case, weight=times.astype(np.float64))
    seen = replace(weighed.seen(), whole=whole)
    np.testing.assert_allclose(family.loo_total(weighed.block(), seen), cells, **EXACT)


@every_variant(lambda family: family.sparse)
@few
@given(data=st.data())
def test_sparse_rows_are_left_out_as_dense(family, data):
    case = data.draw(cases(family, holes=False))
    thin = replace(case, cells=sparse.csr_array(case.cells))
    np.testing.assert_allclose(loo_scored(case.block(), thin.seen()), loo(case), **EXACT)
