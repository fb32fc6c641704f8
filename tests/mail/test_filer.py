"""The filer learns from its owner alone, files what it is sure of, and leaves the rest."""

import pytest

from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.rules import FolderRules

from .letters import WORDS, message, mixed
from .places import MaildirPlace

ENOUGH = 180
"""Messages after which it is sure of letters like these."""


def filled(place, count=ENOUGH):
    for folder in WORDS:
        place.create(folder)
        place.put(folder, *(raw for of, raw in mixed(count) if of == folder))
    return place


@pytest.fixture
def maildir(tmp_path):
    return filled(MaildirPlace(tmp_path / "mail"))


@pytest.fixture
def filer(maildir, tmp_path):
    return Filer(maildir.account(), opened(tmp_path / "ann.sqlite"))


def again(filer, rules=None):
    """Another process, later."""
    return Filer(filer.account, filer.database, rules or filer.rules)


def moved_by_owner(filer, key, source, to):
    filer.account.move(source, key, to)


def known(filer):
    return dict(zip(filer.model.learned.classes, filer.model.learned.rows.table[:, 0].tolist(), strict=True))


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


def test_what_it_filed_itself_is_not_learned(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    filer.file(0.97, move=True)
    for _ in range(2):
        lesson = again(filer).learn()
        assert (lesson.learned, lesson.waiting) == (0, 1)
    assert known(again(filer))["Chess"] == 60


def test_it_is_learned_when_its_owner_has_left_it_there_for_long(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    filer.file(0.97, move=True)
    lesson = again(filer, FolderRules(settled=0.0)).learn()
    assert (lesson.learned, lesson.settled, lesson.waiting) == (1, 1, 0)
    assert known(again(filer))["Chess"] == 61
    assert again(filer, FolderRules(settled=0.0)).learn().learned == 0


def test_what_it_filed_counts_among_its_guesses_once_it_is_learned(filer, maildir):
    """Right where its owner left it, wrong where he took it away."""
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000), message("garden", 1001))
    filer.file(0.97, move=True)
    assert len(again(filer).model.guesses) == ENOUGH
    (moved,) = filer.journal.of("target = ?", "garden")
    moved_by_owner(filer, moved.new_key, "garden", "Arbeit/Pläne")
    again(filer, FolderRules(settled=0.0)).learn()
    guesses = again(filer).model.guesses
    assert len(guesses) == ENOUGH + 2
    assert guesses.right[ENOUGH:].tolist() == [True, False]


def test_it_is_learned_when_its_owner_puts_something_beside_it(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000), message("garden", 1001))
    filer.file(0.97, move=True)
    maildir.put("Chess", message("Chess", 1002))
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.settled, lesson.waiting) == (2, 1, 1)
    assert known(again(filer)) == {"Arbeit/Pläne": 60, "Chess": 62, "garden": 60}


def test_a_message_moved_out_is_a_correction(filer, maildir):
    """Both where Likely had put it, and where its owner had."""
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    filer.file(0.97, move=True)
    (moved,) = filer.journal.of()
    moved_by_owner(filer, moved.new_key, "Chess", "garden")
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.corrected, lesson.waiting) == (1, 0, 0)
    assert known(again(filer)) == {"Arbeit/Pläne": 60, "Chess": 60, "garden": 61}
    moved_by_owner(filer, moved.new_key, "garden", "Arbeit/Pläne")
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.corrected) == (1, 1)
    assert known(again(filer)) == {"Arbeit/Pläne": 61, "Chess": 60, "garden": 60}


def test_corrections_leave_what_learning_anew_gives(filer, maildir):
    """Whatever was moved where: counts are the same as if mail had always been where it is."""
    filer.learn()
    for number, key in enumerate(filer.account.keys("Chess")[:10]):
        moved_by_owner(filer, key, "Chess", "garden" if number % 2 else "Arbeit/Pläne")
    step = again(filer)
    assert step.learn().corrected == 10
    anew = again(filer)
    anew.learn(anew=True)
    assert known(step) == known(anew)
    for mine, theirs in zip(step.model.learned.blocks, anew.model.learned.blocks, strict=True):
        words = {word: at for at, word in enumerate(theirs.statistics.words)}
        assert len(words) == len(mine.statistics.words)
        of_words = theirs.statistics.of_words()
        expected = [of_words[words[word]] for word in mine.statistics.words]
        assert mine.statistics.of_words() == pytest.approx(expected)


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
    assert (verdict.action, verdict.why) == ("left", "you took it back from where it was filed")


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


def test_what_was_undone_is_not_filed_again(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    filer.file(0.97, move=True)
    filer.journal.undo(filer.account, filer.journal.undoable()[0])
    assert [verdict.action for verdict in again(filer).file(0.97, move=True)] == ["left"]


def test_a_message_that_comes_back_is_forgotten_once(filer, maildir):
    """Whatever became of it before: of what it was moved from, nothing is left to forget."""
    filer.learn()
    key = filer.account.keys("Chess")[0]
    moved_by_owner(filer, key, "Chess", "garden")
    assert again(filer).learn().corrected == 1
    (letter,) = filer.account.read("garden", [key])
    maildir.put("Arbeit/Pläne", letter.raw)
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.corrected) == (1, 0)
    assert known(again(filer)) == {"Arbeit/Pläne": 61, "Chess": 59, "garden": 61}


def test_two_processes_see_what_the_other_has_learned(filer, maildir):
    other = again(filer)
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    assert [verdict.action for verdict in other.file(0.97)] == ["would move"]
    maildir.put("Chess", message("Chess", 1001))
    assert other.learn().learned == 1
    assert filer.learn().learned == 0
    assert known(filer)["Chess"] == 61


def test_a_new_folder_is_learned_from_its_first_message(filer, maildir):
    filer.learn()
    maildir.create("Chess/Club")
    maildir.put("Chess/Club", message("Chess", 1000))
    again(filer).learn()
    assert known(again(filer))["Chess/Club"] == 1
    maildir.put("INBOX", message("Chess", 1001))
    (verdict,) = again(filer).file(0.97)
    assert "Chess/Club" in [folder for folder, _ in verdict.suggestions]


def test_nothing_is_filed_into_a_folder_that_is_gone(filer, maildir):
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    maildir.delete_folder("Chess")
    (verdict,) = again(filer).file(0.5)
    assert "Chess" not in [folder for folder, _ in verdict.suggestions]
    again(filer).learn()
    maildir.create("Chess")
    assert "Chess" in [folder for folder, _ in again(filer).file(0.97)[0].suggestions]


def test_a_folder_that_was_renamed_keeps_what_was_learned(filer, maildir):
    filer.learn()
    (maildir.root / "Chess").rename(maildir.root / "Schach")
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.corrected) == (60, 60)
    assert known(again(filer))["Schach"] == 60
    assert "Chess" not in again(filer).model.folders


def test_old_mail_fades(filer, maildir):
    filer.learn(half_life=0.02)
    assert 0 < known(filer)["Chess"] < 30
    maildir.put("Chess", message("Chess", 4000))
    again(filer).learn()
    assert known(again(filer))["Chess"] == pytest.approx(1, abs=1e-6)


def test_uids_that_start_anew_change_nothing(imap, tmp_path):
    place = filled(imap(), 120)
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    before = filer.account.keys("Chess")
    filer.account.close()
    place.server.stop()
    for index in place.server.mail.rglob("Chess/dovecot*"):
        index.unlink()
    place.server.start()
    after = filer.account.keys("Chess")
    assert not set(before) & set(after)
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.corrected) == (0, 0)
    assert known(again(filer))["Chess"] == 40
    filer.account.close()


def test_the_reasons_are_those_of_a_message_not_learned(filer):
    filer.learn()
    letter, reasons = filer.why("0.12@example.org")
    assert letter.folder == "Arbeit/Pläne"
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
