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
