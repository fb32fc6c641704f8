"""Files mail where you would."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from likely.mail.account import Gone, Refused
from likely.mail.actions import MOVE, Action, action_of, is_there
from likely.mail.changes import Spot
from likely.mail.history import Entry
from likely.mail.journal import Move, Subject
from likely.mail.learner import MailLearner
from likely.models.explain import Reasons
from likely.models.log_odds import probability

SUGGESTED = 3
"""Folders that are suggested for a message that is left where it is."""

TOO_LOW = "the confidence is too low"


@dataclass(frozen=True)
class Decision:
    """What becomes of a message."""

    entry: Entry
    suggestions: list[tuple[str, float]]
    """The likeliest folders, with the chance of each."""
    sure: float
    """The confidence in the first."""
    action: str
    """ "would move", "moved" (or "would copy", "copied", "would flag", "flagged"), "refused" or "left"."""
    why: str = ""


class Filer(MailLearner):
    """Decides by what is known of an account, and moves."""

    def file(
        self,
        precision: float,
        move: bool = False,
        keys: Iterable[str] | None = None,
        since: float | None = None,
        action: Action = MOVE,
        decided: Callable[[Decision], None] = lambda verdict: None,
    ) -> list[Decision]:
        """Decides on all messages of the folder that mail comes into, or on those of `keys`, and of these on those
        `since` a time; moves them if asked to, or does what `action` does. `decided` is called with each at once: what
        was moved is moved, though the next one may lose the connection.

        Raises Refused, before it looks at any, if nothing can be moved, or flagged, in this account.
        """
        if move:
            self.check(action)
        with self.working():
            verdicts = []
            for verdict in self._file(precision, move, keys, since, action):
                verdicts.append(verdict)
                decided(verdict)
        return verdicts

    def check(self, action: Action) -> None:
        """Raises Refused where this account can't do that with any message."""
        if why := self.account.only_read or (action.keyword and self.account.no_keywords):
            raise Refused(why)

    def _file(
        self, precision: float, move: bool, keys: Iterable[str] | None, since: float | None, action: Action
    ) -> Iterator[Decision]:
        folders = set(self.rules.learned(self.account.folders()))
        source = self.rules.source
        if keys is None:
            keys = self.account.keys(source)
        elif self.account.remote:  # where a message is read from the index, though another process has filed it since
            there = set(self.account.keys(source))
            keys = [key for key in keys if key in there]
        history = self._read((source, key) for key in keys)
        history = history.latest(since)
        if not len(history):
            return
        names, odds = self.model.odds(history.mail, folders)
        if not names:
            why = "nothing has been learned yet: `likely mail learn` does"
            yield from (Decision(entry, [], 0.0, "left", why) for entry in history.entries)
            return
        sure, least = self.model.sure(names, odds), self.model.threshold(precision)
        labels = self.account.labels(source, [entry.key for entry in history.entries])
        for row, entry in enumerate(history.entries):
            order = np.argsort(-odds[row], kind="stable")[:SUGGESTED]
            suggested = [(names[at], float(probability(odds[row, at]))) for at in order]
            verdict = Decision(entry, suggested, float(sure[row]), "left")
            if has := sorted(labels.get(entry.key, set()) & folders):
                yield replace(verdict, why=f"it has the label {has[0]!r} already")
            else:
                yield self._decided(verdict, least, move, action)

    def _decided(self, verdict: Decision, least: float, move: bool, action: Action) -> Decision:
        entry, to = verdict.entry, verdict.suggestions[0][0]
        if verdict.sure < least:
            return replace(verdict, why=TOO_LOW if least <= 1 else "too little is known to be sure of anything")
        if why := self._filed_before(entry, action):
            return replace(verdict, why=why)
        if self._left_alone(entry):
            return replace(verdict, why="you left it in the inbox")
        if not move:
            return replace(verdict, action=f"would {action.name}")
        now = self.account.fingerprints(entry.folder, [entry.key])
        if now.get(entry.key, entry.fingerprint) != entry.fingerprint:
            return replace(verdict, why="the server gives another message under its number")
        known_by = (entry.fingerprint, entry.message_id, entry.subject, entry.sender)
        subject = Subject(entry.folder, entry.key, *known_by)
        done = self.journal.move(self.account, subject, to, verdict.sure, action=action.for_folder(to))
        return replace(verdict, action=action.done if done.state == "moved" else "refused", why=done.why)

    def _filed_before(self, entry: Entry, action: Action) -> str:
        """Why a message that Likely filed before is left; "" where it did not, where it only flagged what is now to be
        moved or copied, and where this is a second message like one that lies where it was filed."""
        for move in self.journal.of("fingerprint = ? AND state = 'moved' AND undoes IS NULL", entry.fingerprint):
            if move.action != MOVE.name and (move.source, move.key) == (entry.folder, entry.key):
                if self.journal.of("undoes = ? AND state = 'moved'", move.id):
                    return f"it was {action_of(move).done} before, and you undid it"
                if action.keyword or not move.keyword:
                    return f"it was {action_of(move).done} before"
            if move.action == MOVE.name and move.new_key not in self._keys(move.target):
                return "you took it back"
        return ""

    def _keys(self, folder: str) -> list[str]:
        try:
            return self.account.keys(folder)
        except Gone:
            return []

    def _left_alone(self, entry: Entry) -> bool:
        query = "SELECT 1 FROM left_alone WHERE fingerprint = ?"
        return self.database.execute(query, (entry.fingerprint,)).fetchone() is not None

    def undo(self, last: int | None = None, since: float | None = None, numbers: Iterable[int] = ()) -> list[Move]:
        """Puts back the last moves, all since a time, or those of some numbers of the journal, the newest first.

        What can't be put back is among what is returned, with the reason, and does not count among the last. Once it
        was found to be gone from where it was filed, only `since` looks for it again.
        """
        done: list[Move] = []
        wanted = {self.journal.numbered(number).id for number in numbers}
        if over := wanted - {move.id for move in self.journal.undoable()}:
            raise ValueError(f"move {min(over)} was not made, undoes another, or is undone already")
        with self.working():
            for move in self.journal.undoable(since):
                if (wanted and move.id not in wanted) or (not wanted and since is None and self.journal.given_up(move)):
                    continue
                if last is not None and sum(one.state == "moved" for one in done) == last:
                    break
                done.append(self.journal.undo(self.account, move))
        return done

    # Reasons

    def why(self, message_id: str) -> tuple[Entry, Reasons] | None:
        """A message, by its Message-ID or by the number of its move in the journal, and the evidence, as if it had not
        been learned itself; None if there is no such message."""
        spot = self._numbered(int(message_id)) if message_id.isdecimal() else self._named(message_id)
        if spot is None or self.model.learned is None:
            return None
        history = self._read([spot])
        if not len(history):
            return None
        row = self.database.execute("SELECT state FROM placed WHERE folder = ? AND key = ?", spot).fetchone()
        model = self.model
        if row is not None and row["state"] == "learned":
            without = model.without(history)
            model = without if without.learned is not None else model  # of the only one, there is no other evidence
        return history.entries[0], model.reasons(history.mail)

    def text_and_reasons(self, entry: Entry) -> tuple[str, Reasons | None]:
        """The text of a message of the inbox, HTML as the text in it, and the evidence; None before anything was
        learned."""
        history = self._read([(entry.folder, entry.key)])
        if not len(history):
            raise Gone("the message is not there any more")
        text = history.mail[:]["text"][0].as_py()
        return text, None if self.model.learned is None else self.model.reasons(history.mail)

    def _named(self, message_id: str) -> Spot | None:
        """Where a message of that Message-ID is: if it was read before, without a search in all folders."""
        for folder, key in self._indexed(message_id):
            if is_there(self.account, folder, key):
                return folder, key
        letter = self.account.find(message_id, [folder.name for folder in self.account.folders()])
        return (letter.folder, letter.key) if letter is not None else None

    def _numbered(self, number: int) -> Spot | None:
        """The message of a move, where it was left or wherever it is now."""
        move = self.journal.numbered(number)
        try:
            folder, key = self.journal.where_left(self.account, move)
        except Gone:
            folder, key = move.target, None
        if key is not None:
            return folder, key
        return self._named(move.message_id) if move.message_id else None
