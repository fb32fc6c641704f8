"""The account that an address means."""

from pathlib import Path

from likely.mail.account import Account, Gone
from likely.mail.maildir import Maildir, is_maildir
from likely.mail.mbox import Mbox, is_mbox, mboxes_in
from likely.mail.place import Place
from likely.mail.secrets import Secret


def open_account(address: str, secret: Secret | None = None) -> Account:
    """`imap://user@host:port`, `imaps://...`, `maildir:PATH`, `mbox:PATH`, or a path.

    A path is a Maildir or a folder of them, a folder of mbox files, one mbox file, or what `likely.mail.messages` also
    reads, but cannot write. `secret` is for IMAP.
    """
    scheme, colon, rest = address.partition(":")
    if colon and scheme in ("imap", "imaps"):
        from likely.mail.imap import Imap

        return Imap(address, secret or Secret())
    if colon and scheme == "maildir":
        return Maildir(Path(rest).expanduser())
    named = bool(colon) and scheme == "mbox"
    path = Path(rest if named else address).expanduser()
    if not path.exists():
        raise Gone(
            f"there is no {str(path)!r}: an account is imap://..., imaps://..., maildir:PATH, mbox:PATH or a path"
        )
    if path.is_dir() and not named and is_maildir(path):
        return Maildir(path)
    return Mbox(path) if (named and path.is_dir()) or _is_of_mboxes(path) else Place(path)


def _is_of_mboxes(path: Path) -> bool:
    """Whether all files that hold mail are mboxes, and not all of them empty."""
    files = [path] if path.is_file() else list(mboxes_in(path, all_files=True))
    return all(map(is_mbox, files)) and any(file.stat().st_size for file in files)
