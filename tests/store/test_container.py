"""The file as such: what is written can be read, by safetensors too, and what is not as it was written is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

from likely.store import container
from likely.store.container import BEGINS, BadModelFile, read, write

ARRAYS = {
    "bytes": np.arange(5, dtype=np.uint8),
    "numbers": np.linspace(0, 1, 12).reshape(3, 4),
    "none": np.zeros((0, 3), np.int32),
    "yes": np.array([True, False]),
    "big": np.array([1, 2], ">i4"),
}


@pytest.fixture
def written(file: Path) -> Path:
    write(file, "1.2.3", 'a "text"', ARRAYS)
    return file


def test_what_is_written_is_read(written: Path) -> None:
    found = read(written)
    assert found[:2] == ("1.2.3", 'a "text"')
    assert set(found.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found.arrays[name], array)
        assert found.arrays[name].dtype == array.dtype.newbyteorder("<")
        assert found.arrays[name].flags.aligned
        assert not found.arrays[name].flags.writeable


def test_safetensors_reads_it_too(written: Path) -> None:
    with safe_open(written, framework="np") as file:
        assert file.metadata() == {"format": "likely 1", "version": "1.2.3", "model": 'a "text"'}
        assert set(file.keys()) == {*ARRAYS, "checksums"}
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(file.get_tensor(name), array)


def test_a_large_file_is_mapped_and_has_a_checksum_for_each_piece(file: Path) -> None:
    numbers = np.random.default_rng(0).integers(0, 255, 3 * container.PIECE, np.uint8)
    write(file, "", "", {"numbers": numbers})
    np.testing.assert_array_equal(read(file).arrays["numbers"], numbers)
    altered = bytearray(file.read_bytes())
    altered[2 * container.PIECE + 5] ^= 1
    file.write_bytes(altered)
    with pytest.raises(BadModelFile, match=f"altered after it was written, between bytes {2 * container.PIECE} and"):
        read(file)


@pytest.mark.parametrize("kept", [1, 8, 12, 60, 200, -1])
def test_a_file_that_is_cut_short(written: Path, kept: int) -> None:
    written.write_bytes(written.read_bytes()[:kept])
    with pytest.raises(BadModelFile, match="is cut short: "):
        read(written)


@pytest.mark.parametrize(
    "data", [b"\x80\x04\x95 a pickle of something", b"PK\x03\x04" + bytes(200), b"a,b\n1,2\n" * 100]
)
def test_a_file_of_another_kind(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(BadModelFile, match=r"model\.likely' is not a model file of Likely"):
        read(file)


def test_safetensors_of_something_else(file: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"a": np.zeros(100)}, file, {"format": "pt"})
    with pytest.raises(BadModelFile, match="is not a model file of Likely"):
        read(file)


def test_an_empty_file(file: Path) -> None:
    file.touch()
    with pytest.raises(BadModelFile, match="is empty: it has no model"):
        read(file)


def test_a_file_of_a_newer_format(written: Path) -> None:
    written.write_bytes(written.read_bytes().replace(b"likely 1", b"likely 7"))
    with pytest.raises(BadModelFile, match=r"was written by Likely 1\.2\.3 in format 7, .* update Likely to read it"):
        read(written)


def rewritten(path: Path, change: Any) -> None:
    """With another header, and the right checksums: what only someone who means harm would write."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    sums = header["checksums"]["data_offsets"]
    change(header)
    text = json.dumps(header, separators=(",", ":")).encode()
    text = text.ljust(len(text) + -len(text) % 8)
    body = len(text).to_bytes(8, "little") + text + data[8 + length : 8 + length + sums[0]]
    path.write_bytes(body + container._checksums(np.frombuffer(body, np.uint8)).tobytes())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda h: h["numbers"].update(shape=[2**62, 2**62]), "the place of 'numbers' is not in order"),
        (lambda h: h["numbers"].update(shape=[-3, -4]), "the place of 'numbers' is not in order"),
        (lambda h: h["numbers"].update(shape=[1] * 60 + [12]), "the place of 'numbers' is not in order"),
        (lambda h: h["numbers"].update(shape=[3.0, 4]), "the place of 'numbers' is not in order"),
        (lambda h: h["numbers"].update(dtype="O"), "the place of 'numbers' is not in order"),
        (lambda h: h["numbers"].update(more=1), "the place of 'numbers' is not in order"),
        (lambda h: h["numbers"].update(data_offsets=[8, 104]), "the place of 'numbers' is not in order"),
        (lambda h: h.update(numbers=None), "the place of 'numbers' is not in order"),
        (lambda h: h.pop("checksums"), "it goes on for 4 bytes after the last"),
        (lambda h: h["checksums"].update(dtype="I8"), "it has no checksums"),
        (lambda h: h.update(beyond={"dtype": "F64", "shape": [99], "data_offsets": [0, 0]}), "the place of 'beyond'"),
        (lambda h: h["__metadata__"].update(format="likely one"), "there is no format 'one'"),
        (lambda h: h["__metadata__"].pop("model"), "does not say how it was written"),
    ],
)  # fmt: skip
def test_a_header_that_is_not_in_order(written: Path, change: Any, says: str) -> None:
    rewritten(written, change)
    with pytest.raises(BadModelFile, match=says):
        read(written)


@pytest.mark.parametrize(
    "header",
    [
        BEGINS + b'1"}' + b"[" * 100_000,
        BEGINS + b'1","version":"","model":""},"a":' + b"9" * 10_000 + b"}",
        BEGINS + b'1","version":"","model":""},"a":1,"a":1}',
        BEGINS + b"\xff\xff",
    ],
)
def test_a_header_that_is_no_header(file: Path, header: bytes) -> None:
    header = header.ljust(len(header) + -len(header) % 8)
    file.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(BadModelFile, match=r"its header is not in order|the place of 'a' is not in order"):
        read(file)


def test_a_header_that_says_it_is_huge_is_not_read(file: Path) -> None:
    file.write_bytes((1 << 40).to_bytes(8, "little") + BEGINS)
    with pytest.raises(BadModelFile, match="no model's header has 1099511627776 bytes"):
        read(file)


def test_a_model_that_is_too_much_to_describe_is_not_written(file: Path) -> None:
    with pytest.raises(ValueError, match="bytes to describe"):
        write(file, "", "x" * container.HEADER, {})
    assert not file.exists()
