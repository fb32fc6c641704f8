"""Files mail where you would, and learns from you alone."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import time

import numpy as np

from likely.mail.account import Account, Gone, Letter, Refused
from likely.mail.changes import Known, Spot, changes, missing, unknown
from likely.mail.database import alone, transaction
from likely.mail.history import Entry, History
from likely.mail.index import Index, Progress, index_path, read_history, unseen
from likely.mail.journal import Journal, Move, Subject
from likely.mail.model import MailModel
from likely.mail.model_file import packed, unpacked
from likely.mail.rules import FolderRules
from likely.models.explain import Reasons
from likely.store import BadModelFile

SUGGESTED = 3
"""Folders that are suggested for a message that is left where it is."""

DAY = 86400.0


class NeverForgotten(Exception):
    """What was learned cannot be forgotten any more."""


@dataclass(frozen=True)
class Lesson:
    """What was learned of an account, in messages."""

    learned: int = 0
    corrected: int = 0
    """Of these, those that had been in another folder, and were forgotten there."""
    settled: int = 0
    """Of these, those that Likely filed and the owner left there."""
    waiting: int = 0
    """Filed by Likely, and not yet left there long enough."""


@dataclass(frozen=True)
class Decision:
    """What becomes of a message."""

    entry: Entry
    suggestions: list[tuple[str, float]]
    """The likeliest folders, with the chance of each."""
    sure: float
    """The confidence in the first."""
    action: str
    """ "would move", "moved", "refused" or "left"."""
    why: str = ""


class Filer:
    """One account, with the file in which all that it knows is kept. Of several, in several processes, one works at a
    time."""

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
    def _working(self) -> Iterator[None]:
        """Alone, with what others have learned meanwhile, and with what was left open settled."""
        with alone(self.path):
            self._refresh()
            self.journal.recover(self.account)
            yield

    def _refresh(self) -> None:
        version = self.database.execute("SELECT max(version) FROM model").fetchone()[0] or 0
        if version != self._version:
            row = self.database.execute("SELECT state FROM model WHERE version = ?", (version,)).fetchone()
            self.model, self._version = _readable(row["state"]), version

    # Learning

    def learn(self, half_life: float | str | None = None, anew: bool = False) -> Lesson:
        """Learns what the owner has done since the last time; the first time, or `anew`, all that is there.

        What Likely filed itself is learned when you have left it there for `rules.settled` days or have put something
        into the same folder since. A message found in another folder than before is forgotten there and learned here,
        whoever moved it. Of messages that are gone, what was learned stays.
        """
        with self._working():
            return self._learn(half_life, anew)

    def _learn(self, half_life: float | str | None, anew: bool) -> Lesson:
        folders = self.rules.learned(self.account.folders())
        life = half_life if anew or half_life else self.model.half_life
        if anew or self.model.learned is None:
            return self._learn_all(folders, life)
        known = {(row["folder"], row["key"]): Known(*row) for row in self.database.execute("SELECT * FROM placed")}
        # Where mail comes in is listed last: what an owner moves back meanwhile is then seen in both, not in none.
        listing = {(folder, key) for folder in [*folders, self.rules.source] for key in self._keys(folder)}
        new = unknown(known, listing)
        came = sum(folder != self.rules.source for folder, _ in new)
        there = came + sum(one.state == "learned" and spot in listing for spot, one in known.items())
        if there >= max(2 * self.model.chosen_by, 1):  # enough to choose scales, pairs and lean again
            return self._learn_all(folders, life)
        try:
            return self._learn_more(listing, known, new)
        except NeverForgotten:
            return self._learn_all(folders, life)

    def _keys(self, folder: str) -> list[str]:
        try:
            return self.account.keys(folder)
        except Gone:
            return []

    def _learn_all(self, folders: list[str], half_life: float | str | None) -> Lesson:
        waits = waiting(self.database)
        young = {place for place, since in waits.items() if since + self.rules.settled * DAY > time()}
        history = read_history(self.account, self.path, folders, young, self.progress)
        model = MailModel.of(history, half_life)
        with transaction(self.database):
            self.database.execute("DELETE FROM placed WHERE state = 'learned'")
            self._place(history.entries, "learned")
            self._save(model)
        self._refresh()
        return Lesson(len(history), settled=len(waits) - len(young), waiting=len(young))

    def _learn_more(self, listing: set[Spot], known: dict[Spot, Known], new: list[Spot]) -> Lesson:
        now, source = time(), self.rules.source
        lacks = bool(missing(known, listing))
        came = self._read(spot for spot in new if lacks or spot[0] != source)
        done = changes(known, listing, came.entries, source, now - self.rules.settled * DAY, self._filed_here, now)
        learn, settled = came.of(done.learn), self._read(done.settled)
        was = [replace(came.entries[at], folder=old.folder, date=old.date) for at, old in done.forget]
        try:
            model = self.model.without(History(was, came.of(at for at, _ in done.forget).mail))
        except ValueError as error:  # what the counts have lost by rounding, all that is there gives again
            raise NeverForgotten from error
        # What it filed rightly is a guess like any other: were only what it was not sure of, and its mistakes, counted,
        # it would be less and less sure.
        model = model.with_guesses(settled).with_guesses(learn)
        model = model.with_learned(learn).with_learned(settled)
        with transaction(self.database):
            self.database.executemany(
                "UPDATE placed SET gone = ? WHERE folder = ? AND key = ?",
                [(now, one.folder, one.key) for one in done.missing],
            )
            self.database.executemany(
                "DELETE FROM placed WHERE folder = ? AND key = ?", [(one.folder, one.key) for one in done.moved]
            )
            for at, old in done.corrected:
                self.journal.correct(old.folder, old.key, came.entries[at].folder)
            for at, state, since in done.state:
                self._place([came.entries[at]], state, since)
            self._place(settled.entries, "learned")
            if len(learn) or done.forget or len(settled):
                self._save(model)
        self._refresh()
        return Lesson(len(learn) + len(settled), len(done.forget), len(settled), len(waiting(self.database)))

    def _filed_here(self, entry: Entry) -> bool:
        """Whether Likely put it there, under a key that the account did not report."""
        moves = self.journal.of("fingerprint = ? AND state = 'moved'", entry.fingerprint)
        return bool(moves) and moves[-1].target == entry.folder and moves[-1].new_key in (None, entry.key)

    def _read(self, places: Iterable[tuple[str, str]]) -> History:
        by_folder: dict[str, list[str]] = defaultdict(list)
        for folder, key in places:
            by_folder[folder].append(key)
        if self.account.remote:
            with closing(Index(index_path(self.path))) as index:
                return index.history(self.account, by_folder)
        return History.of_letters(
            letter for folder, keys in by_folder.items() for letter in self.account.read(folder, keys)
        )

    def _place(self, entries: list[Entry], state: str, since: float | None = None) -> None:
        since = time() if since is None else since
        self.database.executemany(
            "INSERT OR REPLACE INTO placed (folder, key, fingerprint, date, state, since) VALUES (?, ?, ?, ?, ?, ?)",
            [(entry.folder, entry.key, entry.fingerprint, entry.date, state, since) for entry in entries],
        )

    def _save(self, model: MailModel) -> None:
        self.database.execute("DELETE FROM model")
        self.database.execute("INSERT INTO model (version, state) VALUES (?, ?)", (self._version + 1, packed(model)))

    def _acknowledged(self, move: Move) -> None:
        """What Likely moved waits, and is not yet learned; what it put back is for you to file."""
        if move.undoes is None and move.new_key is not None:
            self.database.execute(
                "INSERT OR REPLACE INTO placed (folder, key, fingerprint, date, state, since) "
                "VALUES (?, ?, ?, ?, 'waiting', ?)",
                (move.target, move.new_key, move.fingerprint, move.at, time()),
            )

    # Filing

    def file(
        self, precision: float, move: bool = False, keys: Iterable[str] | None = None, since: float | None = None
    ) -> list[Decision]:
        """Decides on all messages of the folder that mail comes into, or on those of `keys`, and of these on those
        `since` a time; moves them if asked to.

        Raises Refused, before it looks at any, if nothing can be moved in this account.
        """
        if move and self.account.only_read:
            raise Refused(self.account.only_read)
        with self._working():
            return self._file(precision, move, keys, since)

    def _file(self, precision: float, move: bool, keys: Iterable[str] | None, since: float | None) -> list[Decision]:
        folders = set(self.rules.learned(self.account.folders()))
        source = self.rules.source
        history = self._read((source, key) for key in (self.account.keys(source) if keys is None else keys))
        if since is not None:
            history = history.of(row for row, date in enumerate(history.dates) if date >= since)
        if not len(history):
            return []
        names, chances = self.model.chances(history.mail, folders)
        if not names:
            why = "nothing has been learned yet: `likely mail learn` does"
            return [Decision(entry, [], 0.0, "left", why) for entry in history.entries]
        sure, least = self.model.sure(names, chances), self.model.threshold(precision)
        verdicts = []
        for row, entry in enumerate(history.entries):
            order = np.argsort(-chances[row], kind="stable")[:SUGGESTED]
            told = [(names[at], float(chances[row, at])) for at in order]
            verdicts.append(self._decided(Decision(entry, told, float(sure[row]), "left"), least, move))
        return verdicts

    def _decided(self, verdict: Decision, least: float, move: bool) -> Decision:
        entry, to = verdict.entry, verdict.suggestions[0][0]

        def so(action: str, why: str = "") -> Decision:
            return Decision(entry, verdict.suggestions, verdict.sure, action, why)

        if verdict.sure < least:
            return so(
                "left", "the confidence is too low" if least <= 1 else "too little is known to be sure of anything"
            )
        if self._put_back(entry):
            return so("left", "you took it back from where it was filed")
        if not move:
            return so("would move")
        told = (entry.fingerprint, entry.message_id, entry.subject, entry.sender)
        subject = Subject(entry.folder, entry.key, *told)
        done = self.journal.move(self.account, subject, to, verdict.sure)
        return so("moved" if done.state == "moved" else "refused", done.why)

    def _put_back(self, entry: Entry) -> bool:
        """Whether Likely filed it before, and it is no second message like one that lies where it was filed."""
        moves = self.journal.of("fingerprint = ? AND state = 'moved' AND undoes IS NULL", entry.fingerprint)
        return any(move.new_key not in self._keys(move.target) for move in moves)

    def undo(self, last: int | None = None, since: float | None = None, numbers: Iterable[int] = ()) -> list[Move]:
        """Puts back the last moves, all since a time, or those of some numbers of the journal, the newest first.

        What can't be put back is among what is returned, with the reason, and does not count among the last. Once it
        was found to be gone from where it was filed, only `since` looks for it again.
        """
        done: list[Move] = []
        wanted = {self.journal.numbered(number).id for number in numbers}
        if over := wanted - {move.id for move in self.journal.undoable()}:
            raise ValueError(f"move {min(over)} was not made, undoes another, or is undone already")
        with self._working():
            for move in self.journal.undoable(since):
                if (wanted and move.id not in wanted) or (not wanted and since is None and self.journal.given_up(move)):
                    continue
                if last is not None and sum(one.state == "moved" for one in done) == last:
                    break
                done.append(self.journal.undo(self.account, move))
        return done

    # Reasons

    def why(self, message_id: str) -> tuple[Letter, Reasons] | None:
        """A message, by its Message-ID or by the number of its move in the journal, and the evidence, as if it had not
        been learned itself; None if there is no such message."""
        letter = self._numbered(int(message_id)) if message_id.isdecimal() else None
        if letter is None:
            letter = self.account.find(message_id, [folder.name for folder in self.account.folders()])
        if letter is None or self.model.learned is None:
            return None
        history = History.of_letters([letter])
        row = self.database.execute(
            "SELECT state FROM placed WHERE folder = ? AND key = ?", (letter.folder, letter.key)
        ).fetchone()
        model = self.model
        if row is not None and row["state"] == "learned":
            model = model.without(history)
        return letter, model.reasons(history.mail)

    def _numbered(self, number: int) -> Letter | None:
        """The message of a move, where it was left or wherever it is now."""
        move = self.journal.numbered(number)
        try:
            key = self.journal.where_left(self.account, move)
        except Gone:
            key = None
        if key is not None:
            return next(iter(self.account.read(move.target, [key])), None)
        folders = [folder.name for folder in self.account.folders()]
        return self.account.find(move.message_id, folders) if move.message_id else None


def _readable(state: bytes) -> MailModel:
    """What was learned; nothing, if that is damaged or of another version, so that it is learned anew."""
    try:
        return unpacked(state)
    except BadModelFile:
        return MailModel()


def waiting(database: sqlite3.Connection) -> dict[tuple[str, str], float]:
    """Folder and key of what Likely filed and has not learned, and since when it is there."""
    query = "SELECT folder, key, since FROM placed WHERE state = 'waiting' AND gone IS NULL"
    return {(row["folder"], row["key"]): row["since"] for row in database.execute(query)}
