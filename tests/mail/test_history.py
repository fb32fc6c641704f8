"""Messages as a table, in the order of their dates."""

from time import time

import pytest

from likely.mail import parse, table
from likely.mail.account import Letter
from likely.mail.history import History

from .letters import mixed


def of(raws, arrived=0.0):
    return History.of_letters(Letter("Chess", str(at), raw, arrived) for at, raw in enumerate(raws))


def test_they_are_in_the_order_of_their_dates():
    raws = [raw for _, raw in mixed(60)]
    history = of(raws[::-1])
    assert [entry.key for entry in history.entries] == [str(at) for at in range(59, -1, -1)]
    assert (
        history.mail.equals(table(map(parse, raws)).combine_chunks())
        or history.mail.to_pylist() == table(map(parse, raws)).to_pylist()
    )


def test_more_than_are_parsed_at_once(monkeypatch):
    raws = [raw for _, raw in mixed(60)]
    whole = of(raws)
    monkeypatch.setattr("likely.mail.parsed.BATCH_BYTES", 5 * len(raws[0]))
    parts = of(raws)
    assert parts.entries == whole.entries
    assert parts.mail.to_pylist() == whole.mail.to_pylist()


def test_part_of_it():
    history = of([raw for _, raw in mixed(9)])
    part = history.of([7, 2])
    assert [entry.key for entry in part.entries] == ["7", "2"]
    assert part.mail.to_pylist() == [history.mail.to_pylist()[row] for row in (7, 2)]
    assert len(history.of([])) == history.of([]).mail.num_rows == 0


@pytest.mark.parametrize("date", ["1 Jan 1970 00:00:00 +0000", "1 Jan 2070 00:00:00 +0000", "soon"])
def test_where_a_date_cannot_be_it_is_when_it_came(date):
    (entry,) = of([f"Date: {date}\n\na".encode()], arrived=1_700_000_000.0).entries
    assert entry.date == 1_700_000_000.0


def test_a_date_from_the_future_of_a_message_of_which_nothing_else_is_known():
    (entry,) = of([b"Date: 1 Jan 2070 00:00:00 +0000\n\na"]).entries
    assert entry.date == 0.0 < time()


def test_what_is_kept_of_a_message():
    (entry,) = of([b"From: Ann <Ann@example.org>\nSubject: =?utf-8?q?caf=C3=A9?=\nMessage-ID: <1@a>\n\nb"]).entries
    assert (entry.sender, entry.subject, entry.message_id.strip("<>")) == ("ann@example.org", "café", "1@a")


def test_copies_have_the_same_number():
    """Also where each has its own message ID; a message that differs in its text alone is another."""
    one = b"From: a@x.org\nSubject: tea\nDate: 1 Jan 2024 10:00:00 +0000\n%s\nat four"
    raws = [one % b"", one % b"Message-ID: <2@x.org>\n", one % b"" + b"ty", mixed(1)[0][1], one % b"X-Other: 1\n"]
    history = of(raws)
    numbers = dict(zip([entry.key for entry in history.entries], history.letters.tolist(), strict=True))
    assert len(set(numbers.values())) == 3
    assert numbers["0"] == numbers["1"] == numbers["4"]
