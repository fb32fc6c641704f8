"""Totals by class."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likely import _native

from .kernels import drawn, present, problems


@given(problems, st.sampled_from(["NON_NEGATIVE", "COUNT", "BINARY", "FINITE"]))
def test_totals(problem, kind):
    x, y, classes, weight = drawn(problem, 0, 2 if kind == "BINARY" else 50)
    total, seen = np.zeros((2, classes, x.shape[1]))
    assert _native.totals(x, y, weight, getattr(_native, kind), total, seen) == -1
    w = np.ones(len(x)) if weight is None else weight
    for k in range(classes):
        for j in range(x.shape[1]):
            rows = [i for i in range(len(x)) if y[i] == k and present(x[i, j])]
            assert total[k, j] == math.fsum(w[i] * float(x[i, j]) for i in rows)
            assert seen[k, j] == math.fsum(w[i] for i in rows)


def test_totals_are_added_to_what_is_there():
    total, seen = np.full((1, 1), 10.0), np.full((1, 1), 20.0)
    _native.totals(np.array([[3.0]]), np.zeros(1, np.int32), None, _native.COUNT, total, seen)
    assert (total[0, 0], seen[0, 0]) == (13, 21)
