"""`likely mail status`."""

import json

from .mailbox import Mailbox


def test_before_anything_was_learned(mailbox: Mailbox) -> None:
    told = json.loads(mailbox.run("status", "--json"))
    assert (told["learned"], told["last_move"], told["confidence_needed"]) == (0, None, None)
    assert "Nothing has been learned yet" in mailbox.run("status")


def test_what_was_copied_is_not_called_moved(mailbox: Mailbox) -> None:
    mailbox.run("learn")
    mailbox.run("file", "--copy", "--precision", "0.9")
    mailbox.run("undo")
    mailbox.run("file", "--copy", "--precision", "0.9")
    told = json.loads(mailbox.run("status", "--json"))["moves"]
    assert told == {"copied": 1, "undone": 1, "corrected": 0, "waiting": 0}
    assert "1 copied, 1 undone" in mailbox.run("status")


def test_an_undo_that_is_refused_undoes_nothing(filed: Mailbox) -> None:
    account = filed.place.account()
    (key,) = (letter.key for letter in account.letters(["Chess"]) if b"<1000." in letter.raw)
    account.move("Chess", key, "garden")
    filed.run("undo")
    told = json.loads(filed.run("status", "--json"))["moves"]
    assert (told["moved"], told["refused"], told.get("undone", 0)) == (1, 1, 0)


def test_folders_moves_and_corrections(filed: Mailbox) -> None:
    (move,) = json.loads(filed.run("log", "--json"))
    account = filed.place.account()
    (key,) = (letter.key for letter in account.letters(["Chess"]) if b"<1000." in letter.raw)
    account.move("Chess", key, "garden")
    filed.run("learn")
    told = json.loads(filed.run("status", "--json", "--precision", "0.9"))
    assert told["moves"] == {"moved": 1, "corrected": 1, "waiting": 0}
    assert told["learned"] == 181
    assert 0.5 <= told["confidence_needed"] <= 1
    garden = next(one for one in told["folders"] if one["folder"] == "garden")
    assert garden == {"folder": "garden", "messages": 61, "learned": 61, "treated_as": "learned"}
    shown = filed.run("status")
    assert "1 moved, 1 corrected" in shown
    assert "mail comes in" in shown
    assert "you moved it to garden" in filed.run("log")
    assert json.loads(filed.run("log", "--json"))[0]["corrected"] == "garden"
    assert move["corrected"] is None
