"""The graphs of AODE: their mean in print, its posteriors, and what one graph alone can be written as."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import BayesNetwork
from likely.models.network.graph import Graph
from likely.models.network.graphs import AveragedGraph


def table(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "yes"], n)
    a = rng.integers(3, size=n)
    b = np.where(rng.random(n) < 0.7, a, rng.integers(3, size=n)) ^ (y == "yes")
    return pd.DataFrame({"a": a.astype(str), "b": b.astype(str), "c": rng.normal(a, 1.0)}), y


@pytest.fixture(scope="module")
def model():
    return BayesNetwork("aode", bins=2).fit(*table())


def test_one_graph_or_the_mean_of_one_for_each_column(model):
    assert isinstance(BayesNetwork("tan").fit(*table()).network, Graph)
    network = model.network
    assert isinstance(network, AveragedGraph)
    assert list(network.graphs) == ["a", "b", "c"]
    for column, graph in network.graphs.items():
        assert graph.parents[column] == ("class",)
        assert all(graph.parents[other] == ("class", column) for other in {"a", "b", "c"} - {column})
        assert_allclose([p.sum(axis=-1).min() for p in graph.tables.values()], 1, rtol=1e-12)


def test_the_factorisation_and_the_number_of_parameters(model):
    network = model.network
    assert network.factorisation == (
        "p(class, a, b, c) = p(class) 1/3 [p(a | class) p(b | class, a) p(c | class, a) + "
        "p(a | class, b) p(b | class) p(c | class, b) + p(a | class, c) p(b | class, c) p(c | class)]"
    )
    # Two classes; 3 values of a, 4 of b, each and one not seen; 2 bins of c.
    alone, pairs = 2 * (3 + 4 + 1), 2 * (4 * (4 + 1) + 5 * (3 + 1) + 2 * (3 + 4))
    assert network.free_parameters == 1 + alone + pairs
    text = str(network)
    assert text.startswith(network.factorisation)
    assert f"the mean of 3 graphs, with {network.free_parameters} free parameters together" in text
    assert text.count("p(b | class, a)\nclass  a") == 1


def test_of_many_graphs_some_tables_are_printed():
    x = pd.DataFrame(np.random.default_rng(0).choice(list("uv"), (40, 6)), columns=list("abcdef"))
    text = str(BayesNetwork("aode").fit(x, np.arange(40) % 2).network)
    assert "and 24 more tables; see the graphs, one by one" in text


def joint(network, cell):
    """By hand: the mean of the products of the tables."""
    products = []
    for graph in network.graphs.values():
        at = {node: graph.states[node].index(value) for node, value in cell.items()}
        products.append(
            np.prod([p[*(at[of] for of in graph.parents[node]), at[node]] for node, p in graph.tables.items()])
        )
    return np.mean(products)


@pytest.mark.parametrize(
    ("evidence", "of"), [({}, "b"), ({"a": "1", "b": "2"}, "class"), ({"class": "no", "b": "0"}, "a")]
)
def test_posteriors_are_those_of_an_enumeration(model, evidence, of):
    """Of the graphs whose own column is known."""
    network = model.network
    some = AveragedGraph({c: g for c, g in network.graphs.items() if c in evidence} or network.graphs)
    free = {node: values for node, values in network.states.items() if node not in (*evidence, of)}
    expected = [
        sum(
            joint(some, {**evidence, of: value, **dict(zip(free, rest, strict=True))})
            for rest in product(*free.values())
        )
        for value in network.states[of]
    ]
    found = network.query(evidence, of)
    assert list(found) == network.states[of]
    assert_allclose(list(found.values()), np.array(expected) / np.sum(expected), rtol=1e-12)


def test_the_posterior_of_the_class_is_what_is_predicted_whatever_is_missing(model):
    x = table(30, seed=1)[0]
    holes = np.random.default_rng(2).random(x.shape) < 0.4
    x = x.mask(holes)
    for row, p in zip(x.to_dict("records"), model.predict_proba(x), strict=True):
        evidence = {column: value for column, value in row.items() if value == value}
        assert_allclose(list(model.network.query(evidence).values()), p, rtol=1e-9)


def test_nothing_is_independent_but_what_is_given(model):
    network = model.network
    assert not network.independent("a", "b", given="class")
    assert not network.independent("a", "c", given=["class", "b"])
    assert network.independent("a", "b", given=["a"])
    with pytest.raises(ValueError, match="there is no 'q' in the network"):
        network.independent("a", "q")


def test_what_is_not_there(model):
    with pytest.raises(ValueError, match="there is no 'q' in the network"):
        model.network.query({}, "q")
    with pytest.raises(ValueError, match="there is no 'q' in the network"):
        model.network.query({"q": 1})


@pytest.mark.parametrize(("export", "says"), [("to_bif", "a BIF file holds one"), ("to_networkx", "DiGraph is one")])
def test_one_graph_is_written_and_not_their_mean(model, export, says):
    with pytest.raises(ValueError, match=rf"mean of 3 graphs and .*{says}; .* network.graphs\['a'\].{export}\(\)"):
        getattr(model.network, export)()
    assert getattr(model.network.graphs["a"], export)()


def test_columns_of_text_alone_have_no_network():
    texts = pd.DataFrame({"said": [f"good day number {i} to you all, my friends" for i in range(30)]})
    with pytest.raises(ValueError, match="all columns are texts"):
        _ = BayesNetwork().fit(texts, np.arange(30) % 2).network
