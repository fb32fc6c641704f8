"""What an earlier version knew of an account, under the name that it had then.

Names were of the path as it was spelled, and of the kind of account: `Mail` in two folders was one name, and one folder
had several.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from likely.mail.account import Account, Gone
from likely.mail.database import alone, opened, path_for

KINDS = ("maildir:", "mbox:", "")
ENOUGH = 0.5
"""The share of the messages known that must still be where they were, for a database to be that of this account."""


def database_path(account: Account, address: str, home: Path | None = None) -> Path:
    """The file of an account, `address` being how it was spelled; an earlier version's gets this name first."""
    path = path_for(account.address, home)
    if path.exists() or account.address.startswith(("imap://", "imaps://")):
        return path
    kind, _, rest = address.partition(":")
    spelled = str(Path(rest if kind in ("maildir", "mbox") else address).expanduser())
    for name in (account.address, spelled):
        for earlier in (path_for(before + name, home) for before in KINDS):
            if earlier.exists() and (Path(name).is_absolute() or _is_of(earlier, account)):
                _renamed(earlier, path)
                return path
    return path


def _is_of(path: Path, account: Account) -> bool:
    """Whether it knows the messages of this account, and not those of another folder that was spelled alike."""
    with closing(opened(path)) as database:
        known = {tuple(row) for row in database.execute("SELECT folder, key FROM placed WHERE gone IS NULL")}
    there = {(folder, key) for folder in {folder for folder, _ in known} for key in _keys(account, folder)}
    return len(known & there) > ENOUGH * len(known)


def _keys(account: Account, folder: str) -> list[str]:
    try:
        return account.keys(folder)
    except Gone:
        return []


def _renamed(earlier: Path, path: Path) -> None:
    """By a copy, which includes what SQLite keeps in its other files."""
    with alone(earlier), closing(opened(earlier)) as old:
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part)) as new:
            old.backup(new)
        part.chmod(0o600)
        part.rename(path)
    for suffix in (".sqlite", ".sqlite-wal", ".sqlite-shm", ".lock"):
        earlier.with_suffix(suffix).unlink(missing_ok=True)
