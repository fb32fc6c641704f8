"""`likely mail`: each of its commands is in its own file, which is loaded when the command is called."""

import click

from likely.cli import LazyGroup


class MailGroup(LazyGroup):
    lines = {  # noqa: RUF012 (as in the group above it)
        "prove": "Replay mail that you have filed: what would Likely have done?",
        "learn": "Learn from the folders of an account.",
        "file": "File the mail in the inbox; a dry run without --move.",
        "watch": "File mail as it comes.",
        "why": "Show the evidence for where a message belongs.",
        "log": "List the messages that were moved.",
        "undo": "Put moved messages back.",
        "rules": "Export a Sieve script for senders and lists of one folder.",
        "status": "Show what Likely knows about an account, and its folders.",
    }
    modules = "likely.cli.mail_"


@click.group(cls=MailGroup)
def command() -> None:
    """File mail as you would, and prove on your own mail how well it works.

    ACCOUNT is imaps://user@host, imap://user@host, maildir:PATH, mbox:PATH or a path. The password comes from
    LIKELY_MAIL_PASSWORD, --password-command, --token-command (OAuth2) or the system's keyring, never from arguments.
    """
