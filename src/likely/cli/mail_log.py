"""`likely mail log`: what was moved."""

from datetime import datetime
from typing import Any

import click

from likely.cli.mail_account import account_options, as_json, columns, console, filer_of, print_json
from likely.mail import journal


@click.command()
@account_options
@click.option("--last", type=click.IntRange(1), help="Only the last so many.")
@as_json
def command(last: int | None, as_json: bool, **options: Any) -> None:
    """What was moved, and what was refused or put back."""
    with filer_of(**options) as filer:
        moves = filer.journal.of()[-last if last else 0 :]
    if as_json:
        print_json(list(journal.as_json(moves)))
    else:
        show(moves)


def show(moves: list[journal.Move]) -> None:
    out = console()
    table = columns(out, "", "when", "from", "to", "sure", "", "subject", right=("", "sure"))
    for move in moves:
        when = datetime.fromtimestamp(move.at).strftime("%Y-%m-%d %H:%M:%S")
        state = f"undoes {move.undoes}" if move.undoes is not None and move.state == "moved" else move.state
        sure = "" if move.sure is None else f"{move.sure:.1%}"
        why = f": {move.why}" if move.why else ""
        table.add_row(str(move.id), when, move.source, move.target, sure, state + why, move.subject[:50])
    out.print(table) if moves else out.print("Nothing was moved yet.")
