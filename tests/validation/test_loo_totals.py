"""Leave-one-out over parts is that of one machine."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from likely.data import Sample
from likely.engines.threads import ThreadParts
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import calibration, leave_one_out
from likely.validation.loo_totals import loo_totals
from likely.validation.mislabelled import audited

from ..samples import sample_of

ROWS = 400
RNG = np.random.default_rng(0)
Y = np.array(["a", "b", "c"])[(CODES := RNG.integers(0, 3, ROWS))]
TABLE = pd.DataFrame(
    {
        "number": np.where(RNG.random(ROWS) < 0.1, np.nan, RNG.normal(CODES)),
        "word": RNG.choice(["red", "green", "blue"], ROWS),
    }
)
WEIGHT = RNG.integers(1, 4, ROWS).astype(float)


@pytest.mark.parametrize("cuts", [[], [100, 200, 300], [1, 2, 390], [0, 200, 200, ROWS]], ids=str)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["alike", "weighted"])
def test_figures_of_all_rows_are_those_of_one_machine(cuts: list[int], weight: Any) -> None:
    def as_sample(rows: Any) -> Sample | None:
        if not len(rows):
            return None
        return sample_of(TABLE.iloc[rows], Y[rows], None if weight is None else weight[rows])

    model = NaiveBayesModel().fit(sample_of(TABLE, Y, weight))
    parts = np.split(np.arange(ROWS), cuts)
    found = loo_totals(model, ThreadParts(parts), as_sample)
    whole = leave_one_out(model, TABLE, Y, frame="kept", sample_weight=weight)
    assert found.rows == ROWS
    assert found.error == pytest.approx(whole.error, rel=1e-12)
    assert found.interval == pytest.approx(whole.interval, rel=1e-12)
    assert found.log_loss == pytest.approx(whole.log_loss, rel=1e-12)
    assert found.brier == pytest.approx(whole.brier, rel=1e-12)
    assert found.calibration_error == pytest.approx(whole.calibration_error, rel=1e-9)
    np.testing.assert_array_equal(found.confusion, whole.confusion)
    np.testing.assert_array_equal(found.by_class.recall, whole.by_class.recall)
    assert str(found).split()[:3] == ["leave-one-out,", "on", "all"]


@pytest.mark.parametrize("cuts", [[], [1, 2, 390], [0, 200, 200, ROWS]], ids=str)
def test_labels_to_check_are_those_of_one_machine(cuts: list[int]) -> None:
    labels = Y.copy()
    rng = np.random.default_rng(1)
    labels[::10] = np.array(["a", "b", "c"])[(CODES[::10] + rng.integers(1, 3, ROWS // 10)) % 3]
    table = TABLE.assign(clear=CODES + rng.normal(scale=0.3, size=ROWS))
    parts = np.split(np.arange(ROWS), cuts)

    def as_sample(rows: Any) -> Sample | None:
        return sample_of(table.iloc[rows], labels[rows]) if len(rows) else None

    model = NaiveBayesModel().fit(sample_of(table, labels))
    found = loo_totals(model, ThreadParts(parts), as_sample).audit
    whole = leave_one_out(model, table, labels, frame="kept")
    with np.errstate(divide="ignore"):
        log_p = np.log(whole.probabilities)
    p = calibration(log_p, whole.y, whole.classes)(log_p)
    expected = audited(whole.classes, whole.y, p)
    assert len(found) == len(expected) > 0
    assert found.noise == pytest.approx(expected.noise, rel=0.05)
    assert {parts[one.partition][one.row] for one in found.suspects} == set(expected.rows.tolist())
    here = {one.row: one for one in expected.suspects}
    for one in found.suspects:
        assert (one.label, one.looks_like) == here[parts[one.partition][one.row]][1:3]
        assert one.probability == pytest.approx(here[parts[one.partition][one.row]].probability, rel=1e-6)


def test_an_error_names_the_partition() -> None:
    model = NaiveBayesModel("poisson").fit(sample_of(np.array([[1.0], [2.0]]), ["a", "b"]))

    def bad(part: int) -> Sample:
        return sample_of(np.array([[1.0], [-2.0 if part else 2.0]]), ["a", "b"])

    with pytest.raises(ValueError, match="partition 1"):
        loo_totals(model, ThreadParts([0, 1]), bad)


def test_a_class_that_was_never_learned_is_refused() -> None:
    model = NaiveBayesModel("gaussian").fit(sample_of(np.array([[1.0], [2.0], [4.0]]), ["a", "b", "b"]))
    with pytest.raises(ValueError, match="partition 0: class 'c' was never learned"):
        loo_totals(model, ThreadParts([0]), lambda part: sample_of(np.array([[1.0], [2.0]]), ["a", "c"]))
