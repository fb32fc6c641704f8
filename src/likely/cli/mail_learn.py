"""`likely mail learn`: what the owner has filed."""

from dataclasses import asdict
from typing import Any

import click

from likely.cli.mail_account import (
    account_options,
    as_json,
    console,
    filer_of,
    folder_options,
    print_json,
    rules_of,
    settled,
)
from likely.cli.mail_prove import days
from likely.mail.filer import Lesson


@click.command()
@account_options
@folder_options
@settled
@click.option("--half-life", help="Days after which mail counts half, or 'auto', chosen by replay; learns anew.")
@click.option("--anew", is_flag=True, help="Forget all, and learn what is there now.")
@as_json
def command(half_life: str | None, anew: bool, as_json: bool, **options: Any) -> None:
    """Learn from the folders of an account.

    The first time from all mail that is there; then from what you have filed, moved and left since.
    """
    life = days(half_life)
    with filer_of(rules=rules_of(**options), **options) as filer:
        lesson = filer.learn(life, anew or life is not None)
        model = filer.model
        told = asdict(lesson) | {
            "messages": model.messages,
            "folders": len(model.folders),
            "half_life": model.half_life,
        }
    if as_json:
        print_json(told)
    else:
        console().print(sentence(lesson) + f" It knows {told['messages']:,.0f} messages in {told['folders']} folders.")


def sentence(lesson: Lesson) -> str:
    parts = [f"Learned {lesson.learned:,} messages"]
    parts += [f"{lesson.corrected:,} of them corrections"] if lesson.corrected else []
    parts += [f"{lesson.settled:,} that were filed and left"] if lesson.settled else []
    parts += [f"{lesson.waiting:,} more wait to be left where they were filed"] if lesson.waiting else []
    return "; ".join(parts) + "."
