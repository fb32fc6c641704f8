"""Converts values to JSON and named arrays, and back.

Types that JSON has are written as they are. All others become an object with a single key, the type. Families, priors
and statistics are dataclasses: each is written as its name and its fields. Reading a file only makes objects of the
types that are named here, and registered families.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely import priors
from likely.data.row_digest import RowDigest
from likely.families import FAMILIES, Family, Network, Number, SparseNumber, TfIdf
from likely.limits import Within
from likely.models.calibration import Calibration, Steps
from likely.models.prediction_sets import Conformity
from likely.statistics import Counts, Labels, Vocabulary
from likely.store.container import DTYPES, Arrays, BadModelFile
from likely.store.fields import check

LONG = 100
"""From this many names or numbers on, a tuple is stored as an array."""

MADE: dict[str, Callable[..., Any]] = {
    **{prior.__name__: prior for prior in vars(priors).values() if isinstance(prior, type) and is_dataclass(prior)},
    "Counts": Counts,
    "Within": Within,
    "Calibration": Calibration,
    "Conformity": Conformity,
    "Steps": Steps,
    "RowDigest": RowDigest,
}
"""The classes, except families, that are made by name from their fields."""


def made_by_name() -> dict[str, Callable[..., Any]]:
    """All classes that are made by name, with the registered families and their parts."""
    families: tuple[type[Family], ...] = (*FAMILIES.values(), Network, Number, SparseNumber, TfIdf)
    of_family = ((family, *family.counts_in, *family.made_of) for family in families)
    return MADE | {made.__name__: made for each in of_family for made in each}


_FLOATS = ("nan", "inf", "-inf")
_TAGS = frozenset(
    (
        "float",
        "tuple",
        "long",
        "named",
        "dict",
        "set",
        "range",
        "class",
        "array",
        "texts",
        "fixed",
        "vocabulary",
        "columns",
    )
)
SPREAD = 32
"""A value in short form, such as a range, may take at most this many bytes of memory per byte of the file."""


class Columns(NamedTuple):
    """A one-dimensional array for each column. There may be many, so they are written as one array for each dtype."""

    arrays: Sequence[Labels]


class Writer:
    """Converts values to JSON, and collects arrays in `arrays`."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.names = {made: name for name, made in made_by_name().items()}

    def plain(self, value: Any, name: str) -> Any:
        """The value as JSON types. Its arrays get names that start with `name`."""
        match value:
            case None | bool() | int() | str():
                return str(value) if isinstance(value, str) else value
            case float():
                return float(value) if isfinite(value) else {"float": str(float(value))}
            case np.generic():
                return self.plain(value.item(), name)
            case np.ndarray():
                return self._array(value, name)
            case Columns():
                return {"columns": self._columns(value.arrays, name)}
            case Vocabulary():
                return {"vocabulary": self._parts(name, *value.buffers)}
            case range():
                return {"range": [value.start, value.stop, value.step]}
            case type() if value in self.names:
                return {"class": self.names[value]}
            case list():
                return [self.plain(one, f"{name}.{at}") for at, one in enumerate(value)]
            case dict() if all(type(key) is str for key in value):
                return {"named": {key: self.plain(one, f"{name}.{key}") for key, one in value.items()}}
            case dict():
                return {
                    "dict": [[self.plain(key, name), self.plain(one, f"{name}.{key}")] for key, one in value.items()]
                }
            case frozenset():
                return {"set": self.plain(sorted(value), name)}
        if tag := self.names.get(type(value)):
            of = getattr(value, "_fields", None) or [field.name for field in fields(value)]
            return {tag: {field: self.plain(getattr(value, field), f"{name}.{field}") for field in of}}
        if isinstance(value, tuple):
            of = set(map(type, value)) if len(value) >= LONG else set()
            if of == {str} or (of == {int} and max(map(abs, value)) < 2**63):
                return {"long": self._array(np.array(value, object if of == {str} else np.int64), name)}
            return {"tuple": self.plain(list(value), name)}
        raise TypeError(f"a model file does not hold {value!r}, which is of {type(value)}")

    def _array(self, array: NDArray[Any], name: str) -> Any:
        if array.dtype.kind not in "OUT":
            if array.dtype.newbyteorder("<") not in DTYPES.values():
                raise TypeError(f"a model file holds no array of {array.dtype}")
            return {"array": self._put(name, array)}
        texts = array.tolist()
        if array.ndim != 1 or not all(isinstance(text, str) for text in texts):
            raise TypeError(f"a model file holds no array of Python's objects, such as {array!r}")
        written = {"texts": self._parts(name, *_joined(texts))}
        return {"fixed": [written, array.dtype.itemsize // 4]} if array.dtype.kind == "U" else written

    def _parts(self, name: str, ends: NDArray[np.int64], letters: NDArray[np.uint8]) -> str:
        name = self._free(name, ".ends", ".letters")
        self.arrays[f"{name}.ends"], self.arrays[f"{name}.letters"] = ends, letters
        return name

    def _put(self, name: str, array: NDArray[Any]) -> str:
        name = self._free(name, "")
        self.arrays[name] = array
        return name

    def _free(self, name: str, *endings: str) -> str:
        """A free name, similar to this one: different keys, such as 1 and "1", may have the same text."""
        while any(f"{name}{ending}" in self.arrays for ending in endings):
            name += "'"
        return name

    def _columns(self, arrays: Sequence[Labels], name: str) -> list[Any]:
        types = [_of_type(array) for array in arrays]
        sizes = np.array([len(array) for array in arrays], np.int64)
        kept = {
            type_: np.concatenate([array for array, other in zip(arrays, types, strict=True) if other == type_])
            for type_ in dict.fromkeys(types)
        }
        return [self.plain(sizes, f"{name}.sizes"), self.plain(tuple(types), f"{name}.types"), self.plain(kept, name)]


def _of_type(array: Labels) -> str:
    return "text" if array.dtype.kind in "OUT" else array.dtype.name


def _joined(texts: Iterable[str]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    return ends, np.frombuffer(b"".join(encoded), np.uint8)


class Reader:
    """Converts JSON to values, with the arrays of the file. Raises BadModelFile for anything that `Writer` does not
    write.

    Memory is in proportion to the file: an array may be used only once, and the size of short forms is limited by
    `room`.
    """

    def __init__(self, arrays: Arrays, text: int = 0) -> None:
        self.arrays, self.made = dict(arrays), made_by_name()
        self.room = SPREAD * (text + sum(array.nbytes for array in arrays.values()))

    def value(self, plain: Any) -> Any:
        try:
            return self._value(plain)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as error:
            raise BadModelFile(f"it holds what can't be read: {error}") from None

    def _value(self, plain: Any) -> Any:
        if isinstance(plain, list):
            return [self._value(one) for one in plain]
        if not isinstance(plain, dict):
            return plain
        ((tag, body),) = plain.items()
        if tag in self.made:
            values = {field: self._value(one) for field, one in body.items()}
            check(self.made[tag], values)
            return self.made[tag](**values)
        if tag not in _TAGS:
            raise ValueError(f"there is no {tag!r}")
        return getattr(self, f"_{tag}")(body)

    def _float(self, body: Any) -> float:
        return float(_FLOATS[_FLOATS.index(body)])

    def _tuple(self, body: Any) -> tuple[Any, ...]:
        return tuple(self._value(body))

    def _long(self, body: Any) -> tuple[Any, ...]:
        return tuple(self._value(body).tolist())

    def _named(self, body: Any) -> dict[str, Any]:
        return {key: self._value(one) for key, one in body.items()}

    def _dict(self, body: Any) -> dict[Any, Any]:
        return {self._value(key): self._value(one) for key, one in body}

    def _set(self, body: Any) -> frozenset[Any]:
        return frozenset(self._value(body))

    def _range(self, body: Any) -> range:
        numbers = range(*body)
        if not self._fits(8 * len(numbers)):
            raise ValueError(f"{numbers} is too long for a file of this size")
        return numbers

    def _fits(self, size: int) -> bool:
        """Takes this many bytes from the room; returns whether there was enough."""
        fits = size <= self.room
        self.room -= size if fits else 0
        return fits

    def _class(self, body: Any) -> Any:
        return self.made[body]

    def _array(self, body: Any) -> NDArray[Any]:
        if not isinstance(body, str) or body not in self.arrays:
            raise ValueError("it names an array that is not there, or one for the second time")
        array = self.arrays.pop(body)
        if array.dtype.kind == "b":
            return np.asarray(array.view(np.uint8) != 0)
        return array.astype(array.dtype.newbyteorder("="), copy=False)

    def _texts(self, body: Any) -> Labels:
        ends, letters = self._parts(body)
        labels = np.empty(len(ends), object)
        labels[:] = list(_parted(ends, letters))
        return labels

    def _fixed(self, body: Any) -> Labels:
        texts, characters = body
        labels: Labels = self._value(texts)
        if max(map(len, labels), default=0) > characters:
            raise ValueError("a text is longer than all of them may be")
        return labels.astype(f"U{characters}") if self._fits(4 * characters * len(labels)) else labels

    def _vocabulary(self, body: Any) -> Vocabulary:
        return Vocabulary.of_buffers(*self._parts(body))

    def _parts(self, name: str) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        ends, letters = (
            self._array(f"{name}{part}" if isinstance(name, str) else name) for part in (".ends", ".letters")
        )
        if ends.dtype != np.int64 or letters.dtype != np.uint8 or ends.ndim != 1 or letters.ndim != 1:
            raise ValueError("texts are whole numbers and bytes")
        if (np.diff(ends, prepend=0) < 0).any() or (ends[-1] if ends.size else 0) != len(letters):
            raise ValueError("texts do not end where they should")
        return ends, letters

    def _columns(self, body: Any) -> Columns:
        sizes, types, kept = (self._value(part) for part in body)
        fits = not (sizes < 0).any() and set(types) <= set(kept)
        if not fits or any(_of_type(array) != type_ or array.ndim != 1 for type_, array in kept.items()):
            raise ValueError("columns are not what they are said to be")
        ends = dict.fromkeys(kept, 0)
        arrays = []
        for size, type_ in zip(sizes.tolist(), types, strict=True):
            start, ends[type_] = ends[type_], ends[type_] + size
            arrays.append(kept[type_][start : ends[type_]])
        if any(ends[type_] != len(array) for type_, array in kept.items()):
            raise ValueError("columns do not end where they should")
        return Columns(arrays)


def _parted(ends: NDArray[np.int64], letters: NDArray[np.uint8]) -> Iterator[str]:
    whole = letters.tobytes()
    return (whole[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise([0, *ends.tolist()]))
