"""`likely mail learn`: learns what you have filed."""

from dataclasses import asdict
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import account_options, filer_of, folder_options, rules_of, settled
from likely.cli.mail_prove import days
from likely.cli.options import as_json
from likely.mail.learner import Lesson
from likely.mail.model import MailModel
from likely.printing import counted


@click.command()
@account_options
@folder_options
@settled
@click.option("--half-life", help="Days after which mail counts half; 'auto' chooses by replay. Learns all mail again.")
@click.option("--from-scratch", is_flag=True, help="Forget everything, and learn all mail again.")
@as_json
def command(half_life: str | None, from_scratch: bool, as_json: bool, **options: Any) -> None:
    """Learn from the folders of an account.

    The first time, it learns all filed mail. Later it learns the messages that you have filed, moved or left in place
    since.
    """
    life = days(half_life)
    with filer_of(rules=rules_of(**options), **options) as filer:
        first = filer.model.learned is None
        roles = {folder.name: filer.rules.role(folder) for folder in filer.account.folders()}
        if first and not as_json:
            show_roles(roles)
        lesson = filer.learn(life, from_scratch or life is not None)
        model = filer.model
        figures = asdict(lesson) | {
            "messages": model.messages,
            "folders": len(model.folders),
            "half_life": model.half_life,
            "roles": roles,
        }
    if as_json:
        output.json(figures)
    else:
        output.text(f"{sentence(lesson)} It knows {known(model)}.")


def known(model: MailModel) -> str:
    return f"{counted(model.messages, 'message')} in {counted(len(model.folders), 'folder')}"


def show_roles(roles: dict[str, str]) -> None:
    """Shows how each folder is treated, so that you can correct it before anything is filed."""
    output.text("How each folder is treated; change it with --include, --exclude and --from:\n")
    output.table(("folder", "treated as"), list(roles.items()), "<<")
    output.text("")


def sentence(lesson: Lesson) -> str:
    parts = [f"Learned {counted(lesson.learned, 'message')}"]
    parts += [f"{lesson.corrected:,} of them corrections"] if lesson.corrected else []
    folders = "a folder was" if lesson.renamed == 1 else f"{lesson.renamed:,} folders were"
    parts += [f"all of them again, since {folders} renamed"] if lesson.renamed else []
    parts += [f"{lesson.settled:,} that Likely filed and you left in place"] if lesson.settled else []
    wait = "is learned once you have left it" if lesson.waiting == 1 else "are learned once you have left them"
    parts += [f"{lesson.waiting:,} more {wait} in place"] if lesson.waiting else []
    return "; ".join(parts) + "."
