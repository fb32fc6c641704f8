"""Numbers with a density beside the network: when they are chosen, and the laws of models with them."""

from copy import copy

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_gaussian_quantiles

import likely
from likely import BayesNetwork, NaiveBayes
from likely.families import Gaussian, Histogram, MultivariateGaussian

SAME = {"rtol": 1e-9, "atol": 1e-9}


def rows(n=150, seed=0, holes=0.0):
    """Two categories that depend on each other, and two numbers whose correlation is the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    a = rng.integers(3, size=n)
    b = np.where(rng.random(n) < 0.8, a, rng.integers(3, size=n)) ^ y
    u = rng.normal(size=n)
    v = u * (2 * y - 1) + rng.normal(0, 0.5, size=n)
    x = pd.DataFrame({"a": a.astype(str), "b": b.astype(str), "u": u, "v": v})
    return x.mask(rng.random(x.shape) < holes), np.array(["no", "yes"])[y]


@pytest.fixture(scope="module", params=["alone", "together"])
def model(request):
    """Numbers that depend on the class alone, with missing cells, and one Gaussian of both."""
    if request.param == "alone":
        return BayesNetwork("tan", families={"u": Gaussian(), "v": "gaussian"}).fit(*rows(holes=0.1))
    return BayesNetwork().fit(*rows())


def learned(model):
    return rows(holes=0.0 if model.structure == "auto" else 0.1)


def score(model):
    return model.predict_joint_log_proba(rows(40, seed=9, holes=0.2)[0])


def test_what_is_chosen(model):
    families = {type(model.families_[name]) for name in "uv"}
    assert families == ({MultivariateGaussian} if model.structure == "auto" else {Gaussian})
    assert np.mean(model.predict(rows(500, seed=1)[0]) != rows(500, seed=1)[1]) < (
        0.15 if model.structure == "auto" else 0.5
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_is_a_fit_without_the_row(model, weighted):
    x, y = learned(model)
    weight = np.random.default_rng(1).choice([0.3, 1.0, 2.5], len(y)) if weighted else None
    whole = copy(model).forget(x, y).partial_fit(x, y, sample_weight=weight)
    scores = whole.loo_scores(x, y, weight)
    for row in range(0, len(y), 7):
        own = {} if weight is None else {"sample_weight": weight[[row]]}
        without = copy(whole).forget(x.iloc[[row]], y[[row]], **own)
        assert_allclose(scores[row], without.predict_joint_log_proba(x.iloc[[row]])[0], **SAME)


def test_parts_merged_or_one_after_the_other_are_all_rows(model):
    x, y = learned(model)
    parts = np.array_split(np.arange(len(y)), 3)
    each = [copy(model).forget(x, y).partial_fit(x.iloc[part], y[part]) for part in parts]
    assert_allclose(score(likely.merge(each)), score(model), **SAME)
    for part in parts[1:]:
        each[0].partial_fit(x.iloc[part], y[part])
    assert_allclose(score(each[0]), score(model), **SAME)


def test_what_is_forgotten_was_never_learned(model):
    more = rows(20, seed=3)
    both = copy(model).partial_fit(*more)
    assert not np.allclose(score(both), score(model))
    assert_allclose(score(both.forget(*more)), score(model), **SAME)


def test_a_model_file_holds_it_to_the_bit(model, tmp_path):
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert np.array_equal(score(again), score(model))
    assert str(again.network) == str(model.network)


def test_reasons_sum_to_the_score_and_rows_are_sampled(model):
    for reasons, of_row in zip(model.explain(rows(40, seed=9, holes=0.2)[0]), score(model), strict=True):
        assert_allclose(reasons.scores, of_row, **SAME)
    x, y = model.sample(4000, random_state=0)
    assert x.column_names == ["a", "b", "u", "v"]
    together = [
        np.corrcoef(x["u"].to_numpy()[y == label], x["v"].to_numpy()[y == label])[0, 1] for label in ("no", "yes")
    ]
    expected = [-0.9, 0.9] if model.structure == "auto" else [0, 0]
    assert_allclose(together, expected, atol=0.06)


def test_posteriors_are_what_is_predicted_whatever_is_missing(model):
    x = rows(30, seed=4, holes=0.4)[0]
    for row, p in zip(x.to_dict("records"), model.predict_proba(x), strict=True):
        evidence = {name: value for name, value in row.items() if value == value}
        assert_allclose(list(model.network.query(evidence).values()), p, rtol=1e-9, atol=1e-15)


def test_the_graph_shows_densities(model):
    network, together = model.network, model.structure == "auto"
    graph = network.any if together and hasattr(network, "graphs") else network
    assert graph.parents["v"] == (("class", "u") if together else ("class",))
    assert graph.independent("u", "v", given="class") is not together
    assert graph.independent("a", "u", given="class")
    assert "p(v | class" in network.factorisation
    assert "free parameters" in str(network)
    assert "full joint" not in str(network)
    assert ("correlation with u" in graph.table("v")) is together
    assert graph.to_networkx().nodes["v"]["family"] == model.families_["v"]
    of_tables = sum((len(graph.states[n]) - 1) * p[..., 0].size for n, p in graph.tables.items())
    assert graph.free_parameters == of_tables + (2 * 5 if together else 2 * 4)
    with pytest.raises(ValueError, match="a BIF file holds tables alone, and column 'u' has the density"):
        graph.to_bif()
    with pytest.raises(ValueError, match="'u' has a density, and `query` gives probabilities"):
        network.query({}, of="u")


def test_of_the_mean_of_graphs_a_density_is_printed_and_counted_once():
    network = BayesNetwork("aode", families={"u": Gaussian(), "v": Gaussian()}).fit(*rows()).network
    assert str(network).count("p(u | class), Gaussian") == 1
    parts = [graph.free_parameters - 1 - 8 for graph in network.graphs.values()]
    assert network.free_parameters == 1 + 8 + sum(parts)


@pytest.mark.parametrize("structure", ["auto", "naive", "tan", "kdb", "aode"])
def test_on_numbers_a_network_is_not_worse_than_naive_bayes(structure):
    x, y = make_gaussian_quantiles(n_samples=900, n_features=10, n_classes=2, random_state=0)
    errors = [
        np.mean(model.fit(x[:600], y[:600]).predict(x[600:]) != y[600:])
        for model in (BayesNetwork(structure), NaiveBayes(), BayesNetwork(structure, bins=8))
    ]
    assert errors[0] <= errors[1] + 0.03
    assert errors[0] < errors[2]


def test_numbers_stay_in_bins_where_these_are_better_or_asked_for():
    rng = np.random.default_rng(0)
    u, v = rng.random((2, 1500))
    x, y = pd.DataFrame({"u": u, "v": v}), ((u > 0.5) ^ (v > 0.5)).astype(int)
    found = BayesNetwork().fit(x, y)
    assert {type(family) for family in found.families_.values()} == {Histogram}
    assert np.mean(found.predict(x) == y) > 0.9
    x, y = rows()
    for options in ({"bins": 4}, {"structure": (("u", "v"),)}):
        assert type(BayesNetwork(**options).fit(x, y).families_["v"]) is Histogram


def test_a_number_with_missing_cells_is_not_part_of_one_gaussian():
    x, y = rows(400)
    x = x.assign(w=np.where(np.arange(400) % 2, np.nan, x["u"]))
    found = BayesNetwork().fit(x, y)
    assert type(found.families_["u"]) is MultivariateGaussian
    assert type(found.families_["w"]) is not MultivariateGaussian
