"""`likely mail status`: shows what Likely knows about an account, and what it has done there."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of, folder_options, precision, rules_of
from likely.cli.options import as_json
from likely.mail.account import Gone, Refused
from likely.mail.actions import action_of
from likely.mail.filer import Filer
from likely.mail.journal import Move
from likely.mail.knowledge import waiting
from likely.mail.promise import NEVER
from likely.printing import counted, percent

STATES = ("moved", "copied", "flagged", "corrected", "undone", "refused", "stopped", "open")


@click.command()
@account_options
@folder_options
@precision
@as_json
def command(precision: float, as_json: bool, **options: Any) -> None:
    """Show what Likely knows about an account: its folders and how each is treated, what was learned, and the moves."""
    with filer_of(rules=rules_of(**options), **options) as filer:
        found = figures(filer, precision)
    if as_json:
        output.json(found)
    else:
        show(found)


def figures(filer: Filer, precision: float) -> dict[str, Any]:
    model, moves = filer.model, filer.journal.of()
    learned = {} if model.learned is None else dict(zip(map(str, model.learned.classes), model.counts, strict=True))
    least = model.threshold(precision)
    return {
        "account": filer.account.address,
        "database": str(Path(filer.database.execute("PRAGMA database_list").fetchone()["file"])),
        "only_read": filer.account.only_read,
        "learned": round(model.messages),
        "half_life": model.half_life,
        "precision": precision,
        "confidence_needed": None if least == NEVER else least,
        "moves": Counter(map(state, moves))
        | {"corrected": sum(move.corrected is not None for move in moves), "waiting": len(waiting(filer.database))},
        "last_move": max((move.at for move in moves), default=None),
        "folders": [
            {
                "folder": folder.name,
                "messages": _count(filer, folder.name),
                "learned": round(float(learned.get(folder.name, 0))),
                "treated_as": filer.rules.role(folder),
            }
            for folder in filer.account.folders()
        ],
    }


def state(move: Move) -> str:
    """The outcome of a move, in a word."""
    if move.state != "moved":
        return "open" if move.state == "intended" else move.state
    return "undone" if move.undoes is not None else action_of(move).done


def show(found: dict[str, Any]) -> None:
    output.text(f"{found['account']}; its data is in {found['database']}")
    if found["only_read"]:
        output.text(found["only_read"])
    if found["learned"]:
        least = found["confidence_needed"]
        needed = "no confidence is high enough yet" if least is None else f"a confidence of {percent(least)} is needed"
        output.text(
            f"Learned {counted(found['learned'], 'message')}. For {percent(found['precision'])} precision, {needed}."
        )
    else:
        output.text("Nothing has been learned yet; run `likely mail learn`.")
    moves = found["moves"]
    done = [f"{moves[state]:,} {state}" for state in STATES if moves.get(state)]
    when = f"; the last on {datetime.fromtimestamp(found['last_move']):%Y-%m-%d %H:%M}" if found["last_move"] else ""
    output.text((", ".join(done) + when if done else "Nothing has been moved yet") + ".")
    if moves["waiting"]:
        wait = "waits" if moves["waiting"] == 1 else "wait"
        output.text(f"{moves['waiting']:,} of them {wait} to be learned: you may still move them elsewhere.")
    rows = [
        (folder["folder"], f"{folder['messages']:,}", f"{folder['learned']:,}", folder["treated_as"])
        for folder in found["folders"]
    ]
    output.heading("Folders")
    output.table(("folder", "messages", "learned", "treated as"), rows, "<>><")


def _count(filer: Filer, folder: str) -> int:
    try:
        return len(filer.account.keys(folder))
    except (Gone, Refused):
        return 0
