"""What the commands of `likely mail` share: the account, its options, and what goes wrong with it."""

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich import box
from rich.console import Console
from rich.table import Table

from likely.mail.account import Account, Gone, Refused, Unreachable
from likely.mail.address import open_account
from likely.mail.database import Busy, opened, path_for
from likely.mail.filer import Filer
from likely.mail.rules import SETTLED, Rules
from likely.mail.secrets import NoSecret, Secret

Command = TypeVar("Command", bound=Callable[..., Any])

MISTAKES = (Gone, Refused, Unreachable, NoSecret, Busy, ValueError, OSError, ImportError, sqlite3.Error)

OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters but for the end of a line, and those that turn the direction of writing."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
settled = click.option(
    "--settled",
    type=click.FloatRange(0),
    default=SETTLED,
    show_default=True,
    help="Days after which what was filed, and left there, is learned.",
)
precision = click.option(
    "--precision",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.97,
    show_default=True,
    help="The share of what is filed that shall be right.",
)


def account_options(command: Command) -> Command:
    """ACCOUNT, and how it is reached."""
    for option in (
        click.option("--home", type=click.Path(path_type=Path), help="Where Likely keeps what it knows of accounts."),
        click.option("--token-command", help="A command that prints an OAuth2 access token."),
        click.option("--password-command", help="A command that prints the password."),
        click.argument("address", metavar="ACCOUNT"),
    ):
        command = option(command)
    return command


def folder_options(command: Command) -> Command:
    """Which folders are learned from."""
    for option in (
        click.option("--exclude", multiple=True, help="A folder, or a pattern, that is left alone."),
        click.option("--include", multiple=True, help="A folder for junk, sent or other mail to learn all the same."),
        click.option("--from", "source", default="INBOX", show_default=True, help="The folder that mail comes into."),
    ):
        command = option(command)
    return command


def rules_of(
    source: str, include: tuple[str, ...], exclude: tuple[str, ...], settled: float = SETTLED, **others: Any
) -> Rules:
    return Rules(source, include, exclude, settled)


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
        raise click.ClickException(harmless(str(error))) from None


@contextmanager
def filer_of(home: Path | None, rules: Rules | None = None, **options: Any) -> Iterator[Filer]:
    with account_of(**options) as account:
        database = opened(path_for(account.address, home))
        try:
            yield Filer(account, database, rules)
        finally:
            database.close()


def harmless(text: str) -> str:
    """Without what a terminal obeys: anyone can write a subject."""
    return OBEYED.sub("\N{REPLACEMENT CHARACTER}", text)


class Screen(Console):
    def print(self, *what: Any, **options: Any) -> None:
        super().print(*(harmless(one) if isinstance(one, str) else one for one in what), **options)


class Listing(Table):
    def add_row(self, *cells: Any, **options: Any) -> None:
        super().add_row(*(harmless(cell).replace("\n", " ") for cell in cells), **options)


def console() -> Console:
    """As wide as the terminal; in a pipe, wide enough for every line."""
    wide = None if sys.stdout.isatty() else 200
    return Screen(highlight=False, markup=False, soft_wrap=True, width=wide)


def columns(out: Console, *names: str, right: tuple[str, ...] = ()) -> Table:
    """A table with numbers to the right; no lines in a pipe."""
    table = Listing(box=box.SIMPLE_HEAD if out.is_terminal else None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, justify="right" if name in right else "left", overflow="ellipsis", no_wrap=True)
    return table


def print_json(what: Any) -> None:
    json.dump(what, sys.stdout, indent=2, ensure_ascii=False)
    print()
