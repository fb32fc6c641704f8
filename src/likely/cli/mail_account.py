"""What the commands of `likely mail` share: the account, its options and its errors."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from likely.cli.mail_config import settings_of
from likely.cli.mail_progress import ReadingProgress
from likely.mail.account import Account, Gone, Refused, Unreachable
from likely.mail.actions import COPY, MOVE, Action, Flagging
from likely.mail.address import open_account
from likely.mail.database import Busy, opened
from likely.mail.filer import Filer
from likely.mail.history import History
from likely.mail.index import read_history
from likely.mail.knowledge import waiting
from likely.mail.migration import database_path
from likely.mail.rules import INBOX, SETTLED, FolderRules
from likely.mail.secrets import NoSecret, Secret

Command = TypeVar("Command", bound=Callable[..., Any])

MISTAKES = (Gone, Refused, Unreachable, NoSecret, Busy)
"""Errors of an account, which become one sentence; LazyGroup handles all others."""

settled = click.option(
    "--settled",
    type=click.FloatRange(0),
    default=SETTLED,
    show_default=True,
    help="Learn a message that Likely filed after you have left it in place for this many days.",
)
precision = click.option(
    "--precision",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.97,
    show_default=True,
    help="The share of filed mail that should be right.",
)


def account_options(command: Command) -> Command:
    """The argument ACCOUNT, and the options to connect to it."""
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
    """The address of an account. If it is the name of an account in mail.toml, its settings become the defaults."""
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
    """Options for the folders to learn from."""
    for option in (
        click.option("--exclude", multiple=True, help="A folder to ignore, or a pattern of folders."),
        click.option("--include", multiple=True, help="A special folder (junk, sent, ...) to learn from too."),
        click.option("--from", "source", default=INBOX, show_default=True, help="The folder that mail comes into."),
    ):
        command = option(command)
    return command


def rules_of(
    source: str, include: tuple[str, ...], exclude: tuple[str, ...], settled: float = SETTLED, **others: Any
) -> FolderRules:
    return FolderRules(source, include, exclude, settled)


limit = click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the last N messages.")
since = click.option(
    "--since",
    type=click.DateTime(),
    callback=lambda context, parameter, moment: None if moment is None else moment.timestamp(),
    help="Only messages written since that time.",
)
moved_since = click.option(
    "--moved-since",
    type=click.DateTime(),
    callback=lambda context, parameter, moment: None if moment is None else moment.timestamp(),
    help="Only what was moved since that time.",
)


def replay_options(command: Command) -> Command:
    """Options of commands that read the mail that you have filed (see `filed_mail`)."""
    for option in (since, limit, precision, folder_options, account_options):
        command = option(command)
    return command


@contextmanager
def filed_mail(
    since: float | None, limit: int | None, home: Path | None, **options: Any
) -> Iterator[tuple[Account, History]]:
    """The account, and the mail that you have filed there. Messages that Likely filed recently are left out: you may
    not have checked them yet, so they prove nothing."""
    with account_of(**options) as account:
        path = database_path(account, options["address"], home)
        unchecked: set[tuple[str, str]] = set()
        if path.exists():
            with closing(opened(path)) as database:
                unchecked = set(waiting(database))
        folders = rules_of(**options).learned(account.folders())
        with read_history(account, path, folders, unchecked, ReadingProgress()) as history:
            yield account, history.latest(since, limit)


def filing_options(command: Command) -> Command:
    """Options for the action on filed messages (see `action_of`)."""
    for option in (
        click.option(
            "--flag", metavar="KEYWORD", help="Flag messages instead; {folder} is replaced by the name of the folder."
        ),
        click.option("--copy", is_flag=True, help="Copy messages instead."),
        click.option("--move/--dry-run", default=False, help="Move messages; a dry run is the default."),
    ):
        command = option(command)
    return command


def action_of(move: bool, copy: bool, flag: str | None, **others: Any) -> tuple[bool, Action]:
    """Whether to do anything, and the action."""
    if move + copy + (flag is not None) > 1:
        raise click.UsageError("Give one of --move, --copy and --flag.")
    try:
        return move or copy or flag is not None, Flagging(flag) if flag is not None else COPY if copy else MOVE
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--flag'") from None


@contextmanager
def account_of(
    address: str, password_command: str | None, token_command: str | None, **others: Any
) -> Iterator[Account]:
    """The account at an address. Its errors become one sentence."""
    try:
        account = open_account(address, Secret(password_command, token_command))
        try:
            yield account
        finally:
            account.close()
    except sqlite3.Error as error:
        why = f"the data of this account can't be read or written: {error}; check the file and the free disk space"
        raise click.ClickException(why) from None
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
