"""Values are what the fields of a class are declared to hold, or an error says which are not."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from likely.priors import Laplace, Prior
from likely.store.fields import check, is_of


@dataclass
class Horse:
    name: str
    hands: float
    colours: tuple[str, ...] = ()
    races: list[int] = field(default_factory=list)
    fed: bool = field(default=False, init=False)


class Stall(NamedTuple):
    number: int
    horse: str | None = None


FLOATS, ANYTHING = NDArray[np.float64], NDArray[Any]


@pytest.mark.parametrize(
    ("value", "declared"),
    [
        (object(), Any),
        (np.inf, Any),
        (3, int),
        (3, float),
        (-0.5, float),
        (None, int | None),
        ("mode", Literal["mean", "mode"]),
        ((), tuple[int, ...]),
        ((1, 2, 3), tuple[int, ...]),
        ((1, "a"), tuple[int, str]),
        (((1.5,), None), tuple[tuple[float, ...], str | None]),
        (frozenset({"a", "b"}), frozenset[str]),
        (np.zeros(2), FLOATS),
        (np.zeros(2, np.int8), ANYTHING),
        ({"a": 1}, dict[str, int]),
        (Laplace(), Prior),
    ],
)
def test_what_is_of_a_type(value, declared):
    assert is_of(value, declared)


def test_an_array_declared_by_an_alias():
    """NDArray is one from numpy 2.5 on, under Python 3.12: no model could be loaded there."""
    scalar = TypeVar("scalar", bound=np.generic)
    alias = TypeAliasType("NDArray", np.ndarray[Any, np.dtype[scalar]], type_params=(scalar,))[np.float64]
    assert is_of(np.zeros(2), alias)
    assert not is_of(np.zeros(2, np.int8), alias)
    assert not is_of([0.0], alias)


@pytest.mark.parametrize(
    ("value", "declared"),
    [
        (True, int),
        (True, float),
        (1, bool),
        (np.nan, float),
        (np.inf, float),
        (-np.inf, float | None),
        (np.float64(1), float),
        (b"a", str),
        (0, str | None),
        ("median", Literal["mean", "mode"]),
        (True, Literal[1, 2]),
        (1.0, Literal[1, 2]),
        ([1, 2], tuple[int, ...]),
        ((1, "a"), tuple[int, ...]),
        ((1,), tuple[int, str]),
        ((1, "a", "b"), tuple[int, str]),
        ({"a"}, frozenset[str]),
        (frozenset({"a", 1}), frozenset[str]),
        ([0.0], FLOATS),
        (np.zeros(2, np.float32), FLOATS),
        ([0.0], ANYTHING),
        ([], dict[str, int]),
        ("Laplace", Prior),
    ],
)
def test_what_is_not_of_a_type(value, declared):
    assert not is_of(value, declared)


@pytest.mark.parametrize(
    ("made", "values"),
    [
        (Horse, {"name": "Hans", "hands": 15}),
        (Horse, {"name": "Hans", "hands": 15.5, "colours": ("bay",), "races": [1]}),
        (Stall, {"number": 1}),
        (Stall, {"number": 1, "horse": "Hans"}),
    ],
)
def test_fields_with_a_default_may_be_left_out(made, values):
    check(made, values)
    made(**values)


@pytest.mark.parametrize(
    ("made", "values", "said"),
    [
        (Horse, {"name": "Hans"}, "a Horse needs 'hands'"),
        (Stall, {"horse": None}, "a Stall needs 'number'"),
        (Horse, {"name": "Hans", "hands": 15, "age": 3}, "a Horse has no 'age'"),
        (Horse, {"name": "Hans", "hands": 15, "fed": True}, "a Horse has no 'fed'"),
        (Stall, {"number": 1, "_fields": ()}, "a Stall has no '_fields'"),
        (Horse, {"name": 3, "hands": 15}, "the 'name' of a Horse can't be a int like this"),
        (Horse, {"name": "Hans", "hands": np.nan}, "the 'hands' of a Horse can't be a float like this"),
        (Stall, {"number": "1"}, "the 'number' of a Stall can't be a str like this"),
    ],
)
def test_fields_that_are_not_as_declared(made, values, said):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        check(made, values)
    assert str(error.value) == said
