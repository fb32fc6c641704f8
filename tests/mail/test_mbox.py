"""What only mbox files do: messages without names, quoting, and two files that are written for a move."""

import os

import pytest

from likely.mail import messages
from likely.mail.account import Refused, fingerprint
from likely.mail.mbox import Mbox

from .letters import boxed, message

LINE = b"From ann@example.org Mon Jan  1 10:00:00 2024\n"
QUOTED = LINE + b"Subject: a\n\n>From here on\n>>From there\nFrom now on it is text\n\n"


def account(tmp_path, **folders):
    for name, data in folders.items():
        (tmp_path / f"{name}.mbox").write_bytes(data)
    return Mbox(tmp_path)


def test_it_reads_what_messages_reads(tmp_path):
    boxes = account(
        tmp_path, INBOX=QUOTED + boxed([message("Chess", 1), message("Chess", 1)]), Chess=boxed([b"a: b\n"])
    )
    found = [(letter.folder, letter.raw) for letter in boxes.letters(["Chess", "INBOX"])]
    assert sorted(found) == sorted((item.folder, item.raw) for item in messages(tmp_path))


@pytest.mark.parametrize("ending", [b"", b"\n"])
def test_a_move_changes_no_other_byte(tmp_path, ending):
    first, last = boxed([message("Chess", 1)]), boxed([message("Chess", 2)])
    before = boxed([message("garden", 3)]).rstrip(b"\n") + ending
    boxes = account(tmp_path, INBOX=first + QUOTED + last, Chess=before)
    key = boxes.keys("INBOX")[1]
    new_key = boxes.move("INBOX", key, "Chess")
    assert new_key == key == fingerprint(b"Subject: a\n\nFrom here on\n>From there\nFrom now on it is text\n")
    assert (tmp_path / "INBOX.mbox").read_bytes() == first + last
    assert (tmp_path / "Chess.mbox").read_bytes() == before.rstrip(b"\n") + b"\n\n" + QUOTED
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Chess.mbox", "INBOX.mbox"]


def test_into_an_empty_file_and_the_last_out_of_one(tmp_path):
    boxes = account(tmp_path, INBOX=QUOTED, Chess=b"")
    boxes.move("INBOX", boxes.keys("INBOX")[0], "Chess")
    assert (tmp_path / "INBOX.mbox").read_bytes() == b""
    assert (tmp_path / "Chess.mbox").read_bytes() == QUOTED
    assert [folder.name for folder in boxes.folders()] == ["Chess", "INBOX"]


def test_a_status_that_changes_does_not_change_the_key(tmp_path):
    boxes = account(tmp_path, INBOX=boxed([message("Chess", 1)]))
    keys = boxes.keys("INBOX")
    data = (tmp_path / "INBOX.mbox").read_bytes()
    (tmp_path / "INBOX.mbox").write_bytes(data.replace(b"Subject:", b"Status: RO\nSubject:", 1))
    assert boxes.keys("INBOX") == keys


def test_the_lock_of_another_program_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("likely.mail.mbox.LOCKED", 0.1)
    boxes = account(tmp_path, INBOX=QUOTED, Chess=b"")
    (key,) = boxes.keys("INBOX")
    lock = tmp_path / "INBOX.mbox.lock"
    for holder in ("", str(os.getppid())):
        lock.write_text(holder)
        with pytest.raises(Refused, match=r"'INBOX\.mbox' is locked by another program"):
            boxes.move("INBOX", key, "Chess")
        assert lock.exists()
    assert not (tmp_path / "Chess.mbox.lock").exists()
    lock.write_text(str(2**22 + 1))  # of a process that cannot be
    boxes.move("INBOX", key, "Chess")
    assert not lock.exists()
