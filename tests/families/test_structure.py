"""The graph over the columns of a block."""

import pytest

from likely.families.structure import Structure, topological


def test_factors_and_cliques_of_a_graph():
    graph = Structure("given", (((), (0,), (1, 0)),))
    assert graph.factors == [(0,), (0, 1), (1, 0, 2)]
    assert graph.cliques == ((0, 1), (0, 1, 2))
    assert not graph.forest
    assert graph.most_parents == 2
    assert Structure("tan", (((), (0,), (0,)),)).forest


def test_aode_counts_each_pair_once_and_begins_with_the_column_on_which_all_depend():
    graph = Structure.aode(3)
    assert graph.factors == [(0,), (0, 1), (0, 2), (1,), (1, 0), (1, 2), (2,), (2, 0), (2, 1)]
    assert graph.cliques == ((0, 1), (0, 2), (1, 2))
    assert not graph.forest


def test_naive_bayes_counts_no_pair():
    assert Structure.naive(2).cliques == ()
    assert Structure.naive(2).forest


def test_each_column_comes_after_its_parents():
    parents = ((2,), (0, 2), (), (1,))
    order = topological(parents)
    assert all(order.index(p) < order.index(j) for j, of in enumerate(parents) for p in of)


@pytest.mark.parametrize("parents", [((0,),), ((1,), (0,)), ((1,), (2,), (0,)), ((5,),)])
def test_a_cycle_is_refused(parents):
    with pytest.raises(ValueError, match="must not form a cycle"):
        Structure("given", (parents,))
