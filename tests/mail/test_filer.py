"""The filer files what it is sure of, leaves the rest, and puts back what it is asked to."""

import pytest

from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.knowledge import waiting
from likely.mail.rules import FolderRules

from .filers import ENOUGH, again, filled, known, moved_by_owner
from .letters import WORDS, message
from .places import MaildirPlace


def test_it_learns_and_files_what_it_is_sure_of(place, tmp_path):
    filled(place)
    place.put("INBOX", *(message(folder, 1000 + n) for n, folder in enumerate(WORDS)), b"Subject: hm\n\nzzz\n")
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    assert filer.learn().learned == ENOUGH
    before = filer.account.keys("INBOX")
    dry = filer.file(0.97)
    assert [verdict.action for verdict in dry].count("would move") == 3
    assert filer.account.keys("INBOX") == before
    done = again(filer).file(0.97, move=True)
    by_action = {verdict.entry.subject: verdict.action for verdict in done}
    assert by_action.pop("hm") == "left"
    assert set(by_action.values()) == {"moved"}
    assert len(filer.account.keys("INBOX")) == 1
    for number, folder in enumerate(WORDS):
        assert message(folder, 1000 + number) in place.contents(folder)
    left = next(verdict for verdict in done if verdict.action == "left")
    assert len(left.suggestions) == 3
    assert sum(chance for _, chance in left.suggestions) == pytest.approx(1)
    filer.account.close()


def test_what_its_owner_takes_back_stays_there_and_is_forgotten(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    filer.file(0.97, move=True)
    (moved,) = filer.journal.of()
    assert again(filer, FolderRules(settled=0.0)).learn().settled == 1
    moved_by_owner(filer, moved.new_key, "Chess", "INBOX")
    assert again(filer).learn().corrected == 1
    assert known(again(filer))["Chess"] == 60
    (verdict,) = again(filer).file(0.97, move=True)
    assert (verdict.action, verdict.why) == ("left", "you took it back")


def test_a_second_message_like_one_that_was_filed_is_filed_too(imap, tmp_path):
    place = filled(imap())
    place.put("INBOX", message("Chess", 1000))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    assert [verdict.action for verdict in filer.file(0.97, move=True)] == ["moved"]
    place.put("INBOX", message("Chess", 1000))
    assert [verdict.action for verdict in filer.file(0.97, move=True)] == ["moved"]
    assert place.contents("Chess").count(message("Chess", 1000)) == 2
    filer.account.close()


def test_what_another_process_files_meanwhile_is_no_refusal(place, tmp_path):
    """A watch lists what has come, then waits until the other is done; at a server it has read the message before."""
    filled(place)
    place.put("INBOX", *(message("Chess", 1000 + number) for number in range(3)))
    watch, other = (Filer(place.account(), opened(tmp_path / "ann.sqlite")) for _ in range(2))
    watch.learn()
    keys = watch.account.keys("INBOX")
    assert len(watch.file(0.97, keys=keys)) == 3
    assert [verdict.action for verdict in other.file(0.97, move=True, keys=keys[:2])] == ["moved"] * 2
    assert [verdict.action for verdict in watch.file(0.97, move=True, keys=keys)] == ["moved"]
    assert [move.state for move in watch.journal.of()] == ["moved"] * 3
    watch.account.close()
    other.account.close()


def test_what_was_undone_is_not_filed_again(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    filer.file(0.97, move=True)
    assert len(waiting(filer.database)) == 1
    filer.journal.undo(filer.account, filer.journal.undoable()[0])
    assert waiting(filer.database) == {}
    assert [verdict.action for verdict in again(filer).file(0.97, move=True)] == ["left"]


def test_nothing_is_filed_into_a_folder_that_is_gone(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    maildir.delete_folder("Chess")
    (verdict,) = again(filer).file(0.5)
    assert "Chess" not in [folder for folder, _ in verdict.suggestions]
    again(filer).learn()
    maildir.create("Chess")
    assert "Chess" in [folder for folder, _ in again(filer).file(0.97)[0].suggestions]


def test_the_reasons_are_those_of_a_message_not_learned(filer):
    filer.learn()
    entry, reasons = filer.why("0.12@example.org")
    assert entry.folder == "Arbeit/Pläne"
    assert reasons.classes[reasons.first_two[0]] == "Arbeit/Pläne"
    names = [reason.column for reason in reasons.ranked]
    assert any(name.startswith("marks: from:boss@work.example") for name in names)
    own = next(reason for reason in reasons.reasons if reason.column == "marks: to:ann@example.org")
    assert abs(reasons.log_odds(own.contributions)) < 0.02  # the owner's own address, which all mail has
    assert filer.why("<no-such@message>") is None


def test_nothing_learned_is_nothing_filed(tmp_path):
    place = MaildirPlace(tmp_path / "mail")
    place.put("INBOX", message("Chess", 1))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    (verdict,) = filer.file(0.97, move=True)
    assert (verdict.action, verdict.suggestions) == ("left", [])
    assert "nothing has been learned" in verdict.why


def test_undo_does_what_can_be_done_and_lists_what_can_not(filer, maildir):
    filer.learn()
    maildir.put("INBOX", *(message(folder, 1000 + n) for n, folder in enumerate([*WORDS] * 2)))
    assert [verdict.action for verdict in filer.file(0.97, move=True)] == ["moved"] * 6
    assert [move.target for move in filer.journal.undoable()] == ["garden", "Chess", "Arbeit/Pläne"] * 2
    moved_by_owner(filer, filer.journal.undoable()[0].new_key, "garden", "Chess")
    done = filer.undo(last=1)
    assert [(move.source, move.state) for move in done] == [("garden", "refused"), ("Chess", "moved")]
    assert done[0].why == "it is not in 'garden' any more"
    (maildir.root / "Arbeit").rename(maildir.root / "Work")
    done = filer.undo(last=1)  # not stuck on what can't be
    assert [(move.source, move.state) for move in done] == [("Arbeit/Pläne", "refused"), ("garden", "moved")]
    done = filer.undo(since=0.0)
    states = [(move.source, move.state) for move in done]
    assert states == [
        (name, "moved" if name == "Chess" else "refused")
        for name in ("garden", "Arbeit/Pläne", "Chess", "Arbeit/Pläne")
    ]
    assert all(move.why for move in done if move.state == "refused")
    assert len(filer.account.keys("INBOX")) == 3


def test_the_reasons_of_the_only_message(tmp_path):
    place = MaildirPlace(tmp_path / "mail")
    place.create("Chess")
    place.put("Chess", message("Chess", 1))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    _, reasons = filer.why("<1.5@example.org>")
    assert list(reasons.classes) == ["Chess"]
