"""Charsets and transfer encodings."""

import base64 as standard
import binascii
import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.mail.decode import base64, codec, decode, transfer_decoded
from likely.mail.problems import Problems


def decoded(data, charset):
    problems = Problems()
    return decode(data, charset, problems), list(problems.told)


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("Grüße", "utf-8"),
        ("Grüße", "iso-8859-1"),
        ("“quoted”", "windows-1252"),
        ("Привет", "koi8-r"),
        ("日本語", "iso-2022-jp"),
        ("日本語", "shift_jis"),
        ("中文", "gb2312"),
        ("한국어", "ks_c_5601-1987"),
        ("Grüße", "utf-7"),
        ("Grüße", "utf-16"),
    ],
)
def test_a_charset_is_read_by_its_name(text, charset):
    name = {"ks_c_5601-1987": "cp949"}.get(charset, charset)
    assert decoded(text.encode(name), charset) == (text, [])


def test_a_name_is_read_as_senders_mean_it():
    assert decoded(b"\x93quoted\x94", "iso-8859-1") == ("“quoted”", [])


def test_text_without_a_charset_is_utf_8_or_windows_1252():
    assert decoded("Grüße".encode(), "") == ("Grüße", [])
    assert decoded("Grüße".encode()[:-3], "") == ("Gr\u00fc", [])
    assert decoded("Grüße".encode("cp1252"), "") == (
        "Grüße",
        ["text is neither ASCII nor UTF-8, and no charset is named: read as Windows-1252"],
    )


@pytest.mark.parametrize("charset", ["x-nothing", "punycode", "idna", "unicode_escape", "zlib", "rot13", "undefined"])
def test_what_is_no_charset_is_told(charset):
    assert codec(charset) is None
    assert decoded("Grüße".encode(), charset) == (
        "Grüße",
        [f"charset {charset!r} is unknown: read as UTF-8, or else as Windows-1252"],
    )


def test_bytes_that_are_not_valid_are_told():
    assert decoded(b"a\xffb", "utf-8") == ("a\ufffdb", ["text holds bytes that are not valid utf-8"])
    assert decoded(b"a+2AA-b", "utf-7") == ("a\ufffdb", ["text holds bytes that are not valid utf-7"])


def transferred(data, encoding):
    problems = Problems()
    return transfer_decoded(data, encoding, problems), list(problems.told)


def test_transfer_encodings():
    text = "Grüße\n".encode() * 20
    assert transferred(quopri.encodestring(text), "quoted-printable") == (text, [])
    assert transferred(standard.encodebytes(text), "base64") == (text, [])
    lines = b"".join(binascii.b2a_uu(text[at : at + 45]) for at in range(0, len(text), 45))
    assert transferred(b"begin 644 a.txt\n" + lines + b"`\nend\n", "x-uuencode") == (text, [])
    assert transferred(text, "8bit") == (text, [])
    assert transferred(text, "9bit") == (text, ["transfer encoding '9bit' is unknown: read as it stands"])


def test_damaged_uuencoding_loses_its_bad_lines():
    assert transferred(b"begin 644 a\n\xff\xff\n" + binascii.b2a_uu(b"kept") + b"end", "uue") == (
        b"kept",
        ["uuencoded lines are damaged: left out"],
    )


@pytest.mark.parametrize("lost", [1, 2, 3, 5])
def test_base64_that_is_cut_is_read_as_far_as_it_goes(lost):
    problems = Problems()
    found = base64(standard.b64encode(b"a long sentence")[:-lost], problems)
    assert b"a long sentence".startswith(found)
    assert len(found) >= 15 - lost
    assert list(problems.told) == ["base64 is damaged: read as far as it could be"]


@given(st.binary(max_size=60))
def test_base64_never_fails_and_never_grows(data):
    assert len(base64(data, Problems())) <= len(data)
