"""Separation, complete and quasi-complete: where weights without a penalty do not exist."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from likely.optimize.softmax import rows_of
from likely.optimize.softmax.separation import separated

OVERLAP = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
COMPLETE = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
QUASI = [[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1]
ONE_CLASS_APART = [[0.0, 0], [0, 1], [5, 0], [5, 1], [0, 0], [0, 1]], [0, 1, 2, 2, 1, 0]


@pytest.mark.parametrize(
    ("x", "y", "classes", "answer"),
    [(*OVERLAP, 2, False), (*COMPLETE, 2, True), (*QUASI, 2, True), (*ONE_CLASS_APART, 3, True)],
)
@pytest.mark.parametrize("kind", [np.array, csr_array])
def test_small_cases(x, y, classes, answer, kind):
    assert separated(rows_of(kind(np.array(x)), np.array(y, np.int32), classes)) is answer


def test_rows_without_weight_do_not_count():
    x, y = np.array(OVERLAP[0]), np.array(OVERLAP[1])
    assert separated(rows_of(x, y, 2, weight=np.array([1.0, 0.0, 0.0, 1.0]))) is True


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("classes", [2, 3])
def test_noise_is_not_separated_and_a_column_that_gives_a_class_away_is(seed, classes):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(200, 3)), rng.integers(0, classes, 200)
    assert separated(rows_of(x, y, classes)) is False
    x[:, 1] = (y == 1) * (rng.random(200) < 0.1)  # rarely there, and then only in class 1
    assert separated(rows_of(x, y, classes)) is True


def test_a_large_problem_is_not_asked():
    assert separated(rows_of(np.zeros((100_000, 20)), np.arange(100_000) % 2, 2)) is None
