"""A fit over parts is the fit on one machine, for every family, engine and way of parting the rows."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import cloudpickle
import dask
import numpy as np
import pandas as pd
import pytest

from likely.data import Sample
from likely.engines.dask import DaskParts
from likely.engines.threads import ThreadParts
from likely.families import FAMILIES, Family, MultivariateGaussian
from likely.fitting.over_parts import fit_parts
from likely.models.gaussian import GaussianModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.network.model import NetworkModel
from likely.statistics.tallies import Tallies

from ..samples import sample_of
from .cases import POOLS, assert_same, pools

ROWS = 400
RNG = np.random.default_rng(0)
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, ROWS)]
Y[300:310] = "z"
WORDS = np.array(["red", "green", "blue", "black", "white"])

CUTS: dict[str, list[int]] = {
    "1": [],
    "7": np.linspace(0, ROWS, 8).astype(int)[1:-1].tolist(),
    "100": list(range(4, ROWS, 4)),
    "skewed": [1, 2, 380],
    "empty": [0, 0, 200, 200, 200, ROWS],
    "own class": [300, 310],
    "own category": [150, 155],
    "all missing": [100, 110],
}


class ShippedParts(ThreadParts[Any]):
    """Work and results go to another machine and back, as they do on a cluster."""

    def each(self, work: Callable[[int, Any], Any], at: Sequence[int]) -> list[Any]:
        return super().each(_shipped(work), at)

    def total(self, work: Callable[[int, Any], Any]) -> Any:
        return super().total(_shipped(work))


def _shipped(work: Callable[[int, Any], Any]) -> Callable[[int, Any], Any]:
    sent = cloudpickle.dumps(work)
    return lambda number, part: cloudpickle.loads(cloudpickle.dumps(cloudpickle.loads(sent)(number, part)))


PARTINGS: dict[str, Callable[[Any], Any]] = {
    "threads": ThreadParts,
    "shipped": ShippedParts,
    "dask": lambda parts: DaskParts([dask.delayed(part) for part in parts]),
}


def cells_of(family: type[Family], columns: int = 3) -> pd.DataFrame:
    """Cells that a family can read: a category of its own in some rows, and rows without a value."""
    shift = np.searchsorted(["a", "b", "c", "z"], Y)[:, None]
    if family.reads == "text":
        texts = [" ".join(WORDS[row % 5]) for row in RNG.integers(0, 3, (ROWS, 8)) + shift]
        texts[150:155] = ["only here"] * 5
        texts[100:110] = [None] * 10
        return pd.DataFrame({"t": pd.Series(texts, dtype=object)})
    if family.reads == "categories":
        table = pd.DataFrame(WORDS[(RNG.integers(0, 3, (ROWS, columns)) + shift) % 5], columns=list("uvw")[:columns])
        table = table.astype(object)
        table.iloc[150:155, 0] = "only here"
        table.iloc[100:110] = None
        return table
    pool = POOLS[pools(family)[0]].astype(np.float64)
    at = np.minimum(RNG.integers(0, len(pool), (ROWS, columns)) + shift, len(pool) - 1)
    table = pd.DataFrame(pool[at], columns=list("uvw")[:columns])
    table = table.mask(RNG.random(table.shape) < 0.1)
    table.iloc[100:110] = np.nan
    return table


def by_word(tallies: Tallies) -> dict[tuple[str, int], float]:
    """The total of each word in each class, in whatever order the words came."""
    assert tallies.words is not None
    words = np.repeat(list(tallies.words), np.diff(tallies.starts))
    return dict(zip(zip(words.tolist(), tallies.at.tolist(), strict=True), tallies.totals.tolist(), strict=True))


def as_sample(table: pd.DataFrame, rows: Any) -> Sample | None:
    return sample_of(table.iloc[rows], Y[rows]) if len(rows) else None


def assert_alike(model: NaiveBayesModel, table: pd.DataFrame, parts: Any) -> None:
    whole = model.fit(sample_of(table, Y))
    found, rows = fit_parts(model, parts, partial(as_sample, table))
    assert rows.count == ROWS
    assert found.kinds == whole.kinds
    assert found.classes.tolist() == whole.classes.tolist()
    np.testing.assert_array_equal(found.class_counts, whole.class_counts)
    for mine, theirs in zip(found.blocks, whole.blocks, strict=True):
        assert type(mine.family) is type(theirs.family)
        assert list(mine.columns) == list(theirs.columns)
        if mine.frame.cells is not None:
            for a, b in zip(mine.frame.cells, theirs.frame.cells, strict=True):
                assert list(a) == list(b)
        if isinstance(mine.statistics, Tallies):
            assert by_word(mine.statistics) == pytest.approx(by_word(theirs.statistics), rel=1e-12)
        else:
            assert_same(mine.statistics, theirs.statistics)
    scores = sample_of(table, Y).table
    np.testing.assert_allclose(found.score(scores), whole.score(scores), rtol=1e-7, atol=1e-7)
    np.testing.assert_array_equal(cloudpickle.loads(cloudpickle.dumps(found)).score(scores), found.score(scores))


every_parting = pytest.mark.parametrize("cuts", CUTS)
every_engine = pytest.mark.parametrize("engine", PARTINGS)


@every_engine
@every_parting
@pytest.mark.parametrize("family", FAMILIES)
def test_naive_bayes_of_one_family(family: str, cuts: str, engine: str) -> None:
    parts = PARTINGS[engine](np.split(np.arange(ROWS), CUTS[cuts]))
    with dask.config.set(scheduler="synchronous"):
        assert_alike(NaiveBayesModel(family), cells_of(FAMILIES[family]), parts)


@every_engine
@every_parting
def test_families_and_weights_chosen(cuts: str, engine: str) -> None:
    kinds = [FAMILIES[name] for name in ("gaussian", "poisson", "categorical", "bernoulli")]
    table = pd.concat([cells_of(kind, 2).add_prefix(kind.__name__) for kind in kinds], axis=1)
    parts = PARTINGS[engine](np.split(np.arange(ROWS), CUTS[cuts]))
    with dask.config.set(scheduler="synchronous"):
        assert_alike(NaiveBayesModel(), table, parts)


MODELS = {
    "Gaussian": (GaussianModel(MultivariateGaussian()), "gaussian"),
    "tied": (GaussianModel(MultivariateGaussian("tied")), "gaussian"),
    "network": (NetworkModel(structure="tan"), "categorical"),
}


@every_engine
@every_parting
@pytest.mark.parametrize("model", MODELS)
def test_other_models_that_count(model: str, cuts: str, engine: str) -> None:
    made, family = MODELS[model]
    parts = PARTINGS[engine](np.split(np.arange(ROWS), CUTS[cuts]))
    with dask.config.set(scheduler="synchronous"):
        assert_alike(made, cells_of(FAMILIES[family]), parts)
