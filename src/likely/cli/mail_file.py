"""`likely mail file`: the mail that is in the inbox."""

from collections import Counter
from typing import Any

import click

from likely.cli.mail_account import (
    account_options,
    as_json,
    columns,
    console,
    filer_of,
    folder_options,
    precision,
    print_json,
    rules_of,
)
from likely.mail.filer import Verdict


@click.command()
@account_options
@folder_options
@precision
@click.option("--move/--dry-run", default=False, help="Move messages; a dry run is the default.")
@as_json
def command(precision: float, move: bool, as_json: bool, **options: Any) -> None:
    """File the mail in the inbox; a dry run unless --move is given.

    A message is moved where Likely is sure enough of it for the precision wanted. The others stay where they are, with
    the three likeliest folders told.
    """
    with filer_of(rules=rules_of(**options), **options) as filer:
        verdicts = filer.file(precision, move)
    if as_json:
        print_json([told(verdict) for verdict in verdicts])
    else:
        show(verdicts)


def told(verdict: Verdict) -> dict[str, Any]:
    return {
        "message_id": verdict.entry.message_id,
        "subject": verdict.entry.subject,
        "from": verdict.entry.sender,
        "action": verdict.action,
        "folder": verdict.suggestions[0][0] if verdict.suggestions else None,
        "sure": verdict.sure,
        "suggestions": [{"folder": folder, "chance": chance} for folder, chance in verdict.suggestions],
        "why": verdict.why,
    }


def show(verdicts: list[Verdict]) -> None:
    out = console()
    table = columns(out, "", "sure", "folder", "from", "subject", right=("sure",))
    for verdict in verdicts:
        table.add_row(*line(verdict))
    if verdicts:
        out.print(table)
    actions = Counter(verdict.action for verdict in verdicts)
    out.print("; ".join(f"{count:,} {action}" for action, count in actions.items()) or "There is no mail to file.")
    if "would move" in actions:
        out.print("Nothing was moved: --move does.")


def line(verdict: Verdict) -> tuple[str, ...]:
    """A message that is left shows its likeliest folders, with the chance of each."""
    folders = ", ".join(f"{folder} {chance:.0%}" for folder, chance in verdict.suggestions)
    if verdict.action != "left":
        folders = verdict.suggestions[0][0]
    why = f" ({verdict.why})" if verdict.action == "refused" else ""
    sure = f"{verdict.sure:.1%}"
    return verdict.action + why, sure, folders, verdict.entry.sender[:30], verdict.entry.subject[:50]
