"""Probabilities within limits, and what is said of limits that cannot be."""

import numpy as np
import pytest

from likely.limits import Within
from likely.priors import Laplace


def test_probabilities_within_limits_by_value_and_for_all():
    assert Within(0.1, 0.6).fitted(np.array([80.0, 15.0, 5.0]), "abc").p.round(12).tolist() == [0.6, 0.3, 0.1]
    free_last = Within(high=0.3).fitted(np.array([80.0, 15.0, 5.0]), "ab").p
    assert free_last.round(12).tolist() == [0.3, 0.3, 0.4]
    assert Within({"c": 0.2}).fitted(np.array([60.0, 20.0, 0.0]), "abc").p.round(12).tolist() == [0.6, 0.2, 0.2]


def test_limits_of_probabilities_are_values():
    assert Within({"a": 0.1, "b": 0.2}) == Within({"b": 0.2, "a": 0.1})
    assert hash(Within({"a": 0.1, "b": 0.2})) == hash(Within({"b": 0.2, "a": 0.1}))
    assert Within(0.1) != Within(0.2)
    assert repr(Within(0.1, {"a": 0.5}, Laplace())) == "Within(low=0.1, high={'a': 0.5}, prior=Laplace())"
    with pytest.raises(ValueError, match=r"low must be a probability, from 0 to 1, not -0\.1"):
        Within(-0.1)
    with pytest.raises(ValueError, match="high must be a probability, from 0 to 1, not 2"):
        Within(high={"a": 2})
    with pytest.raises(TypeError, match="prior is one without limits"):
        Within(0.1, prior=Within())
