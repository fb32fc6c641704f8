"""Updates fingerprints of another kind: those of an earlier version, or of a server before it supported OBJECTID."""

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
    """Replaces the fingerprints of all messages that are still there by those that the account uses now. Messages that
    are gone keep the old ones, which match nothing: if they come back, they count as new."""
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
