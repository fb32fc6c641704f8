"""Curves and surfaces over the nodes of a grid, against interpolation by scipy."""

import numpy as np
import pandas as pd
import pytest
from scipy.interpolate import RegularGridInterpolator

from likely.data import Sample, read
from likely.families.cells import dense
from likely.models.logistic.grid import FAR, Grid, axes_of, curves, products_of, surfaces

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "a": RNG.normal(size=60),
        "b": RNG.exponential(size=60),
        "kind": RNG.choice(["x", "y", "z"], 60),
        "one": np.ones(60),
    }
)


def sample_of(frame):
    return Sample(read(frame), np.zeros(len(frame), np.int32), np.arange(1))


def matrix(grid: Grid, frame):
    return dense(grid.read(read(frame), slice(0, len(frame))))


def test_a_column_of_one_value_has_no_axis():
    assert sorted(axes_of(sample_of(TABLE), range(4), 6)) == [0, 1, 2]


def test_weights_of_knots_are_the_heights_of_a_curve():
    axes = axes_of(sample_of(TABLE), [0, 1], 5)
    grid, heights = curves(list(axes.values())), RNG.normal(size=10)
    x = matrix(grid, TABLE)
    np.testing.assert_allclose(x.sum(axis=1), 2)
    expected = sum(
        np.interp(TABLE[name], axes[j].nodes, heights[5 * j : 5 * j + 5]) for j, name in enumerate(("a", "b"))
    )
    np.testing.assert_allclose(x @ heights, expected)


def test_weights_of_a_pair_of_numbers_are_the_heights_of_a_surface():
    axes = axes_of(sample_of(TABLE), [0, 1], 4)
    grid, heights = surfaces(axes, [(0, 1)]), RNG.normal(size=17)
    inside = [np.clip(TABLE[name], axes[j].nodes[0], axes[j].nodes[-1]) for j, name in enumerate(("a", "b"))]
    bilinear = RegularGridInterpolator([axes[0].nodes, axes[1].nodes], heights[1:].reshape(4, 4))
    z = [np.clip((TABLE[name] - axes[j].mean) / axes[j].deviation, -5, 5) for j, name in enumerate(("a", "b"))]
    expected = heights[0] * z[0] * z[1] + bilinear(np.column_stack(inside))
    np.testing.assert_allclose(matrix(grid, TABLE) @ heights, expected)
    at_nodes = pd.DataFrame({"a": np.repeat(axes[0].nodes, 4), "b": np.tile(axes[1].nodes, 4)})
    np.testing.assert_allclose(grid.surface(0, heights[None])[0].ravel(), matrix(grid, at_nodes) @ heights)


def test_products_of_every_two_numbers_without_nodes():
    frame = TABLE.assign(b=TABLE["b"].where(TABLE.index > 3), c=np.where(TABLE.index == 9, 1e6, TABLE["a"] ** 2))
    axes = axes_of(sample_of(frame), [0, 1, 4], 6)
    grid, z = products_of(list(axes.values())), {}
    for at, axis in enumerate(axes.values()):
        z[at] = np.clip((frame[axis.name] - axis.mean) / axis.deviation, -FAR, FAR).fillna(0.0)
    assert z[2][9] == FAR
    np.testing.assert_allclose(matrix(grid, frame), np.column_stack([z[a] * z[b] for a, b in ((0, 1), (0, 2), (1, 2))]))
    assert grid.features == [(("a", "b"), "product"), (("a", "c"), "product"), (("b", "c"), "product")]
    assert grid.surfaces == []


def test_a_category_is_a_node_and_a_new_one_or_a_missing_cell_has_none():
    axes = axes_of(sample_of(TABLE), range(3), 4)
    grid = surfaces(axes, [(0, 2)])
    rows = pd.DataFrame({"a": [axes[0].nodes[1], np.nan, 0.0, 0.0], "b": 0.0, "kind": ["y", "y", "new", None]})
    x = matrix(grid, rows)
    assert grid.features[3 + 1] == (("a", "kind"), (axes[0].node(1), "y"))
    np.testing.assert_array_equal(np.flatnonzero(x[0]), [3 + 1])
    assert not x[1:].any()


@pytest.mark.parametrize("most", [2, 3])
def test_only_the_most_frequent_categories_have_nodes(most):
    frame = pd.DataFrame({"kind": ["c"] * 3 + ["a"] * 2 + ["b"]})
    assert axes_of(sample_of(frame), [0], most)[0].nodes.tolist() == sorted(["c", "a", "b"][:most])
