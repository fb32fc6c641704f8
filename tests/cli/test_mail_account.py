"""What the commands of `likely mail` share."""

from pathlib import Path
from socket import socket

import click
import pytest

from likely.cli.mail_account import account_of, filed_mail, filer_of, rules_of
from likely.mail.account import Unreachable

from .command import likely, refused
from .mailbox import Mailbox


def test_an_account_that_is_not_there() -> None:
    assert "there is no 'no/such/place'" in refused(likely("mail", "prove", "no/such/place"))


def test_what_goes_wrong_with_an_account_is_one_sentence(mailbox: Mailbox) -> None:
    address = str(mailbox.place.root)
    with pytest.raises(click.ClickException, match="the server is gone"), account_of(address, None, None):
        raise Unreachable("the server is gone")


def test_a_server_that_refuses_is_named_without_the_number_of_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "none")
    with socket() as nobody:  # bound, and listening to no one
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        sentence = refused(likely("mail", "prove", f"imap://ann@127.0.0.1:{port}"))
    assert sentence == f"127.0.0.1:{port}: Connection refused"


def test_a_filer_keeps_what_it_knows_in_its_home(mailbox: Mailbox, tmp_path: Path) -> None:
    options = {"address": str(mailbox.place.root), "password_command": None, "token_command": None}
    with filer_of(tmp_path / "elsewhere", **options) as filer:
        assert filer.learn(None, False).learned == 180
    assert list((tmp_path / "elsewhere").iterdir())


def test_rules_are_those_of_the_options() -> None:
    rules = rules_of("INBOX", ("Sent",), ("Old*",), 3.0, precision=0.9)
    assert (rules.source, rules.include, rules.exclude, rules.settled) == ("INBOX", ("Sent",), ("Old*",), 3.0)


def test_filed_mail_is_what_you_filed(filed: Mailbox) -> None:
    """In Chess there is one more, which Likely filed."""
    options = {"address": str(filed.place.root), "password_command": None, "token_command": None}
    options |= {"source": "INBOX", "include": (), "exclude": ("garden",), "home": filed.home}
    with filed_mail(None, None, **options) as (_, history):
        assert (len(history), set(history.folders)) == (120, {"Chess", "Arbeit/Pläne"})
    with filed_mail(None, 7, **options) as (_, history):
        assert len(history) == 7
