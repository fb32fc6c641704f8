"""`likely mail undo`: puts moved messages back."""

from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of, moved_since
from likely.cli.mail_log import show
from likely.cli.options import as_json
from likely.mail import journal


@click.command()
@account_options
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1, type=click.IntRange(1))
@click.option("--last", type=click.IntRange(1), metavar="N", help="Undo the last N moves; 1 without --moved-since.")
@moved_since
@as_json
def command(
    numbers: tuple[int, ...], last: int | None, moved_since: float | None, as_json: bool, **options: Any
) -> None:
    """Put moved messages back, the newest first.

    A message that you have moved elsewhere since stays where it is, and is listed. NUMBER is the number of a move in
    `likely mail log`.
    """
    if numbers and (last or moved_since):
        raise click.UsageError("Give numbers of moves, or --last or --moved-since.")
    with filer_of(**options) as filer:
        done = filer.undo(last if last or moved_since or numbers else 1, moved_since, numbers)
    if as_json:
        output.json(list(journal.as_json(done)))
    elif done:
        show(done)
        kept = sum(move.state != "moved" for move in done)
        output.text(f"{len(done) - kept:,} put back" + (f"; {kept:,} could not be" if kept else "") + ".")
    else:
        output.text("There is nothing to undo.")
