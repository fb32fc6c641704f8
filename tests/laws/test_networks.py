"""The laws of models on Bayes networks of every structure, through what users call, and against brute force."""

from copy import copy
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import likely
from likely import BayesNetwork, NaiveBayes
from likely.data import Sample, encode_target, read
from likely.validation import leave_one_out

STRUCTURES = {
    "naive": "naive",
    "tan": "tan",
    "kdb": "kdb",
    "aode": "aode",
    "given": (("a", "b"), ("a", "c"), ("b", "c"), ("c", "e")),
}
FORESTS = ("naive", "tan")
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


@pytest.fixture(scope="module", params=STRUCTURES)
def model(request) -> BayesNetwork:
    return BayesNetwork(STRUCTURES[request.param], bins=4).fit(*rows())


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
    assert whole.model_.unlearn_own_categories(sample, scores) == (1 if model.structure == "kdb" else 2)  # c weighs 0
    for row in (4, 5, 6):
        without = copy(whole).forget(x.iloc[[row]], y[[row]])
        assert_allclose(scores[row], without.predict_joint_log_proba(x.iloc[[row]])[0], **SAME)


def test_missing_cells_of_a_forest_are_summed_out(model):
    """Against the sum over all values, one of which stands for all that were never seen."""
    family = model.model_.network_block.family
    if not family.structure.forest or model.structure == "kdb":
        pytest.skip("no forest, or columns of weight 0")
    values = {"a": list("uvw?"), "b": list("uvwx?"), "c": list("uvw?"), "d": list("uv?")}
    x, _ = rows(12, seed=5, holes=0.4)
    scores = model.predict_joint_log_proba(x)
    for i in range(len(x)):
        missing = [name for name in "abcd" if x.loc[i, name] is None or x.loc[i, name] != x.loc[i, name]]
        filled = pd.concat([x.iloc[[i]]] * int(np.prod([len(values[name]) for name in missing])), ignore_index=True)
        for name, cells in zip(missing, zip(*product(*(values[name] for name in missing)), strict=True), strict=True):
            filled[name] = list(cells)
        assert_allclose(scores[i], np.logaddexp.reduce(model.predict_joint_log_proba(filled), axis=0), **SAME)


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
    if model.structure == "kdb":
        pytest.skip("columns of weight 0 have no probability")
    x = pd.DataFrame(list(product(*values)), columns=list("abcde"))
    widths = np.diff(edges)[np.searchsorted(edges, x["e"], side="right") - 1]
    p = np.exp(model.predict_joint_log_proba(x)) * widths[:, None]
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
    network = BayesNetwork("naive", bins=4).fit(x, y)
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


def test_rows_are_sampled_as_they_are_scored(model):
    """The mean score of sampled rows is minus the entropy: those of two samples agree, and columns are as they were."""
    if model.structure == "kdb":
        pytest.skip("columns of weight 0 are sampled too")
    one, of_one = model.sample(4000, random_state=0)
    assert one.column_names == list("abcde")
    fitted = BayesNetwork(STRUCTURES.get(model.structure, model.structure), bins=4).fit(one, of_one)
    x, y = rows(500, seed=2, holes=0.0)
    own = np.searchsorted(model.classes_, y)
    before, after = (m.predict_log_proba(x)[np.arange(500), own].mean() for m in (model, fitted))
    assert abs(before - after) < 0.15


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
    assert 7 in [row.row for row in found][:20]


def test_probabilities_are_calibrated(model):
    x, y = rows()
    plain, mapped = (BayesNetwork(model.structure, bins=4, calibrate=how).fit(x, y) for how in (False, "temperature"))
    assert mapped.calibration_ is not None
    assert_allclose(mapped.predict_proba(x).sum(axis=1), 1)
    assert not np.allclose(plain.predict_proba(x), mapped.predict_proba(x))
