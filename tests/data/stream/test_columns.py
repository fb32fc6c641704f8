"""Arrow's columns, made as pyarrow.array makes them."""

import numpy as np
import pyarrow as pa
import pytest

from likely.data.stream import columns


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "float64", "float32", "bool"])
def test_numbers(dtype: str) -> None:
    values = np.arange(19).astype(dtype)
    assert columns.numbers(values).equals(pa.array(values))
    assert columns.numbers(values[::2]).equals(pa.array(values[::2]))
    assert len(columns.numbers(values[:0])) == 0


def test_texts_and_labels() -> None:
    assert columns.texts(["a", "", "ü"]).to_pylist() == ["a", "", "ü"]
    assert columns.texts([]).to_pylist() == []
    assert columns.texts(["\ud800"]).to_pylist() == ["?"]
    assert columns.labels(np.array(["b", "a"], object)).to_pylist() == ["b", "a"]
    assert columns.labels(np.array([2, 1])).to_pylist() == [2, 1]


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", "ä" * 9, "", "half \ud800"], object),
        np.array(["a", "bc", "d", "e"]),
        np.array([3, 1, 4, 5]),
        np.array([0.5, 1.5, 2.5, 3.5]),
        np.array([False, True, True, False]),
    ],
)
@pytest.mark.parametrize("codes", [[], [3, 0, 0, 2, 1]])
def test_labels_by_their_codes_are_the_labels(labels: np.ndarray, codes: list[int]) -> None:
    at = np.array(codes, np.intp)
    assert columns.coded(labels, at).equals(columns.labels(labels[at]))
