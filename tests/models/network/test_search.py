"""How structures, bins and columns are chosen."""

import numpy as np
import pandas as pd
import pytest

from likely import BayesNetwork
from likely.errors import EmptyColumns
from likely.models.network.pairs import PairInformation
from likely.models.network.search import dependent, tree


def test_a_tree_is_that_of_the_largest_sum():
    weights = np.array([[0, 5, 1, -2], [5, 0, 4, -3], [1, 4, 0, -1], [-2, -3, -1, 0]], float)
    np.fill_diagonal(weights, -np.inf)
    assert tree(PairInformation(np.array([1.0, 9.0, 3.0, 2.0]), weights)) == ((1,), (), (1,), ())


def test_parents_come_before_their_children_and_are_as_few_as_can_be_counted():
    weights = np.full((3, 3), 5.0)
    found = PairInformation(np.array([1.0, 3.0, 2.0]), weights)
    order = np.array([1, 2, 0])
    assert dependent(found, order, 2, [4, 4, 4], 2) == ((1, 2), (), (1,))
    assert dependent(found, order, 1, [4, 4, 4], 2) == ((1,), (), (1,))
    assert dependent(found, order, 2, [2000, 2000, 2000], 2) == ((), (), ())


def data(n, seed=0):
    """A staircase of 8 steps, which 4 bins cannot see; columns of noise."""
    rng = np.random.default_rng(seed)
    step = rng.integers(8, size=n)
    x = pd.DataFrame({f"noise{j}": rng.integers(2, size=n) for j in range(8)})
    return x.assign(stairs=(step + rng.random(n)) / 8).astype({f"noise{j}": str for j in range(8)}), step % 2


def test_bins_are_as_many_as_the_class_needs():
    model = BayesNetwork().fit(*data(2000))
    assert len(model.families_["stairs"].bins) - 1 in (8, 16)
    assert np.mean(model.predict(data(500, seed=1)[0]) == data(500, seed=1)[1]) > 0.8
    assert len(BayesNetwork(bins=4).fit(*data(2000)).families_["stairs"].bins) - 1 == 4


def test_kdb_leaves_out_columns_that_only_add_noise():
    model = BayesNetwork("kdb").fit(*data(2000))
    weights = model.model_.chosen_weights
    assert weights["stairs"] == 1
    assert sum(weights.values()) < 6


def test_one_class_and_one_column():
    x, _ = data(40)
    for structure in ("naive", "tan", "kdb", "aode", "auto"):
        assert set(BayesNetwork(structure).fit(x, [1] * 40).predict(x)) == {1}
        assert BayesNetwork(structure).fit(x[["stairs"]], np.arange(40) % 2).predict_proba(x[["stairs"]]).shape == (
            40,
            2,
        )


@pytest.mark.parametrize("structure", ["tan", "kdb", "aode"])
def test_a_column_without_a_value_is_named_and_left_out(structure):
    x, y = data(40)
    with pytest.warns(EmptyColumns, match="column 'empty' has no value present"):
        model = BayesNetwork(structure).fit(x.assign(empty=np.full(40, np.nan)), y)
    expected = BayesNetwork(structure).fit(x, y).predict_proba(x)
    np.testing.assert_allclose(model.predict_proba(x.assign(empty=1.0)), expected, rtol=1e-12)


@pytest.mark.parametrize("constant", ["always", 7.0])
def test_a_constant_column_is_no_network_of_its_own_in_the_mean(constant):
    """As one it would be naive Bayes, of which the mean then had a share."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=400)
    a = rng.integers(4, size=400)
    x = pd.DataFrame({"a": a.astype(str), "b": (a ^ y).astype(str), "c": (a + y).astype(str)})
    plain = BayesNetwork("aode", bins=4).fit(x, y)
    more = BayesNetwork("aode", bins=4).fit(x.assign(always=constant), y)
    assert list(more.network.graphs) == ["a", "b", "c"]
    odds = [
        np.diff(model.predict_joint_log_proba(t), axis=1)
        for model, t in ((plain, x), (more, x.assign(always=constant)))
    ]
    np.testing.assert_allclose(*odds, atol=0.02)
    for reasons, scores in zip(
        more.explain(x.assign(always=constant)[:5]),
        more.predict_joint_log_proba(x.assign(always=constant)[:5]),
        strict=True,
    ):
        np.testing.assert_allclose(reasons.scores, scores, rtol=1e-9)
    alone = BayesNetwork("aode", bins=4).fit(x[["a"]].assign(a="one", b="other"), y)
    assert list(alone.network.graphs) == ["a", "b"]
