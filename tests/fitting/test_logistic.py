"""Logistic regression over parts: the objective of one machine, with its proof."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from likely.data import Sample
from likely.engines.threads import ThreadParts
from likely.fitting import logistic, row_sample
from likely.fitting.logistic import fit_logistic
from likely.limits import Between
from likely.models.logistic.regression import LogisticModel

from ..samples import sample_of

ROWS = 600
RNG = np.random.default_rng(0)
CLASSES = RNG.integers(0, 3, ROWS)
TABLE = pd.DataFrame(
    {
        "number": np.where(RNG.random(ROWS) < 0.1, np.nan, RNG.normal(CLASSES)),
        "far": 1e6 + RNG.normal(CLASSES),
        "count": RNG.poisson(3 + CLASSES),
        "word": RNG.choice(["red", "green", "blue"], ROWS),
        "flag": RNG.random(ROWS) < (CLASSES + 1) / 5,
    }
)
WEIGHT = RNG.integers(1, 4, ROWS).astype(float)


def reader(y: Any, table: pd.DataFrame = TABLE, weight: Any = None) -> Any:
    def as_sample(rows: Any) -> Sample | None:
        if not len(rows):
            return None
        return sample_of(table.iloc[rows], y[rows], None if weight is None else weight[rows])

    return as_sample


def fitted(model: LogisticModel, y: Any, cuts: list[int], **options: Any) -> LogisticModel:
    return fit_logistic(model, ThreadParts(np.split(np.arange(ROWS), cuts)), reader(y, **options))


CUTS = {"1": [], "7": [80, 160, 240, 320, 400, 500], "skewed": [1, 2, 590], "empty": [0, 300, 300, 300, ROWS]}


@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("shrink_to", [None, "naive_bayes"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["alike", "weighted"])
def test_the_objective_of_one_machine(cuts: str, classes: int, shrink_to: Any, weight: Any) -> None:
    y = np.minimum(CLASSES, classes - 1)
    model = LogisticModel((2.0,), shrink_to=shrink_to, tol=1e-10)
    found = fitted(model, y, CUTS[cuts], weight=weight)
    whole = model.fit(sample_of(TABLE, y, weight))
    assert found.features == whole.features
    assert found.solution.message == ""
    assert found.solution.gap <= 1e-10 * found.solution.objective
    assert found.solution.objective == pytest.approx(whole.solution.objective, rel=1e-8)
    np.testing.assert_array_equal(found.class_counts, whole.class_counts)
    # The penalty is half the square of the weights: those within a gap of the least are within the root of twice it.
    apart = np.linalg.norm(found.solution.weights - whole.solution.weights)
    assert apart <= np.sqrt(2 * found.solution.gap) + np.sqrt(2 * whole.solution.gap)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_sample_that_is_a_part_of_the_rows_ends_at_the_same_objective(
    classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_sample, "MOST_ROWS", 100)
    y = np.minimum(CLASSES, classes - 1)
    model = LogisticModel((2.0,), tol=1e-10)
    found, whole = fitted(model, y, CUTS["7"]), model.fit(sample_of(TABLE, y))
    assert found.solution.message == ""
    assert found.solution.objective == pytest.approx(whole.solution.objective, rel=1e-8)


def test_a_class_that_the_sample_has_no_row_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_ROWS", 100)
    y = CLASSES.copy()
    y[:2] = 3
    model = LogisticModel((1.0,), tol=1e-9)
    found, whole = fitted(model, y, CUTS["7"]), model.fit(sample_of(TABLE, y))
    assert found.solution.message == ""
    assert found.solution.objective == pytest.approx(whole.solution.objective, rel=1e-8)


def test_passes_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a job on a cluster; the rows are read twice before, to choose and to count, and once to be kept."""
    n = 20_000
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, 20))
    y = (x @ rng.normal(size=20) + rng.logistic(size=n) > 0).astype(int)
    monkeypatch.setattr(row_sample, "MOST_ROWS", 5_000)
    table = pd.DataFrame(x).rename(columns=str)
    found = fit_logistic(LogisticModel(), ThreadParts(np.array_split(np.arange(n), 5)), reader(y, table))
    assert found.solution.message == ""
    assert found.solution.passes <= 6


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"candidates": "auto"}, "C is chosen by rows in memory alone; for rows in partitions, give one value"),
        ({"candidates": (1.0, 2.0)}, "C is chosen by rows in memory alone"),
        ({"candidates": np.inf}, "give a finite C"),
        ({"limits": Between("far", low=0)}, "limits are kept by fits of rows in memory alone"),
        ({"interactions": [("far", "count")]}, "interactions are learned of rows in memory alone"),
    ],
)
def test_what_needs_rows_in_memory_is_refused_before_any_work(options: Any, says: str) -> None:
    def never(part: Any) -> Sample:
        raise AssertionError("no part is read")

    with pytest.raises(ValueError, match=says):
        fit_logistic(LogisticModel(**options), ThreadParts([1, 2]), never)


def test_texts_too_many_weights_and_one_class_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = pd.DataFrame({"t": [f"a text of many words, the number {at}" for at in range(ROWS)]})
    with pytest.raises(ValueError, match="column 't' holds texts or is sparse, and logistic regression of rows in"):
        fitted(LogisticModel(families={"t": "text_multinomial"}), CLASSES, [300], table=texts)
    with pytest.raises(ValueError, match="logistic regression needs rows of two classes or more"):
        fitted(LogisticModel(), np.zeros(ROWS, int), [300])
    monkeypatch.setattr(logistic, "MOST_UNKNOWNS", 20)
    with pytest.raises(ValueError, match=r"there are 27 weights and biases, of 8 features and 3 classes, .* allow 20"):
        fitted(LogisticModel(), CLASSES, [300])


def test_an_infinite_cell_is_named_with_its_partition() -> None:
    table = TABLE.assign(far=np.where(np.arange(ROWS) == 400, np.inf, TABLE["far"]))
    with pytest.raises(ValueError, match=r"partition 1.*column 'far'.*inf"):
        fitted(LogisticModel(), CLASSES, [300], table=table)


@pytest.mark.parametrize("in_place", [True, False])
def test_rows_that_can_be_kept_are_read_once(in_place: bool) -> None:
    class SomeParts(ThreadParts[Any]):
        keeps_in_place = in_place

    read: list[int] = []

    def as_sample(rows: Any) -> Sample | None:
        read.append(int(rows[0]))
        return reader(CLASSES)(rows)

    fit_logistic(LogisticModel((1.0,)), SomeParts(np.split(np.arange(ROWS), [200, 400])), as_sample)
    assert sorted(read) == [at for at in (0, 200, 400) for _ in range(1 if in_place else 3)]
