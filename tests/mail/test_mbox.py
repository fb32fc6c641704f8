"""The messages of an mbox."""

import pytest

from likely.mail import mbox
from likely.mail.item import Item
from likely.mail.mailbox import messages

from .test_mailbox import LINE, ONE, TWO, found, write


def bodies(path, data):
    return [item.raw for item in messages(write(path, data))]


def test_an_mbox(tmp_path):
    path = write(tmp_path / "work.mbox", LINE + ONE + b"\n" + LINE + TWO + b"\n")
    assert found(path) == [("work", "work.mbox#0", ONE), ("work", "work.mbox#1", TWO)]


def test_an_mbox_is_the_same_with_other_line_ends_and_without_the_last(tmp_path):
    mbox = LINE + ONE + b"\n" + LINE + TWO
    path = tmp_path / "work.mbox"
    assert bodies(path, mbox) == [ONE, TWO]
    assert bodies(path, mbox[:-1]) == [ONE, TWO[:-1]]
    windows = [raw.replace(b"\n", b"\r\n") for raw in (ONE, TWO)]
    assert bodies(path, mbox.replace(b"\n", b"\r\n")) == windows
    assert bodies(path, b"\n\n" + mbox) == [ONE, TWO]


def test_quoted_lines_of_an_mbox_are_restored(tmp_path):
    quoted = b"From: a@b\n\n>From here\n>>From there\n> From not\nand >From not\n"
    assert bodies(tmp_path / "work.mbox", LINE + quoted) == [
        b"From: a@b\n\nFrom here\n>From there\n> From not\nand >From not\n"
    ]


@pytest.mark.parametrize(
    "text",
    [
        b"a\nFrom ann@example.org Mon Jan  1 10:00:00 2024\nb: c\n",
        b"a\n\nFrom now on all is well\nb: c\n",
        b"a\n\nFrom ann Mon Jan  1 10:00:00 2024\nwas a Monday\n",
    ],
    ids=["no blank line before", "no time", "no header after"],
)
def test_a_sentence_that_starts_with_from_starts_no_message(tmp_path, text):
    assert bodies(tmp_path / "work.mbox", LINE + b"From: a@b\n\n" + text) == [b"From: a@b\n\n" + text]


def test_lines_between_messages_as_programs_write_them(tmp_path):
    for line in (
        b"From - Tue Apr 04 19:54:53 2000\n",
        b"From MAILER-DAEMON Fri Jul  8 12:08:34 2011\n",
        b"From 1234@xxx Mon Jan 01 00:00:00 +0000 2012\n",
        b"From ???@??? Sat Aug 08 10:00:00 1998\n",
    ):
        assert bodies(tmp_path / "work.mbox", (line + ONE + b"\n") * 2) == [ONE, ONE]


def test_an_empty_mbox_has_no_messages_and_one_that_is_none_says_so(tmp_path):
    assert found(write(tmp_path / "empty.mbox", b"")) == []
    path = write(tmp_path / "work.mbox", ONE + b"\n" + LINE + TWO)
    first, second = messages(path)
    assert first == Item("work", "work.mbox#0", ONE, "the mbox does not start with a line 'From ...'")
    assert second == Item("work", "work.mbox#1", TWO)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_messages_that_lie_across_chunks_are_found(tmp_path, monkeypatch, end):
    lines, one, two = (text.replace(b"\n", end) for text in (LINE, ONE + b"said:\n>From me\n", TWO))
    data = (lines + one + end + lines + two + end) * 3
    path = write(tmp_path / "work.mbox", data)
    monkeypatch.setattr(mbox, "SEPARATOR_BYTES", 60)
    monkeypatch.setattr(mbox, "HEADER_LINE_BYTES", 30)
    for size in range(100, 500):
        monkeypatch.setattr(mbox, "CHUNK_BYTES", size)
        assert [item.raw for item in messages(path)] == [one.replace(b">From", b"From"), two] * 3
