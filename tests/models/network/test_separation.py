"""d-separation, against networkx."""

from itertools import combinations

import networkx
import numpy as np
import pytest

from likely.models.network.separation import separated


@pytest.mark.parametrize("seed", range(20))
def test_it_is_that_of_networkx(seed):
    rng = np.random.default_rng(seed)
    parents = {j: [p for p in range(j) if rng.random() < 0.35] for j in range(6)}
    graph = networkx.DiGraph([(p, j) for j, of in parents.items() for p in of])
    graph.add_nodes_from(parents)
    for a, b in combinations(range(6), 2):
        given = {j for j in range(6) if j not in (a, b) and rng.random() < 0.4}
        assert separated(parents, a, b, given) == networkx.is_d_separator(graph, {a}, {b}, given)


def test_a_collider_joins_what_it_is_given_for():
    parents = {"rain": (), "sprinkler": (), "wet": ("rain", "sprinkler"), "slippery": ("wet",)}
    assert separated(parents, "rain", "sprinkler", [])
    assert not separated(parents, "rain", "sprinkler", ["slippery"])
    assert separated(parents, "rain", "slippery", ["wet"])
