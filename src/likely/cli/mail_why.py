"""`likely mail why`: shows the evidence for where a message belongs."""

from typing import Any

import click
import numpy as np

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of
from likely.cli.options import as_json
from likely.models.explain import Reasons

SHOWN = 20
"""How many reasons are listed: a message has hundreds of words, and most add little."""

FOLDERS = 2
"""How many folders are compared."""


@click.command()
@account_options
@click.argument("message_id", metavar="MESSAGE-ID|NUMBER")
@click.option("--all", "everything", is_flag=True, help="Show all reasons, not only the strongest.")
@as_json
def command(message_id: str, everything: bool, as_json: bool, **options: Any) -> None:
    """Show the evidence for where a message belongs, by a model that has not learned this message.

    NUMBER is the number of a move in `likely mail log`.
    """
    with filer_of(**options) as filer:
        found = filer.why(message_id)
        if found is None and filer.model.learned is None:
            raise ValueError("nothing has been learned from this account yet; run `likely mail learn` first")
    if found is None:
        raise click.ClickException(f"there is no message {message_id!r} in this account")
    message, reasons = found
    shown = reasons.ranked if everything else reasons.ranked[:SHOWN]
    if as_json:
        output.json({"folder": message.folder} | figures(reasons, shown))
    else:
        show(message.folder, reasons, shown)


def show(folder: str, reasons: Reasons, shown: list[Any]) -> None:
    """Prints what each reason adds to the log-probability of the two most probable folders."""
    best = [int(at) for at in np.argsort(-reasons.scores, kind="stable")[:FOLDERS]]
    names = [str(reasons.classes[at]) for at in best]
    output.text(f"It is in {folder!r}, and looks most like {names[0]!r}.")
    output.text("What each word or mark adds to the log-probability of a folder:")

    def cells(parts: Any) -> list[str]:
        return [f"{parts[at]:+.2f}" for at in best]

    rows = [("class prior", "", *cells(reasons.prior))]
    rows += [(str(reason.column), str(reason.value), *cells(reason.contributions)) for reason in shown]
    rows += [("all others", "", *cells(rest(reasons, shown))), ("score", "", *cells(reasons.scores))]
    output.table(("evidence", "value", *names), rows, "<<>", [("value", 8), ("evidence", 20), ("value", 0)])


def rest(reasons: Reasons, shown: list[Any]) -> Any:
    """The sum of the reasons that are not listed."""
    kept = {id(reason) for reason in shown}
    parts = [reason.contributions for reason in reasons.reasons if id(reason) not in kept]
    return np.sum(parts, axis=0) if parts else np.zeros(len(reasons.classes))


def figures(reasons: Reasons, shown: list[Any]) -> dict[str, Any]:
    folders = [str(name) for name in reasons.classes]

    def by_folder(parts: Any) -> dict[str, float]:
        return dict(zip(folders, map(float, parts), strict=True))

    return {
        "scores": by_folder(reasons.scores),
        "prior": by_folder(reasons.prior),
        "reasons": [
            {"what": str(reason.column), "value": str(reason.value), "adds": by_folder(reason.contributions)}
            for reason in shown
        ],
        "others": by_folder(rest(reasons, shown)),
    }
