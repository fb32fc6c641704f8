"""Transfer encodings, beside Python's own readers of them."""

import base64
import binascii
import quopri

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likely.mail.message import parse


def transferred(data, encoding):
    """The bytes that a body stands for, and what is told. In this charset every byte is a character."""
    head = f"Content-Type: text/plain; charset=iso-8859-15\nContent-Transfer-Encoding: {encoding}\n\n"
    read = parse(head.encode() + data)
    return read.text.encode("iso-8859-15"), list(read.problems)


DAMAGED = ["base64 is damaged: read as far as it could be"]


def letters(alphabet):
    return st.lists(st.sampled_from(alphabet) | st.integers(0, 255).map(lambda byte: bytes([byte]))).map(b"".join)


def test_transfer_encodings():
    text = "Grüße\n".encode() * 20
    assert transferred(quopri.encodestring(text), "quoted-printable") == (text, [])
    assert transferred(base64.encodebytes(text), "base64") == (text, [])
    lines = b"".join(binascii.b2a_uu(text[at : at + 45]) for at in range(0, len(text), 45))
    assert transferred(b"begin 644 a.txt\n" + lines + b"`\nend\n", "x-uuencode") == (text, [])
    assert transferred(text, "8bit") == (text, [])
    assert transferred(text, "9bit") == (text, ["transfer encoding '9bit' is unknown: read as it stands"])


@given(letters([b"=", b"==", b"=4", b"=\r", b"=\n", b"=\r\n", b"=e9", b"=E9", b"a", b"_"]))
@example(b"=\rlost\nkept")
def test_quoted_printable_is_read_as_python_reads_it(data):
    assert transferred(data, "quoted-printable") == (binascii.a2b_qp(data), [])


@given(letters([b"=", b"==", b"YQ==", b"YWI=", b"YWJj", b"/", b"+", b"-", b"\n"]))
def test_base64_is_read_as_python_reads_it_as_far_as_it_goes(data):
    try:
        expected = binascii.a2b_base64(data), []
    except binascii.Error:
        kept = bytes(byte for byte in data if chr(byte).isascii() and (chr(byte).isalnum() or byte in b"+/"))
        kept = kept[: len(kept) - (len(kept) % 4 == 1)]
        expected = binascii.a2b_base64(kept + b"=" * (-len(kept) % 4)), DAMAGED
    assert transferred(data, "base64") == expected


@pytest.mark.parametrize("lost", [1, 2, 3, 5])
def test_base64_that_is_cut_is_read_as_far_as_it_goes(lost):
    found, problems = transferred(base64.b64encode(b"a long sentence")[:-lost], "base64")
    assert b"a long sentence".startswith(found)
    assert len(found) >= 15 - lost
    assert problems == DAMAGED


@given(st.lists(st.binary(min_size=1, max_size=45), max_size=5))
def test_uuencoded_lines_are_read_as_python_reads_them(lines):
    data = b"".join(binascii.b2a_uu(line) for line in lines)
    assert transferred(b"begin 644 a\n" + data + b"end\nmore", "uue") == (b"".join(lines), [])


@given(st.binary(max_size=60))
def test_uuencoding_never_fails_and_never_grows(data):
    assert len(transferred(data, "uue")[0]) <= len(data)


def test_damaged_uuencoding_loses_its_bad_lines():
    assert transferred(b"begin 644 a\n\xff\xff\n" + binascii.b2a_uu(b"kept") + b"end", "uue") == (
        b"kept",
        ["uuencoded lines are damaged: left out"],
    )
