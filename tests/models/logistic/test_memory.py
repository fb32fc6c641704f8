"""What L-BFGS remembers, as one table: its steps are those of the two loops in the books."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.models.logistic.memory import MEMORY, Memory

from .test_span import every, space_of, vector_of


def flat(space, vector):
    return np.concatenate([space.weights(vector)[:, : space.rows.outputs].ravel(), vector.bias])


def two_loops(pairs, gradient):
    """Nocedal and Wright, Algorithm 7.4."""
    q, shares = gradient.copy(), []
    for s, y in reversed(pairs):
        shares.append(s @ q / (s @ y))
        q -= shares[-1] * y
    if pairs:
        q *= pairs[-1][0] @ pairs[-1][1] / (pairs[-1][1] @ pairs[-1][1])
    for (s, y), share in zip(pairs, reversed(shares), strict=True):
        q += s * (share - y @ q / (s @ y))
    return q


@every
@pytest.mark.parametrize("steps", [1, 3, MEMORY + 4])
def test_steps_are_those_of_the_two_loops(classes, held, steps):
    space = space_of(classes, held)
    at = vector_of(space, 0)
    here = space.point(at, *space.value(at, space.square(at)))
    memory, pairs = Memory(space), []
    for _ in range(steps):
        step, slope = memory.step(here.gradient)
        gradient = flat(space, here.gradient)
        assert_allclose(flat(space, step), two_loops(pairs[-MEMORY:], gradient), rtol=1e-6, atol=1e-9)
        assert_allclose(slope, flat(space, step) @ gradient, rtol=1e-7)
        t = 0.5
        moved = here.at.plus(-t, step)
        there = space.point(moved, *space.value(moved, space.square(moved)))
        memory.add(t, step, here.gradient, there.gradient)
        pairs.append((-t * flat(space, step), flat(space, there.gradient) - gradient))
        assert pairs[-1][0] @ pairs[-1][1] > 0
        here = there
    assert memory.number == steps
