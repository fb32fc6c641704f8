"""Messages that were known by another kind of fingerprint: an earlier version's, or a server's before it had names of
its own for messages (OBJECTID)."""

import sqlite3
from collections import defaultdict
from contextlib import suppress

from likely.mail.account import Account, Gone, Refused
from likely.mail.database import transaction

SPOTS = """
SELECT folder, key, fingerprint FROM placed WHERE gone IS NULL
UNION SELECT target, new_key, fingerprint FROM moves WHERE state = 'moved' AND new_key IS NOT NULL
UNION SELECT source, key, fingerprint FROM moves WHERE state = 'intended'
"""


def reidentify(database: sqlite3.Connection, account: Account) -> None:
    """Gives all messages that are still there the fingerprints by which the account knows them now. Those that are gone
    keep theirs, by which nothing is found any more: if they come back they are new."""
    identity = account.identity
    stored = database.execute("SELECT identity FROM about").fetchone()
    if stored is not None and stored["identity"] == identity:
        return
    spots = database.execute(SPOTS).fetchall() if stored is not None or identity != "bytes" else []
    by_folder: dict[str, dict[str, str]] = defaultdict(dict)
    for row in spots:
        by_folder[row["folder"]][row["key"]] = row["fingerprint"]
    names: dict[str, str] = {}
    for folder, earlier in by_folder.items():
        with suppress(Gone, Refused):
            now = account.fingerprints(folder, earlier)
            names |= {earlier[key]: name for key, name in now.items()}
    with transaction(database):
        for table in ("placed", "moves"):
            database.executemany(
                f"UPDATE {table} SET fingerprint = ? WHERE fingerprint = ?", [(new, old) for old, new in names.items()]
            )
        database.execute("DELETE FROM about")
        database.execute("INSERT INTO about (identity) VALUES (?)", (identity,))
