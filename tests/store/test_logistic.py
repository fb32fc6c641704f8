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
from likely.data import Sample
from likely.families import Gaussian, Histogram, Poisson, TextMultinomial
from likely.limits import Between, Equal, Falling, Rising
from likely.models.logistic.reasons import LogisticExplanation
from likely.models.logistic.regression import LogisticModel
from likely.priors import Laplace
from likely.store import BadModelFile, container
from likely.store.model import made

from ..samples import sample_of

RNG = np.random.default_rng(4)
ROWS = 80
Y, THREE = RNG.choice(["no", "yes"], ROWS), RNG.choice([1, 2, 5], ROWS)
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
DIAL: dict[str, Any] = {"candidates": 0.1, "shrink_to": "naive_bayes"}

TURNS = np.linalg.qr(RNG.normal(size=(20, 6, 6)))[0] * np.geomspace(2, 0.2, 6)
TWENTY = RNG.integers(20, size=600)
TURNED = np.einsum("nij,nj->ni", TURNS[TWENTY], RNG.normal(size=(600, 6)))
"""Classes of different covariances, for which the blend takes products of all numbers."""

CASES: list[tuple[Any, Any, dict[str, Any]]] = [
    (NUMBERS, Y, {}),
    (HOLES, THREE, {"candidates": [0.1, 1.0], "standardize": False}),
    (MIXED, Y, DIAL),
    (MIXED, THREE, DIAL | {"class_prior": "uniform", "smoothing": Laplace(2.0)}),
    (NO_TEXT, Y, DIAL | {"candidates": "auto", "time_ordered": True}),
    (np.repeat(NUMBERS, 8, axis=1), Y, DIAL | {"candidates": "auto"}),
    (TURNED, TWENTY, DIAL | {"candidates": "auto"}),
    (NO_TEXT, THREE, {"families": {"size": Gaussian(), "visits": Poisson(), "skewed": Histogram(bins=4)}}),
    (MIXED, Y, {"families": {"said": TextMultinomial()}, "tol": 1e-4}),
    (SPARSE, THREE, {"candidates": 0.5}),
    (SPARSE, Y, DIAL),
    (
        NO_TEXT,
        Y,
        {"limits": [Between("visits", low=0.0), Falling("kind", ["a", "b"]), Between({"size": 2.0}, None, 1)]},
    ),
    (NO_TEXT, Y, {"limits": [Rising("size"), Equal(("kind", "a"), ("kind", "c"))]}),
    (NO_TEXT, THREE, {"limits": [Rising("size", of=2), Equal(("kind", "a"), ("kind", "c"), of={1: 1.0, 5: -1.0})]}),
]


def learned(x: Any, y: Any, options: dict[str, Any]) -> tuple[LogisticModel, Sample]:
    sample = sample_of(x, y)
    return LogisticModel(**options).learn(sample), sample


@pytest.mark.parametrize(("x", "y", "options"), CASES, ids=range(len(CASES)))
def test_a_model_goes_through_a_file_to_the_bit(x: Any, y: Any, options: dict[str, Any], file: Path) -> None:
    model, sample = learned(x, y, options)
    table = sample.table
    store.save(file, model, store.Origin())
    found = store.load(file).model
    np.testing.assert_array_equal(found.score(table), model.score(table))
    np.testing.assert_array_equal(found.predict_proba(table), model.predict_proba(table))
    np.testing.assert_array_equal(found.loo_scores(sample), model.loo_scores(sample))
    for ours, theirs in zip(found.weights, model.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert str(LogisticExplanation(found, table)[3]) == str(LogisticExplanation(model, table)[3])
    assert found.design.features == model.design.features
    assert (found.names, found.known.kinds, found.c, found.tried) == (
        model.names,
        model.known.kinds,
        model.c,
        model.tried,
    )
    assert repr(found.chosen_families) == repr(model.chosen_families)
    assert found.class_counts.tolist() == np.bincount(sample.y).tolist()
    assert found.limits == model.limits
    assert repr(list(found.known.multipliers)) == repr(list(model.known.multipliers))
    assert repr(found.known.kkt) == repr(model.known.kkt)
    assert replace(found.solution, weights=None, bias=None, active=None) == replace(
        model.solution, weights=None, bias=None, active=None
    )
    np.testing.assert_allclose(found.learn(sample).score(table), model.score(table), rtol=1e-6, atol=1e-6)


def swap(named: dict[str, Any], one: str, other: str) -> None:
    named[one], named[other] = named[other], named[one]


def test_an_infinite_strength_goes_through_a_file(file: Path) -> None:
    model, sample = learned(NUMBERS, Y, {"candidates": np.inf})
    store.save(file, model, store.Origin())
    np.testing.assert_array_equal(store.load(file).model.score(sample.table), model.score(sample.table))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda parts: parts.update(strength=-1.0), "C is above 0"),
        (lambda parts: parts.update(dense=1), "an option is yes or no"),
        (lambda parts: parts.update(tol=0.0), "tol is above 0"),
        (lambda parts: parts.update(blocks=[], shared=[], generative=None, shrink_to=None), "only a sparse"),
        (lambda parts: parts.update(absent={"tuple": [9]}), "columns go too far"),
        (lambda parts: parts.update(generative=None), "weights are shrunk to what is not there"),
        (lambda parts: parts.update(counts=[1, 2]), "a class has rows"),
        (lambda parts: swap(parts["solution"]["named"], "weights", "bias"), "weights are"),
        (lambda parts: parts["solution"]["named"].update(active="none"), "constraints are"),
        (lambda parts: parts.update(shared=[9]), "naive Bayes has no such block"),
        (lambda parts: parts.update(limits=[{"tuple": ["Prior", {"tuple": []}, None]}]), "'Prior'"),
        (lambda parts: parts["generative"]["named"].update(names={"tuple": ["v", "w", "x", "y", "z"]}), "columns are"),
        (lambda parts: parts["generative"]["named"].update(kinds=[["float", 5]]), "another t"),
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
