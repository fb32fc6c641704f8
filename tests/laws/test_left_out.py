"""Left out in closed form is the same as counted again without the row, for every family, option and prior."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from likely.families.family import terms
from likely.families.weighable import Weighable

from .cases import Case, cases, estimable, example, missing, scores, variants

every_variant = pytest.mark.parametrize("family", variants())

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
            expected[i] = case.score(others, case.block[[i]])[0]
    return expected, exists


def left_out(case: Case, block: object = None) -> np.ndarray:
    out = np.zeros((len(case.y), case.classes))
    block = case.block if block is None else block
    case.family.score_left_out(case.count(), block, case.y, case.weight, case.frame, out)
    return out


@every_variant
@given(data=st.data())
@settings(max_examples=30)
def test_left_out_is_a_recount_without_the_row(family, data):
    """For all classes, with weights and missing cells."""
    case = data.draw(cases(family))
    expected, exists = recounted(case)
    assume(exists.any())
    np.testing.assert_allclose(left_out(case)[exists], expected[exists], **EXACT)


@every_variant
@pytest.mark.parametrize("weighted", [False, True])
def test_left_out_is_a_recount_on_a_larger_table(family, weighted):
    case = example(family, np.random.default_rng(7), 60, 4, 3, weighted=weighted, holes=0.1)
    expected, exists = recounted(case)
    assert exists.all()
    np.testing.assert_allclose(left_out(case), expected, **EXACT)


@pytest.mark.parametrize("family", [p for p in variants() if isinstance(p.values[0], Weighable)])
@pytest.mark.parametrize("weighted", [False, True])
def test_left_out_columns_count_by_their_weights(family, weighted):
    """Those that count nothing, too: not even where they make a row impossible."""
    case = example(family, np.random.default_rng(8), 40, 3, 3, weighted=weighted, holes=0.1)
    times, out = np.array([0.0, 0.4, 1.7]), np.zeros((40, 3))
    family.score_left_out(case.count(), case.block, case.y, case.weight, case.frame, out, times)
    for i in range(40):
        others = case.count(np.arange(40) != i)
        expected = scores(family, family.parameters(others, case.frame, times), case.block[[i]], 3)
        np.testing.assert_allclose(out[i], expected[0], **EXACT)
    parts = family.contributions_left_out(case.count(), case.block, case.y, case.weight, case.frame)
    np.testing.assert_allclose(terms(times, parts).sum(axis=2), out, **EXACT)


@every_variant
@few
@given(data=st.data())
def test_left_out_adds_to_what_was_there(family, data):
    case = data.draw(cases(family))
    assume(estimable(case, case.count()))
    out = np.full((len(case.y), case.classes), -1.5)
    family.score_left_out(case.count(), case.block, case.y, case.weight, case.frame, out)
    np.testing.assert_allclose(out + 1.5, left_out(case), **EXACT)


@every_variant
@few
@given(data=st.data())
def test_left_out_cells_sum_to_the_left_out_score_of_the_own_class(family, data):
    case = data.draw(cases(family))
    assume(estimable(case, case.count()))
    cells = family.left_out(case.count(), case.block, case.y, case.weight, case.frame)
    assert cells.shape == case.block.shape
    assert (cells[missing(case.block)] == 0).all()
    np.testing.assert_allclose(cells.sum(axis=1), left_out(case)[np.arange(len(case.y)), case.y], **EXACT)


@every_variant
@few
@given(data=st.data())
def test_the_left_out_total_is_the_sum_of_the_left_out_cells(family, data):
    """A row that weighs 3 is three rows, each of them left out in turn."""
    case = data.draw(cases(family, weighted=False))
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(case.y), max_size=len(case.y))))
    rows = np.repeat(np.arange(len(case.y)), times)
    whole = np.full(case.block.shape[1], case.block.dtype.kind in "iub" and family.reads == "numbers")
    block, y, frame = case.block[rows], case.y[rows], case.frame
    cells = family.left_out(case.count(rows), block, y, None, frame)
    cells = np.where(whole, np.minimum(cells, 0.0), cells)
    np.testing.assert_allclose(
        family.left_out_total(case.count(rows), block, y, None, frame, whole), cells.sum(axis=0), **EXACT
    )
    weight = times.astype(np.float64)
    weighed = family.count(case.block, case.y, case.classes, weight, frame)
    np.testing.assert_allclose(
        family.left_out_total(weighed, case.block, case.y, weight, frame, whole), cells.sum(axis=0), **EXACT
    )


@pytest.mark.parametrize("family", [p for p in variants() if p.values[0].sparse])
@few
@given(data=st.data())
def test_sparse_rows_are_left_out_as_dense(family, data):
    case = data.draw(cases(family, holes=False))
    np.testing.assert_allclose(left_out(case, sparse.csr_array(case.block)), left_out(case), **EXACT)
