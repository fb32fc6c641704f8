"""Values as JSON and arrays, and back."""

import json
from typing import Any

import numpy as np
import pytest

from likely.families import FAMILIES, Poisson
from likely.priors import Laplace, MEstimate
from likely.store.container import BadModelFile
from likely.store.values import Columns, Reader, Writer, made_by_name


def through(value: Any) -> Any:
    writer = Writer()
    plain = json.loads(json.dumps(writer.plain(value, "it"), allow_nan=False))
    return Reader(writer.arrays, 1000).value(plain)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        10**30,
        -0.1,
        5e-324,
        float("inf"),
        "\udc80 \N{SNOWMAN}",
        (),
        (1, ("a", None)),
        [1, [2]],
        {},
        {"a": 1},
        {"array": 2},
        {("a", 1): Laplace(), 3: "x"},
        frozenset({"b"}),
        range(3, 9, 2),
        tuple("ab" * 80),
        tuple(range(200)),
        (True,) * 200,
        (2**70,) * 200,
        (1, "a") * 100,
        Poisson,
        MEstimate(2.0, (0.5, 0.5)),
        [{"list": ()}],
    ],
    ids=lambda value: repr(value)[:30],
)
def test_values_come_back_as_they_were(value: Any) -> None:
    found = through(value)
    assert found == value
    assert type(found) is type(value)


def test_what_is_no_number_comes_back_as_that() -> None:
    assert through(frozenset({"b", "a", "c"})) == {"a", "b", "c"}
    assert np.isnan(through(float("nan")))
    assert through(np.float64(0.1)) == 0.1
    assert through(np.int32(4)) == 4
    assert through(np.str_("a")) == "a"


def test_columns_of_several_types_come_back_in_their_order() -> None:
    arrays = [
        np.array(["a", "bb"], object),
        np.array([1, 2, 3]),
        np.zeros(0, object),
        np.array([True]),
        np.array(["c"], object),
    ]
    found = through(Columns(arrays)).arrays
    assert [array.tolist() for array in found] == [array.tolist() for array in arrays]
    assert [array.dtype for array in found] == [array.dtype for array in arrays]


def test_every_family_can_be_made() -> None:
    made = made_by_name()
    assert all(made[family.__name__] is family for family in FAMILIES.values())


@pytest.mark.parametrize("value", [object(), 1j, b"bytes", np.array([object()]), np.array([1j]), lambda: 1, {1: print}])
def test_what_a_file_does_not_hold(value: Any) -> None:
    with pytest.raises(TypeError, match=r"a model file (does not hold|holds no)"):
        Writer().plain(value, "it")


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"a": 1, "b": 2},
        {"eval": "1"},
        {"__class__": 1},
        {"Poisson": {"what": 1}},
        {"Poisson": {"prior": 3, "more": 1}},
        {"Laplace": {"strength": -1.0}},
        {"array": "nowhere"},
        {"array": []},
        {"range": [1, 2, 0]},
        {"float": "1"},
        {"dict": [[1]]},
        {"dict": [[[1], 1]]},
        {"texts": "it"},
        {"vocabulary": "it"},
        {"columns": []},
        {"class": "print"},
        {"set": [[1]]},
        {"value": 1},
        {"fixed": [{"texts": "good"}, 0]},
        {"named": []},
        {"long": 1},
        {"texts": "bad"},
    ],
    ids=json.dumps,
)
def test_what_no_writer_has_written(plain: Any) -> None:
    arrays = {
        "good.ends": np.array([1]), "good.letters": np.frombuffer(b"a", np.uint8),
        "bad.ends": np.array([3, 1]), "bad.letters": np.frombuffer(b"a", np.uint8),
    }  # fmt: skip
    with pytest.raises(BadModelFile, match="it holds what can't be read"):
        Reader(arrays).value(plain)


def test_keys_that_are_written_alike_keep_their_arrays() -> None:
    found = through({1: np.array([1.0]), "1": np.array([2.0])})
    assert (found[1].tolist(), found["1"].tolist()) == ([1.0], [2.0])


def test_texts_of_a_length_that_the_file_has_no_room_for_come_back_as_texts() -> None:
    writer = Writer()
    plain = writer.plain(np.array(["a"], "U100000"), "it")
    assert Reader(writer.arrays, 100).value(plain).dtype == object
