"""Learns from you alone: what you have filed, and what you have moved since."""

from dataclasses import dataclass, replace
from time import time

from likely.mail.changes import Known, Spot, changes, missing, unknown
from likely.mail.database import transaction
from likely.mail.history import Entry, History
from likely.mail.index import listed, read_history
from likely.mail.knowledge import Knowledge, waiting
from likely.mail.model import MailModel

DAY = 86400.0


class LearnAgain(Exception):
    """The model can't be updated: all messages must be learned again."""

    renamed = 0
    """How many folders were renamed, if that is the reason."""


@dataclass(frozen=True)
class Lesson:
    """How many messages a call of `learn` learned."""

    learned: int = 0
    corrected: int = 0
    """How many of the learned messages you had moved from another folder; they were forgotten there."""
    settled: int = 0
    """How many of the learned messages Likely had filed, and you left there."""
    waiting: int = 0
    """How many messages Likely has filed that were not yet left there long enough to be learned."""
    renamed: int = 0
    """How many folders you have renamed; if any, all messages are learned again."""


class MailLearner(Knowledge):
    """Learns what you have done with your mail since the last time."""

    def learn(self, half_life: float | str | None = None, from_scratch: bool = False) -> Lesson:
        """Learns what you have done since the last time; the first time, or with `from_scratch`, learns all messages.

        A message that Likely filed is learned once you have left it there for `rules.settled` days, or have put another
        message into that folder since. A message that is now in another folder is forgotten in the old folder and
        learned in the new one, whoever moved it. Deleted messages stay learned.
        """
        with self.working():
            return self._learn(half_life, from_scratch)

    def _learn(self, half_life: float | str | None, from_scratch: bool) -> Lesson:
        folders = self.rules.learned(self.account.folders())
        life = half_life if from_scratch or half_life else self.model.half_life
        if from_scratch or self.model.learned is None:
            return self._learn_all(folders, life)
        known = {(row["folder"], row["key"]): Known(*row) for row in self.database.execute("SELECT * FROM placed")}
        # The inbox is listed last: a message that you move back meanwhile is then seen twice, and not missed.
        listing = set(listed(self.account, self.path, [*folders, self.rules.source]))
        new = unknown(known, listing)
        came = sum(folder != self.rules.source for folder, _ in new)
        there = came + sum(message.state == "learned" and spot in listing for spot, message in known.items())
        vanished = {message.folder for message in known.values() if message.gone is None}
        vanished -= {*folders, self.rules.source}
        # A folder that is new here may be an old one that was renamed, and whose messages went missing before.
        fresh = {folder for folder, _ in new} - {self.rules.source, *(message.folder for message in known.values())}
        if there >= max(2 * self.model.chosen_by, 1) and not vanished | fresh:  # choose the scales again
            return self._learn_all(folders, life)
        try:
            return self._learn_more(folders, listing, known, new)
        except LearnAgain as why:
            return replace(self._learn_all(folders, life), renamed=why.renamed)

    def _learn_all(self, folders: list[str], half_life: float | str | None) -> Lesson:
        waits = waiting(self.database)
        young = {place for place, since in waits.items() if since + self.rules.settled * DAY > time()}
        with read_history(self.account, self.path, folders, young, self.progress) as history:
            model = MailModel.of(history, half_life)
            with transaction(self.database):
                self.database.execute("DELETE FROM placed WHERE state = 'learned'")
                self._place(history.entries, "learned")
                self._save(model)
        self._refresh()
        return Lesson(len(history), settled=len(waits) - len(young), waiting=len(young))

    def _learn_more(self, folders: list[str], listing: set[Spot], known: dict[Spot, Known], new: list[Spot]) -> Lesson:
        now, source = time(), self.rules.source
        lacks = bool(missing(known, listing))
        came = self._read(spot for spot in new if lacks or spot[0] != source)
        done = changes(known, listing, came.entries, source, now - self.rules.settled * DAY, self._filed_here, now)
        if renamed := {old: name for old, name in done.renamed.items() if old not in folders}:
            self._rename(renamed, [(old, came.entries[at]) for at, old in done.elsewhere])
        learn, settled = came.of(done.learn), self._read(done.settled)
        was = [replace(came.entries[at], folder=old.folder, date=old.date) for at, old in done.forget]
        try:
            model = self.model.without(History(was, came.of(at for at, _ in done.forget).mail))
        except ValueError as error:  # the counts have rounding errors: count all messages again
            raise LearnAgain from error
        # Messages that Likely filed count as guesses too. With only its mistakes and the messages that it did not file,
        # its confidence would fall and fall.
        model = model.with_guesses(settled).with_guesses(learn)
        model = model.with_learned(learn).with_learned(settled)
        with transaction(self.database):
            self.database.executemany(
                "UPDATE placed SET gone = ? WHERE folder = ? AND key = ?",
                [(now, message.folder, message.key) for message in done.missing],
            )
            self.database.executemany(
                "DELETE FROM placed WHERE folder = ? AND key = ?",
                [(message.folder, message.key) for message in done.moved],
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

    def _rename(self, names: dict[str, str], moved: list[tuple[Known, Entry]]) -> None:
        """Writes the new names of renamed folders to the database, and raises LearnAgain: you did not move their
        messages, so these are no corrections, and no guess of them was wrong."""
        with transaction(self.database):
            for old, new in names.items():
                self.journal.rename(old, new)
            for was, now in moved:
                if names.get(was.folder) == now.folder:
                    spots = (now.folder, now.key, was.folder, was.key)
                    self.database.execute(
                        "UPDATE OR REPLACE placed SET folder = ?, key = ?, gone = NULL WHERE folder = ? AND key = ?",
                        spots,
                    )
                    self.database.execute(
                        "UPDATE moves SET new_key = ? WHERE target = ? AND new_key = ?", (now.key, now.folder, was.key)
                    )
        again = LearnAgain()
        again.renamed = len(names)
        raise again

    def _filed_here(self, entry: Entry) -> bool:
        """Whether Likely put a message there; the account may not have reported its new key."""
        moves = self.journal.of("fingerprint = ? AND state = 'moved' AND keyword = ''", entry.fingerprint)
        last = moves[-1] if moves else None
        return (
            last is not None
            and last.sure is not None  # None: you moved it yourself, in the desk
            and last.target == entry.folder
            and last.new_key in (None, entry.key)
        )
