"""`likely mail file`: files the mail in the inbox."""

from collections import Counter
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import action_of, filer_of, filing_options, replay_options, rules_of
from likely.cli.options import as_json
from likely.mail.filer import TOO_LOW, Decision
from likely.printing import percent


@click.command()
@replay_options
@filing_options
@as_json
def command(precision: float, limit: int | None, since: float | None, as_json: bool, **options: Any) -> None:
    """File the mail in the inbox; a dry run without --move, --copy or --flag.

    A message is filed if its confidence is high enough for the precision that you ask for. The confidence is the
    probability that the folder is right. Other messages stay where they are; their three most probable folders are
    shown.
    """
    move, action = action_of(**options)
    with filer_of(rules=rules_of(**options), **options) as filer:
        if move:
            filer.check(action)
        if filer.model.learned is None:
            raise ValueError("nothing has been learned from this account yet; run `likely mail learn` first")
        keys = filer.account.keys(filer.rules.source)[-limit:] if limit is not None else None
        verdicts = filer.file(precision, move, keys, since, action)
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
        rows = list(map(line, verdicts))
        columns = len(HEAD) if any(row[-1] for row in rows) else len(HEAD) - 1
        shorten = [(name, to) for name, to in SHORTEN if name in HEAD[:columns]]
        output.table(HEAD[:columns], [row[:columns] for row in rows], "<<><", shorten)
    actions = Counter(verdict.action for verdict in verdicts)
    output.text("; ".join(f"{count:,} {action}" for action, count in actions.items()) or "There is no mail to file.")
    if "would move" in actions:
        output.text("This was a dry run: nothing moved. Add --move, --copy or --flag KEYWORD.")


HEAD = ("decision", "folder", "confidence", "from", "subject", "or else", "why")
SHORTEN = (
    *(("from", 24), ("subject", 30), ("or else", 0), ("from", 12), ("subject", 16), ("why", 24)),
    *(("from", 0), ("folder", 24), ("subject", 12), ("why", 0), ("subject", 8), ("subject", 0)),
)


def line(verdict: Decision) -> tuple[str, ...]:
    """The cells of a row (see `HEAD`). "why" is empty if a message was not filed because its confidence is too low."""
    folder, *others = [folder for folder, _ in verdict.suggestions] or [""]
    entry, why = verdict.entry, verdict.why if verdict.why != TOO_LOW else ""
    return verdict.action, folder, percent(verdict.sure), entry.sender, entry.subject, ", ".join(others), why
