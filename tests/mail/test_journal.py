"""Every move is written before it happens: what becomes of it when the process is killed, refused, or undone."""

import json
import os
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

        def run(**arguments):
            process.stdin.write(json.dumps(arguments) + "\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        yield run
        process.stdin.close()


class Killing:
    """An account with a message that is moved, and moved back, by processes that are killed: at every step in turn,
    until one does all it was to do."""

    def __init__(self, place, path, run):
        place.create("Chess")
        place.put("Chess", message("Chess", 0))  # like the one that is moved: the two must not be confused
        self.place, self.path, self.run = place, path, run
        self.account, self.journal = place.account(), Journal(opened(path))
        self.account.late = 0.0  # as if it had been minutes ago

    def steps(self, prepare, **options):
        """How each move ended that a killed process had begun; "none" where it was not even written.

        At a server, which takes long, only every third step is tried unless LIKELY_EVERY_KILL is set, as in CI."""
        ended, step = -signal.SIGKILL, 0
        stride = 3 if self.place.kind == "imap" and "LIKELY_EVERY_KILL" not in os.environ else 1
        while ended:
            arguments = prepare()
            before, written = self.contents(), len(self.journal.of())
            ended = self.run(step=step, database=str(self.path), address=self.account.address, **arguments, **options)
            assert ended in (0, -signal.SIGKILL)
            self.journal.recover(self.account)
            assert not self.journal.of("state = 'intended'")
            after = self.contents()
            assert sorted(before["INBOX"] + before["Chess"]) == sorted(after["INBOX"] + after["Chess"])
            moves = self.journal.of()[written:]
            assert len(moves) <= 1
            moved = before != after
            assert moved == (bool(moves) and moves[0].state == "moved")
            if moved:
                assert moves[0].new_key in self.account.keys(moves[0].target)
            yield moves[0].state if moves else "none"
            step += stride

    def contents(self):
        return {folder: [letter.raw for letter in self.account.letters([folder])] for folder in ("INBOX", "Chess")}

    def in_inbox(self):
        if not self.account.keys("INBOX"):
            self.place.put("INBOX", message("Chess", 0))
        return {"key": self.account.keys("INBOX")[0]}

    def moved(self):
        if not self.journal.undoable():
            assert self.journal.move(self.account, subject(self.account, **self.in_inbox()), "Chess").state == "moved"
        return {"undo": self.journal.undoable()[0].id}


@pytest.fixture
def killing(place, tmp_path, killed):
    killing = Killing(place, tmp_path / "journal.sqlite", killed)
    yield killing
    killing.account.close()


def test_a_move_killed_at_any_step_leaves_each_message_in_one_folder(killing):
    assert set(killing.steps(killing.in_inbox, to="Chess")) == {"none", "stopped", "moved"}


def test_an_undo_killed_at_any_step_leaves_each_message_in_one_folder(killing):
    assert set(killing.steps(killing.moved)) == {"none", "stopped", "moved"}


def test_a_refused_move_killed_at_any_step_stops_nothing(killing):
    assert set(killing.steps(killing.in_inbox, to="Nowhere")) == {"none", "refused"}


def test_without_move_and_uidplus_a_move_killed_at_any_step_changes_nothing(imap, tmp_path, request):
    place = imap(move=False, uidplus=False)
    killing = Killing(place, tmp_path / "journal.sqlite", request.getfixturevalue("killed"))
    assert set(killing.steps(killing.in_inbox, to="Chess")) == {"none", "stopped", "refused"}
    killing.account.close()


def test_an_undo_that_is_refused_killed_at_any_step_stops_nothing(killing):
    move = killing.moved()
    (moved,) = killing.journal.undoable()
    killing.account.move("Chess", moved.new_key, "INBOX")
    assert set(killing.steps(lambda: move)) == {"none", "refused"}


@pytest.mark.parametrize("state", [("", ""), ("", "1.2"), ("7.1", ""), ("x.y", "what is this"), ("7.1", "7.999999")])
def test_any_state_that_a_journal_may_hold_is_settled(place, journal, state):
    """Earlier versions could be killed before they wrote a mark, or after a move was refused."""
    place.create("Chess")
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    account.late = 0.0  # as if it had been minutes ago
    keys, (key, mark) = account.keys("INBOX"), state
    for source, target in (("INBOX", "Chess"), ("INBOX", "Nowhere"), ("Nowhere", "Chess")):
        journal._begun(Subject(source, key, "of-none", "", ""), target, mark, None, None)
    assert [move.state for move in journal.recover(account)] == ["stopped"] * 3
    assert all(move.why for move in journal.of())
    assert account.keys("INBOX") == keys
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
    undone = [journal.undo(account, move) for move in journal.undoable()[:1]]
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


def test_an_undo_of_what_was_moved_from_a_folder_that_is_renamed_is_refused(place, journal):
    place.create("Chess")
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    move = journal.move(account, subject(account, account.keys("INBOX")[0]), "Chess")
    place.delete_folder("Chess")
    undone = journal.undo(account, move)
    assert undone.state == "refused"
    assert "Chess" in undone.why
    account.close()
