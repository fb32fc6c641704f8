"""`likely mail file`: nothing is moved without --move."""

import json
from pathlib import Path

from click.testing import CliRunner

from likely.cli import main

from ..mail.letters import boxed
from .mailbox import Mailbox, message


def test_a_dry_run_moves_nothing(mailbox: Mailbox) -> None:
    mailbox.run("learn")
    before = sorted(mailbox.place.contents("INBOX"))
    dry = json.loads(mailbox.run("file", "--json", "--precision", "0.9"))
    assert sorted(verdict["action"] for verdict in dry) == ["left", "would move"]
    (sure,) = (verdict for verdict in dry if verdict["action"] == "would move")
    assert (sure["folder"], sure["message_id"]) == ("Chess", "1000.5@example.org")
    assert "This was a dry run: nothing moved. Add --move, --copy or --flag KEYWORD." in mailbox.run(
        "file", "--precision", "0.9"
    )
    assert sorted(mailbox.place.contents("INBOX")) == before


def test_what_is_sure_is_moved_and_the_rest_is_left(filed: Mailbox) -> None:
    assert message("Chess", 1000) in filed.place.contents("Chess")
    assert len(filed.place.contents("INBOX")) == 1
    told = filed.run("file", "--move", "--precision", "0.9")
    assert "1 left" in told
    assert "hm" in told


def test_before_anything_was_learned_it_says_so(mailbox: Mailbox) -> None:
    assert "nothing has been learned from this account yet; run `likely mail learn` first" in mailbox.run(
        "file", code=1
    )


def test_where_nothing_can_be_moved_it_says_so_before_anything_is_learned(tmp_path: Path) -> None:
    (tmp_path / "inbox.mbox").write_bytes(boxed([message("Chess", 1)]))
    done = CliRunner().invoke(main, ["mail", "file", str(tmp_path), "--home", str(tmp_path / "home"), "--move"])
    assert done.exit_code == 1
    assert "learn" not in done.output
    assert "is read-only" in done.output


def test_some_of_the_messages(mailbox: Mailbox) -> None:
    mailbox.run("learn")
    assert len(json.loads(mailbox.run("file", "--json"))) == 2
    assert len(json.loads(mailbox.run("file", "--json", "--limit", "1"))) == 1
    old = json.loads(mailbox.run("file", "--json", "--since", "2024-01-02"))  # one is of the first day, one of none
    assert [verdict["subject"] for verdict in old] == ["hm"]


def test_why_a_clear_message_is_left(filed: Mailbox) -> None:
    filed.run("undo")
    told = filed.run("file", "--precision", "0.9")
    assert "you took it back" in told
    assert "the confidence is too low" not in told  # the column of the confidence shows that
