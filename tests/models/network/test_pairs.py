"""What pairs of columns show beyond the class, against the definition."""

import numpy as np
from numpy.testing import assert_allclose

from likely.models.network.pairs import information


def mutual(a, b):
    found = 0.0
    for u in set(a):
        for v in set(b):
            both = np.mean((a == u) & (b == v))
            if both:
                found += len(a) * both * np.log(both / np.mean(a == u) / np.mean(b == v))
    return found - (len(set(a)) - 1) * (len(set(b)) - 1)


def test_it_is_the_conditional_mutual_information_less_the_degrees_of_freedom():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=500).astype(np.int32)
    codes = np.array([rng.integers(-1, 3, 500), (rng.integers(0, 2, 500) + y) % 3, rng.integers(0, 4, 500)], np.int32)
    found = information(codes, y, 2, None, [3, 3, 4])
    for i in range(3):
        for j in range(3):
            there = (codes[i] >= 0) & (codes[j] >= 0)
            if i != j:
                parts = [mutual(codes[i][there & (y == k)], codes[j][there & (y == k)]) for k in range(2)]
                assert_allclose(found.of_pairs[i, j], sum(parts), rtol=1e-9)
        assert_allclose(found.of_class[i], mutual(codes[i][codes[i] >= 0], y[codes[i] >= 0]), rtol=1e-9)
    weighed = information(codes, y, 2, np.full(500, 2.0), [3, 3, 4])
    twice = information(np.tile(codes, 2), np.tile(y, 2), 2, None, [3, 3, 4])
    assert_allclose(weighed.of_pairs[0, 1], twice.of_pairs[0, 1], rtol=1e-9)


def test_pairs_of_too_many_values_are_not_counted():
    codes = np.zeros((2, 3), np.int32)
    found = information(codes, np.zeros(3, np.int32), 1, None, [100_000, 100_000])
    assert found.of_pairs[0, 1] == -np.inf
