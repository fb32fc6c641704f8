"""Variable elimination, against the sum over all combinations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.models.network.elimination import Potential, marginal


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_sum_over_all_combinations(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, 6)
    potentials = []
    for _ in range(6):
        of = tuple(rng.permutation(6)[: rng.integers(1, 4)].tolist())
        potentials.append(Potential(of, rng.random(sizes[list(of)])))
    letters = "abcdef"
    wanted = sorted({v for one in potentials for v in one.of})[:2]
    spec = ",".join("".join(letters[v] for v in one.of) for one in potentials)
    expected = np.einsum(f"{spec}->{''.join(letters[v] for v in wanted)}", *(one.table for one in potentials))
    assert_allclose(marginal(potentials, wanted), expected, rtol=1e-12)
    assert_allclose(marginal(potentials, wanted[::-1]), expected.T, rtol=1e-12)


def test_what_is_known_is_taken_at_its_value():
    one = Potential((3, 5), np.arange(6.0).reshape(2, 3))
    known = one.at({5: 1, 9: 0})
    assert known.of == (3,)
    assert known.table.tolist() == [1, 4]
