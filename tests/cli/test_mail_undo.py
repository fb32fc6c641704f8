"""`likely mail undo`."""

import json

from .mailbox import Mailbox, message


def test_what_was_moved_is_put_back(filed: Mailbox) -> None:
    (move,) = json.loads(filed.run("log", "--json"))
    (undone,) = json.loads(filed.run("undo", "--json"))
    assert (undone["from"], undone["to"], undone["undoes"]) == ("Chess", "INBOX", move["id"])
    assert message("Chess", 1000) in filed.place.contents("INBOX")
    assert f"undoes {move['id']}" in filed.run("log")
    assert filed.run("undo", "--since", "2020-01-01") == "There is nothing to undo.\n"
