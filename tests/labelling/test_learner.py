import numpy as np
import pyarrow as pa
import pytest

from likely.data import Sample, encode_target, read
from likely.families import Text
from likely.labelling.learner import CELLS, FEW, GrowingModel, RunningError
from likely.models.naive_bayes import NaiveBayesModel

WORDS = {"a": ["red", "blue", "green"], "b": ["one", "two", "three"]}


def texts(rows: int) -> tuple[pa.Table, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.array(["ab"[k] for k in rng.integers(0, 2, rows)], object)
    noisy = [WORDS["ab"[int(rng.integers(0, 2))]] if rng.random() < 0.3 else WORDS[label] for label in y]
    return pa.table({"text": [" ".join(rng.choice(words, 3)) for words in noisy]}), y


def test_one_class_is_no_model() -> None:
    table, _ = texts(10)
    model = GrowingModel(read(table), {"text": Text()})
    model.fit(np.arange(2), np.array(["a", "a"], object))
    assert model.model is None
    assert model.error(np.arange(2), np.array(["a", "a"], object)) is None
    assert model.reasons(0, None) is None


def test_labels_that_come_change_and_go_leave_the_model_of_those_that_stay() -> None:
    table, y = texts(300)
    grown, plain = GrowingModel(read(table), {"text": Text()}), GrowingModel(read(table), {"text": Text()})
    rows = np.arange(FEW)
    grown.fit(rows, y[rows])
    plain.fit(rows, y[rows])
    assert grown.settled(FEW + 1)
    assert not grown.settled(2 * FEW)
    grown.changed(200, None, "a")
    grown.changed(200, "a", "b")
    grown.changed(201, None, "new")
    grown.changed(200, "b", None)
    grown.changed(201, "new", None)
    assert grown.model is not None
    assert plain.model is not None
    some = np.arange(250, 300)
    np.testing.assert_array_equal(grown.probabilities(some)[:, :2], plain.probabilities(some))


def test_the_error_is_that_of_fits_without_each_row() -> None:
    table, y = texts(60)
    model = GrowingModel(read(table), {"text": Text()})
    rows = np.arange(60)
    model.fit(rows, y)
    assert model.model is not None
    wrong = 0
    for row in rows:
        one = Sample(read(table).take(np.array([row])), *reversed(encode_target(y[row : row + 1])))
        wrong += model.model.forget(one).predict(one.table)[0] != y[row]
    error = model.error(rows, y)
    assert error == RunningError(int(wrong), 60)
    assert error is not None
    assert error.share == wrong / 60
    assert error.interval[0] < error.share < error.interval[1]


def test_reasons_do_not_know_the_row_itself() -> None:
    table, y = texts(60)
    model = GrowingModel(read(table), {"text": Text()})
    model.fit(np.arange(60), y)
    known, unknown = model.reasons(5, None), model.reasons(5, y[5])
    assert known is not None
    assert unknown is not None
    own = known[0].classes.tolist().index(y[5])
    assert unknown[1][own] < known[1][own]
    assert unknown[1].sum() == pytest.approx(1)


def test_rows_in_which_there_is_nothing_to_learn_from() -> None:
    model = GrowingModel(read(pa.table({"x": pa.array([None, None, 1.0, 2.0])})), None)
    model.fit(np.arange(2), np.array(["a", "b"], object))
    assert model.model is None
    model.fit(np.arange(4), np.array(["a", "b", "a", "b"], object))
    assert isinstance(model.model, NaiveBayesModel)


def test_with_many_classes_fewer_rows_are_computed_together() -> None:
    table, _ = texts(200)
    made = GrowingModel(read(table), {"text": Text()})
    assert made.at_once(1000) == 1000
    made.fit(np.arange(200), np.array([f"class {at}" for at in range(200)], object))
    assert made.at_once(100_000) == CELLS // 200
    assert made.at_once(1000) == 1000
