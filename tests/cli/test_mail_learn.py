"""`likely mail learn`."""

import json

import pytest

from likely.cli.mail_learn import sentence
from likely.mail.learner import Lesson
from likely.mail.replay import HALF_LIVES

from .mailbox import Mailbox


def test_what_the_owner_has_filed_is_learned_once(mailbox: Mailbox) -> None:
    learned = json.loads(mailbox.run("learn", "--json"))
    assert (learned["learned"], learned["messages"], learned["folders"]) == (180, 180, 3)
    assert "Learned 0 messages" in mailbox.run("learn")
    assert "Learned 180 messages. It knows 180 messages in 3 folders." in mailbox.run("learn", "--from-scratch")


@pytest.mark.parametrize("command", ["learn", "prove", "file", "rules"])
def test_a_folder_for_incoming_mail_that_is_not_there_is_named(mailbox: Mailbox, command: str) -> None:
    """Else INBOX would be learned, as a folder to file into."""
    mailbox.run("learn")
    assert "there is no folder 'Inbx'" in mailbox.run(command, "--from", "Inbx", code=1)
    assert "It knows 180 messages" in mailbox.run("learn")


def test_a_half_life_that_replay_chooses(mailbox: Mailbox) -> None:
    assert json.loads(mailbox.run("learn", "--json", "--half-life", "auto"))["half_life"] in HALF_LIVES
    assert json.loads(mailbox.run("learn", "--json", "--half-life", "30"))["half_life"] == 30.0


def test_what_was_learned_is_told_in_a_sentence() -> None:
    lesson = Lesson(learned=1200, corrected=2, settled=3, waiting=1)
    assert sentence(lesson) == (
        "Learned 1,200 messages; 2 of them corrections; 3 that Likely filed and you left in place; "
        "1 more is learned once you have left it in place."
    )
    assert sentence(Lesson(learned=1, corrected=0, settled=0, waiting=0)) == "Learned 1 message."


def test_the_first_time_it_shows_how_each_folder_is_treated(mailbox: Mailbox) -> None:
    mailbox.place.create("Papierkorb")
    first = mailbox.run("learn", "--exclude", "gar*")
    lines = [line.split("  ") for line in first.splitlines()]
    roles = {cells[0]: cells[-1].strip() for cells in lines if len(cells) > 1}
    assert roles == {
        "folder": "treated as",
        "Arbeit/Pläne": "learned",
        "Chess": "learned",
        "INBOX": "mail comes in",
        "Papierkorb": "left alone: trash",
        "garden": "left alone: excluded",
    }
    assert "treated" not in mailbox.run("learn")
    assert json.loads(mailbox.run("learn", "--json"))["roles"]["Papierkorb"] == "left alone: trash"
