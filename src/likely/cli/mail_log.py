"""`likely mail log`: lists the moves."""

from datetime import datetime
from time import time
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of, moved_since
from likely.cli.options import as_json
from likely.mail import journal
from likely.mail.actions import action_of
from likely.printing import percent

HEAD = ("no.", "date", "from", "subject", "moved", "confidence", "outcome")
SHORTEN = (
    *(("from", 24), ("subject", 24), ("from", 12), ("subject", 12)),
    *(("from", 0), ("date", 0), ("confidence", 0), ("moved", 30), ("subject", 0)),
)
YEAR = 300 * 86400.0
"""Dates in the last 300 days are shown without the year; in seconds."""


@click.command()
@account_options
@click.option("--last", type=click.IntRange(1), metavar="N", help="Show only the last N moves.")
@moved_since
@as_json
def command(last: int | None, moved_since: float | None, as_json: bool, **options: Any) -> None:
    """List the messages that were moved, refused or put back, by Likely or by you in the desk.

    You can give the numbers to `why` and `undo`.
    """
    with filer_of(**options) as filer:
        moves = filer.journal.of("at >= ?", moved_since or 0.0)[-last if last else 0 :]
    if as_json:
        output.json(list(journal.as_json(moves)))
    else:
        show(moves)


def show(moves: list[journal.Move]) -> None:
    if not moves:
        output.text("Nothing has been moved yet.")
        return
    undone = {move.undoes: move.id for move in moves if move.undoes is not None and move.state == "moved"}
    lines = []
    for move in moves:
        when = datetime.fromtimestamp(move.at).strftime("%d %b %H:%M" if time() - move.at < YEAR else "%d %b %Y")
        sure = "" if move.sure is None else percent(move.sure)
        places = f"{move.source} → {move.target}"
        lines.append((f"{move.id}", when, move.sender, move.subject, places, sure, outcome(move, undone.get(move.id))))
    output.table(HEAD, lines, "><<<<><", SHORTEN)


def outcome(move: journal.Move, undone_by: int | None = None) -> str:
    if move.state == "intended":
        return "open: it is settled in a few minutes"
    if move.state != "moved":
        return f"{move.state}: {move.why}" if move.why else move.state
    if undone_by is not None:
        return f"undone by {undone_by}"
    if move.corrected is not None:
        return f"you moved it to {move.corrected}"
    made = action_of(move)
    done = f"undoes {move.undoes}" if move.undoes is not None else f"{made.done} {made.keyword}".rstrip()
    return f"{done}: {move.why}" if move.why else done
