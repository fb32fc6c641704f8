"""Fields, dates, parameters, and the tokens that fields make."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from likely.mail.header import (
    FIELD_TOKENS,
    KNOWN_CHARS,
    LEAKS,
    OTHERS_READ,
    READ,
    TOKEN_CHARS,
    date,
    fields,
    one_line,
    parameter,
    read,
    thread,
    tokens,
    unfolded,
    wanted_fields,
)
from likely.mail.problems import Problems

from .hostile import ALL_KINDS


def test_fields_are_unfolded():
    assert fields(b"To: a,\r\n\tb\r\nX-Empty:\r\nSubject : c: d\r\n") == [
        ("to", "a,\r b"),
        ("x-empty", ""),
        ("subject", "c: d"),
    ]


def test_the_fields_that_are_wanted_are_those_of_all_that_are_read():
    whole = ALL_KINDS.partition(b"\n\n")[0].partition(b"\n")[2]
    for head in (whole, whole.upper(), b"X-Long" + b"g" * 500 + b": y\nsubject :  a\n\t b\n c\nX: :\nTO:", b"X:y"):
        found = wanted_fields(head.decode("latin-1"))
        assert [(name, one_line(value)) for name, value in found] == [
            (name, value) for name, value in fields(head) if name in READ or name in OTHERS_READ
        ]


@pytest.mark.parametrize(
    "head",
    ["", " a: b", "Subject", "Subject: a\nno field\nTo: b", "Subject: a\n \nTo: b", "Subject: a\n", ": a",
     "To\n : b", "T o: a", "T\xf6: a", "Subject: a\n \x0b"],
)  # fmt: skip
def test_a_header_with_a_line_that_is_no_field_is_left_to_those_who_look_closer(head):
    assert wanted_fields(head) is None


@pytest.mark.parametrize("value", ["A  b", "a@b.c,\n d@e.f", "=?utf-8?q?a=C3=BC?=", "Gr\xfc\xdfe", "a@b.c," * 100])
def test_what_is_known_of_a_field_is_what_would_be_read(value):
    for name in READ:
        for _ in range(2):
            assert read(name, value, Problems()) == (
                unfolded(value, Problems()),
                tokens(name, unfolded(value, Problems())),
            )
    assert len("a@b.c," * 100) > KNOWN_CHARS


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain   and\r simple", "plain and simple"),
        ("=?utf-8?q?Gr=C3=BC=C3=9Fe_an?= alle", "Grüße an alle"),
        ("=?ISO-8859-1?B?R3L832U=?=", "Grüße"),
        ("=?utf-8*de?q?a?= =?utf-8?q?b?=", "ab"),
        ("=?utf-8?b?w7w=?=\t=?utf-8?q?=C3?= =?utf-8?q?=BC?=", "üü"),
        ("=?utf-8?q?50=25_off?=", "50% off"),
        ("=?utf-8?q?not closed", "=?utf-8?q?not closed"),
        ("Gr\xc3\xbc\xc3\x9fe", "Grüße"),
        ("Gr\xfc\xdfe", "Grüße"),
    ],
)
def test_values_are_decoded(value, text):
    assert unfolded(value, Problems()) == text


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("multipart/mixed; boundary=abc; x=y", "abc"),
        ('multipart/mixed; x="; "; BOUNDARY = "a b;c"', "a b;c"),
        (r'multipart/mixed; boundary="a\"b"', 'a"b'),
        ("multipart/mixed; boundary*0=ab; boundary*1=cd", "abcd"),
        ("multipart/mixed; boundary*=utf-8''a%20%C3%BC", "a ü"),
        ("multipart/mixed; boundary*0*=iso-8859-1'de'%FC; boundary*1=c", "üc"),
        ("multipart/mixed; boundary", ""),
        ("multipart/mixed; boundary=a; boundary=b", "a"),
    ],
)
def test_parameters(value, found):
    assert parameter("boundary")(value) == found


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("Mon, 1 Jan 2024 10:20:30 +0200", datetime(2024, 1, 1, 10, 20, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("1 Jan 2024 10:20 -0330", datetime(2024, 1, 1, 10, 20, tzinfo=timezone(timedelta(hours=-3.5)))),
        ("Mon, 1 Jan 2024 10:20:30 GMT", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Mon, 1 Jan 2024 10:20:30", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Mon, 1 Jan 2024 10:20:30 EST", datetime(2024, 1, 1, 15, 20, 30, tzinfo=UTC)),
        ("Monday, 01-Jan-24 10:20:30 GMT", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Mon Jan  1 10:20:30 2024", datetime(2024, 1, 1, 10, 20, 30, tzinfo=UTC)),
        ("Thu, 22 Aug 0102 12:07:35 +0000", datetime(2002, 8, 22, 12, 7, 35, tzinfo=UTC)),
        ("Mon, 31 Dec 2016 23:59:60 +0000", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("31 Feb 2024 10:20:30 +0000", None),
        ("1 Jan 2024 25:20:30 +0000", None),
        ("1 Jan 2024 10:20:30 +9999", None),
        ("1 Jan 9999 10:20:30 +0000", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(value, moment):
    assert date(value) == moment


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("subject", "Re: Lunch at 12, a b", ["re", "lunch", "at", "12"]),
        ("from", '"Ann B. Smith" <Ann@Example.org>', ["ann@example.org", "example.org", "ann", "smith"]),
        ("to", "a@b.c, Dee <d@e.f>; undisclosed", ["a@b.c", "b.c", "d@e.f", "e.f"]),
        ("list-id", "The developers <dev.Example.org>", ["dev.example.org"]),
        ("list-id", "no brackets", ["no_brackets"]),
        (
            "list-unsubscribe",
            "<mailto:x@l.example.org?a=b>, <https://w.example.org/y>",
            ["l.example.org", "w.example.org"],
        ),
        ("message-id", "<123.abc@mx.example.org>", ["mx.example.org"]),
        ("x-mailer", "Microsoft Outlook, Build 10.0.2627", ["microsoft", "outlook", "build"]),
        ("precedence", "bulk; really", ["bulk"]),
        ("newsgroups", "rec.autos,sci.med", ["rec.autos", "sci.med"]),
        ("to", "no address", []),
        ("precedence", "", []),
    ],
)
def test_tokens_are_marked_with_their_field(name, value, found):
    assert tokens(name, value) == [f"{name}:{token}" for token in found]


def test_tokens_are_bounded():
    assert len(tokens("to", "a@b.c, " * 500)) == FIELD_TOKENS
    assert max(map(len, tokens("to", "a" * 500 + "@b.c"))) == TOKEN_CHARS


@pytest.mark.parametrize(
    "name",
    ["X-Spam-Status", "X-Spam", "X-Folder", "X-Original-Folder", "Status", "X-Status", "X-UID", "X-Keywords",
     "Envelope-To", "X-Gmail-Labels", "X-Bogosity", "X-Mozilla-Status", "X-FileName", "Authentication-Results"],
)  # fmt: skip
def test_fields_that_tell_the_label_are_named(name):
    assert LEAKS.fullmatch(name)


def test_no_field_that_is_read_tells_the_label():
    assert not [name for name in READ if LEAKS.fullmatch(name)]


def test_all_messages_of_a_conversation_have_one_token():
    assert thread("", "", "a@b") == thread("", "<a@b> of Monday", "c@d") == thread("<a@b> <c@d>", "<c@d>", "e@f")
    assert thread("", "", "a@b") == ["thread:a@b"]
    assert thread("", "yesterday's", "") == []
