"""`likely mail file`: the mail that is in the inbox."""

from collections import Counter
from datetime import datetime
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of, folder_options, precision, rules_of
from likely.cli.options import as_json
from likely.mail.filer import Decision
from likely.printing import percent


@click.command()
@account_options
@folder_options
@precision
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Look at the N messages only that came last.")
@click.option("--since", type=click.DateTime(), help="Look at messages only that were written since that time.")
@click.option("--move/--dry-run", default=False, help="Move messages; a dry run is the default.")
@as_json
def command(
    precision: float, move: bool, limit: int | None, since: datetime | None, as_json: bool, **options: Any
) -> None:
    """File the mail in the inbox; a dry run without --move.

    A message is moved if the confidence is high enough for the precision you ask for: the confidence is how probable it
    is that the folder is right. The others stay where they are, and the three most probable folders are shown.
    """
    with filer_of(rules=rules_of(**options), **options) as filer:
        if filer.model.learned is None:
            raise ValueError("nothing has been learned from this account yet; run `likely mail learn` first")
        keys = filer.account.keys(filer.rules.source)[-limit:] if limit is not None else None
        verdicts = filer.file(precision, move, keys, since.timestamp() if since is not None else None)
    if as_json:
        output.json([figures(verdict) for verdict in verdicts])
    else:
        show(verdicts)


def figures(verdict: Decision) -> dict[str, Any]:
    return {
        "message_id": verdict.entry.message_id,
        "subject": verdict.entry.subject,
        "from": verdict.entry.sender,
        "action": verdict.action,
        "folder": verdict.suggestions[0][0] if verdict.suggestions else None,
        "confidence": verdict.sure,
        "suggestions": [{"folder": folder, "probability": chance} for folder, chance in verdict.suggestions],
        "why": verdict.why,
    }


def show(verdicts: list[Decision]) -> None:
    if verdicts:
        output.table(HEAD, list(map(line, verdicts)), "<<><", SHORTEN)
    actions = Counter(verdict.action for verdict in verdicts)
    output.text("; ".join(f"{count:,} {action}" for action, count in actions.items()) or "There is no mail to file.")
    if "would move" in actions:
        output.text("Nothing was moved: --move does.")


HEAD = ("decision", "folder", "confidence", "from", "subject", "or else", "why")
SHORTEN = (
    *(("from", 24), ("subject", 30), ("why", 0), ("or else", 0)),
    *(("from", 12), ("subject", 8), ("from", 0), ("subject", 0)),
)


def line(verdict: Decision) -> tuple[str, ...]:
    """The most probable folder, with the confidence that it is the right one; then those that come next."""
    folder, *others = [folder for folder, _ in verdict.suggestions] or [""]
    entry, why = verdict.entry, verdict.why if verdict.action == "refused" else ""
    return verdict.action, folder, percent(verdict.sure), entry.sender, entry.subject, ", ".join(others), why
