"""What each limit asks of which weights, and what is said of limits that cannot be."""

import re

import numpy as np
import pytest

from likely.limits import Between, Equal, Falling, Rising

FEATURES = [
    ("age", None),
    ("pay", (0.0, 1.0)),
    ("pay", (1.0, 3.0)),
    ("pay", (3.0, 9.0)),
    ("grade", "A"),
    ("grade", "B"),
]
FEATURES += [("grade", "C"), ("grade", "missing"), ("height", None), ("height", "squared")]
FEATURES = {feature: at for at, feature in enumerate(FEATURES)}
INF = np.inf


def test_a_weight_or_a_sum_of_weights_lies_between():
    assert Between("age", 0).rows(FEATURES) == [({0: 1.0}, 0.0, INF)]
    assert Between(("grade", "B"), high=2).rows(FEATURES) == [({5: 1.0}, -INF, 2.0)]
    assert Between({"age": 2, ("grade", "A"): -1}, -1, 1).rows(FEATURES) == [({0: 2.0, 4: -1.0}, -1.0, 1.0)]


def test_an_effect_rises_with_a_number_with_bins_and_with_values_in_their_order():
    assert Rising("age").rows(FEATURES) == [({0: -1.0}, -INF, 0.0)]
    assert Rising("pay").rows(FEATURES) == [({1: 1.0, 2: -1.0}, -INF, 0.0), ({2: 1.0, 3: -1.0}, -INF, 0.0)]
    assert Rising("grade", ["C", "A"]).rows(FEATURES) == [({6: 1.0, 4: -1.0}, -INF, 0.0)]
    assert Falling("age").rows(FEATURES) == [({0: 1.0}, -INF, 0.0)]
    assert Falling("grade", ["C", "A"]).rows(FEATURES) == [({6: -1.0, 4: 1.0}, -INF, 0.0)]
    both = {**FEATURES, ("pay", None): 10}
    assert [row.coefficients for row in Rising("pay").rows(both)] == [{10: -1.0}, {1: 1.0, 2: -1.0}, {2: 1.0, 3: -1.0}]


def test_equal_effects_are_pairs():
    assert Equal("age", ("grade", "A"), ("grade", "C")).rows(FEATURES) == [
        ({0: 1.0, 4: -1.0}, 0.0, 0.0),
        ({4: 1.0, 6: -1.0}, 0.0, 0.0),
    ]


def test_a_limit_is_of_a_class_or_of_a_sum_over_classes():
    classes = ["high", "low", "mid"]
    assert Rising("age", of="mid").shares(classes).tolist() == [0.0, 0.0, 1.0]
    assert Equal("age", "pay", of={"high": 1, "low": -1}).shares(classes).tolist() == [1.0, -1.0, 0.0]
    assert Between("age", 0).shares(["no", "yes"]).tolist() == [1.0]
    assert Rising("age", of="mid").rows(FEATURES) == Rising("age").rows(FEATURES)
    assert repr(Equal("age", "pay", of="low")) == "Equal('age', 'pay', of='low')"
    assert Equal("age", "pay", of="low") != Equal("age", "pay")


def test_a_column_may_be_named_by_a_pair():
    assert Between(("a", "b"), 0).rows({(("a", "b"), None): 0}) == [({0: 1.0}, 0.0, INF)]


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (lambda: Between("age", 2, 1), "Between(what='age', low=2, high=1) leaves no weight"),
        (lambda: Between("age", float("nan")), "leaves no weight"),
        (lambda: Between("age"), "limits nothing"),
        (lambda: Between({}, 0), "needs features with coefficients"),
        (lambda: Between({"age": 0.0}, 0), "coefficients that are finite and not 0"),
        (lambda: Between("age", 0).shares("abc"), "must name its class, one of 3; add of='c' to it"),
        (
            lambda: Between("age", 0, of="b").shares("ab"),
            "on the log odds of 'b', the second of two classes; leave out",
        ),
        (lambda: Equal("age", "pay", of="z").shares("abc"), "Equal('age', 'pay', of='z') is of no class of y, which"),
        (lambda: Rising("age", of={"a": 1, "b": 1, "c": 1}).shares("abc"), "finite and not all alike"),
        (lambda: Rising("age", of={"a": "much"}).shares("abc"), "finite and not all alike"),
        (lambda: Rising("age", of=["a", "b"]).shares("abc"), "of=['a', 'b']) is of no class of y, which has"),
        (lambda: Rising("age", of=np.arange(3)).shares("abc"), "is of no class of y, which has"),
        (lambda: Equal("age"), "Equal needs two features or more"),
        (lambda: Equal("age", "age").rows(FEATURES), "names a feature twice"),
        (lambda: Between({"age": 1, ("age", None): 1}, 0).rows(FEATURES), "names a feature twice"),
        (lambda: Rising("grade", ["A"]).rows(FEATURES), "needs two values or more, each named once"),
        (lambda: Rising("grade").rows(FEATURES), "name them in theirs, as Rising('grade', ['A', 'B', ...])"),
        (lambda: Falling("height").rows(FEATURES), "column 'height' is read with its square"),
        (lambda: Rising("size").rows(FEATURES), "no feature is of column 'size'"),
        (lambda: Between("size", 0).rows(FEATURES), "no feature is called 'size'"),
        (lambda: Between("grade", 0).rows(FEATURES), "name one of them, as ('grade', 'A')"),
        (lambda: Between(("grade", "Z"), 0).rows(FEATURES), "has no weight of 'Z', but of 'A', 'B', 'C', 'missing'"),
    ],
)
def test_what_cannot_be_asked_is_said(limit, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        limit()
