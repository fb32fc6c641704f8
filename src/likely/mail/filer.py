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
"""How many folders to suggest for a message that stays where it is."""

TOO_LOW = "the confidence is too low"


@dataclass(frozen=True)
class Decision:
    """What Likely does with a message, and why."""

    entry: Entry
    suggestions: list[tuple[str, float]]
    """The most probable folders, each with its probability."""
    sure: float
    """The confidence that the first of them is right."""
    action: str
    """ "would move", "moved" (or "would copy", "copied", "would flag", "flagged"), "refused" or "left"."""
    why: str = ""


class Filer(MailLearner):
    """Decides which folder each message belongs in, and moves it there if asked to."""

    def file(
        self,
        precision: float,
        move: bool = False,
        keys: Iterable[str] | None = None,
        since: float | None = None,
        action: Action = MOVE,
        decided: Callable[[Decision], None] = lambda verdict: None,
    ) -> list[Decision]:
        """Decides on the messages of the folder that mail comes into: on all of them, or only on those with these
        `keys`, or only on those written `since` a time. With `move`, it also carries out the `action`.

        `decided` is called after each message, so that you hear of every message that was moved, even if the connection
        is lost at the next one. Raises Refused, before it reads any message, if this account can't do the action.
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
        """Raises Refused if this account can't do this action with any message."""
        if why := self.account.only_read or (action.keyword and self.account.no_keywords):
            raise Refused(why)

    def _file(
        self, precision: float, move: bool, keys: Iterable[str] | None, since: float | None, action: Action
    ) -> Iterator[Decision]:
        folders = set(self.rules.learned(self.account.folders()))
        source = self.rules.source
        if keys is None:
            keys = self.account.keys(source)
        elif self.account.remote:  # the index may still hold a message that another process has filed since
            there = set(self.account.keys(source))
            keys = [key for key in keys if key in there]
        history = self._read((source, key) for key in keys)
        history = history.latest(since)
        if not len(history):
            return
        names, odds = self.model.odds(history.mail, folders)
        if not names:
            why = "nothing has been learned yet; run `likely mail learn`"
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
            return replace(verdict, why=TOO_LOW if least <= 1 else "too little is known to file anything yet")
        if why := self._filed_before(entry, action):
            return replace(verdict, why=why)
        if self._left_alone(entry):
            return replace(verdict, why="you left it in the inbox")
        if not move:
            return replace(verdict, action=f"would {action.name}")
        now = self.account.fingerprints(entry.folder, [entry.key])
        if now.get(entry.key, entry.fingerprint) != entry.fingerprint:
            return replace(verdict, why="the server now has another message under its number")
        known_by = (entry.fingerprint, entry.message_id, entry.subject, entry.sender)
        subject = Subject(entry.folder, entry.key, *known_by)
        done = self.journal.move(self.account, subject, to, verdict.sure, action=action.for_folder(to))
        return replace(verdict, action=action.done if done.state == "moved" else "refused", why=done.why)

    def _filed_before(self, entry: Entry, action: Action) -> str:
        """Why to leave a message that Likely filed before; "" if there is no such reason.

        There is none if Likely never filed it, if it only flagged a message that it should now move or copy, or if this
        is a second copy, and the first is still where it was filed.
        """
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
        """Undoes the `last` moves, all moves `since` a time, or the moves with these `numbers` in the journal, the
        newest first.

        The result also has the moves that can't be undone, with the reason; they do not count towards `last`. A message
        that was once found to be gone from its folder is looked for again only with `since`.
        """
        done: list[Move] = []
        wanted = {self.journal.numbered(number).id for number in numbers}
        if over := wanted - {move.id for move in self.journal.undoable()}:
            raise ValueError(f"move {min(over)} was not made, undoes another, or is undone already")
        with self.working():
            for move in self.journal.undoable(since):
                if (wanted and move.id not in wanted) or (not wanted and since is None and self.journal.given_up(move)):
                    continue
                if last is not None and sum(undo.state == "moved" for undo in done) == last:
                    break
                done.append(self.journal.undo(self.account, move))
        return done

    # Reasons

    def why(self, message_id: str) -> tuple[Entry, Reasons] | None:
        """A message, and the evidence for where it belongs, by a model that has not learned it. `message_id` is its
        Message-ID, or the number of its move in the journal. None if there is no such message, or no model yet."""
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
            model = without if without.learned is not None else model  # it is the only message that was learned
        return history.entries[0], model.reasons(history.mail)

    def text_and_reasons(self, entry: Entry) -> tuple[str, Reasons | None]:
        """The text of a message in the inbox (HTML as plain text), and the evidence for where it belongs: None before
        anything is learned."""
        history = self._read([(entry.folder, entry.key)])
        if not len(history):
            raise Gone("the message is not there any more")
        text = history.mail[:]["text"][0].as_py()
        return text, None if self.model.learned is None else self.model.reasons(history.mail)

    def _named(self, message_id: str) -> Spot | None:
        """Where the message with this Message-ID is. The index is asked first: a search in all folders is slow."""
        for folder, key in self._indexed(message_id):
            if is_there(self.account, folder, key):
                return folder, key
        letter = self.account.find(message_id, [folder.name for folder in self.account.folders()])
        return (letter.folder, letter.key) if letter is not None else None

    def _numbered(self, number: int) -> Spot | None:
        """Where the message of a move is now: where the move left it, or wherever you have put it since."""
        move = self.journal.numbered(number)
        try:
            folder, key = self.journal.where_left(self.account, move)
        except Gone:
            folder, key = move.target, None
        if key is not None:
            return folder, key
        return self._named(move.message_id) if move.message_id else None
