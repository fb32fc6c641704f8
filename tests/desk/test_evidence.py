import numpy as np

from likely.desk.evidence import evidence, probabilities
from likely.families.family import Reason
from likely.models.explain import Reasons

REASONS = Reasons(
    np.array(["a", "b", "c"], object),
    np.zeros(3),
    [
        Reason("x", 2.0, np.array([0.0, -1.0, -9.0])),
        Reason("y", None, np.array([3.0, 0.0, 0.0])),
        Reason("z", "w", np.zeros(3)),
    ],
)


def test_the_strongest_comes_first_and_what_adds_nothing_is_left_out() -> None:
    found = evidence(REASONS)
    assert [(one.what, one.value, one.adds) for one in found] == [("y", "missing", 3.0), ("x", "2", 1.0)]
    assert [one.length for one in found] == [1.0, 1 / 3]


def test_probabilities_are_sorted() -> None:
    found = probabilities(REASONS, np.array([0.2, 0.7, 0.1]), 2)
    assert [(one.label, one.p) for one in found] == [("b", 0.7), ("a", 0.2)]
