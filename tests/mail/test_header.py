"""The fields of a header: their values, parameters, and the tokens that they make."""

import pytest

from likely.mail.header import FIELD_TOKENS, LEAKS, READ, TOKEN_CHARS
from likely.mail.message import parse


def made_of(name, value):
    """The tokens that a field makes."""
    tokens = parse(f"{name}: {value}\n\n".encode()).tokens
    return [token for token in tokens if not token.startswith(("thread:", "content-type:"))]


def test_names_and_folds_in_all_their_forms():
    read = parse(b"TO: a@b.c,\r\n\td@e.f\r\nX-Empty:\r\nSubject : c: d\r\n\r\n")
    assert read.tokens[:4] == ("to:a@b.c", "to:b.c", "to:d@e.f", "to:e.f")
    assert (read.subject, read.problems) == ("c: d", ())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain   and\r\n simple", "plain and simple"),
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
    assert parse(b"Subject: " + value.encode("latin-1") + b"\n\n").subject == text


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("multipart/mixed; boundary=abc; x=y", "abc"),
        ('multipart/mixed; x="; "; BOUNDARY = "a b;c"', "a b;c"),
        (r'multipart/mixed; boundary="a\"b"', 'a"b'),
        ("multipart/mixed; boundary*0=ab; boundary*1=cd", "abcd"),
        ("multipart/mixed; boundary*=utf-8''a%20%C3%BC", "a ü"),
        ("multipart/mixed; boundary*0*=iso-8859-1'de'%FC; boundary*1=c", "üc"),
        ("multipart/mixed; boundary=a; boundary=b", "a"),
    ],
)
def test_parameters(value, found):
    """By the boundary that parts are found with."""
    raw = f"Content-Type: {value}\n\n--{found}\n\none\n--{found}--\n".encode()
    assert parse(raw).text == "one"


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
    assert made_of(name, value) == [f"{name}:{token}" for token in found]


def test_tokens_are_bounded():
    assert len(made_of("to", "a@b.c, " * 500)) == FIELD_TOKENS
    assert max(map(len, made_of("to", "a" * 500 + "@b.c"))) == TOKEN_CHARS
    assert max(map(len, made_of("subject", "\u00fc" * 500))) == TOKEN_CHARS


@pytest.mark.parametrize(
    "name",
    ["X-Spam-Status", "X-Spam", "X-Folder", "X-Original-Folder", "Status", "X-Status", "X-UID", "X-Keywords",
     "Envelope-To", "X-Gmail-Labels", "X-Bogosity", "X-Mozilla-Status", "X-FileName", "Authentication-Results"],
)  # fmt: skip
def test_fields_that_tell_the_label_are_named(name):
    assert LEAKS.fullmatch(name)


def test_no_field_that_is_read_tells_the_label():
    assert not [name for name in READ if LEAKS.fullmatch(name)]


def thread(references, reply, message_id):
    read = parse(f"References: {references}\nIn-Reply-To: {reply}\nMessage-ID: {message_id}\n\n".encode())
    return [token for token in read.tokens if token.startswith("thread:")]


def test_all_messages_of_a_conversation_have_one_token():
    assert thread("", "", "<a@b>") == thread("", "<a@b> of Monday", "<c@d>") == thread("<a@b> <c@d>", "<c@d>", "<e@f>")
    assert thread("", "", "<a@b>") == ["thread:a@b"]
    assert thread("", "yesterday's", "") == []
