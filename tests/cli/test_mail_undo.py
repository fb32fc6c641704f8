"""`likely mail undo`."""

import json

from .mailbox import Mailbox, message


def test_what_was_moved_is_put_back(filed: Mailbox) -> None:
    (move,) = json.loads(filed.run("log", "--json"))
    (undone,) = json.loads(filed.run("undo", "--json"))
    assert (undone["from"], undone["to"], undone["undoes"]) == ("Chess", "INBOX", move["id"])
    assert message("Chess", 1000) in filed.place.contents("INBOX")
    assert f"undoes {move['id']}" in filed.run("log")
    assert filed.run("undo", "--moved-since", "2020-01-01") == "There is nothing to undo.\n"


def test_numbers_of_the_log_are_taken(filed: Mailbox) -> None:
    (move,) = json.loads(filed.run("log", "--json"))
    assert "there is no move 7 in the log" in filed.run("undo", "7", code=1)
    assert "Give numbers of moves, or --last or --moved-since." in filed.run("undo", "1", "--last", "1", code=2)
    shown = filed.run("undo", str(move["id"]))
    assert "Chess → INBOX" in shown
    assert shown.endswith("1 put back.\n")
    assert f"move {move['id']} was not made, undoes another, or is undone already" in filed.run("undo", "1", code=1)


def test_what_can_not_be_put_back_is_listed(filed: Mailbox) -> None:
    account = filed.place.account()
    (key,) = (letter.key for letter in account.letters(["Chess"]) if b"<1000." in letter.raw)
    account.move("Chess", key, "garden")
    shown = filed.run("undo")
    assert "refused: it is not in 'Chess' any more" in shown
    assert shown.endswith("0 put back; 1 could not be.\n")
