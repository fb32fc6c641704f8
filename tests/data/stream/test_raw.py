"""The bytes of a file as UTF-8: compression, encodings, pipes and the ends of rows."""

import gzip
import io
import os
from pathlib import Path

import pyarrow as pa
import pytest

from likely.data.stream.raw import (
    Utf8,
    compression,
    compression_of,
    decoder,
    encoding_of,
    live,
    may_have_leading_zero,
    opened,
    repaired,
    row_end,
)


def as_utf8(data: bytes, encoding: str, size: int = 1) -> bytes:
    stream = Utf8(io.BytesIO(data), "f.csv", encoding)
    return b"".join(iter(lambda: stream.read(size), b""))


@pytest.mark.parametrize("how", ["gzip", "zstd", "bz2", "lz4", None])
def test_a_file_is_decompressed_whatever_its_name(tmp_path: Path, how: str | None) -> None:
    path = str(tmp_path / "t.csv")
    with pa.output_stream(path, compression=how) as stream:
        stream.write(b"a\n1\n")
    assert compression(path) == how
    stream = opened(path)
    assert stream.read(100) == b"a\n1\n"
    stream.close()


def test_bytes_too_few_to_tell_are_not_compressed() -> None:
    assert [compression_of(begins) for begins in (b"", b"\x1f", b"BZ")] == [None, None, None]


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00" + b"\xff" * 50)
    with pytest.raises(ValueError, match=r"t\.csv\.gz is damaged or cut short"):
        opened(str(path)).read(10_000)
    path.write_bytes(gzip.compress(os.urandom(1000))[:500])
    stream = opened(str(path))
    with pytest.raises(ValueError, match=r"t\.csv\.gz is damaged or cut short"):
        list(iter(lambda: stream.read(10_000), b""))


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b"", "utf-8"),
        (b"a,b", "utf-8"),
        ("\ufeffa".encode(), "utf-8"),
        ("é".encode()[:1], "utf-8"),
        ("é,".encode("cp1252"), "cp1252"),
        ("a,b".encode("utf-16"), "utf-16"),
        ("a,b".encode("utf-16-le"), "utf-16-le"),
        ("a,b".encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_the_encoding_is_told_by_how_a_file_begins(head: bytes, encoding: str) -> None:
    assert encoding_of(head) == encoding


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_every_encoding_comes_as_utf_8_wherever_blocks_end(encoding: str, size: int) -> None:
    assert as_utf8("é,€\nx".encode(encoding), encoding, size) == "é,€\nx".encode()


def test_a_byte_order_mark_is_left_out_at_the_start_alone() -> None:
    assert as_utf8("\ufeffa\ufeff".encode(), "utf-8", 100) == "a\ufeff".encode()
    assert as_utf8("\ufeffa".encode("utf-16-le"), "utf-16-le") == b"a"


def test_a_byte_order_mark_is_left_out_where_a_block_ends_in_it() -> None:
    assert as_utf8("\ufeffa".encode(), "utf-8", 1) == b"a"


def test_a_byte_that_is_not_of_the_encoding_is_named() -> None:
    with pytest.raises(ValueError, match=r"f\.csv is not in ascii: byte 0xe9 stands for nothing"):
        as_utf8(b"caf\xe9", "ascii")


def test_every_byte_is_a_character_of_windows() -> None:
    assert decoder("windows-1252")(b"\x80\x81\xe9", True) == "€\x81é"
    assert repaired("é€".encode() + b"\xe9 \x80\x81.") == "é€é €\x81.".encode()


def test_there_is_no_encoding_by_an_unknown_name() -> None:
    with pytest.raises(ValueError, match="there is no encoding 'klingon'"):
        decoder("klingon")


def test_a_pipe_gives_what_has_arrived() -> None:
    at, to = os.pipe()
    with os.fdopen(at, "rb") as reading, os.fdopen(to, "wb", 0) as writing:
        writing.write(b"abc")
        pipe = live(reading)
        assert pipe is not None
        assert pipe.head == b"abc"
        assert [pipe.read(2), pipe.read(2)] == [b"ab", b"c"]
        writing.write(b"d")
        assert pipe.read() == b"d"
        writing.close()
        assert pipe.read() == b""
        pipe.close()
        assert not reading.closed


def test_a_file_and_a_buffer_are_no_pipes(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a")
    with (tmp_path / "f").open("rb") as file:
        assert live(file) is None
    assert live(io.BytesIO(b"a")) is None
    assert live(object()) is None


@pytest.mark.parametrize(
    ("whole", "rest"),
    [
        (b"a,b\n1,2\n", b"3"),
        (b"", b"a,b"),
        (b'a,"b\n"\n', b'1,"2\n'),
        (b"", b'"a\n\nb'),
        (b'a,"b ""c""\n"\n', b"1"),
        (b'5" pipe,x\n', b"1"),
        (b'5" pipe,"x\n"\n', b'1,"\n'),
    ],
)
def test_the_last_row_ends_outside_of_quotes(whole: bytes, rest: bytes) -> None:
    assert row_end(whole + rest, b",", b"\n") == len(whole)
    swap = {ord(","): ";", ord("\n"): "\r"}
    data = (whole + rest).decode().translate(swap).encode()
    assert row_end(data, b";", b"\r") == len(whole)


@pytest.mark.parametrize("data", [b"007", b"1,07", b"a\n-01", b'"+08"', b"x,00"])
def test_a_number_with_a_leading_zero(data: bytes) -> None:
    assert may_have_leading_zero(data)


@pytest.mark.parametrize("data", [b"", b"0", b"0,1", b"0.05", b"10", b"2023-07-05", b"12:05", b"a01", b"1e-05"])
def test_no_number_has_a_leading_zero(data: bytes) -> None:
    assert not may_have_leading_zero(data)
