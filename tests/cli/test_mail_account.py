"""What the commands of `likely mail` share."""

from pathlib import Path

import click
import pytest

from likely.cli.mail_account import account_of, columns, console, filer_of, print_json, rules_of

from .command import likely, refused
from .mailbox import Mailbox


def test_an_account_that_is_not_there() -> None:
    assert "there is no 'no/such/place'" in refused(likely("mail", "prove", "no/such/place"))


def test_what_goes_wrong_with_an_account_is_one_sentence(mailbox: Mailbox) -> None:
    address = str(mailbox.place.root)
    with pytest.raises(click.ClickException, match="the disk is full"), account_of(address, None, None):
        raise OSError("the disk is full")


def test_a_filer_keeps_what_it_knows_in_its_home(mailbox: Mailbox, tmp_path: Path) -> None:
    options = {"address": str(mailbox.place.root), "password_command": None, "token_command": None}
    with filer_of(tmp_path / "elsewhere", **options) as filer:
        assert filer.learn(None, False).learned == 180
    assert list((tmp_path / "elsewhere").iterdir())


def test_rules_are_those_of_the_options() -> None:
    rules = rules_of("INBOX", ("Sent",), ("Old*",), 3.0, precision=0.9)
    assert (rules.source, rules.include, rules.exclude, rules.settled) == ("INBOX", ("Sent",), ("Old*",), 3.0)


def test_tables_and_json_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    out = console()
    table = columns(out, "name", "number", right=("number",))
    table.add_row("a", "10")
    out.print(table)
    print_json({"folder": "Pläne"})
    told = capsys.readouterr().out
    assert told.splitlines()[1].split() == ["a", "10"]
    assert "Pläne" in told
    assert "\x1b" not in told
