"""`likely mail`: its commands are in files of their own, and loaded when they are called."""

import click

from likely.cli import LazyGroup


class MailGroup(LazyGroup):
    lines = {  # noqa: RUF012 (as in the group above it)
        "prove": "Replay mail that you have filed: what would Likely have done?",
        "learn": "Learn from the folders of an account.",
        "file": "File the mail in the inbox; a dry run unless --move is given.",
        "watch": "File mail as it comes.",
        "why": "The evidence for where a message belongs.",
        "log": "What was moved.",
        "undo": "Put back what was moved.",
    }
    modules = "likely.cli.mail_"


@click.group(cls=MailGroup)
def command() -> None:
    """File mail as its owner would, after a proof on his own mail.

    ACCOUNT is imaps://user@host, imap://user@host, maildir:PATH, mbox:PATH or a path. A password is taken from
    LIKELY_MAIL_PASSWORD, --password-command, --token-command (OAuth2) or the system's keyring, never from arguments.
    """
