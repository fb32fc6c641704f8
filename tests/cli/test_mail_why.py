"""`likely mail why`."""

import json

import pytest

from .mailbox import Mailbox


def test_the_sum_of_reasons_is_the_score(mailbox: Mailbox) -> None:
    mailbox.run("learn")
    for more in ([], ["--all"]):
        told = json.loads(mailbox.run("why", "0.12@example.org", "--json", *more))
        for folder, score in told["scores"].items():
            reasons = sum(reason["adds"][folder] for reason in told["reasons"])
            assert told["prior"][folder] + reasons + told["others"][folder] == pytest.approx(score)
    assert set(told["others"].values()) == {0.0}


def test_where_a_message_is_and_where_it_belongs(filed: Mailbox) -> None:
    why = json.loads(filed.run("why", "1000.5@example.org", "--json"))
    assert why["folder"] == "Chess"
    assert max(why["scores"], key=why["scores"].get) == "Chess"
    assert "marks: from:club@chess.example" in filed.run("why", "<1000.5@example.org>")
    assert "there is no message '<no@such>'" in filed.run("why", "<no@such>", code=1)


def test_a_number_of_the_log_is_taken(filed: Mailbox) -> None:
    by_id, by_number = (filed.run("why", one, "--json") for one in ("1000.5@example.org", "1"))
    assert by_number == by_id
    account = filed.place.account()
    (key,) = (letter.key for letter in account.letters(["Chess"]) if b"<1000." in letter.raw)
    account.move("Chess", key, "garden")
    assert json.loads(filed.run("why", "1", "--json"))["folder"] == "garden"
    assert "there is no move 99" in filed.run("why", "99", code=1)
