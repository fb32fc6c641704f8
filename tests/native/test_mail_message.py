"""Whole messages, many at a time, damaged and made to hurt: what is read elsewhere, here under sanitizers too."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native
from likely.mail import header
from likely.mail.decode import decode
from likely.mail.message import LIMITS, READER, message

from ..mail import hostile

FIELDS = list(header.READ.items())


def rows(raws):
    mail = READER.read(raws)
    return [mail.row(at) for at in range(len(mail))]


def test_messages_read_together_are_those_read_one_by_one():
    dice = random.Random(0)
    raws = [hostile.mutated(dice, hostile.ALL_KINDS) for _ in range(500)]
    assert rows(raws) == [rows([raw])[0] for raw in raws]
    assert rows([]) == []


def test_columns_are_the_rows_side_by_side():
    dice = random.Random(1)
    mail = READER.read([hostile.mutated(dice, hostile.ALL_KINDS) for _ in range(50)])
    for column in range(7):
        ends, data = mail.buffers(column)
        texts = [bytes(data[a:b]).decode() for a, b in pairwise(ends)]
        assert texts == [mail.row(at)[column] for at in range(len(mail))]


def test_every_beginning_of_a_message():
    READER.read([hostile.ALL_KINDS[:end] for end in range(len(hostile.ALL_KINDS))])


@given(st.binary(max_size=300))
def test_any_bytes(raw):
    READER.read([raw])


PIECES = (
    *hostile.PIECES, b"\n", b":", b" ", b"Content-Type:", b"multipart/mixed;boundary=b", b"--b", b"text/html",
    b"<img alt='", b"&#", b"message/rfc822", b"To:", b"@", b"base64",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES)))
def test_any_pieces(pieces):
    READER.read([b"".join(pieces)])


@pytest.mark.parametrize("name", ["10,000 nested parts", "base64 in base64", "fields that all count", "links",
                                  "lines that are no fields", "1,000 attachments", "uuencoded lines", "a long boundary",
                                  "parameters without end", "addresses without end", "entities"])  # fmt: skip
def test_what_is_made_to_hurt(name):
    message(READER.read([hostile.BOMBS[name]()]), 0)


def test_what_is_no_message():
    with pytest.raises(ValueError, match="a message is bytes"):
        READER.read(["text"])
    with pytest.raises(TypeError):
        READER.read((b"",))
    mail = READER.read([b""])
    for at in (1, 2**64 - 1):
        with pytest.raises(ValueError, match="not as many messages"):
            mail.row(at)
    with pytest.raises(ValueError, match="not as many columns"):
        mail.buffers(7)


@pytest.mark.parametrize(
    ("limits", "fields", "match"),
    [
        ((*LIMITS[:11], 50, 20), FIELDS, "more characters"),
        (LIMITS, [("to", "backwards")], "not known"),
        (LIMITS, [("x" * 41, "words")], "too long"),
    ],
)
def test_what_is_no_reading(limits, fields, match):
    with pytest.raises(ValueError, match=match):
        _native.MailReader(limits, fields, decode, header.without_leaks)


@pytest.mark.parametrize("limits", [(0,) * 11 + (60, 0), (1,) * 11 + (60, 1), (100,) * 13])
def test_any_limits_hold(limits):
    dice = random.Random(2)
    reader = _native.MailReader(limits, FIELDS, decode, header.without_leaks)
    mail = reader.read([hostile.mutated(dice, hostile.ALL_KINDS) for _ in range(200)])
    for at in range(len(mail)):
        text, marks, subject, *_, problems = mail.row(at)
        assert len(text) - len(subject) - 1 <= limits[5]
        assert len(marks.split()) <= limits[7]
        assert len(problems.splitlines()) <= limits[12]


@given(
    st.lists(st.sampled_from([b"From ", b"\n", b">", b"F", b"From", b" ", b"x"])).map(b"".join),
    st.integers(0, 9),
    st.integers(0, 99),
)
def test_lines_of_an_mbox(window, start, end):
    lines = [at for at in range(1, len(window)) if window.startswith(b"From ", at) and window[at - 1] in b"\n>"]
    assert _native.from_lines(window, start, end) == [at for at in lines if start <= at <= end - 5]
