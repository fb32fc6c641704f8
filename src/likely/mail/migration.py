"""Finds the database that an earlier version made for an account, and renames it.

Its name was made of the path as you had typed it, and of the kind of account. So `Mail` in two folders had the same
name, and one folder could have several names.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from likely.mail.account import Account, Gone
from likely.mail.database import alone, opened, path_for

KINDS = ("maildir:", "mbox:", "")
ENOUGH = 0.5
"""A database belongs to this account if more than this share of the messages it knows are still where they were."""


def database_path(account: Account, address: str, home: Path | None = None) -> Path:
    """The database file of an account. `address` is what you typed; a file of an earlier version is renamed first."""
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
    """Whether a database knows the messages of this account, and not of another folder that was typed the same way."""
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
    """Renames a database by a copy, which includes the changes that SQLite keeps in other files."""
    with alone(earlier), closing(opened(earlier)) as old:
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part)) as new:
            old.backup(new)
        part.chmod(0o600)
        part.rename(path)
    for suffix in (".sqlite", ".sqlite-wal", ".sqlite-shm", ".lock"):
        earlier.with_suffix(suffix).unlink(missing_ok=True)
