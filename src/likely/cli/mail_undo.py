"""`likely mail undo`: puts back what was moved."""

from datetime import datetime
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of
from likely.cli.mail_log import show
from likely.cli.options import as_json
from likely.mail import journal


@click.command()
@account_options
@click.option("--last", type=click.IntRange(1), metavar="N", help="Undo the last N moves; 1 without --since.")
@click.option("--since", type=click.DateTime(), help="Undo all moves since that time.")
@as_json
def command(last: int | None, since: datetime | None, as_json: bool, **options: Any) -> None:
    """Put back what was moved, the newest first; what you have moved on since stays where it is."""
    with filer_of(**options) as filer:
        done = filer.undo(last if last or since else 1, since.timestamp() if since is not None else None)
    if as_json:
        output.json(list(journal.as_json(done)))
    elif done:
        show(done)
    else:
        output.text("There is nothing to undo.")
