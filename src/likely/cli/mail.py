"""`likely mail`: each command is in a file of its own, and loaded when it is called."""

import click

from likely.cli import LazyGroup


class MailGroup(LazyGroup):
    lines = {  # noqa: RUF012 (as in the group above it)
        "prove": "Replay mail that you have filed: what would Likely have done?",
        "learn": "Learn from the folders of an account.",
        "file": "File the mail in the inbox; a dry run without --move.",
        "watch": "File mail as it comes.",
        "why": "Show the evidence for where a message belongs.",
        "log": "Show what was moved.",
        "undo": "Put back what was moved.",
        "rules": "Export senders and lists that decide a folder, as a Sieve script.",
        "status": "Show what is known of an account, and how its folders are treated.",
    }
    modules = "likely.cli.mail_"


@click.group(cls=MailGroup)
def command() -> None:
    """File mail as you would, after a proof on your own mail.

    ACCOUNT is imaps://user@host, imap://user@host, maildir:PATH, mbox:PATH or a path. The password comes from
    LIKELY_MAIL_PASSWORD, --password-command, --token-command (OAuth2) or the system's keyring, never from arguments.
    """
