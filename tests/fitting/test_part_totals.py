"""What is taken from parts adds up to what is taken from all rows."""

import numpy as np
import pytest

from likely.fitting import part_totals
from likely.fitting.part_totals import PartTotals
from likely.models.naive_bayes import NaiveBayesModel

from ..samples import sample_of

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 3)), RNG.integers(0, 3, 60)
PLANS = {"a": NaiveBayesModel("gaussian").plans(sample_of(X, Y))}


def of(rows: slice) -> PartTotals:
    return PartTotals.of(PLANS, sample_of(X[rows], Y[rows]), rows.start)


def test_two_parts_are_the_whole() -> None:
    whole, both = of(slice(0, 60)), of(slice(0, 25)) + of(slice(25, 60))
    assert both.classes == whole.classes == {k: int((k == Y).sum()) for k in range(3)}
    assert both.count == 60
    np.testing.assert_array_equal(both.rows.at, np.arange(60))
    np.testing.assert_array_equal(both.counted["a"].class_counts, whole.counted["a"].class_counts)
    np.testing.assert_allclose(
        both.counted["a"].blocks[0].statistics.mean, whole.counted["a"].blocks[0].statistics.mean, rtol=1e-12
    )


def test_an_empty_part_adds_nothing() -> None:
    some = of(slice(0, 9))
    assert some + PartTotals() is some
    assert PartTotals() + some is some
    empty = PartTotals() + PartTotals()
    assert empty.count == 0
    with pytest.raises(ValueError, match="there are no rows"):
        _ = empty.rows


def test_too_many_classes_are_refused_when_they_come_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_totals, "MOST_CLASSES", 2)
    parts = [PartTotals.of({}, sample_of(X[k == Y], Y[k == Y]), 0) for k in range(3)]
    with pytest.raises(ValueError, match="more than 2 classes"):
        _ = parts[0] + parts[1] + parts[2]
