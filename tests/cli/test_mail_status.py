"""`likely mail status`."""

import json

from .mailbox import Mailbox


def test_before_anything_was_learned(mailbox: Mailbox) -> None:
    told = json.loads(mailbox.run("status", "--json"))
    assert (told["learned"], told["last_move"], told["confidence_needed"]) == (0, None, None)
    assert "Nothing has been learned yet" in mailbox.run("status")


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
