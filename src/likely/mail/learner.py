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
    """What was learned can't be brought up to date: all that is there has to be learned again."""

    renamed = 0
    """Folders that were renamed, where that is why."""


@dataclass(frozen=True)
class Lesson:
    """What was learned of an account, in messages."""

    learned: int = 0
    corrected: int = 0
    """Of these, those that had been in another folder, and were forgotten there."""
    settled: int = 0
    """Of these, those that Likely filed and you left there."""
    waiting: int = 0
    """Filed by Likely, and not yet left there long enough."""
    renamed: int = 0
    """Folders that you have renamed; all is learned again then."""


class MailLearner(Knowledge):
    """Brings what is known of an account up to date."""

    def learn(self, half_life: float | str | None = None, from_scratch: bool = False) -> Lesson:
        """Learns what you have done since the last time; the first time, or `from_scratch`, all that is there.

        What Likely filed itself is learned when you have left it there for `rules.settled` days or have put something
        into the same folder since. A message found in another folder than before is forgotten there and learned here,
        whoever moved it. Of messages that are gone, what was learned stays.
        """
        with self.working():
            return self._learn(half_life, from_scratch)

    def _learn(self, half_life: float | str | None, from_scratch: bool) -> Lesson:
        folders = self.rules.learned(self.account.folders())
        life = half_life if from_scratch or half_life else self.model.half_life
        if from_scratch or self.model.learned is None:
            return self._learn_all(folders, life)
        known = {(row["folder"], row["key"]): Known(*row) for row in self.database.execute("SELECT * FROM placed")}
        # Where mail comes in is listed last: what you move back meanwhile is then seen in both, not in none.
        listing = set(listed(self.account, self.path, [*folders, self.rules.source]))
        new = unknown(known, listing)
        came = sum(folder != self.rules.source for folder, _ in new)
        there = came + sum(one.state == "learned" and spot in listing for spot, one in known.items())
        vanished = {one.folder for one in known.values() if one.gone is None} - {*folders, self.rules.source}
        # A folder of which nothing is known may be one that was renamed, whose messages were missed before.
        fresh = {folder for folder, _ in new} - {self.rules.source, *(one.folder for one in known.values())}
        if there >= max(2 * self.model.chosen_by, 1) and not vanished | fresh:  # enough to choose again
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
        except ValueError as error:  # what the counts have lost by rounding, all that is there gives again
            raise LearnAgain from error
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

    def _rename(self, names: dict[str, str], moved: list[tuple[Known, Entry]]) -> None:
        """Writes that folders were renamed, and asks for all to be learned again: their messages are no corrections,
        and no guess of them was wrong."""
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
        """Whether Likely put it there, under a key that the account did not report."""
        moves = self.journal.of("fingerprint = ? AND state = 'moved' AND keyword = ''", entry.fingerprint)
        last = moves[-1] if moves else None
        return (
            last is not None
            and last.sure is not None  # what you moved yourself, by the desk, is yours
            and last.target == entry.folder
            and last.new_key in (None, entry.key)
        )
