import pytest

from likely.mail import by_hand
from likely.mail.account import Gone, Refused
from likely.mail.database import opened
from likely.mail.filer import Filer

from .letters import WORDS, message


@pytest.fixture
def filer(place, tmp_path):
    fill(place, 90)
    place.put("INBOX", message("Chess", 500), message("garden", 501))
    account = place.account()
    made = Filer(account, opened(tmp_path / "x" / "f.sqlite"))
    made.learn()
    yield made
    account.close()
    made.database.close()


def fill(place, count):
    for number, folder in enumerate(WORDS):
        place.create(folder)
        place.put(folder, *(message(folder, at) for at in range(number, count, 3)))


def inbox(filer):
    return {one.entry.subject.split()[-1]: one for one in filer.file(0.5)}


def test_what_you_put_somewhere_is_learned_as_yours_at_once(filer):
    entry = inbox(filer)["500"].entry
    counts = dict(zip(filer.model.folders, filer.model.counts, strict=True))
    move = by_hand.put(filer, entry, "garden")
    assert (move.state, move.target, move.sure) == ("moved", "garden", None)
    assert "500" not in inbox(filer)
    filer.learn()
    after = dict(zip(filer.model.folders, filer.model.counts, strict=True))
    assert after["garden"] == counts["garden"] + 1
    assert by_hand.tally(filer) == {}  # it was you, not Likely
    (undone,) = filer.undo(numbers=[move.id])
    assert undone.state == "moved"
    assert "500" in inbox(filer)


def test_a_message_moves_once(filer):
    entry = inbox(filer)["500"].entry
    assert by_hand.put(filer, entry, "Chess").state == "moved"
    assert by_hand.put(filer, entry, "garden").state == "refused"


def test_folders_that_are_not_there(filer):
    entry = inbox(filer)["500"].entry
    for name in ("../../etc", "nothing", "", "chess"):
        with pytest.raises(Gone, match="there is no folder"):
            by_hand.put(filer, entry, name)
    assert "500" in inbox(filer)


def test_a_move_is_put_right_and_marked(filer):
    entry = inbox(filer)["500"].entry
    subject = by_hand._subject(entry, entry.folder, entry.key)
    with filer.working():
        wrong = filer.journal.move(filer.account, subject, "garden", 0.9)
    with pytest.raises(Refused, match="it is in 'garden' already"):
        by_hand.refile(filer, wrong.id, "garden")
    done = by_hand.refile(filer, wrong.id, "Chess")
    assert (done.state, done.source, done.target) == ("moved", "garden", "Chess")
    assert filer.journal.numbered(wrong.id).corrected == "Chess"
    assert by_hand.tally(filer) == {"garden": (1, 1)}
    with pytest.raises(Gone, match="is not in 'garden' any more"):
        by_hand.refile(filer, wrong.id, "Chess")


def test_what_was_undone_counts_as_corrected(filer):
    entry = inbox(filer)["500"].entry
    with filer.working():
        move = filer.journal.move(filer.account, by_hand._subject(entry, entry.folder, entry.key), "garden", 0.9)
    assert by_hand.tally(filer) == {"garden": (1, 0)}
    filer.undo(numbers=[move.id])
    assert by_hand.tally(filer) == {"garden": (1, 1)}


def test_what_you_leave_is_left(filer):
    before = inbox(filer)["500"]
    by_hand.leave(filer, before.entry)
    after = inbox(filer)["500"]
    if before.action == "would move":
        assert (after.action, after.why) == ("left", "you left it in the inbox")
    assert after.action == "left"


def test_grounds_are_words_of_the_message(filer):
    move = by_hand.put(filer, inbox(filer)["500"].entry, "Chess")
    said = by_hand.grounds(filer, [move])[move.id]
    assert "chess.example" in said or "‘" in said
    assert len(said.split(", ")) <= by_hand.GROUNDS
    assert by_hand.grounds(filer, []) == {}
