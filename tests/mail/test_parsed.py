"""Many messages, read side by side."""

import random

import pytest

from likely.engines import threads
from likely.mail import READ_AS, Parsed, parse, parse_all, table
from likely.mail.parsed import BATCH_BYTES

from . import hostile

DICE = random.Random(7)
RAWS = [hostile.mutated(DICE, hostile.ALL_KINDS) for _ in range(3 * BATCH_BYTES // len(hostile.ALL_KINDS))]


@pytest.fixture(params=[1, 2])
def parsed(request, monkeypatch):
    monkeypatch.setattr(threads, "count", lambda: request.param)
    return parse_all(iter(RAWS))


def test_messages_are_those_that_are_read_one_by_one(parsed):
    expected = [parse(raw) for raw in RAWS]
    assert len(parsed.batches) > 2
    assert len(parsed) == len(RAWS)
    assert list(parsed) == expected
    assert [parsed[at] for at in (0, 1, len(RAWS) // 2, -1)] == [expected[at] for at in (0, 1, len(RAWS) // 2, -1)]
    assert parsed[5:9] == expected[5:9]


def test_the_table_is_that_of_the_messages(parsed):
    assert table(parsed).equals(table(list(parsed)))


def test_heads_are_what_messages_say(parsed):
    for head, message in zip(parsed.heads(), parsed, strict=True):
        senders = [token[5:] for token in message.tokens if token.startswith("from:")]
        assert head == (message.subject, message.message_id, senders[0] if senders else "", message.date)


def test_rows_that_are_not_there(parsed):
    for at in (len(RAWS), -len(RAWS) - 1):
        with pytest.raises(IndexError):
            parsed[at]


def test_no_messages():
    assert isinstance(parse_all([]), Parsed)
    assert list(parse_all([])) == []
    assert table(parse_all([])).column_names == list(READ_AS)


def test_an_error_in_what_gives_the_messages_is_raised():
    def raws():
        yield b"Subject: x\n\n"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        parse_all(raws())
