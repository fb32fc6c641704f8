"""What the commands of `likely mail` share: the account, its options, and what goes wrong with it."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from likely.cli.mail_config import settings_of
from likely.cli.mail_progress import ReadingProgress
from likely.mail.account import Account, Gone, Refused, Unreachable
from likely.mail.address import open_account
from likely.mail.database import Busy, opened
from likely.mail.filer import Filer
from likely.mail.migration import database_path
from likely.mail.rules import SETTLED, FolderRules
from likely.mail.secrets import NoSecret, Secret

Command = TypeVar("Command", bound=Callable[..., Any])

MISTAKES = (Gone, Refused, Unreachable, NoSecret, Busy, ValueError, OSError, ImportError, sqlite3.Error)

settled = click.option(
    "--settled",
    type=click.FloatRange(0),
    default=SETTLED,
    show_default=True,
    help="Days after which filed mail that you left in place is learned.",
)
precision = click.option(
    "--precision",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.97,
    show_default=True,
    help="The share of filed mail that should be right.",
)


def account_options(command: Command) -> Command:
    """ACCOUNT, and how it is reached."""
    for option in (
        click.option(
            "--home", type=click.Path(path_type=Path), help="The folder where Likely keeps its data on accounts."
        ),
        click.option("--token-command", help="A command that prints an OAuth2 access token."),
        click.option("--password-command", help="A command that prints the password."),
        click.argument("address", metavar="ACCOUNT", is_eager=True, callback=named),
    ):
        command = option(command)
    return command


def named(context: click.Context, parameter: click.Parameter, address: str) -> str:
    """The address of an account that may be one of the configuration, whose settings are then the defaults."""
    try:
        found = settings_of(address)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if found is None:
        return address
    known = {option.name for option in context.command.params}
    context.default_map = {name: value for name, value in found.items() if name in known}
    return str(found["address"])


def folder_options(command: Command) -> Command:
    """Which folders are learned from."""
    for option in (
        click.option("--exclude", multiple=True, help="A folder to leave alone, or a pattern of folders."),
        click.option("--include", multiple=True, help="A folder of junk, sent or other special mail to learn too."),
        click.option("--from", "source", default="INBOX", show_default=True, help="The folder that mail comes into."),
    ):
        command = option(command)
    return command


def rules_of(
    source: str, include: tuple[str, ...], exclude: tuple[str, ...], settled: float = SETTLED, **others: Any
) -> FolderRules:
    return FolderRules(source, include, exclude, settled)


@contextmanager
def account_of(
    address: str, password_command: str | None, token_command: str | None, **others: Any
) -> Iterator[Account]:
    """The account of an address; what goes wrong with it becomes one sentence."""
    try:
        account = open_account(address, Secret(password_command, token_command))
        try:
            yield account
        finally:
            account.close()
    except MISTAKES as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def filer_of(home: Path | None, rules: FolderRules | None = None, **options: Any) -> Iterator[Filer]:
    with account_of(**options) as account:
        database = opened(database_path(account, options["address"], home))
        try:
            yield Filer(account, database, rules, ReadingProgress())
        finally:
            database.close()
