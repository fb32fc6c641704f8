"""The network itself: factorisation, tables, posteriors, independence."""

from itertools import product

import networkx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import BayesNetwork
from likely.models.network.graph import OTHER

EDGES = (("a", "b"), ("a", "c"), ("b", "c"))


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "yes"], n)
    a = rng.integers(3, size=n)
    x = pd.DataFrame(
        {"a": a, "b": (a + rng.integers(2, size=n)) % 3, "c": rng.integers(2, size=n), "d": rng.normal(size=n)}
    )
    return x.astype(dict.fromkeys("abc", "str")), y


@pytest.fixture(scope="module")
def model():
    return BayesNetwork(EDGES, bins=3).fit(*table())


def test_the_factorisation_and_the_number_of_parameters(model):
    graph = model.network
    joint = "p(class, a, b, c, d) = p(class) p(a | class) p(b | class, a) p(c | class, a, b) p(d | class)"
    assert graph.factorisation == joint
    # One of two classes; 3 values and one not seen of a and b, 2 and one of c, 3 bins of d.
    assert graph.free_parameters == 1 + 2 * 3 + 2 * 4 * 3 + 2 * 4 * 4 * 2 + 2 * 2
    text = str(graph)
    assert text.startswith(joint)
    assert "99 free parameters; the full joint distribution would have 287" in text
    assert "p(b | class, a)" in text
    assert "and 8 more rows" in graph.table("c")


def test_tables_are_probabilities(model):
    graph = model.network
    for node, p in graph.tables.items():
        assert p.shape == (*(len(graph.states[parent]) for parent in graph.parents[node]), len(graph.states[node]))
        assert_allclose(p.sum(axis=-1), 1, rtol=1e-12)


def enumerated(graph, evidence, of):
    """The posterior by all combinations of values."""
    nodes, found = list(graph.parents), np.zeros(len(graph.states[of]))
    for at in product(*(range(len(graph.states[node])) for node in nodes)):
        cell = dict(zip(nodes, at, strict=True))
        if all(cell[node] == graph.states[node].index(value) for node, value in evidence.items()):
            p = [graph.tables[node][*(cell[parent] for parent in graph.parents[node]), cell[node]] for node in nodes]
            found[cell[of]] += np.prod(p)
    return found / found.sum()


@pytest.mark.parametrize(
    ("evidence", "of"),
    [
        ({}, "class"),
        ({}, "c"),
        ({"c": "1"}, "class"),
        ({"c": "1", "class": "no"}, "a"),
        ({"a": "2", "b": OTHER}, "c"),
        ({"a": "0"}, "a"),
    ],
)
def test_posteriors_are_those_of_an_enumeration(model, evidence, of):
    graph = model.network
    found = graph.query(evidence, of)
    assert list(found) == graph.states[of]
    assert_allclose(list(found.values()), enumerated(graph, evidence, of), rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("structure", ["naive", "tan", EDGES])
def test_the_posterior_of_the_class_is_what_is_predicted(structure):
    x, y = table()
    fitted = BayesNetwork(structure, bins=3, column_weights=False).fit(x, y)
    for row in range(5):
        evidence = x.iloc[row].to_dict()
        found = list(fitted.network.query(evidence).values())
        assert_allclose(found, fitted.predict_proba(x.iloc[[row]])[0], rtol=1e-9)


def test_columns_of_weight_0_are_not_part_of_it():
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=500)
    x = pd.DataFrame({f"noise{j}": rng.integers(3, size=500).astype(str) for j in range(6)}).assign(
        told=(y ^ (rng.random(500) < 0.1)).astype(str)
    )
    fitted = BayesNetwork("kdb").fit(x, y)
    graph = fitted.network
    assert "told" in graph.parents
    assert graph.unused
    assert {*graph.parents, *graph.unused} == {"class", *x}
    assert f"not used, because the class is predicted better without: {', '.join(graph.unused)}" in str(graph)
    evidence = {name: value for name, value in x.iloc[0].to_dict().items() if name in graph.parents}
    assert_allclose(list(graph.query(evidence).values()), fitted.predict_proba(x.iloc[[0]])[0], rtol=1e-9)


def test_independence_goes_by_the_graph(model):
    graph = model.network
    assert not graph.independent("a", "d")
    assert graph.independent("a", "d", "class")
    assert graph.independent("a", "d", ["class", "b"])
    assert not graph.independent("a", "c", given=["class", "b"])


def test_a_networkx_graph_of_it(model):
    found = model.network.to_networkx()
    assert set(found.edges) == set(model.network.edges)
    assert networkx.is_directed_acyclic_graph(found)
    assert found.nodes["a"]["states"] == ["0", "1", "2", OTHER]


def test_numbers_stand_for_their_bins(model):
    graph = model.network
    low, high = graph.states["d"][1]
    assert graph.query({"d": (low + high) / 2}) == graph.query({"d": (low, high)})
    assert graph.query({"d": -1e9}) == graph.query({"d": graph.states["d"][0]})
    assert graph.query({"d": 1e9}) == graph.query({"d": graph.states["d"][-1]})


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda graph: graph.query({"q": 1}), "there is no 'q' in the network, which has 'class', 'a', 'b', 'c', 'd'"),
        (lambda graph: graph.query({}, "q"), "there is no 'q'"),
        (
            lambda graph: graph.query({"class": "maybe"}, "a"),
            "'class' has no value 'maybe'; its values are 'no', 'yes'",
        ),
        (lambda graph: graph.query({"d": "low"}), "'d' has no value 'low'"),
        (lambda graph: graph.independent("a", "q"), "there is no 'q'"),
        (lambda graph: graph.table("q"), "there is no 'q'"),
    ],
)
def test_what_is_not_there(model, ask, says):
    with pytest.raises(ValueError, match=says):
        ask(model.network)


def test_evidence_that_is_impossible():
    fitted = BayesNetwork((("a", "b"),), class_prior={"no": 1.0, "yes": 0.0}).fit(*table())
    with pytest.raises(ValueError, match="the evidence is impossible"):
        fitted.network.query({"class": "yes"}, "a")
