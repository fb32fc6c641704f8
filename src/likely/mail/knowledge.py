"""What Likely keeps about an account: the model, where each message is, and the journal of all moves."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import time

from likely.mail.account import Account
from likely.mail.changes import Spot
from likely.mail.database import alone
from likely.mail.history import Entry, History
from likely.mail.identity import reidentify
from likely.mail.index import Progress, opened_index, unseen
from likely.mail.journal import Journal, Move
from likely.mail.model import MailModel
from likely.mail.model_file import packed, unpacked
from likely.mail.rules import FolderRules
from likely.store import BadModelFile


class Knowledge:
    """The knowledge of one account, in one SQLite file. Several processes may have it open; one works at a time."""

    def __init__(
        self,
        account: Account,
        database: sqlite3.Connection,
        rules: FolderRules | None = None,
        progress: Progress = unseen,
    ) -> None:
        self.account, self.database, self.rules, self.progress = account, database, rules or FolderRules(), progress
        self.journal = Journal(database, self._acknowledged)
        self.model, self._version = MailModel(), 0
        self.path = Path(self.database.execute("PRAGMA database_list").fetchone()["file"])
        self._refresh()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Holds the lock of the file. Before the block runs, it loads what other processes have learned, and settles
        the moves that a crash has left open."""
        with alone(self.path):
            self._refresh()
            reidentify(self.database, self.account)
            self.journal.recover(self.account)
            yield

    def _refresh(self) -> None:
        version = self.database.execute("SELECT max(version) FROM model").fetchone()[0] or 0
        if version != self._version:
            row = self.database.execute("SELECT state FROM model WHERE version = ?", (version,)).fetchone()
            self.model, self._version = _readable(row["state"]), version

    def _read(self, places: Iterable[tuple[str, str]]) -> History:
        by_folder: dict[str, list[str]] = defaultdict(list)
        for folder, key in places:
            by_folder[folder].append(key)
        if self.account.remote:
            with closing(opened_index(self.account, self.path)) as index:
                index.read(self.account, by_folder)
                return index.history(by_folder).loaded()
        return History.of_letters(
            letter for folder, keys in by_folder.items() for letter in self.account.read(folder, keys)
        )

    def _indexed(self, message_id: str) -> list[Spot]:
        """Where messages with this Message-ID were when they were read. Empty for mail in files, which has no index."""
        if not self.account.remote:
            return []
        with closing(opened_index(self.account, self.path)) as index:
            return index.named(message_id)

    def _place(self, entries: Sequence[Entry], state: str, since: float | None = None) -> None:
        since = time() if since is None else since
        self.database.executemany(
            "INSERT OR REPLACE INTO placed (folder, key, fingerprint, date, state, since) VALUES (?, ?, ?, ?, ?, ?)",
            [(entry.folder, entry.key, entry.fingerprint, entry.date, state, since) for entry in entries],
        )

    def _save(self, model: MailModel) -> None:
        self.database.execute("DELETE FROM model")
        self.database.execute("INSERT INTO model (version, state) VALUES (?, ?)", (self._version + 1, packed(model)))

    def _acknowledged(self, move: Move) -> None:
        """Records a move that was made. A message that Likely filed is "waiting": it is not learned yet. A message that
        was put back is no longer waiting. A message that you moved in the desk is not recorded here: it is learned as
        if you had moved it in your mail program."""
        if move.undoes is not None:
            where = "folder = ? AND key = ? AND state = 'waiting'"
            self.database.execute(f"DELETE FROM placed WHERE {where}", (move.source, move.key))
        if move.undoes is None and move.new_key is not None and move.sure is not None and not move.keyword:
            self.database.execute(
                "INSERT OR REPLACE INTO placed (folder, key, fingerprint, date, state, since) "
                "VALUES (?, ?, ?, ?, 'waiting', ?)",
                (move.target, move.new_key, move.fingerprint, move.at, time()),
            )


def _readable(state: bytes) -> MailModel:
    """The saved model; an empty one if it is damaged or of another version, so that all is learned again."""
    try:
        return unpacked(state)
    except BadModelFile:
        return MailModel()


def waiting(database: sqlite3.Connection) -> dict[tuple[str, str], float]:
    """The folder and key of each message that Likely filed and has not learned, with the time when it was filed."""
    query = "SELECT folder, key, since FROM placed WHERE state = 'waiting' AND gone IS NULL"
    return {(row["folder"], row["key"]): row["since"] for row in database.execute(query)}
