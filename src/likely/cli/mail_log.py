"""`likely mail log`: what was moved."""

from datetime import datetime
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of
from likely.cli.options import as_json
from likely.mail import journal
from likely.printing import percent


@click.command()
@account_options
@click.option("--last", type=click.IntRange(1), metavar="N", help="Show only the last N moves.")
@as_json
def command(last: int | None, as_json: bool, **options: Any) -> None:
    """Show what was moved, and what was refused or put back."""
    with filer_of(**options) as filer:
        moves = filer.journal.of()[-last if last else 0 :]
    if as_json:
        output.json(list(journal.as_json(moves)))
    else:
        show(moves)


def show(moves: list[journal.Move]) -> None:
    lines = []
    for move in moves:
        when = datetime.fromtimestamp(move.at).strftime("%Y-%m-%d %H:%M:%S")
        state = f"undoes {move.undoes}" if move.undoes is not None and move.state == "moved" else move.state
        sure = "" if move.sure is None else percent(move.sure)
        why = f": {move.why}" if move.why else ""
        lines.append((move.id, when, move.source, move.target, sure, state + why, move.subject[:50]))
    if lines:
        output.table(("", "when", "from", "to", "confidence", "", "subject"), lines, "><<<><")
    else:
        output.text("Nothing was moved yet.")
