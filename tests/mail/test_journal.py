"""Every move is written before it happens: what becomes of it when the process is killed, refused, or undone."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from likely.mail.database import opened
from likely.mail.journal import Journal, Subject

from .letters import message


def subject(account, key, folder="INBOX"):
    (letter,) = account.read(folder, [key])
    return Subject(folder, key, letter.fingerprint, "<1@example.org>", "a subject")


@pytest.fixture
def journal(tmp_path):
    return Journal(opened(tmp_path / "journal.sqlite"))


@pytest.fixture
def killed():
    """Moves a message in another process, which is killed at a step; gives how that process ended."""
    program = [sys.executable, str(Path(__file__).with_name("killed.py"))]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def move(*arguments):
            process.stdin.write(json.dumps(arguments) + "\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        yield move
        process.stdin.close()


def test_a_process_killed_at_any_step_leaves_each_message_in_one_folder(place, tmp_path, killed):
    """For real: before and after all that changes anything."""
    place.create("Chess")
    place.put("Chess", message("Chess", 0))  # like the one that is moved: it must not be taken for it
    path = str(tmp_path / "journal.sqlite")
    account, journal, ended, outcomes = place.account(), Journal(opened(Path(path))), -signal.SIGKILL, []
    while ended:
        if not account.keys("INBOX"):
            place.put("INBOX", message("Chess", 0))
        (key,) = account.keys("INBOX")
        there, written = len(account.keys("Chess")), len(journal.of())
        ended = killed(len(outcomes), path, account.address, key, "Chess")
        assert ended in (0, -signal.SIGKILL)
        journal.recover(account)
        moves = journal.of()
        assert not journal.of("state = 'intended'")
        if account.keys("INBOX"):
            assert len(account.keys("Chess")) == there
            assert len(moves) == written or moves[-1].state == "stopped"
        else:
            assert len(account.keys("Chess")) == there + 1
            assert moves[-1].state == "moved"
            assert moves[-1].new_key in account.keys("Chess")
        outcomes.append("none" if len(moves) == written else moves[-1].state)
    assert set(outcomes) == {"none", "stopped", "moved"}
    account.close()


def test_undo_puts_back_what_was_moved_and_is_written_too(place, journal):
    place.create("Chess")
    place.put("INBOX", message("Chess", 1), message("Chess", 2))
    account = place.account()
    before = sorted(letter.raw for letter in account.letters(["INBOX"]))
    moves = [journal.move(account, subject(account, key), "Chess", 0.98) for key in account.keys("INBOX")]
    assert [move.state for move in moves] == ["moved", "moved"]
    assert account.keys("INBOX") == []
    assert [move.id for move in journal.undoable()] == [2, 1]
    undone = [journal.undo(account, move) for move in journal.undoable(last=1)]
    assert [(move.undoes, move.state) for move in undone] == [(2, "moved")]
    assert [move.id for move in journal.undoable(since=0.0)] == [1]
    journal.undo(account, journal.undoable()[0])
    assert sorted(letter.raw for letter in account.letters(["INBOX"])) == before
    assert account.keys("Chess") == []
    assert journal.undoable() == []
    account.close()


def test_what_its_owner_has_moved_on_is_not_undone(place, journal):
    place.create("Chess")
    place.create("garden")
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    move = journal.move(account, subject(account, account.keys("INBOX")[0]), "Chess")
    account.move("Chess", move.new_key, "garden")
    undone = journal.undo(account, move)
    assert (undone.state, undone.why) == ("refused", "it is not in 'Chess' any more")
    assert len(account.keys("garden")) == 1
    assert journal.undoable() == [move]
    account.close()


def test_a_refusal_is_written_and_the_message_stays(place, journal):
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    keys = account.keys("INBOX")
    move = journal.move(account, subject(account, keys[0]), "Nowhere")
    assert (move.state, move.why) == ("refused", "there is no folder 'Nowhere'")
    assert account.keys("INBOX") == keys
    assert journal.undoable() == []
    account.close()
