"""Model files with something changed in them, and checksums that are right: what no accident writes, and foes may."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.store import container

NUMBERS = (0, 1, -1, 2, 7, 2**31, 2**63 - 1, -(2**63), 10**10, 10**30, 0.5, -0.5, 1e308, -1e308, 5e-324, 1e-12)
VALUES = (
    None, True, False, "", "x", "auto", "nan", "gaussian", [], [[]], [1, 2], {}, {"a": 1}, *NUMBERS,
    {"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"tuple": []}, {"tuple": [1, "a"]}, {"named": {}},
    {"range": [0, 3, 1]}, {"range": [0, 10**10, 1]}, {"range": [0, -5, -1]}, {"set": ["a"]}, {"class": "Poisson"},
    {"dict": [["a", 1]]}, {"Laplace": {"strength": 1.0}}, {"Laplace": {}}, {"MaximumLikelihood": {}}, {"Auto": {}},
    {"Poisson": {}}, {"Gaussian": {}}, {"Histogram": {}}, {"Tokens": {}}, {"Beta": {"a": 1e-300, "b": 1e300}},
    {"MEstimate": {"m": 1e308, "p": None}}, {"Dirichlet": {"alpha": {"float": "inf"}}}, {"Gamma": {"a": 1e308}},
)  # fmt: skip
"""What is put in the place of another value."""
DTYPES = (np.float64, np.int64, np.int32, np.uint8, np.uint64, np.bool, np.float16)
EXTREMES = (np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -1.0, 0.0, 0.5, 2.0**62, 2.0**63, -(2.0**63), 1e160, 1e18)


def mutated(file: bytes, rng: np.random.Generator) -> tuple[bytes, str]:
    """The file with one to three things changed, and what they are."""
    contents = container.unpacked(file, "file")
    tree = json.loads(contents.text)
    arrays = {name: array.copy() for name, array in contents.arrays.items()}
    done = [
        _alter_tree(tree, arrays, rng) if not arrays or rng.random() < 0.6 else _alter_array(arrays, rng)
        for _ in range(rng.choice([1, 1, 1, 2, 3]))
    ]
    return container.packed(contents.version, json.dumps(tree), arrays), "; ".join(done)


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of a tree, as what holds it and where in that."""
    for key in tree if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        if isinstance(tree[key], (dict, list)):
            yield from _places(tree[key])


def _alter_tree(tree: Any, arrays: dict[str, NDArray[Any]], rng: np.random.Generator) -> str:
    places = list(_places(tree))
    holder, key = places[rng.integers(len(places))]
    before = json.dumps(holder[key])[:60]
    match rng.integers(6):
        case 0:
            del holder[key]
            return f"without {key!r}, which was {before}"
        case 1:
            other, there = places[rng.integers(len(places))]
            holder[key] = json.loads(json.dumps(other[there]))
        case 2:
            holder[key] = {"array": str(rng.choice(list(arrays)))} if arrays else None
        case 3 if isinstance(holder, dict):
            holder[str(rng.choice(["x", "dtype", "Poisson", "prior"]))] = holder.pop(key)
        case 4 if isinstance(holder[key], (int, float)):
            holder[key] = NUMBERS[rng.integers(len(NUMBERS))]
        case _:
            holder[key] = VALUES[rng.integers(len(VALUES))]
    return (
        f"{key!r} was {before} and is {json.dumps(holder.get(key) if isinstance(holder, dict) else holder[key])[:60]}"
    )


def _alter_array(arrays: dict[str, NDArray[Any]], rng: np.random.Generator) -> str:
    name = str(rng.choice(list(arrays)))
    array = arrays[name]
    match rng.integers(8):
        case 0:
            with np.errstate(all="ignore"):
                arrays[name] = array.astype(DTYPES[rng.integers(len(DTYPES))])
        case 1:
            arrays[name] = array.reshape(-1)[: rng.integers(array.size + 1)]
        case 2:
            arrays[name] = array[..., None] if array.ndim < 3 else array.reshape(-1)
        case 3:
            arrays[name] = arrays[str(rng.choice(list(arrays)))].copy()
        case 4:
            arrays[name] = np.concatenate([array, array])
        case 5:
            del arrays[name]
            return f"no {name}"
        case _:
            for at in rng.integers(array.size, size=rng.choice([1, 3])) if array.size else ():
                with np.errstate(all="ignore"):
                    array.reshape(-1)[at] = np.array(EXTREMES[rng.integers(len(EXTREMES))]).astype(array.dtype)
    return f"{name} is {arrays[name].dtype} {arrays[name].shape}: {arrays[name].reshape(-1)[:6].tolist()}"
