"""Opens the account at an address."""

from pathlib import Path

from likely.mail.account import Account, Gone
from likely.mail.maildir import Maildir, is_maildir
from likely.mail.place import Place
from likely.mail.secrets import Secret

KINDS = "an account is imap://..., imaps://..., maildir:PATH, mbox:PATH, a path, or a name in mail.toml"


def open_account(address: str, secret: Secret | None = None) -> Account:
    """`imap://user@host:port`, `imaps://...`, `maildir:PATH`, `mbox:PATH`, or a path.

    A path is a Maildir, a folder of Maildirs, or anything else that `likely.mail.messages` reads, such as an mbox file;
    in the last kind no message can be moved. `secret` is for IMAP.
    """
    scheme, colon, rest = address.partition(":")
    kind = scheme.lower() if colon else ""
    if kind in ("imap", "imaps"):
        from likely.mail.imap import Imap

        return Imap(f"{kind}:{rest}", secret or Secret())
    path = Path(rest if kind in ("maildir", "mbox") else address).expanduser()
    if not path.exists():
        raise Gone(f"there is no {without_secret(address)!r}: {KINDS}")
    is_one = kind == "maildir" or (kind != "mbox" and path.is_dir() and is_maildir(path))
    return Maildir(path) if is_one else Place(path)


def without_secret(address: str) -> str:
    """An address that may be shown: of one that may contain a password, only the part after the "@"."""
    before, at, after = address.rpartition("@")
    return f"...@{after}" if at and ":" in before.removeprefix("mbox:").removeprefix("maildir:") else address
