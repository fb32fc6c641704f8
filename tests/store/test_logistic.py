"""Logistic regression goes through a file, answers to the bit as before, and is refused where it was tampered with."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import random_array

from likely import store
from likely.data import encode_target, read
from likely.families import Gaussian, Histogram, Poisson, Text
from likely.limits import Between, Equal, Falling, Rising
from likely.models.logistic.reasons import LogisticExplanation
from likely.models.logistic.regression import LogisticRegression
from likely.priors import Laplace
from likely.store import BadModelFile, container
from likely.store.model import made

RNG = np.random.default_rng(4)
ROWS = 80
Y, THREE = encode_target(RNG.choice(["no", "yes"], ROWS)), encode_target(RNG.choice([1, 2, 5], ROWS))
NUMBERS = RNG.normal(size=(ROWS, 3))
HOLES = np.where(RNG.random((ROWS, 3)) < 0.1, np.nan, NUMBERS)
MIXED = pa.table(
    {
        "size": pa.array(HOLES[:, 0], from_pandas=True),
        "visits": RNG.poisson(3, ROWS),
        "skewed": RNG.exponential(size=ROWS) ** 3,
        "kind": RNG.choice(["a", "b", "c"], ROWS).tolist(),
        "said": [" ".join(RNG.choice(["hay", "oats", "corn", "rye"], 5)) + f" {i}" for i in range(ROWS)],
    }
)
NO_TEXT = MIXED.drop_columns("said")
SPARSE = random_array((ROWS, 300), density=0.05, rng=RNG)
DIAL: dict[str, Any] = {"c": 0.1, "shrink_to": "naive_bayes"}

CASES: list[tuple[Any, Any, dict[str, Any]]] = [
    (NUMBERS, Y, {}),
    (HOLES, THREE, {"c": [0.1, 1.0], "standardize": False}),
    (MIXED, Y, DIAL),
    (MIXED, THREE, DIAL | {"class_prior": "uniform", "smoothing": Laplace(2.0)}),
    (NO_TEXT, Y, DIAL | {"c": "auto", "ordered": True}),
    (np.repeat(NUMBERS, 8, axis=1), Y, DIAL | {"c": "auto"}),
    (NO_TEXT, THREE, {"families": {"size": Gaussian(), "visits": Poisson(), "skewed": Histogram(bins=4)}}),
    (MIXED, Y, {"families": {"said": Text("multinomial")}, "tol": 1e-4}),
    (SPARSE, THREE, {"c": 0.5}),
    (SPARSE, Y, DIAL),
    (
        NO_TEXT,
        Y,
        {"limits": [Between("visits", low=0.0), Falling("kind", ["a", "b"]), Between({"size": 2.0}, None, 1)]},
    ),
    (NO_TEXT, Y, {"limits": [Rising("size"), Equal(("kind", "a"), ("kind", "c"))]}),
    (NO_TEXT, THREE, {"limits": [Rising("size", of=2), Equal(("kind", "a"), ("kind", "c"), of={1: 1.0, 5: -1.0})]}),
]


def learned(x: Any, y: Any, options: dict[str, Any]) -> tuple[LogisticRegression, Any]:
    table, model = read(x), LogisticRegression(**options)
    model.learn(table, *y)
    return model, table


@pytest.mark.parametrize(("x", "y", "options"), CASES, ids=range(len(CASES)))
def test_a_model_goes_through_a_file_to_the_bit(x: Any, y: Any, options: dict[str, Any], file: Path) -> None:
    model, table = learned(x, y, options)
    store.save(file, model, store.Origin())
    found = store.load(file).model
    np.testing.assert_array_equal(found.score(table), model.score(table))
    np.testing.assert_array_equal(found.posterior(table), model.posterior(table))
    np.testing.assert_array_equal(found.score_left_out(table, y[1]), model.score_left_out(table, y[1]))
    for ours, theirs in zip(found.weights, model.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert str(LogisticExplanation(found, table)[3]) == str(LogisticExplanation(model, table)[3])
    assert found.design.features == model.design.features
    assert (found.names, found.kinds, found.c, found.tried) == (model.names, model.kinds, model.c, model.tried)
    assert repr(found.chosen) == repr(model.chosen)
    assert found.counts.tolist() == np.bincount(y[1]).tolist()
    assert found.limits == model.limits
    assert repr(found.multipliers) == repr(model.multipliers)
    assert repr(found.kkt) == repr(model.kkt)
    assert replace(found.solution, weights=None, bias=None, holding=None) == replace(
        model.solution, weights=None, bias=None, holding=None
    )
    found.learn(table, *y)
    np.testing.assert_allclose(found.score(table), model.score(table), rtol=1e-6, atol=1e-6)


def test_an_infinite_strength_goes_through_a_file(file: Path) -> None:
    model, table = learned(NUMBERS, Y, {"c": np.inf})
    store.save(file, model, store.Origin())
    np.testing.assert_array_equal(store.load(file).model.score(table), model.score(table))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda parts: parts.update(strength=-1.0), "C is above 0"),
        (lambda parts: parts.update(dense=1), "an option is yes or no"),
        (lambda parts: parts.update(tol=0.0), "tol is above 0"),
        (lambda parts: parts.update(bag=True), "a matrix is read in one way"),
        (lambda parts: parts.update(bag=True, blocks=[]), "only a sparse matrix is read as it is"),
        (lambda parts: parts.update(absent={"tuple": [9]}), "columns go too far"),
        (lambda parts: parts.update(generative=None), "weights are drawn to what is not there"),
        (lambda parts: parts.update(counts=[1, 2]), "a class has rows"),
        (lambda parts: parts["solution"]["named"].update(weights=parts["solution"]["named"]["bias"]), "weights are"),
        (lambda parts: parts["solution"]["named"].update(holding=parts["solution"]["named"]["bias"]), "limits are not"),
        (lambda parts: parts.update(limits=[{"tuple": ["Prior", {"tuple": []}, None]}]), "'Prior'"),
        (lambda parts: parts["generative"]["named"].update(names={"tuple": ["v", "w", "x", "y", "z"]}), "another t"),
        (lambda parts: parts["blocks"][0]["named"].update(family={"Poisson": {}}), "does not count"),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit_are_refused(change: Any, says: str, file: Path) -> None:
    model, _ = learned(MIXED, Y, DIAL | {"families": {"skewed": "histogram"}})
    store.save(file, model, store.Origin())
    contents = container.read(file)
    told = json.loads(contents.text)
    change(told["parts"])
    with pytest.raises(BadModelFile, match=says):
        made(contents._replace(text=json.dumps(told)), "it")
