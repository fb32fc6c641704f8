"""Rows left out in closed form, against counting, estimating and scoring again without the row."""

import numpy as np
import pytest

from likely.errors import Degenerate
from likely.families import Block, MultivariateGaussian
from likely.families.family import Observations
from likely.families.gaussian_loo import GaussianLoo, rank_one
from likely.priors import InverseWishart, Normal
from likely.statistics import Frame

from .blocks import counted, loo_scored, observed, scored

COLUMNS = 4
FRAME = Frame(range(COLUMNS))
TOGETHER = np.array([[2.0, 0.5, 0.3, 0.0], [0.5, 1.0, 0.4, 0.1], [0.3, 0.4, 3.0, -0.2], [0.0, 0.1, -0.2, 1.5]])

SHAPES = ("full", "tied", "diagonal", "spherical")
SHRUNK = [MultivariateGaussian(shape, by) for shape in SHAPES for by in (0.0, 0.3, (0.2, 0.4))]
SHRUNK += [MultivariateGaussian("full", by) for by in (1.0, (0.0, 0.4), (0.0, 1.0), (1.0, 1.0))]
BELIEVED = [
    MultivariateGaussian(shape, by, InverseWishart(TOGETHER, 3.0, point))
    for shape in SHAPES
    for by, point in ((0.0, "mean"), (0.3, "mode"), ((0.2, 0.4), "mean"))
]
DRAWN = [MultivariateGaussian(shape, 0.3, mean_prior=Normal(1.0, 0.5)) for shape in SHAPES]
DRAWN += [
    MultivariateGaussian("full", 0.0, InverseWishart(TOGETHER, 3.0), Normal([0.0, 1.0, 2.0, 3.0], TOGETHER)),
    MultivariateGaussian("full", 0.0, mean_prior=Normal(1.0, 0.5)),
    MultivariateGaussian("diagonal", 0.0, mean_prior=Normal(1.0, 0.5)),
]


def name(family: MultivariateGaussian) -> str:
    prior = f"-{family.prior.estimate}" if isinstance(family.prior, InverseWishart) else ""
    return f"{family.covariance}-{family.shrinkage}{prior}{'-drawn' if family.mean_prior else ''}".replace(" ", "")


every_family = pytest.mark.parametrize("family", SHRUNK + BELIEVED + DRAWN, ids=name)


class Rows:
    """Rows of some classes, with the scores that a refit without each of them gives it."""

    def __init__(self, x: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None, classes: int = 0) -> None:
        self.x, self.y, self.weight = x, y.astype(np.int32), weight
        self.classes = classes or int(y.max()) + 1

    def seen(self, kept: object = slice(None)) -> Observations:
        weight = None if self.weight is None else self.weight[kept]
        return observed(np.ascontiguousarray(self.x[kept]), self.y[kept], self.classes, weight)

    def block(self, family: MultivariateGaussian, kept: object = slice(None)) -> Block:
        return counted(family, self.seen(kept), FRAME)

    def loo(self, family: MultivariateGaussian) -> GaussianLoo:
        return family._rows(self.block(family), self.seen())[0]

    def scores(self, family: MultivariateGaussian) -> np.ndarray:
        return loo_scored(self.block(family), self.seen())

    def recounted(self, family: MultivariateGaussian) -> tuple[np.ndarray, np.ndarray]:
        """And which rows leave parameters that exist."""
        scores, exists = np.zeros((len(self.y), self.classes)), np.ones(len(self.y), np.bool)
        for i in range(len(self.y)):
            try:
                scores[i] = scored(self.block(family, np.arange(len(self.y)) != i), self.x[[i]])[0]
            except Degenerate:
                exists[i] = False
        return scores, exists


def assert_recounted(family: MultivariateGaussian, rows: Rows, rtol: float = 1e-9) -> None:
    """By every way that leads there. Without parameters, a row of which no cell is missing is impossible somewhere."""
    expected, exists = rows.recounted(family)
    of_own = expected[np.arange(len(rows.y)), rows.y][exists]
    close = {"rtol": rtol, "atol": rtol}
    found = rows.scores(family)
    np.testing.assert_allclose(found[exists], expected[exists], **close, err_msg="loo_scores")
    impossible = ~exists & ~np.isnan(rows.x).any(axis=1)
    assert np.isneginf(found[impossible]).any(axis=1).all()
    cells = family.loo(rows.block(family), rows.seen())
    assert not cells[np.isnan(rows.x)].any()
    np.testing.assert_allclose(cells.sum(axis=1)[exists], of_own, **close, err_msg="loo")
    loo, added = rows.loo(family), np.full(found.shape, 2.5)
    loo.add(added)
    np.testing.assert_allclose(added[exists] - 2.5, expected[exists], **close, err_msg="add")
    np.testing.assert_allclose(loo.own()[exists], of_own, **close, err_msg="own")
    np.testing.assert_allclose(loo.cells(np.arange(len(Y))).sum(axis=1)[exists], of_own, **close, err_msg="cells")


def drawn(sizes: tuple[int, ...], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return rng.normal(size=(len(y), COLUMNS)) @ np.linalg.cholesky(TOGETHER).T * (1 + y[:, None] / 2) + y[:, None], y


X, Y = drawn((7, 9, 8))


def changed(column: int, values: object) -> np.ndarray:
    x = X.copy()
    x[:, column] = values
    return x


def with_holes(x: np.ndarray, *cells: tuple[int, int]) -> np.ndarray:
    x = x.copy()
    x[tuple(zip(*cells, strict=True))] = np.nan
    return x


ODD = np.where(np.arange(len(Y)) == 4, 1.0, 0.0)
WEIGHTS = np.random.default_rng(5).choice([0.0, 0.1, 0.5, 1.0, 2.0, 3.7], len(Y))
HOLES = [(1, 0), (5, 2), (5, 3), (9, 2), (9, 0), (14, 2), (20, 1)]
THIRDS = changed(2, 1 / 3)
APART = changed(2, Y / 3)

TABLES = {
    "plain": Rows(X, Y),
    "weights": Rows(X, Y, WEIGHTS),
    "a weight of 1000": Rows(X, Y, np.where(ODD, 1000.0, 1.0)),
    "missing cells": Rows(with_holes(X, *HOLES), Y),
    "missing cells and weights": Rows(with_holes(X, *HOLES), Y, WEIGHTS),
    "classes of 1, 2, p, p + 1 and more rows": Rows(*drawn((1, 2, 4, 5, 12))),
    "one class": Rows(X, np.zeros(len(Y))),
    "a class without rows": Rows(X, Y, classes=4),
    "a class without whole rows": Rows(np.where((Y == 1)[:, None] & (np.arange(4) == 2), np.nan, X), Y),
    "a column twice": Rows(changed(2, X[:, 0]), Y),
    "a constant column": Rows(THIRDS, Y),
    "a constant column with missing cells": Rows(with_holes(THIRDS, *HOLES), Y),
    "a constant column with missing cells and weights": Rows(with_holes(THIRDS, *HOLES), Y, WEIGHTS),
    "two constant columns": Rows(np.where([True, False, True, False], X, 0.7), Y),
    "all columns constant": Rows(np.full(X.shape, 0.7), Y),
    "a column constant within classes": Rows(APART, Y),
    "a column constant within classes with missing cells": Rows(with_holes(APART, *HOLES), Y),
    "a column constant in one class": Rows(np.where((Y == 1)[:, None] & (np.arange(4) == 2), 0.3, X), Y),
    "a row with all the spread of a column": Rows(changed(2, ODD / 3), Y),
    "a row with all the spread about 0.1": Rows(changed(2, 0.1 + 0.6 * ODD), Y),
    "a row with all the spread within classes": Rows(changed(2, np.where(ODD, 0.7, Y / 3)), Y),
    "a row with all the spread and missing cells": Rows(with_holes(changed(2, ODD / 3), *HOLES), Y),
    "a row with nearly all the spread of a column": Rows(changed(2, ODD + 1e-3 * X[:, 2]), Y),
    "a row with nearly all the spread in two columns": Rows(changed(2, 1000 * ODD + X[:, 2]) + 1000 * ODD[:, None], Y),
}


@every_family
@pytest.mark.parametrize("table", TABLES)
def test_leave_one_out_is_a_recount_without_the_row(family, table):
    assert_recounted(family, TABLES[table])


# What can be kept of the digits


@every_family
def test_far_from_nought_six_digits_are_left(family):
    """At 1e8 a double is a multiple of 1.5e-8, and so far off is a mean; a deviation, of 1, has 8 digits, and a
    distance in the narrowest direction of a class of 7 rows one or two fewer. Both ways lose them alike."""
    assert_recounted(family, Rows(X + 1e8, Y), rtol=1e-6)


@pytest.mark.parametrize("family", SHRUNK, ids=name)
def test_of_a_row_10000_deviations_out_its_class_keeps_seven_digits(family):
    """Of its squares 1e8 times the others' were in the sums: eight digits are gone before the row is left out."""
    assert_recounted(family, Rows(changed(1, X[:, 1] + 1e4 * ODD), Y), rtol=1e-7)


@pytest.mark.parametrize("out", [1e3, 1e5, 1e8])
@pytest.mark.parametrize("family", [MultivariateGaussian(shape, (0.3, 0.2)) for shape in SHAPES], ids=name)
def test_a_row_with_all_the_spread_of_its_class_takes_no_digits_from_the_others(family, out):
    """The sums of the other classes are whole, and the row's own class has no spread left: nothing need cancel."""
    assert_recounted(family, Rows(np.where((Y[4] == Y)[:, None] & (np.arange(4) == 2), out * ODD[:, None], X), Y))


@pytest.mark.parametrize("weight", [1e4, 1e6])
@every_family
def test_of_a_row_of_large_weight_seven_digits_are_left(family, weight):
    """The mean of the class is within 1e-5 of it, of which a double knows 11 digits."""
    assert_recounted(family, Rows(X, Y, np.where(ODD, weight, 1.0)), rtol=1e-7)


# In closed form


@pytest.mark.parametrize("n", [6, 9, 30])
def test_the_textbooks_formulas_for_maximum_likelihood(n):
    """D' = n D / (n - 1 - D) and log |S'| = p log(n / (n - 1)) + log |S| + log(1 - D / (n - 1))."""
    x = np.random.default_rng(n).normal(size=(n, COLUMNS)) @ np.linalg.cholesky(TOGETHER).T + 2
    away, cov = x - x.mean(axis=0), np.cov(x.T, ddof=0)
    d = np.einsum("ij,ij->i", away @ np.linalg.inv(cov), away)
    logs = COLUMNS * np.log(n / (n - 1)) + np.linalg.slogdet(2 * np.pi * cov)[1] + np.log(1 - d / (n - 1))
    expected = -0.5 * (logs + n * d / (n - 1 - d))
    family, rows = MultivariateGaussian("full", 0.0), Rows(x, np.zeros(n))
    np.testing.assert_allclose(rows.scores(family)[:, 0], expected, rtol=1e-10)
    np.testing.assert_allclose(rows.loo(family).own(), expected, rtol=1e-10)
    for i in range(n):
        rest = np.delete(x, i, 0)
        gap, less = x[i] - rest.mean(axis=0), np.cov(rest.T, ddof=0)
        assert gap @ np.linalg.solve(less, gap) == pytest.approx(n * d[i] / (n - 1 - d[i]), rel=1e-9)
        assert logs[i] == pytest.approx(np.linalg.slogdet(2 * np.pi * less)[1], rel=1e-9)


@pytest.mark.parametrize("tied", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("w", [0.0, 0.25, 1.0, 4.0])
@pytest.mark.parametrize("own", [True, False])
def test_rank_one_is_the_matrix_less_the_row(tied, w, own):
    """A row d from the mean of its class c takes f w n / (n - w) dd' from the squares of class k, and f w rows."""
    rng = np.random.default_rng(11)
    mean_c, x, n, rows = rng.normal(size=3), rng.normal(size=3), 9.0, 20.0
    mean_k = mean_c if own else rng.normal(size=3) + 1
    root = rng.normal(size=(3, 3))
    cov = root @ root.T + 3 * np.eye(3)
    inverse, f = np.linalg.inv(cov), 1.0 if own else tied

    def metric(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.array([[a @ inverse @ b]])

    d, gap = x - mean_c, mean_k - mean_c
    changed_cov = (rows * cov - f * w * n / (n - w) * np.outer(d, d)) / (rows - f * w)
    moved = (n * mean_c - w * x) / (n - w) if own else mean_k
    distance = (x - moved) @ np.linalg.solve(changed_cov, x - moved)
    expected = -0.5 * (np.linalg.slogdet(changed_cov)[1] - np.linalg.slogdet(cov)[1] + distance)
    given = metric(x - mean_k, x - mean_k), metric(x - mean_k, gap), metric(gap, gap)
    numbers = np.array([[n]]), np.array([[w]]), np.array([[rows]])
    score, trusted = rank_one(*given, np.array([[own]]), *numbers, tied, 3)
    assert score.item() == pytest.approx(expected, rel=1e-12)
    assert trusted.all()


def test_rank_one_of_the_last_row_of_a_class_is_not_to_be_used():
    """Nothing is left of the class; and nothing warns."""
    one = np.ones((1, 1))
    _, trusted = rank_one(0 * one, 0 * one, 0 * one, one == 1, one, one, one, 0.3, 2)
    assert not trusted.any()


def test_a_row_that_was_not_counted_changes_nothing():
    """It has a missing cell, or weighs nothing."""
    family, weight = MultivariateGaussian("full", (0.2, 0.3)), np.where(ODD, 0.0, 1.0)
    for rows, i in ((Rows(with_holes(X, (7, 1)), Y), 7), (Rows(X, Y, weight), 4)):
        scores = scored(rows.block(family), rows.x)
        np.testing.assert_allclose(rows.scores(family)[i], scores[i], rtol=1e-12)
        assert (np.abs(rows.scores(family) - scores).max(axis=1) > 1e-3).sum() == len(Y) - 1


@pytest.mark.parametrize("family", SHRUNK[:6], ids=name)
def test_rows_that_are_many_are_left_out_chunk_by_chunk(family):
    """More than a kernel's block and more than two megabytes of matrices."""
    x, y = drawn((6000, 7000, 5000), seed=9)
    some = np.r_[0:3, 255:259, 16383:16387, 17996:18000]
    rows = Rows(with_holes(x, (256, 1), (16384, 0)), y)
    found = rows.scores(family)
    for i in some:
        expected = scored(rows.block(family, np.arange(len(y)) != i), rows.x[[i]])
        np.testing.assert_allclose(found[[i]], expected, rtol=1e-9)
    cells = family.loo(rows.block(family), rows.seen())
    np.testing.assert_allclose(cells.sum(axis=1), found[np.arange(len(y)), y], rtol=1e-9)
