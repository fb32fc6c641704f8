"""Charsets that the core reads itself, beside Python's codecs."""

import codecs

from hypothesis import given
from hypothesis import strategies as st

from likely.mail.message import parse

UNNAMED = "text is neither ASCII nor UTF-8, and no charset is named: read as Windows-1252"


def decoded(data, charset):
    read = parse(f"Content-Type: text/plain; charset={charset}\n\n".encode() + data)
    return read.text, list(read.problems)


def test_every_byte_of_windows_1252():
    for byte in range(256):
        text = bytes([byte]).decode("cp1252", "replace")
        for charset in ("windows-1252", "iso-8859-1"):
            problems = [f"text holds bytes that are not valid {charset}"] if text == "\ufffd" else []
            assert decoded(b"a" + bytes([byte]) + b"b", charset) == (f"a{text}b", problems)


NO_UTF_8 = (
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xc1\x81", b"\xe0", b"\xf0", b"\xf4",
)  # fmt: skip
BYTES = st.lists(st.text(max_size=3).map(str.encode) | st.binary(max_size=2) | st.sampled_from(NO_UTF_8)).map(b"".join)


@given(BYTES)
def test_bytes_without_a_charset_are_utf_8_that_may_be_cut_or_windows_1252(data):
    try:
        expected = codecs.utf_8_decode(data, "strict", False)[0], []
    except UnicodeDecodeError:
        expected = data.decode("cp1252", "replace"), [UNNAMED]
    assert decoded(data, "us-ascii") == expected


@given(BYTES)
def test_utf_8_is_read_as_python_reads_it(data):
    text = data.decode(errors="replace")
    problems = ["text holds bytes that are not valid utf-8"] if "\ufffd" in text else []
    assert decoded(data, "utf-8") == (text, problems) or "\ufffd".encode() in data
