"""`likely mail log`."""

import json

from .mailbox import Mailbox


def test_moves_are_told(filed: Mailbox) -> None:
    (move,) = json.loads(filed.run("log", "--json"))
    assert (move["from"], move["to"], move["state"]) == ("INBOX", "Chess", "moved")
    told = filed.run("log", "--last", "5")
    assert "INBOX" in told
    assert "Chess" in told


def test_nothing_was_moved(mailbox: Mailbox) -> None:
    assert json.loads(mailbox.run("log", "--json")) == []
    assert mailbox.run("log") == "Nothing was moved yet.\n"
