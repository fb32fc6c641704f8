"""It learns from you alone, and follows what you move and rename."""

import pytest

from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.rules import FolderRules

from .filers import ENOUGH, again, filled, known, moved_by_owner
from .letters import WORDS, message
from .places import MaildirPlace


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
    """Right where you left it, wrong where you took it away."""
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
    """Both where Likely had put it, and where you had."""
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
    whole = again(filer)
    whole.learn(from_scratch=True)
    assert known(step) == known(whole)
    for mine, theirs in zip(step.model.learned.blocks, whole.model.learned.blocks, strict=True):
        words = {word: at for at, word in enumerate(theirs.statistics.words)}
        assert len(words) == len(mine.statistics.words)
        of_words = theirs.statistics.of_words()
        expected = [of_words[words[word]] for word in mine.statistics.words]
        assert mine.statistics.of_words() == pytest.approx(expected)


def test_a_message_that_comes_back_is_forgotten_once(filer, maildir):
    """Whatever happened before: in the folder that it was moved from, nothing is left to forget."""
    filer.learn()
    key = filer.account.keys("Chess")[0]
    moved_by_owner(filer, key, "Chess", "garden")
    assert again(filer).learn().corrected == 1
    (letter,) = filer.account.read("garden", [key])
    maildir.put("Arbeit/Pläne", letter.raw)
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.corrected) == (1, 0)
    assert known(again(filer)) == {"Arbeit/Pläne": 61, "Chess": 59, "garden": 61}


def test_a_new_folder_is_learned_from_its_first_message(filer, maildir):
    filer.learn()
    maildir.create("Chess/Club")
    maildir.put("Chess/Club", message("Chess", 1000))
    again(filer).learn()
    assert known(again(filer))["Chess/Club"] == 1
    maildir.put("INBOX", message("Chess", 1001))
    (verdict,) = again(filer).file(0.97)
    assert "Chess/Club" in [folder for folder, _ in verdict.suggestions]


def test_a_folder_that_was_renamed_keeps_what_was_learned(filer, maildir):
    filer.learn()
    before = filer.model.guesses.right.tolist()
    maildir.put("INBOX", message("Chess", 1000))
    assert filer.file(0.97, move=True)[0].action == "moved"
    (maildir.root / "Chess").rename(maildir.root / "Schach")
    lesson = again(filer).learn()
    assert (lesson.learned, lesson.corrected, lesson.waiting, lesson.renamed) == (ENOUGH, 0, 1, 1)
    assert known(again(filer))["Schach"] == 60
    assert "Chess" not in again(filer).model.folders
    assert again(filer).model.guesses.right.tolist() == before  # nothing was guessed wrongly by it
    maildir.put("INBOX", message("Chess", 1001))
    (verdict,) = again(filer).file(0.97)
    assert (verdict.action, verdict.suggestions[0][0]) == ("would move", "Schach")
    (move,) = filer.journal.of()
    assert (move.target, move.corrected) == ("Schach", None)
    assert again(filer).learn().renamed == 0
    assert [move.state for move in again(filer).undo(1)] == ["moved"]


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


def test_every_folder_renamed_at_once_leaves_it_able_to_learn(filer, maildir):
    filer.learn()
    for folder in list(WORDS):
        (maildir.root / folder).rename(maildir.root / f"{folder} 2024")
    assert again(filer).learn().learned == ENOUGH
    assert again(filer).learn().learned == 0
    assert set(again(filer).model.folders) == {f"{folder} 2024" for folder in WORDS}


def test_the_only_message_taken_back_leaves_it_able_to_learn(tmp_path):
    place = MaildirPlace(tmp_path / "mail")
    place.create("Chess")
    place.put("Chess", message("Chess", 1))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    moved_by_owner(filer, filer.account.keys("Chess")[0], "Chess", "INBOX")
    again(filer).learn()
    assert again(filer).model.folders == []
    place.put("Chess", message("Chess", 2))
    again(filer).learn()
    assert known(again(filer)) == {"Chess": 1}


def test_a_folder_that_was_renamed_is_followed_where_all_is_learned_again_anyway(filer, maildir):
    """As when there is twice as much mail as the last time that all was learned."""
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    assert filer.file(0.97, move=True)[0].action == "moved"
    maildir.put("garden", *(message("garden", 2000 + number) for number in range(2 * ENOUGH)))
    (maildir.root / "Chess").rename(maildir.root / "Schach")
    again(filer).learn()
    again(filer).learn()
    (move,) = filer.journal.of()
    assert (move.target, move.corrected) == ("Schach", None)
    assert known(again(filer))["garden"] == 60 + 2 * ENOUGH


def test_a_folder_that_was_missed_while_it_was_renamed_is_followed_where_all_is_learned_again(filer, maildir, tmp_path):
    """Renamed between the list of folders and its own listing, it is in none the first time."""
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    filer.file(0.97, move=True)
    (maildir.root / "Chess").rename(tmp_path / "nowhere")
    filer.learn()
    (tmp_path / "nowhere").rename(maildir.root / "Schach")
    maildir.put("garden", *(message("garden", number) for number in range(2000, 2000 + 2 * ENOUGH)))
    assert filer.learn().renamed == 1
    assert [move.target for move in filer.journal.of()] == ["Schach"]
    assert [move.state for move in filer.undo(last=1)] == ["moved"]
