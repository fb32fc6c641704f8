"""The features of one block: numbers by hand, and cells that are none."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from likely.data import read
from likely.errors import BadCell
from likely.families import Gaussian
from likely.models.logistic.regression import LogisticModel

from ...samples import sample_of

FRAME = pd.DataFrame({"size": [1.0, 3.0, 5.0, 7.0]})
Y = [0, 1, 0, 1]
Z = (np.array([1.0, 3.0, 5.0, 7.0]) - 4) / np.sqrt(5)


def learned(x, y, **options):
    return LogisticModel(**options).learn(sample_of(x, y))


def test_a_number_is_standardised_and_then_squared():
    (piece,) = learned(FRAME, Y, families={"size": Gaussian()}).design.pieces
    assert piece.features == [("size", None), ("size", "squared")]
    assert piece.size == 2
    assert_allclose(piece.read(read(FRAME), slice(0, 4)), np.column_stack([Z, Z**2]))


def test_weights_in_the_units_of_the_column():
    """z + 2 z^2, of z = (x - 4) / s."""
    (piece,) = learned(FRAME, Y, families={"size": Gaussian()}).design.pieces
    (weights,), (bias,) = piece.original(np.array([[1.0, 2.0]]))
    assert_allclose(weights, [1 / np.sqrt(5) - 16 / 5, 2 / 5])
    assert_allclose(bias, -4 / np.sqrt(5) + 32 / 5)


@pytest.mark.parametrize("bad", [np.inf, -1e200])
def test_a_number_too_large_is_named(bad):
    frame = FRAME.assign(kind=["a", "b", "a", "b"])
    model = learned(frame, Y)
    later = frame.copy()
    later.loc[2, "size"] = bad
    with pytest.raises(ValueError, match=r"finite numbers, up to 1e150; column 'size', row 2, has"):
        model.score(read(later))


@pytest.mark.parametrize("bad", [np.inf, -1e200])
def test_a_number_too_large_is_named_where_all_columns_are_numbers(bad, monkeypatch):
    monkeypatch.setattr("likely.models.logistic.regression.CHUNK", 16)
    model = learned(FRAME[["size"]], Y)
    later = FRAME[["size"]].copy()
    later.loc[2, "size"] = bad
    with pytest.raises(BadCell, match=r"^logistic regression needs .* 1e150; column 'size', row 2, "):
        model.score(read(later))


def test_a_number_of_a_sparse_matrix_that_is_none_is_named():
    x = sp.csr_matrix([[1.0, 0.0], [0.0, 2.0], [0.0, np.nan], [3.0, 0.0]])
    with pytest.raises(ValueError, match="column 1, row 2, has nan"):
        learned(x, [0, 1, 0, 1])
