"""What was learned: sums that add, subtract and scale, whatever classes and categories each has."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely.engines import threads
from likely.errors import EmptyColumns
from likely.families import Bernoulli, Categorical, Gaussian, Missing, Multinomial, MultivariateGaussian, Plan, Poisson
from likely.models.learned import Learned, count
from likely.statistics import Frame

from ..samples import sample_of

FRAME = pd.DataFrame(
    {
        "visits": [1, 2, np.nan, 4, 0, 3, 2, 1],
        "kind": ["p", "q", "p", "r", "q", "p", "s", "p"],
        "open": [True, False, True, True, False, False, True, True],
    }
)
Y = np.array(["b", "b", "c", "b", "c", "a", "c", "b"])
PLANS = [
    Plan(Poisson(), [0], Frame(("visits",))),
    Plan(Categorical(), [1], Frame(("kind",))),
    Plan(Bernoulli(), [2], Frame(("open",))),
]


def counted(rows=slice(None), weight=None, plans=PLANS) -> Learned:
    return count(plans, sample_of(FRAME[rows], Y[rows], weight))


def arrays(learned):
    """All that is known, as plain arrays."""
    found = [learned.classes, learned.class_counts]
    for block in learned.blocks:
        found += [*block.statistics.arrays().values(), *(block.frame.cells or ())]
    return found


def same(one, other):
    pairs = list(zip(arrays(one), arrays(other), strict=True))
    return all(a.shape == b.shape and (a == b).all() for a, b in pairs)


def test_what_is_counted():
    learned = counted()
    assert list(learned.names) == ["visits", "kind", "open"]
    assert learned.classes.tolist() == ["a", "b", "c"]
    assert learned.class_counts.tolist() == [1, 4, 3]
    assert learned.class_counts.dtype.kind == "i"
    _, kind, opened = learned.blocks
    assert kind.frame.cells[0].tolist() == ["p", "q", "r", "s"]
    assert kind.statistics.table.tolist() == [[1, 0, 0, 0], [2, 1, 1, 0], [1, 1, 0, 1]]
    assert opened.statistics.total.tolist() == [[0], [3], [2]]


def test_weights_are_counted_in_place_of_rows():
    weight = np.array([0.5, 1, 1, 2, 0, 3, 1, 0.25])
    learned = counted(weight=weight)
    assert_allclose(learned.class_counts, [3, 3.75, 2])
    assert_allclose(learned.blocks[2].statistics.total[:, 0], [0, 2.75, 2])


@pytest.mark.parametrize("cut", [1, 3, 7])
def test_parts_add_to_the_whole_though_each_lacks_classes_and_categories(cut):
    first, rest = counted(slice(0, cut)), counted(slice(cut, 8))
    assert same(first + rest, counted())
    assert same(rest + first, counted())


def test_what_was_added_can_be_taken_out_again():
    left = counted() - counted(slice(5, 8))
    part = counted(slice(0, 5))
    assert left.classes.tolist() == ["a", "b", "c"]  # a class stays, without a row
    assert left.class_counts.tolist() == [0, *part.class_counts]
    assert left.blocks[1].frame.cells[0].tolist() == ["p", "q", "r"]  # a category does not
    assert left.blocks[1].statistics.table[1:].tolist() == part.blocks[1].statistics.table.tolist()


@pytest.mark.parametrize(
    ("label", "row", "where"),
    [
        ("b", {"visits": 1, "kind": "z", "open": True}, "column 'kind', class 'b'"),
        ("b", {"visits": 99, "kind": "p", "open": True}, "column 'visits', class 'b'"),
        ("a", {"visits": 3, "kind": "p", "open": True}, "column 'open', class 'a'"),
        ("d", {"visits": 1, "kind": "p", "open": True}, "class 'd'"),
    ],
)
def test_what_was_never_added_is_named(label, row, where):
    never = count(PLANS, sample_of(pd.DataFrame([row]), [label]))
    with pytest.raises(ValueError, match=rf"^some of these rows were never learned: {where} would be left with less"):
        counted() - never


def test_a_factor_scales_all_of_it():
    half = counted() * 0.5
    assert half.class_counts.tolist() == [0.5, 2, 1.5]
    assert (half.blocks[1].statistics.table == counted().blocks[1].statistics.table / 2).all()


def test_models_of_other_columns_do_not_add():
    with pytest.raises(ValueError, match=r"^the models read their columns differently; give both the same families$"):
        counted() + counted(plans=PLANS[:2])
    with pytest.raises(ValueError, match=r"^the models read their columns differently; give both the same families$"):
        counted(plans=PLANS[1:]) + counted(plans=PLANS[:2])


def test_classes_of_text_and_of_numbers_do_not_add():
    numbers = count(PLANS, sample_of(FRAME, np.arange(8)))
    with pytest.raises(ValueError, match=r"^classes: text and numbers do not mix"):
        counted() + numbers


def test_pieces_are_counted_like_the_whole(monkeypatch):
    whole = counted()
    monkeypatch.setattr(threads, "PIECE", 1)
    monkeypatch.setattr(threads, "count", lambda: 2)
    monkeypatch.setattr(threads, "pieces", lambda rows, *_: [slice(i, min(i + 3, rows)) for i in range(0, rows, 3)])
    assert same(counted(), whole)


# Columns without a value


HOLES = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [np.nan] * 3, "c": [np.nan, 2.0, np.nan]})


def of_holes(family, columns=(0, 1, 2)):
    frame = Frame(tuple("abc"[j] for j in columns))
    return count([Plan(family, list(columns), frame)], sample_of(HOLES, [0, 1, 1]))


@pytest.mark.parametrize("family", [Gaussian(), Categorical(), Poisson()], ids=repr)
def test_a_column_without_a_value_is_named(family):
    learned = of_holes(family)
    assert learned.empty == ["b"]
    with pytest.warns(
        EmptyColumns, match=r"^column 'b' has no value present; the model leaves it out until rows have one$"
    ):
        learned.warn_of_empty()


def test_columns_that_are_never_there_together_are_refused():
    learned = of_holes(MultivariateGaussian(shrinkage=0.5), (0, 2))
    with pytest.raises(
        ValueError, match=r"^no row has a value in each of the columns 'a', 'c'; leave out what is often"
    ):
        learned.refuse_incomplete()


@pytest.mark.parametrize("family", [Missing(), Multinomial()], ids=repr)
def test_where_a_missing_cell_counts_no_column_is_empty(family):
    frame = HOLES if family == Missing() else HOLES.fillna(0)
    plan = Plan(family, [0, 1, 2], Frame(tuple("abc")))
    assert count([plan], sample_of(frame, [0, 1, 1])).empty == []
