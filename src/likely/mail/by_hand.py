"""Moves that you make yourself in the desk. They are written to the same journal, and learned as your own filing."""

from collections import defaultdict
from collections.abc import Iterable
from time import time

from likely.mail.account import Gone, Refused, Unreachable
from likely.mail.filer import Filer
from likely.mail.history import Entry, History
from likely.mail.journal import Move, Subject
from likely.models.explain import Reasons

GROUNDS = 3
"""How many words to show as the reason for a folder."""


def put(filer: Filer, entry: Entry, to: str) -> Move:
    """Moves a message of the inbox to the folder `to`. The state of the move shows whether the message was still
    there."""
    with filer.working():
        return filer.journal.move(filer.account, _subject(entry, entry.folder, entry.key), known(filer, to))


def refile(filer: Filer, number: int, to: str) -> Move:
    """Moves a message from where an earlier move left it to another folder, and marks the earlier move as corrected."""
    with filer.working():
        move, to = filer.journal.numbered(number), known(filer, to)
        folder, key = filer.journal.where_left(filer.account, move)
        if move.state != "moved" or key is None:
            raise Gone(f"the message of move {number} is not in {folder!r} any more")
        if to == folder:
            raise Refused(f"it is in {folder!r} already")
        about = (move.fingerprint, move.message_id, move.subject, move.sender)
        done = filer.journal.move(filer.account, Subject(folder, key, *about), to)
        if done.state == "moved" and move.new_key is not None:
            filer.journal.correct(move.target, move.new_key, to)
        return done


def leave(filer: Filer, entry: Entry) -> None:
    """Leaves a message in the inbox: Likely does not file it any more."""
    filer.database.execute("INSERT OR REPLACE INTO left_alone VALUES (?, ?)", (entry.fingerprint, time()))


def known(filer: Filer, folder: str) -> str:
    """The name of an existing folder. Raises Gone if there is none: no folder is ever created."""
    names = {existing.name for existing in filer.account.folders()}
    for name in (folder, folder.strip()):
        if name in names:
            return name
    raise Gone(f"there is no folder {folder!r} in this account")


def tally(filer: Filer) -> dict[str, tuple[int, int]]:
    """For each folder, how many messages Likely filed into it, and how many of these you have moved elsewhere since."""
    query = """
        SELECT target, count(*), count(corrected) + sum(corrected IS NULL AND id IN (
            SELECT undoes FROM moves WHERE undoes IS NOT NULL AND state = 'moved'))
        FROM moves WHERE state = 'moved' AND undoes IS NULL AND sure IS NOT NULL GROUP BY target
    """
    return {folder: (filed, corrected) for folder, filed, corrected in filer.database.execute(query)}


def grounds(filer: Filer, moves: Iterable[Move]) -> dict[int, str]:
    """For each move, by its number, the words that are the strongest evidence for the folder. Moves whose message is
    gone are left out."""
    places: dict[str, dict[str, int]] = defaultdict(dict)
    for move in moves:
        if move.state == "moved" and move.new_key is not None:
            places[move.target][move.new_key] = move.id
    shown: dict[int, str] = {}
    for folder, ids in places.items():
        try:
            for letter in filer.account.read(folder, list(ids)):
                shown[ids[letter.key]] = words(filer.model.reasons(History.of_letters([letter]).mail), folder)
        except (Gone, Refused, Unreachable):
            continue
    return shown


def words(reasons: Reasons, folder: str, most: int = GROUNDS) -> str:
    """The strongest evidence for a folder against the average of the others: "list-id: python-dev, 'traceback'"."""
    names = [str(name) for name in reasons.classes]
    if folder not in names or len(names) < 2:
        return ""
    at = names.index(folder)
    others = [k for k in range(len(names)) if k != at]
    evidence = [
        (float(reason.contributions[at] - reason.contributions[others].mean()), str(reason.column))
        for reason in reasons.reasons
    ]
    best = sorted((pair for pair in evidence if pair[0] > 0), reverse=True)[:most]
    return ", ".join(_word(column) for _, column in best)


def _word(column: str) -> str:
    kind, _, word = column.partition(": ")
    return f"‘{word}’" if kind == "text" else word or kind


def _subject(entry: Entry, folder: str, key: str) -> Subject:
    return Subject(folder, key, entry.fingerprint, entry.message_id, entry.subject, entry.sender)
