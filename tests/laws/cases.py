"""What the laws are tried on. All of it is read off the registry, so that a new family is covered by its line there.

A family says by `reads` whether it takes categories. Which numbers it takes is found out by offering it each of
POOLS. Its options are found among the fields of its dataclass, and the priors that fit it by trying them.

A law is a test with a parameter `family`. `every_family` and `every_variant` say for which of the registered it is
tried, and note it in LAWS, by which test_new_family.py tries all laws on families that nobody has registered.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from likely.errors import Degenerate
from likely.families import FAMILIES, BadCell, Block, Family, MultivariateGaussian
from likely.families.family import Observations
from likely.priors import InverseWishart, Laplace, MaximumLikelihood, MEstimate, Normal
from likely.statistics import Frame, Statistics

from ..families.blocks import block_of, counted, framed, observed, scored

OF_CELLS = {name: family for name, family in FAMILIES.items() if family.reads != "text"}
"""Families of numbers and categories. Texts are not made of cells: the laws of their counts are in
tests/statistics/test_tallies.py, those of their scores in tests/families/test_words_laws.py and test_words_loo.py. What
holds of every family, texts too, is in test_contract.py."""

POOLS: dict[str, np.ndarray] = {
    "numbers": np.arange(-20, 21) / 3,
    "numbers of 0 or more": np.arange(20) / 3,
    "positive numbers": np.arange(1, 20) / 3,
    "shares": np.arange(1, 16) / 16,
    "counts": np.arange(9),
    "bits": np.arange(2),
}
TYPES = {"counts": ("float64", "float32", "int64", "uint8"), "bits": ("float64", "float32", "int64", "uint8", "bool")}
WEIGHTS = (0.0, 0.1, 0.5, 1.0, 2.0, 3.7)
PRIORS = (MaximumLikelihood(), MEstimate(2.5), Laplace(0.5))

MORE = (
    *(MultivariateGaussian(shape) for shape in ("tied", "diagonal", "spherical")),
    *(MultivariateGaussian(shape, 0.0) for shape in ("full", "tied", "diagonal", "spherical")),
    *(MultivariateGaussian(shape, 0.3) for shape in ("full", "tied", "diagonal", "spherical")),
    MultivariateGaussian(shrinkage=(0.0, 0.4)),
    MultivariateGaussian(shrinkage=(0.2, 1.0)),
    *(
        MultivariateGaussian(shape, 0.0, InverseWishart(2.0, 3.0))
        for shape in ("full", "tied", "diagonal", "spherical")
    ),
    MultivariateGaussian("full", 0.5, InverseWishart(2.0, 3.0, estimate="mode")),
    MultivariateGaussian("full", 0.0, InverseWishart(2.0, 3.0), Normal(1.0, 0.5)),
    MultivariateGaussian("tied", 0.2, mean_prior=Normal(0.0, 2.0)),
)
"""Variants with options that are no switches."""

TOLERANCE = {"rtol": 1e-12, "atol": 1e-11}
"""Of sums of at most a dozen numbers no larger than 8, in double precision."""


@dataclass(frozen=True, eq=False)
class Case:
    """A family, rows to learn from, and more rows to score."""

    family: Family
    frame: Frame
    cells: np.ndarray
    y: np.ndarray
    classes: int
    weight: np.ndarray | None
    probe: np.ndarray

    def seen(self, rows: Any = slice(None)) -> Observations:
        """Some of the rows."""
        weight = None if self.weight is None else self.weight[rows]
        return observed(self.cells[rows], self.y[rows], self.classes, weight)

    def count(self, rows: Any = slice(None)) -> Statistics:
        """The statistics of some of the rows."""
        return self.family.count(self.seen(rows), self.frame)

    def block(self, statistics: Any = slice(None), column_weights: Any = None) -> Block:
        """The block of these statistics, or of some of the rows."""
        found = statistics if isinstance(statistics, Statistics) else self.count(statistics)
        return block_of(self.family, found, self.frame, column_weights)

    def score(self, statistics: Statistics, cells: Any = None) -> np.ndarray:
        """The scores of some rows under parameters estimated from the statistics."""
        return scored(self.block(statistics), self.probe if cells is None else cells)

    def parameters(self, statistics: Statistics) -> dict[tuple[int, str], np.ndarray]:
        found = self.family.describe(self.block(statistics).parameters, self.frame)
        return {(line.column, line.name): line.values for line in found}


class Law(NamedTuple):
    """A test of a family, and of which families it is one."""

    test: Callable[..., None]
    holds_for: Callable[[Family], bool]


LAWS: list[Law] = []


def every_family(holds_for: Callable[[Family], bool] = lambda family: True) -> Any:
    """A law of each family as it is by default: enough for what does not depend on options or priors."""
    return _law(lambda: [(name, family()) for name, family in OF_CELLS.items()], holds_for)


def every_variant(holds_for: Callable[[Family], bool] = lambda family: True) -> Any:
    """A law of each family by default, with each switch among its options turned, and with each prior that fits."""
    return _law(lambda: [(name, one) for name, family in OF_CELLS.items() for one in variants(family)], holds_for)


def _law(families: Callable[[], list[tuple[str, Family]]], holds_for: Callable[[Family], bool]) -> Any:
    def note(test: Callable[..., None]) -> Any:
        found = [pytest.param(one, id=f"{name}-{one!r}") for name, one in families() if holds_for(one)]
        LAWS.append(Law(test, holds_for))
        return pytest.mark.parametrize("family", found)(test)

    return note


def missing(cells: np.ndarray) -> np.ndarray:
    return np.isnan(cells) if cells.dtype.kind == "f" else cells < 0


def settled(family: Family) -> Family:
    """The family with nothing left to choose by the rows that come first: then their order makes no difference."""
    return replace(family, shrinkage=(0.1, 0.2)) if hasattr(family, "shrinkage") else family


@cache
def variants(kind: type[Family]) -> tuple[Family, ...]:
    """A family by default, with each switch among its options turned, and with each prior that fits."""
    family = kind()
    found = [family]
    for option in fields(family):
        if isinstance(option.default, bool):
            try:
                found.append(replace(family, **{option.name: not option.default}))
            except ValueError:
                continue  # the family says that it must not be turned
    found += [replace(family, prior=prior) for prior in PRIORS if fits(replace(family, prior=prior))]
    return (*found, *(variant for variant in MORE if type(variant) is kind))


def fits(family: Family) -> bool:
    """Whether the prior of the family is of a shape that it can use."""
    case = example(family, np.random.default_rng(0), rows=60, columns=2, classes=2)
    try:
        family.estimate(case.block())
    except TypeError:
        return False
    return True


@cache
def column_by_column(family: Family) -> bool:
    """Whether columns are independent given the class: where their parameters add up."""
    case = example(family, np.random.default_rng(0), rows=9, columns=2, classes=2)
    each = [counted(family, observed(case.cells[:, [j]], case.y, 2), case.frame.of([j])) for j in (0, 1)]
    return family.parameter_count(case.block()) == sum(map(family.parameter_count, each))


@cache
def pools(family: type[Family]) -> tuple[str, ...]:
    """The kinds of numbers that a family takes."""
    taken = []
    for name, pool in POOLS.items():
        seen = observed(pool[:, None].astype(np.float64), np.zeros(len(pool)))
        try:
            counted(family(), seen)
        except BadCell:
            continue
        taken.append(name)
    assert taken, f"{family.__name__} takes no numbers of POOLS; add some that it takes"
    return tuple(taken)


@st.composite
def cases(draw: Any, family: Family, weighted: bool | None = None, holes: bool = True) -> Case:
    """A family with a few rows, drawn by hypothesis."""
    rows, columns, classes = draw(st.integers(1, 9)), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    probes = draw(st.integers(1, 3))
    y = draw(arrays(np.int32, rows, elements=st.integers(0, classes - 1)))
    weight = None
    if weighted or (weighted is None and draw(st.booleans())):
        weight = draw(arrays(np.float64, rows, elements=st.sampled_from(WEIGHTS)))
    if family.reads == "categories":
        sizes = draw(st.lists(st.integers(1, 4), min_size=columns, max_size=columns))
        frame = Frame(range(columns), cells=tuple(np.arange(size) for size in sizes))
        cells = np.stack([draw(arrays(np.int32, rows, elements=st.integers(-holes, n - 1))) for n in sizes], axis=1)
        probe = np.stack([draw(arrays(np.int32, probes, elements=st.integers(-holes, n))) for n in sizes], axis=1)
        return Case(family, frame, cells, y, classes, weight, probe)
    pool = draw(st.sampled_from(pools(type(family))))
    dtype = np.dtype(draw(st.sampled_from(TYPES.get(pool, ("float64", "float32")))))
    values = [value.item() for value in POOLS[pool].astype(dtype)]
    if holes and dtype.kind == "f":
        values.append(np.nan)
    cells, probe = (draw(arrays(dtype, (n, columns), elements=st.sampled_from(values))) for n in (rows, probes))
    seen = observed(cells, y, classes, weight, np.full(columns, dtype.kind in "iub"))
    return Case(family, framed(family, seen), cells, y, classes, weight, probe)


def example(
    family: Family,
    rng: np.random.Generator,
    rows: int,
    columns: int,
    classes: int,
    weighted: bool = False,
    holes: float = 0.0,
) -> Case:
    """A family with many rows, drawn at random. The classes differ, so that a class mistaken for another shows."""
    y = rng.integers(classes, size=rows).astype(np.int32)
    weight = rng.choice(WEIGHTS, rows) if weighted else None
    if family.reads == "categories":
        sizes = rng.integers(1, 6, columns)
        frame = Frame(range(columns), cells=tuple(np.arange(size) for size in sizes))
        cells = ((rng.integers(sizes, size=(rows, columns)) + y[:, None]) % sizes).astype(np.int32)
        probe = rng.integers(sizes + 1, size=(rows, columns)).astype(np.int32)
        for some in (cells, probe):
            some[rng.random(some.shape) < holes] = -1
        return Case(family, frame, cells, y, classes, weight, probe)
    pool = POOLS[pools(type(family))[0]].astype(np.float64)
    at = rng.integers(len(pool), size=(rows, columns))
    skew = (y[:, None] + np.arange(columns)) % 3  # towards the low end in one class of three, the high end in another
    tilted = np.where(skew == 0, np.minimum(at, at[::-1]), np.where(skew == 1, np.maximum(at, at[::-1]), at))
    cells, probe = pool[tilted], pool[rng.integers(len(pool), size=(rows, columns))]
    for some in (cells, probe):
        some[rng.random(some.shape) < holes] = np.nan
    frame = framed(family, observed(cells, y, classes, weight))
    return Case(family, frame, cells, y, classes, weight, probe)


def assert_same(one: Statistics, other: Statistics) -> None:
    """Equal to the bit where both are integers, else to TOLERANCE."""
    assert type(one) is type(other)
    for name, a in one.arrays().items():
        if name == "scale":  # a bound, not a sum: it stays when what it bounds has gone
            continue
        b = other.arrays()[name]
        if a.dtype.kind == "i" and b.dtype.kind == "i":
            np.testing.assert_array_equal(a, b, err_msg=name)
        else:
            np.testing.assert_allclose(a, b, **TOLERANCE, err_msg=name)


def estimable(case: Case, statistics: Statistics) -> bool:
    """Whether parameters exist: under maximum likelihood a class may have no spread."""
    try:
        case.family.estimate(case.block(statistics))
    except Degenerate:
        return False
    return True
