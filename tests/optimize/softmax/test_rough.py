"""Rough fits against solutions with a proof."""

import numpy as np
import pytest
import scipy.sparse as sp

from likely.optimize.softmax import rows_of, solve
from likely.optimize.softmax.rough import rough

from .problems import drawn


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("c", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_objective_is_nearly_the_least(classes, c, sparse):
    x, y = drawn(3, 300, 6, classes)
    offset = np.random.default_rng(1).normal(size=(300, 1 if classes == 2 else classes))
    rows = rows_of(sp.csr_matrix(x) if sparse else x, y, classes, offset=offset, penalise_bias=True)
    least = solve(rows, c, tol=1e-9)
    found = rough(rows, c)
    assert least.objective <= found.objective < least.objective * (1 + 1e-3)
    begun = rough(rows, c, least)
    assert begun.passes <= 3
    assert begun.objective == pytest.approx(least.objective, rel=1e-6)
