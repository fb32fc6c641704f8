"""Checks whether values have the types that the fields of a class declare."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np


def check(made: Callable[..., Any], values: Mapping[str, Any]) -> None:
    """Raises ValueError unless `values` has all required fields of `made`, no others, and all with the right types."""
    types, needed = _declared(made)
    for name, value in values.items():
        if name not in types:
            raise ValueError(f"a {made.__name__} has no {name!r}")
        if not is_of(value, types[name]):
            raise ValueError(f"the {name!r} of a {made.__name__} can't be a {type(value).__name__} like this")
    for name in needed:
        if name not in values:
            raise ValueError(f"a {made.__name__} needs {name!r}")


@cache
def _declared(made: Callable[..., Any]) -> tuple[dict[str, Any], list[str]]:
    """The types of the fields, and the names of those without a default."""
    types = get_type_hints(made)
    if is_dataclass(made):
        kept = [field for field in fields(made) if field.init]
        needed = [field.name for field in kept if field.default is MISSING and field.default_factory is MISSING]
        return {field.name: types[field.name] for field in kept}, needed
    defaults: dict[str, Any] = made._field_defaults  # type: ignore[attr-defined] # a named tuple
    return types, [name for name in types if name not in defaults]


def is_of(value: Any, declared: Any) -> bool:
    """Whether a value has a declared type. NaN has none, and an infinite number only has the type Any."""
    origin, of = get_origin(declared), get_args(declared)
    if declared is Any:
        return True
    if hasattr(origin, "__value__"):  # a type alias, such as NDArray since numpy 2.5 and Python 3.12
        return is_of(value, origin.__value__[of])
    if origin in (Union, UnionType):
        return any(is_of(value, one) for one in of)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in of)
    if origin is tuple:
        if of[1:] == (...,):
            of = of[:1] * len(value) if isinstance(value, tuple) else of
        return isinstance(value, tuple) and len(value) == len(of) and all(map(is_of, value, of))
    if origin is np.ndarray:
        (scalar,) = get_args(of[1])
        return isinstance(value, np.ndarray) and (scalar is Any or value.dtype == scalar)
    if origin is frozenset:
        return isinstance(value, frozenset) and all(is_of(one, of[0]) for one in value)
    if declared is float:
        return type(value) in (float, int) and bool(np.isfinite(float(value)))
    if declared in (int, bool, str, NoneType):
        return type(value) is declared
    return isinstance(value, origin or declared)
