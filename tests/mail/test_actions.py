"""In place of a move: copies and flags, killed at every step, undone, and done once."""

import os
import signal

import pytest

from likely.mail.account import Refused
from likely.mail.actions import COPY, Flagging
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.journal import Journal

from .fake_imap import FakeImap
from .filers import filled
from .letters import WORDS, message
from .places import MaildirPlace
from .test_journal import killed, subject  # noqa: F401 (a fixture)

FLAG = Flagging("likely")


class Steps:
    """Runs an action in a process that is killed at each step in turn, until one is not, and settles it."""

    def __init__(self, place, path, run):
        self.place, self.path, self.run = place, path, run
        self.account, self.journal = place.account(), Journal(opened(path))
        self.account.late = 0.0  # as if it had been minutes ago

    def states(self, prepare, check):
        ended, step = -signal.SIGKILL, 0
        stride = 3 if self.place.kind == "imap" and "LIKELY_EVERY_KILL" not in os.environ else 1
        found = set()
        while ended:
            arguments, written = prepare(), len(self.journal.of())
            ended = self.run(step=step, database=str(self.path), address=self.account.address, **arguments)
            assert ended in (0, -signal.SIGKILL)
            self.journal.recover(self.account)
            assert not self.journal.of("state = 'intended'")
            moves = self.journal.of()[written:]
            state = moves[0].state if moves else "none"
            check(state == "moved")
            found.add(state)
            step += stride
        return found

    def contents(self, folder):
        return [letter.raw for letter in self.account.letters([folder])]


@pytest.fixture
def steps(place, tmp_path, killed):  # noqa: F811
    place.create("Chess")
    place.put("INBOX", message("Chess", 0))
    steps = Steps(place, tmp_path / "journal.sqlite", killed)
    yield steps
    steps.account.close()


def test_a_copy_killed_at_any_step_is_made_once_or_not_at_all(steps):
    (key,), (raw,) = steps.account.keys("INBOX"), steps.contents("INBOX")

    def prepare():
        for move in steps.journal.undoable():
            assert steps.journal.undo(steps.account, move).state == "moved"
        assert steps.contents("Chess") == []
        return {"key": key, "to": "Chess", "action": "copy"}

    def check(done):
        assert steps.contents("INBOX") == [raw]
        assert steps.contents("Chess") == [raw] * done

    assert steps.states(prepare, check) == {"none", "stopped", "moved"}


def test_the_undo_of_a_copy_killed_at_any_step_leaves_the_original(steps):
    (key,), (raw,) = steps.account.keys("INBOX"), steps.contents("INBOX")

    def prepare():
        if not steps.journal.undoable():
            steps.journal.move(steps.account, subject(steps.account, key), "Chess", action=COPY)
        return {"undo": steps.journal.undoable()[0].id}

    def check(done):
        assert steps.contents("INBOX") == [raw]
        assert steps.contents("Chess") == [raw] * (not done)

    assert steps.states(prepare, check) == {"none", "stopped", "moved"}


def test_a_flag_and_its_undo_killed_at_any_step(imap, tmp_path, request):
    place = imap()
    place.create("Chess")
    place.put("INBOX", message("Chess", 0))
    steps = Steps(place, tmp_path / "journal.sqlite", request.getfixturevalue("killed"))
    (key,) = steps.account.keys("INBOX")

    def has():
        return "likely" in steps.account.keywords("INBOX", key)

    def undone():
        for move in steps.journal.undoable():
            steps.journal.undo(steps.account, move)
        assert not has()
        return {"key": key, "to": "Chess", "action": "flag"}

    def flagged():
        if not has():
            steps.journal.move(steps.account, subject(steps.account, key), "Chess", action=FLAG)
        return {"undo": steps.journal.undoable()[0].id}

    def as_written(done):
        assert has() == done

    def as_undone(done):
        assert has() != done

    assert steps.states(undone, as_written) == {"none", "stopped", "moved"}
    assert steps.states(flagged, as_undone) == {"none", "stopped", "moved"}
    assert steps.account.keys("INBOX") == [key]
    steps.account.close()


def test_copies_are_made_once_and_learned_as_what_likely_filed(place, tmp_path):
    filled(place)
    place.put("INBOX", *(message(folder, 1000 + number) for number, folder in enumerate(WORDS)))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    assert [one.action for one in filer.file(0.97, action=COPY)] == ["would copy"] * 3
    assert [one.action for one in filer.file(0.97, True, action=COPY)] == ["copied"] * 3
    again = filer.file(0.97, True, action=COPY)
    assert [(one.action, one.why) for one in again] == [("left", "it was copied before")] * 3
    assert len(filer.account.keys("INBOX")) == 3
    lesson = filer.learn()
    assert (lesson.learned, lesson.waiting) == (0, 3)
    done = filer.undo(last=3)
    assert [move.state for move in done] == ["moved"] * 3
    assert [len(filer.account.keys(folder)) for folder in WORDS] == [60] * 3
    assert [one.action for one in filer.file(0.97, True, action=COPY)] == ["left"] * 3
    filer.account.close()


def test_the_only_copy_that_is_left_is_not_removed(place, tmp_path):
    place.create("Chess")
    place.create("garden")
    place.put("INBOX", message("Chess", 1))
    account, journal = place.account(), Journal(opened(tmp_path / "journal.sqlite"))
    (key,) = account.keys("INBOX")
    copy = journal.move(account, subject(account, key), "Chess", action=COPY)
    account.move("INBOX", key, "garden")
    undone = journal.undo(account, copy)
    assert (undone.state, "no copy in 'INBOX'" in undone.why) == ("refused", True)
    assert len(account.keys("Chess")) == 1
    account.close()


def test_flags_by_imap(imap, tmp_path):
    place = filled(imap())
    place.put("INBOX", *(message(folder, 1000 + number) for number, folder in enumerate(WORDS)))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    keys = filer.account.keys("INBOX")
    filer.account.flag("INBOX", keys[0], "likely-Arbeit_Pl_ne", True)  # by another program
    action = Flagging("likely-{folder}")
    done = filer.file(0.97, True, action=action)
    assert sorted(one.action for one in done) == ["flagged", "flagged", "refused"]
    words = [filer.account.keywords("INBOX", key) - {"\\recent"} for key in keys]
    assert words == [{"likely-arbeit_pl_ne"}, {"likely-chess"}, {"likely-garden"}]
    assert filer.account.keys("INBOX") == keys
    assert (filer.learn().waiting, len(filer.undo(last=5))) == (0, 2)
    words = [filer.account.keywords("INBOX", key) - {"\\recent"} for key in keys]
    assert words == [{"likely-arbeit_pl_ne"}, set(), set()]
    filer.account.close()


def test_what_was_flagged_for_a_trial_is_moved_later(imap, tmp_path):
    place = filled(imap())
    place.put("INBOX", *(message("Chess", 1000 + number) for number in range(2)))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    assert [one.action for one in filer.file(0.97, True, action=FLAG)] == ["flagged"] * 2
    filer.undo(last=1)
    again = filer.file(0.97, True, action=FLAG)
    assert sorted(one.why for one in again) == ["it was flagged before", "it was flagged before, and you undid it"]
    moved = filer.file(0.97, True)
    assert sorted((one.action, one.why) for one in moved) == [
        ("left", "it was flagged before, and you undid it"),
        ("moved", ""),
    ]
    filer.account.close()


def test_where_no_flag_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    filer = Filer(MaildirPlace(tmp_path / "mail").account(), opened(tmp_path / "ann.sqlite"))
    with pytest.raises(Refused, match="only IMAP has keywords"):
        filer.file(0.97, True, action=FLAG)
    with FakeImap(answer=lambda words: ["OK done"] if words[0] == "UID STORE" else None) as server:
        server.folders["INBOX"].add(message("Chess", 1))
        account = server.account()
        with pytest.raises(Refused, match="does not store the keyword 'likely'"):
            account.flag("INBOX", "7.1", "likely", True)
        account.close()


@pytest.mark.parametrize("keyword", ["", "two words", "\\Seen", "a(b", "ä", "x" * 61])
def test_what_is_no_keyword(keyword):
    with pytest.raises(ValueError, match="is no keyword"):
        Flagging(keyword)
