"""`likely mail log`."""

import json

from .mailbox import Mailbox


def test_moves_are_told(filed: Mailbox) -> None:
    (move,) = json.loads(filed.run("log", "--json"))
    assert (move["from"], move["to"], move["state"]) == ("INBOX", "Chess", "moved")
    told = filed.run("log", "--last", "5")
    assert "INBOX" in told
    assert "Chess" in told


def test_what_was_undone_is_shown_at_its_own_line(filed: Mailbox) -> None:
    filed.run("undo", "1")
    moved, undo = filed.run("log").splitlines()[1:]
    assert moved.endswith("undone by 2")
    assert undo.endswith("undoes 1")


def test_nothing_was_moved(mailbox: Mailbox) -> None:
    assert json.loads(mailbox.run("log", "--json")) == []
    assert mailbox.run("log") == "Nothing has been moved yet.\n"
