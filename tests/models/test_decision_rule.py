"""Classes from probabilities: costs, thresholds, and rows that stay unsure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.models.decision_rule import DecisionRule, cost_table

TWO = np.array(["no", "yes"])
THREE = np.array(["a", "b", "c"])


def decided(p, classes, **options):
    return DecisionRule.of(classes, **options)(np.atleast_2d(p)).tolist()


def test_without_options_the_most_probable_class():
    assert decided([[0.6, 0.4], [0.4, 0.6]], TWO) == ["no", "yes"]


def test_the_least_expected_cost_by_hand():
    # "yes" that is missed costs 10: from p(yes) = 1/11 on it is cheaper to say yes
    assert decided([[0.92, 0.08], [0.90, 0.10]], TWO, costs="yes as no: 10") == ["no", "yes"]
    costs = {("a", "b"): 4, ("c", "b"): 0.1, ("b", "a"): 1}
    # expected costs: .3 + .2 for a, .5 times 4 + .2 times .1 for b, .5 + .3 for c
    assert decided([0.5, 0.3, 0.2], THREE, costs=costs) == ["a"]
    # and .3 + .6 for a, .1 times 4 + .6 times .1 for b, .1 + .3 for c
    assert decided([0.1, 0.3, 0.6], THREE, costs=costs) == ["c"]


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), st.lists(st.floats(-5, 5), min_size=9, max_size=9))
def test_no_other_class_has_a_lower_expected_cost(weights, costs):
    p, table = np.array(weights) / sum(weights), np.array(costs).reshape(3, 3)
    code = DecisionRule.of(THREE, costs=table).codes(p[None])[0]
    expected = [sum(p[true] * table[true, predicted] for true in range(3)) for predicted in range(3)]
    assert expected[code] == pytest.approx(min(expected))


def test_a_threshold_decides_its_class_alone():
    p = [[0.71, 0.29], [0.70, 0.30], [0.2, 0.8]]
    assert decided(p, TWO, threshold=0.3) == decided(p, TWO, threshold={"yes": 0.3}) == ["no", "yes", "yes"]
    assert decided(p, TWO, threshold={"yes": 0.9}) == ["no", "no", "no"]  # also where yes is more probable


def test_of_many_classes_the_rest_is_decided_among_the_others():
    p = [[0.5, 0.2, 0.3], [0.5, 0.4, 0.1], [0.2, 0.19, 0.61]]
    assert decided(p, THREE, threshold={"c": 0.3}) == ["c", "a", "c"]
    assert decided(p, THREE, threshold={"c": 0.3, "b": 0.2}) == ["b", "b", "c"]  # of two, by the factor: .2/.2, .3/.3


def test_below_all_thresholds_and_below_abstain_it_is_unsure():
    p = [[0.55, 0.45], [0.9, 0.1]]
    assert decided(p, TWO, threshold={"no": 0.8, "yes": 0.8}) == ["unsure", "no"]
    assert decided(p, TWO, abstain=0.8) == ["unsure", "no"]
    numbers = DecisionRule.of(np.array([1, 2]), abstain=0.8)(np.array(p))
    assert numbers.tolist() == ["unsure", 1]
    assert DecisionRule.of(TWO, abstain=0.8).can_be_unsure
    assert not DecisionRule.of(TWO, threshold=0.3).can_be_unsure


def test_costs_are_read_in_every_form():
    expected = [[0, 1], [10, 0]]
    for costs in (
        "yes as no: 10",
        "yes as no: 10, no as yes: 1",
        '{"yes as no": 10}',
        {"yes as no": 10},
        {("yes", "no"): 10},
        expected,
    ):
        assert cost_table(costs, TWO).tolist() == expected
    assert cost_table({(1, 0): 3}, np.array([0, 1])).tolist() == [[0, 1], [3, 0]]
    assert cost_table({"x as y as x": 2}, np.array(["x", "x as y"])).tolist() == [[0, 1], [2, 0]]
    assert cost_table("yes as yes: -5", TWO)[1, 1] == -5


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"costs": "yes as maybe: 10"}, "both of the classes 'no', 'yes', not 'yes as maybe'"),
        ({"costs": "yes as no"}, "written as 'TRUE as PREDICTED: NUMBER"),
        ({"costs": "yes as no: ten"}, "the cost of 'yes as no' must be a number, not ' ten'"),
        ({"costs": "{"}, "costs are not JSON"),
        ({"costs": [[0, 1]]}, r"costs have shape \(1, 2\); 2 x 2 numbers"),
        ({"costs": {("yes", "no"): np.inf}}, "costs must be finite"),
        ({"threshold": {"maybe": 0.3}}, "no class 'maybe' for a threshold"),
        ({"threshold": 0.0}, "above 0 and at most 1; class 'yes' has 0"),
        ({"threshold": 1.2}, "above 0 and at most 1"),
        ({"abstain": 80}, "abstain is a probability from 0 to 1, not 80"),
    ],
)
def test_what_is_not_understood_is_said(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionRule.of(TWO, **options)


def test_of_more_than_two_classes_a_threshold_names_its_class():
    with pytest.raises(ValueError, match="a threshold for 3 classes is a dict"):
        DecisionRule.of(THREE, threshold=0.3)


@pytest.mark.parametrize("kind", [NaiveBayes, GaussianClassifier, LogisticRegression])
def test_every_estimator_decides(kind):
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.3
    x = rng.normal(y[:, None], 1.0, (300, 2))
    model = kind().fit(x, y)
    p = model.predict_proba(x)
    assert (model.decide(x) == model.predict(x)).all()
    assert (model.decide(x, threshold=0.2) == (p[:, 1] >= 0.2)).all()
    assert (model.decide(x, costs={(True, False): 4}) == (p[:, 1] >= 0.2)).all()
    assert set(model.decide(x, abstain=0.9)) == {False, True, "unsure"}


def test_scikit_learns_own_thresholds_work():
    from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV

    rng = np.random.default_rng(0)
    y = (rng.random(300) < 0.3).astype(int)
    x = rng.normal(y[:, None], 1.0, (300, 2))
    fixed = FixedThresholdClassifier(NaiveBayes(), threshold=0.2).fit(x, y)
    assert (fixed.predict(x) == NaiveBayes().fit(x, y).decide(x, threshold=0.2)).all()
    tuned = TunedThresholdClassifierCV(NaiveBayes(), scoring="f1").fit(x, y)
    assert 0 < tuned.best_threshold_ < 1


def test_costs_of_costs_by_true_class():
    table = cost_table({"yes": {"no": 10}}, TWO)
    assert table.tolist() == [[0, 1], [10, 0]]
    assert cost_table('{"yes": {"no": 10}}', TWO).tolist() == table.tolist()
    with pytest.raises(ValueError, match="both of the classes 'no', 'yes', not \\('yes', 'maybe'\\)"):
        cost_table({"yes": {"maybe": 10}}, TWO)
