"""`likely desk mail ACCOUNT`: opens a page to file mail."""

from contextlib import ExitStack
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import click

from likely.cli import output
from likely.cli.desk_options import page_options, run
from likely.cli.mail_account import account_options, filer_of, folder_options, precision, rules_of
from likely.mail.filer import Filer
from likely.mail.watch import watch
from likely.mail.watcher import paused, watching

if TYPE_CHECKING:
    from likely.desk.mail import MailPlace


@click.command()
@account_options
@folder_options
@precision
@click.option("--move/--no-move", default=False, help="Also file mail as it comes, as `likely mail watch --move`.")
@page_options
def command(precision: float, move: bool, port: int, opens: bool, **options: Any) -> None:
    """File the mail of an ACCOUNT: see what would be filed, what was filed and why, and correct it.

    Nothing moves unless you confirm it on the page, or give --move. `likely mail log` lists every move.
    """
    place = mail_place(precision, options)
    ended = Event()
    if move:
        Thread(target=_watch, args=(place, precision, options, ended), name="watcher", daemon=True).start()
    try:
        run(place, port, opens)
    finally:
        ended.set()


def mail_place(precision: float, options: dict[str, Any]) -> "MailPlace":
    from likely.desk.mail import MailPlace
    from likely.desk.worker import Worker

    stack = ExitStack()

    def opened() -> Filer:
        return stack.enter_context(filer_of(rules=rules_of(**options), **options))

    return MailPlace(opened, precision, Worker("mail"), stack.close)


def _watch(place: "MailPlace", precision: float, options: dict[str, Any], ended: Event) -> None:
    """Runs the watcher, with a connection of its own."""
    try:
        with filer_of(rules=rules_of(**options), **options) as filer, watching(filer.path):
            watch(
                filer,
                precision,
                move=True,
                filed=lambda verdict: place.events.changed(),
                learned=lambda lesson: place.events.changed(),
                stopped=ended.is_set,
                paused=lambda: paused(filer.database),
            )
    except click.ClickException as error:
        output.note(f"The watcher has ended: {error.message}")
