"""Stores named arrays and a text that describes them in one safetensors file, with checksums.

A safetensors file has eight bytes with the length of its header, the header in JSON, and the bytes of the arrays one
after the other. Here the last array is a checksum of each piece before it.
"""

import json
import mmap
import os
import zlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.engines import threads
from likely.store.atomic import replacing

FORMAT = 1
"""The version of the format. It goes up when an older Likely can't read the files any more."""

BEGINS = b'{"__metadata__":{"format":"likely '
HEADER = 16 << 20
"""The most bytes of a header: long lists, such as names and words, are stored as arrays."""
PIECE = 1 << 22
"""How many bytes one checksum covers. For 60 MB, checksums take 35 ms in one thread, and half of that in several."""
MAPPED = 8 << 20
"""From this many bytes on, a file is mapped into memory instead of copied."""
CHECKSUMS = "checksums"

DTYPES = {
    name: np.dtype(type_)
    for name, type_ in {
        "F64": "<f8", "I64": "<i8", "U64": "<u8", "F32": "<f4", "I32": "<i4", "U32": "<u4",
        "F16": "<f2", "I16": "<i2", "U16": "<u2", "I8": "i1", "U8": "u1", "BOOL": "?",
    }.items()
}  # fmt: skip
_NAMES = {type_: name for name, type_ in DTYPES.items()}

Arrays = Mapping[str, NDArray[Any]]


class BadModelFile(ValueError):
    """A file that is no model file, or that was changed or damaged."""


class Contents(NamedTuple):
    version: str
    """The version of Likely that wrote the file."""
    text: str
    arrays: dict[str, NDArray[Any]]
    """Read-only views of the arrays in the file."""


def write(path: str | os.PathLike[str], version: str, text: str, arrays: Arrays) -> None:
    data = packed(version, text, arrays)
    with replacing(path) as file:
        file.write(data)


def packed(version: str, text: str, arrays: Arrays) -> bytes:
    """The bytes of a file with these arrays and this text."""
    whole = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    ordered = dict(sorted(whole.items(), key=lambda item: -item[1].itemsize))  # so each is aligned
    header = _header(version, text, ordered)
    data = b"".join([len(header).to_bytes(8, "little"), header, *(array.tobytes() for array in ordered.values())])
    return data + _checksums(np.frombuffer(data, np.uint8)).tobytes()


def _header(version: str, text: str, arrays: Arrays) -> bytes:
    entries: dict[str, Any] = {"__metadata__": {"format": f"likely {FORMAT}", "version": version, "model": text}}
    at = 0
    for name, array in arrays.items():
        entries[name] = _entry(_NAMES[array.dtype], array.shape, at)
        at += array.nbytes
    # The checksums cover the header too, so its length must not depend on how many there are.
    entries[CHECKSUMS] = _entry("U8", (0,), at)
    room = len(json.dumps(entries, separators=(",", ":"))) + 64
    room += -room % 8
    pieces = -(-(8 + room + at) // PIECE)
    entries[CHECKSUMS] = _entry("U8", (4 * pieces,), at)
    header = json.dumps(entries, separators=(",", ":")).encode().ljust(room)
    if len(header) > HEADER:
        raise ValueError(f"the model takes {len(header)} bytes to describe; a file holds {HEADER} of them")
    return header


def _entry(dtype: str, shape: tuple[int, ...], at: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + DTYPES[dtype].itemsize * prod(shape)]}


def _checksums(data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    pieces = [slice(start, start + PIECE) for start in range(0, len(data), PIECE)]
    found = list(threads.each(lambda piece: zlib.crc32(data[piece].data), pieces))
    return np.array(found, "<u4").view(np.uint8)


def read(path: str | os.PathLike[str]) -> Contents:
    """The contents of a file. Raises BadModelFile if `write` has not written it in this form."""
    with Path(path).open("rb") as file:
        mapped = os.fstat(file.fileno()).st_size >= MAPPED
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if mapped else file.read()
    return unpacked(data, repr(os.fspath(path)))


def is_model_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins like a model file; False if it does not exist."""
    try:
        with Path(path).open("rb") as file:
            return file.read(8 + len(BEGINS))[8:] == BEGINS
    except OSError:
        return False


def unpacked(file: bytes | mmap.mmap, name: str) -> Contents:
    """The contents of bytes that `packed` has made. Arrays are not copied; only the header takes more memory."""
    data, begins = np.frombuffer(file, np.uint8), file[: 8 + len(BEGINS)]
    if begins[8:] != BEGINS:
        raise BadModelFile(_foreign(name, begins, len(data)))
    length = int.from_bytes(begins[:8], "little")
    if length > HEADER or length % 8:
        raise BadModelFile(f"{name} is damaged: no model's header has {length} bytes")
    if len(data) < 8 + length:
        raise BadModelFile(f"{name} is cut short: it has {len(data)} bytes, and its header alone {8 + length}")
    header = _parsed(file[8 : 8 + length], name)
    version, text = _about(header.pop("__metadata__"), name)
    arrays = _arrays(header, data[8 + length :], name)
    _check(data, arrays.pop(CHECKSUMS, None), name)
    return Contents(version, text, arrays)


def _foreign(name: str, begins: bytes, size: int) -> str:
    if not size:
        return f"{name} is empty: it has no model"
    if len(begins) < 8 + len(BEGINS) and BEGINS.startswith(begins[8:]):
        return f"{name} is cut short: it has {size} bytes, and no model so few"
    return f"{name} is not a model file of Likely"


def _parsed(header: bytes, name: str) -> dict[str, Any]:
    try:
        parsed = json.loads(header, object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        raise BadModelFile(f"{name} is damaged: its header is not in order") from None
    assert isinstance(parsed, dict)  # as it begins
    return parsed


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _about(about: Any, name: str) -> tuple[str, str]:
    if not isinstance(about, dict) or not all(
        isinstance(about.get(key), str) for key in ("format", "version", "model")
    ):
        raise BadModelFile(f"{name} is damaged: it does not say how it was written")
    number = about["format"].removeprefix("likely ")
    if number != str(FORMAT):
        if number.isdecimal() and (len(number) > 9 or int(number) > FORMAT):
            raise BadModelFile(
                f"{name} was written by Likely {about['version']} in format {number}, and this Likely reads up to "
                f"{FORMAT}; update Likely to read it"
            )
        raise BadModelFile(f"{name} is damaged: there is no format {number!r}")
    return about["version"], about["model"]


def _arrays(entries: dict[str, Any], data: NDArray[np.uint8], name: str) -> dict[str, NDArray[Any]]:
    """Views of the arrays. Each must follow the one before it, with nothing between or after them."""
    arrays, at = {}, 0
    for key, entry in entries.items():
        try:
            type_, shape, (start, end) = DTYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
            fits = set(entry) == {"dtype", "shape", "data_offsets"} and len(shape) <= 3
            fits = fits and all(type(number) is int and number >= 0 for number in (*shape, start, end))
            fits = fits and start == at and end - start == type_.itemsize * prod(shape) and not start % type_.itemsize
        except (TypeError, KeyError, ValueError):
            fits = False
        if not fits:
            raise BadModelFile(f"{name} is damaged: the place of {key!r} is not in order")
        if end > len(data):
            raise BadModelFile(f"{name} is cut short: {key!r} goes on for {end - len(data)} bytes beyond its end")
        arrays[key] = data[start:end].view(type_).reshape(shape)
        at = end
    if at != len(data):
        raise BadModelFile(f"{name} is damaged: it goes on for {len(data) - at} bytes after the last of its arrays")
    return arrays


def _check(data: NDArray[np.uint8], kept: NDArray[Any] | None, name: str) -> None:
    if kept is None or kept.dtype != np.uint8 or kept.ndim != 1:
        raise BadModelFile(f"{name} is damaged: it has no checksums")
    found = _checksums(data[: len(data) - len(kept)])
    if len(found) != len(kept):
        raise BadModelFile(f"{name} is damaged: it has {len(kept) // 4} checksums where it needs {len(found) // 4}")
    wrong = np.flatnonzero(found != kept)
    if wrong.size:
        piece = int(wrong[0]) // 4
        raise BadModelFile(
            f"{name} was altered after it was written, between bytes {piece * PIECE} and {piece * PIECE + PIECE}"
        )
