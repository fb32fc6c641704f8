"""BayesNetwork: scikit-learn's conventions, how structures are asked for, what cannot be read."""

import networkx
import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from likely import BayesNetwork
from likely.families import Categorical, Histogram
from likely.families.network import MOST_CELLS


@parametrize_with_checks([BayesNetwork(), BayesNetwork("naive"), BayesNetwork("tan"), BayesNetwork("aode")])
def test_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def table(n: int = 400, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """b is a copy of a but for noise; c is the class unless a and b differ."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    a = np.where(rng.random(n) < 0.6, y, rng.integers(3, size=n))
    b = np.where(rng.random(n) < 0.8, a, rng.integers(3, size=n))
    c = np.where(a == b, y, 1 - y) ^ (rng.random(n) < 0.1)
    found = pd.DataFrame({"a": list(map("xyz".__getitem__, a)), "b": list(map("xyz".__getitem__, b)), "c": c})
    return found.assign(noise=rng.normal(size=n)), y


def parents(model: BayesNetwork) -> dict[str, set[str]]:
    block = model.model_.network_block
    names = block.frame.columns
    return {names[j]: {names[p] for p in of} for j, of in enumerate(block.family.structure.parents)}


def test_a_tree_joins_what_depends_on_each_other_and_nothing_else():
    found = parents(BayesNetwork("tan").fit(*table(2000)))
    edges = {frozenset((child, *of)) for child, of in found.items() if of}
    assert frozenset("ab") in edges
    assert not any("noise" in edge for edge in edges)


@pytest.mark.parametrize("given", [(("a", "b"), ("a", "c"), ("b", "c")), [["a", "b"], ["a", "c"], ["b", "c"]]])
def test_a_graph_that_is_given(given):
    x, y = table()
    assert parents(BayesNetwork(given).fit(x, y)) == {"a": set(), "b": {"a"}, "c": {"a", "b"}, "noise": set()}
    graph = networkx.DiGraph(given)
    same = BayesNetwork(graph).fit(x, y)
    assert np.array_equal(same.predict_proba(x), BayesNetwork(given).fit(x, y).predict_proba(x))


def test_what_three_columns_say_together_is_only_seen_by_a_network():
    x, y = table(3000)
    test, of_test = table(3000, seed=1)
    errors = {kind: np.mean(BayesNetwork(kind).fit(x, y).predict(test) != of_test) for kind in ("naive", "kdb", "auto")}
    assert errors["kdb"] < 0.16 < 0.19 < errors["naive"]
    assert errors["auto"] == errors["kdb"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("chain", "structure is 'auto', 'naive', 'tan', 'kdb', 'aode' or edges"),
        (3, "structure is 'auto'"),
        ((("a",),), "structure is 'auto'"),
        ((("a", "b"), ("b", "a")), "must not form a cycle"),
        ((("a", "a"),), "must not form a cycle"),
        ((("a", "q"),), "names 'q', but the columns are 'a', 'b', 'c', 'noise'"),
        ((("a", "b"), ("a", "b")), "an edge to 'b' is given twice"),
        (networkx.Graph([("a", "b")]), "give a networkx.DiGraph"),
    ],
)
def test_a_structure_that_is_none(given, says):
    with pytest.raises(ValueError, match=says):
        BayesNetwork(given).fit(*table())


def test_an_edge_to_a_column_without_a_value_is_left_out_with_it():
    x, y = table()
    edges = (("a", "b"), ("b", "c"), ("a", "c"))
    with pytest.warns(UserWarning, match="'b'"):
        found = BayesNetwork(edges, bins=4).fit(x.assign(b=None), y)
    assert parents(found) == {"a": set(), "c": {"a"}, "noise": set()}
    found.partial_fit(x, y)
    assert np.isfinite(found.predict_joint_log_proba(x)).all()
    assert "b" in found.families_


def test_an_edge_to_a_text_is_refused():
    x, y = table()
    x = x.assign(said=[f"good day number {i} to all of you" for i in range(len(y))])
    with pytest.raises(ValueError, match="names 'said', which holds texts or is sparse"):
        BayesNetwork((("a", "said"),)).fit(x, y)


def test_more_parents_than_can_be_counted():
    x = pd.DataFrame(np.random.default_rng(0).integers(2, size=(50, 6)), columns=list("abcdef"))
    with pytest.raises(ValueError, match="column 'f' has 5 parents, and a network has 4 at most"):
        BayesNetwork([(name, "f") for name in "abcde"]).fit(x, x["a"])


def test_more_combinations_than_can_be_counted():
    many = int((MOST_CELLS / 2) ** 0.5) + 1
    x = pd.DataFrame({name: [f"{name}{i}" for i in range(many)] for name in "ab"})
    y = np.arange(many) % 2
    with pytest.raises(ValueError, match=r"columns 'a', 'b' have .* combinations of values and classes"):
        BayesNetwork((("a", "b"),)).fit(x, y)
    found = BayesNetwork("tan").fit(x, y)
    assert parents(found) == {"a": set(), "b": set()}


def test_families_that_are_given():
    x, y = table()
    found = BayesNetwork("tan", families={"noise": Histogram(bins=(-9.0, 0.0, 9.0)), "c": "categorical"}).fit(x, y)
    assert found.families_["noise"].bins == (-9.0, 0.0, 9.0)
    assert type(found.families_["c"]) is Categorical
    given = BayesNetwork("tan", families={"noise": "gaussian"}).fit(x, y)
    assert given.network.parents["noise"] == ("class",)
    with pytest.raises(ValueError, match=r"names 'noise', which .* has a family other than Categorical and Histogram"):
        BayesNetwork((("a", "noise"),), families={"noise": "gaussian"}).fit(x, y)


@pytest.mark.parametrize("bins", [0, -1, 2.5, "many", True, 2**31])
def test_bins_that_are_none(bins):
    with pytest.raises(ValueError, match="bins is 'auto' or a whole number"):
        BayesNetwork(bins=bins).fit(*table())


def test_bins_of_numpy_are_whole_numbers():
    same = [BayesNetwork("tan", bins=bins).fit(*table()).predict_proba(table()[0]) for bins in (3, np.int64(3))]
    assert np.array_equal(*same)


def test_texts_depend_on_the_class_alone():
    x, y = table()
    words = ["good day to you all" if label else "bad night to nobody here" for label in y]
    x = x.assign(said=[f"{word} number {i}" for i, word in enumerate(words)])
    model = BayesNetwork("tan").fit(x, y)
    assert "said" not in parents(model)
    assert np.mean(model.predict(x) == y) > 0.99
    assert np.isfinite(model.loo_scores(x, y)).all()
