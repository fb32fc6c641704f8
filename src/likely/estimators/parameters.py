"""Nested parameters in scikit-learn's form, such as `families__prior`. Families and priors are immutable: to set an
option, they are replaced."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any


def nested(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The options of a family or a prior, or of those in a dict, with names in scikit-learn's form."""
    if is_dataclass(value) and not isinstance(value, type):
        inside = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    elif isinstance(value, Mapping):
        options = {key: one for key, one in value.items() if isinstance(key, str) and is_dataclass(one)}
        for key, one in options.items():
            yield from nested(f"{name}__{key}", one)
        return
    else:
        return
    for key, one in inside.items():
        yield f"{name}__{key}", one
        yield from nested(f"{name}__{key}", one)


def replaced(value: Any, path: Sequence[str], by: Any) -> Any:
    """The value, with the option at `path` replaced. Raises KeyError if there is no such option."""
    if not path:
        return by
    key, *rest = path
    if is_dataclass(value) and not isinstance(value, type) and key in {field.name for field in fields(value)}:
        return replace(value, **{key: replaced(getattr(value, key), rest, by)})
    if isinstance(value, Mapping) and key in value:
        return {**value, key: replaced(value[key], rest, by)}
    raise KeyError(key)
