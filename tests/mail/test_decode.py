"""Charsets, by the names that mail gives them."""

import pytest

from likely.mail.decode import codec
from likely.mail.message import parse


def decoded(data, charset):
    field = f"Content-Type: text/plain; charset={charset}\n" if charset else "Subject: x\n"
    read = parse(field.encode() + b"\n" + data)
    return read.text, list(read.problems)


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
