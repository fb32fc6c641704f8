"""The laws of models on Bayes networks of every structure, through what users call, and against brute force."""

from copy import copy
from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import likely
from likely import BayesNetwork, NaiveBayes
from likely.data import Sample, encode_target, read
from likely.models.network.graph import OTHER
from likely.models.network.scale import scaled, unscaled
from likely.validation import leave_one_out

STRUCTURES = {
    "naive": "naive",
    "tan": "tan",
    "kdb": "kdb",
    "aode": "aode",
    "given": (("a", "b"), ("a", "c"), ("b", "c"), ("c", "e")),
}
SAME = {"rtol": 1e-9, "atol": 1e-9}


def rows(n: int = 120, seed: int = 0, holes: float = 0.1) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns that depend on the class and on each other, some cells missing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    a = (y + (rng.random(n) < 0.4) * rng.integers(3, size=n)) % 3
    b = np.where(rng.random(n) < 0.7, a, rng.integers(4, size=n))
    c = np.where(rng.random(n) < 0.6, (a + b) % 3, y)
    d = rng.integers(2, size=n)
    e = rng.normal(c + y, 0.7)
    table = pd.DataFrame(
        {name: np.array(list("uvwx"), object)[v] for name, v in zip("abcd", (a, b, c, d), strict=True)}
    )
    table["e"] = e
    for column in table:
        table.loc[rng.random(n) < holes, column] = None if column != "e" else np.nan
    return table, np.array(["ash", "birch", "cedar"])[y]


@pytest.fixture(scope="module", params=[*STRUCTURES, "tan, weighted", "kdb, weighted", "aode, weighted"])
def model(request) -> BayesNetwork:
    """Of a structure that more rows chose: of these few, KDB would leave out most columns."""
    structure, *weighted = request.param.split(", ")
    found = BayesNetwork(STRUCTURES[structure], bins=4, column_weights=bool(weighted)).fit(*rows(400))
    if weighted:
        found = weighing(found, 0.6)
    return found.forget(*rows(400)).partial_fit(*rows())


def weighing(model: BayesNetwork, scale: float) -> BayesNetwork:
    """With this weight of all columns that it uses."""
    known = model.model_.known
    blocks = tuple(scaled(unscaled(block), scale) for block in known.blocks)
    model.model_ = replace(model.model_, learned=replace(known, blocks=blocks))
    return model


def emptied(model: BayesNetwork) -> BayesNetwork:
    """One that knew all rows and has forgotten them: bins, structure and smoothing stay."""
    return copy(model).forget(*rows())


def learned(model: BayesNetwork, *parts: object) -> BayesNetwork:
    x, y = rows()
    found = emptied(model)
    for part in parts:
        found.partial_fit(x.iloc[part], y[part])
    return found


def score(model: BayesNetwork) -> np.ndarray:
    return model.predict_joint_log_proba(rows(40, seed=9)[0])


@pytest.mark.parametrize("parts", [2, 7, 120])
def test_learning_in_parts_is_learning_at_once(model, parts):
    in_parts = learned(model, *np.array_split(np.arange(120), parts))
    assert_allclose(score(in_parts), score(model), **SAME)


def test_classes_and_values_may_arrive_late(model):
    x, y = rows()
    late = learned(model, *(np.flatnonzero(y == label) for label in ("cedar", "ash", "birch")))
    assert_allclose(score(late), score(model), **SAME)
    by_value = learned(model, *np.array_split(np.argsort(x["b"].fillna("").to_numpy())[::-1], 6))
    assert_allclose(score(by_value), score(model), **SAME)


def test_what_is_forgotten_was_never_learned(model):
    more, of_more = rows(30, seed=4)
    more.loc[0, "a"] = "a value that is new"
    both = copy(model).partial_fit(more, of_more)
    assert not np.allclose(score(both), score(model))
    assert_allclose(score(both.forget(more, of_more)), score(model), **SAME)


def test_what_was_never_learned_cannot_be_forgotten(model):
    x, y = rows()
    with pytest.raises(ValueError, match="never learned"):
        copy(model).forget(x.iloc[[0] * 100], y[[0] * 100])


def test_a_pair_that_was_never_learned_is_named():
    x = pd.DataFrame({"a": list("uuvv" * 9), "b": list("uvuv" * 9)})
    x.loc[0:3, "b"] = list("uvvv")
    tied = BayesNetwork((("a", "b"),)).fit(x, [0, 1] * 18)
    gone = pd.DataFrame({"a": ["v"] * 9, "b": ["u"] * 9})
    with pytest.raises(ValueError, match="column 'b', class 0"):
        tied.forget(gone, [0] * 9)


def test_merging_is_learning_both_in_any_order(model):
    thirds = [learned(model, part) for part in np.array_split(np.arange(120), 3)]
    assert_allclose(score(likely.merge(thirds)), score(model), **SAME)
    assert_allclose(score(likely.merge(thirds[::-1])), score(model), **SAME)


def test_weight_two_is_the_row_twice_and_decay_is_a_weight(model):
    x, y = rows()
    weighed = emptied(model).partial_fit(x, y, sample_weight=np.full(len(y), 2.0))
    assert_allclose(score(learned(model, slice(None), slice(None))), score(weighed), **SAME)
    assert_allclose(score(weighed.decay(0.5)), score(model), **SAME)


@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_is_a_fit_without_the_row(model, weighted):
    x, y = rows()
    weight = np.random.default_rng(1).choice([0.3, 1.0, 2.5], len(y)) if weighted else None
    whole = emptied(model).partial_fit(x, y, sample_weight=weight)
    scores = whole.loo_scores(x, y, weight)
    for row in range(0, len(y), 3):
        at = [row]
        own = {} if weight is None else {"sample_weight": weight[at]}
        without = copy(whole).forget(x.iloc[at], y[at], **own)
        assert_allclose(scores[row], without.predict_joint_log_proba(x.iloc[at])[0], **SAME)


def test_leave_one_out_of_a_row_that_alone_has_a_value(model):
    x, y = rows()
    x.loc[5, "a"], x.loc[6, "c"] = "alone", "alone too"
    whole = emptied(model).partial_fit(x, y)
    sample = Sample(read(x), *reversed(encode_target(y)))
    scores = whole.model_.loo_scores(sample)
    assert whole.model_.unlearn_own_categories(sample, scores) == 2
    for row in (4, 5, 6):
        without = copy(whole).forget(x.iloc[[row]], y[[row]])
        assert_allclose(scores[row], without.predict_joint_log_proba(x.iloc[[row]])[0], **SAME)


def used(model, names):
    """The columns that are not left out of the network, as KDB leaves out some: they have a weight of 0, and what is
    known of them changes nothing."""
    weights = model.model_.network_block.column_weights
    return [name for j, name in enumerate(names) if weights is None or weights[j]]


VALUES = {"a": list("uvw?"), "b": list("uvwx?"), "c": list("uvw?"), "d": list("uv?")}
"""Of the columns of categories; one value stands for all that were never seen."""


def by_hand(model, of_row, y):
    """log p(row, y) from the rows that were learned, counted here once more: what is missing is summed out where each
    column has one parent at most; elsewhere a column backs off to the parents before the first that is missing, and the
    mean is over the networks whose first column is there."""
    x, labels = rows()
    block = model.model_.network_block
    family, names = block.family, list(x)
    edges = model.families_["e"].bins
    bins = {"e": np.searchsorted(edges, x["e"], side="right").clip(1, 4) - 1}
    known = {n: np.where(x[n].isna(), None, bins.get(n, x[n])) for n in names}
    size = {n: 4 if n == "e" else len(VALUES[n]) for n in names}
    inside = labels == y

    def p(value, of, parents, at):
        there = inside & np.array([v is not None for v in known[of]])
        hits = there & (known[of] == value)
        level = (hits.sum() + 1) / (there.sum() + size[of])
        for parent in parents:
            if at[parent] is None:
                break
            there, hits = (rows_of & (known[parent] == at[parent]) for rows_of in (there, hits))
            level = (hits.sum() + family.strength * level) / (there.sum() + family.strength)
        return level

    def network(parents, cells):
        free = [n for n in used(model, "abcde") if cells[n] is None] if family.structure.forest else []
        total = 0.0
        for rest in product(*(range(4) if n == "e" else VALUES[n] for n in free)):
            full = {**cells, **dict(zip(free, rest, strict=True))}
            factors = [
                p(full[n], n, [names[i] for i in parents[names.index(n)]], full)
                for n in used(model, "abcde")
                if full[n] is not None
            ]
            total += np.prod(factors)
        return total

    cells = {n: None if v != v or v is None else v for n, v in of_row.items()}
    width = 1.0
    if cells["e"] is not None and "e" in used(model, "abcde"):
        cells["e"] = int(np.searchsorted(edges, cells["e"], side="right").clip(1, 4) - 1)
        width = edges[cells["e"] + 1] - edges[cells["e"]]
    structure = family.structure
    firsts = [names[next(j for j, of in enumerate(parents) if not of)] for parents in structure.networks]
    means = [
        network(parents, cells)
        for first, parents in zip(firsts, structure.networks, strict=True)
        if not structure.averaged or cells[first] is not None
    ]
    return np.log(inside.mean()) + block.parameters.scale * np.log((np.mean(means) if means else 1.0) / width)


def test_missing_cells_by_hand(model):
    """Against all combinations of values that they can have, or what the family says of other graphs."""
    x, _ = rows(12, seed=5, holes=0.4)
    scores = model.predict_joint_log_proba(x)
    expected = [[by_hand(model, row, y) for y in model.classes_] for row in x.to_dict("records")]
    assert_allclose(scores, expected, **SAME)


def test_probabilities_of_all_rows_sum_to_one(model):
    """Of a bin, times its width."""
    edges = model.families_["e"].bins
    values = [
        list("uvw?"),
        list("uvwx?"),
        list("uvw?"),
        list("uv?"),
        [(a + b) / 2 for a, b in pairwise(edges)],
    ]
    counted = used(model, "abcde")
    values = [of if name in counted else [None] for name, of in zip("abcde", values, strict=True)]
    x = pd.DataFrame(list(product(*values)), columns=list("abcde"))
    widths = np.ones(len(x))
    if "e" in counted:
        widths = np.diff(edges)[np.searchsorted(edges, x["e"], side="right") - 1]
    prior, scale = model.model_.log_prior(), model.model_.network_block.parameters.scale
    p = np.exp(prior + (model.predict_joint_log_proba(x) - prior) / scale) * widths[:, None]
    assert_allclose(p.sum(), 1, rtol=1e-12)


def test_factors_by_hand():
    """p(b | a, y) = (n(a, b) + m p(b)) / (n(a) + m), and p(b) = (n(b) + 1) / (n + 4) of 3 values and one not seen."""
    x = pd.DataFrame({"a": list("uuuvvv"), "b": list("uuvvwu")})
    fitted = BayesNetwork((("a", "b"),)).fit(x, [0] * 6)
    m = fitted.model_.network_block.family.strength
    p_a, p_b = (3 + 1) / (6 + 3), (3 + 1) / (6 + 4)
    expected = np.log(p_a * (2 + m * p_b) / (3 + m))
    assert_allclose(fitted.predict_joint_log_proba(x.iloc[[0]]), [[expected]], rtol=1e-12)
    new = pd.DataFrame({"a": ["never"], "b": ["never"]})
    assert_allclose(fitted.predict_joint_log_proba(new), [[np.log(1 / 9 * 1 / 10)]], rtol=1e-12)


def test_reasons_sum_to_the_score(model):
    x, _ = rows(25, seed=3, holes=0.3)
    scores = model.predict_joint_log_proba(x)
    for reasons, of_row in zip(model.explain(x), scores, strict=True):
        assert_allclose(reasons.scores, of_row, **SAME)


def test_a_naive_network_is_naive_bayes():
    x, y = rows()
    network = BayesNetwork("naive", bins=4, column_weights=False).fit(x, y)
    plain = NaiveBayes(network.families_).fit(x, y)
    assert_allclose(score(network), score(plain), rtol=1e-12)
    assert_allclose(network.loo_scores(x, y), plain.loo_scores(x, y), rtol=1e-12)
    assert network.describe().free_parameters == plain.describe().free_parameters


def test_a_model_file_holds_it_to_the_bit(model, tmp_path):
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert type(again) is BayesNetwork
    assert np.array_equal(score(again), score(model))
    assert again.get_params() == model.get_params()
    more, of_more = rows(10, seed=8)
    assert np.array_equal(score(again.partial_fit(more, of_more)), score(copy(model).partial_fit(more, of_more)))


def test_rows_are_sampled_as_the_graph_says(model):
    """How often each combination of the class and two columns is sampled, against its probability by all combinations.
    The share of values that were never seen goes to the others."""
    graphs = getattr(model.network, "graphs", {"": model.network}).values()
    any_graph = next(iter(graphs))
    nodes, n = list(any_graph.parents), 20_000
    sizes = [len([value for value in any_graph.states[node] if value != OTHER]) for node in nodes]
    joint = np.zeros(sizes)
    for graph in graphs:
        product_ = np.ones(sizes)
        for node, of in graph.parents.items():
            axes = [nodes.index(parent) for parent in (*of, node)]
            seen = graph.tables[node][tuple(slice(sizes[axis]) for axis in axes)]
            seen = seen / seen.sum(axis=-1, keepdims=True)
            order = np.argsort(axes)
            shape = [sizes[axis] if axis in axes else 1 for axis in range(len(nodes))]
            product_ = product_ * seen.transpose(order).reshape(shape)
        joint += product_ / len(graphs)
    assert_allclose(joint.sum(), 1, rtol=1e-12)

    x, y = model.sample(n, random_state=0)
    assert x.column_names == list("abcde")
    columns = {"class": list(y), **{name: x[name].to_pylist() for name in x.column_names}}
    codes = [[any_graph._state(node, value) for value in columns[node]] for node in nodes]
    found = np.zeros(sizes)
    np.add.at(found, tuple(codes), 1.0)
    for pair in combinations(range(1, len(nodes)), min(2, len(nodes) - 1)):
        others = tuple(axis for axis in range(1, len(nodes)) if axis not in pair)
        p, often = joint.sum(axis=others), found.sum(axis=others)
        z = (often - n * p) / np.sqrt(n * p * (1 - p))
        assert np.abs(z).max() < 4.5


@pytest.mark.parametrize("structure", ["auto", "naive", "tan", "kdb", "aode"])
@pytest.mark.parametrize("numbers", [False, True])
def test_of_columns_without_information_it_is_not_sure(structure, numbers):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(1080, 30)), rng.integers(0, 2, 1080)
    x = pd.DataFrame(x if numbers else np.array(list("abcd"), object)[np.digitize(x, [-0.7, 0, 0.7])])
    model = BayesNetwork(structure).fit(x[:80], y[:80])
    p = model.predict_proba(x[80:])[np.arange(1000), y[80:]]
    assert -np.log(p).mean() < 0.693 + 0.07
    weights = set(model.column_weights_.values()) - {0.0}
    assert len(weights) == 1
    assert max(weights) < 0.3
    assert set(BayesNetwork(structure, column_weights=False).fit(x, y).column_weights_.values()) <= {0.0, 1.0}
    assert set(model.retune(x[:80], y[:80]).column_weights_.values()) - {0.0} == weights


def test_copies_of_a_column_count_once():
    """Each of 30 columns is known from one, with some chance: among many rows, too, a tree does not see that."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 3000)
    hidden = rng.normal(1.5 * y)
    x = pd.DataFrame(hidden[:, None] + 0.5 * rng.normal(size=(3000, 30)))
    for rows_ in (60, 1500):
        model = BayesNetwork("tan").fit(x[:rows_], y[:rows_])
        plain = BayesNetwork("tan", column_weights=False).fit(x[:rows_], y[:rows_])
        ours, theirs = (-np.log(m.predict_proba(x[1500:])[np.arange(1500), y[1500:]]).mean() for m in (model, plain))
        assert ours < 0.6
        assert ours < theirs


def test_folds_and_leave_one_out_of_validation(model):
    x, y = rows()
    result = leave_one_out(BayesNetwork(model.structure, bins=4), x, y)
    assert result.error < 0.45
    folds = likely.validation.cross_validate(BayesNetwork(model.structure, bins=4), x, y, k=4)
    assert abs(folds.error - result.error) < 0.15


def test_wrong_labels_are_found(model):
    x, y = rows(holes=0.0)
    other = np.where(np.arange(120) == 7, np.where(y == "ash", "cedar", "ash"), y)
    found = likely.validation.audit(BayesNetwork(model.structure, bins=4), x, other)
    assert 7 in [row["row"] for row in found][:20]


def test_probabilities_are_calibrated(model):
    x, y = rows()
    plain, mapped = (BayesNetwork(model.structure, bins=4, calibrate=how).fit(x, y) for how in (False, "temperature"))
    assert mapped.calibration_ is not None
    assert_allclose(mapped.predict_proba(x).sum(axis=1), 1)
    assert not np.allclose(plain.predict_proba(x), mapped.predict_proba(x))
