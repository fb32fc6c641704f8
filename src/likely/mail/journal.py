"""Every move, written before it happens: what a crash leaves open is settled by looking, and all can be undone."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import time
from typing import Any

from likely.mail.account import Account, Gone, Letter, Refused
from likely.mail.database import transaction


@dataclass(frozen=True, slots=True)
class Move:
    id: int
    at: float
    fingerprint: str
    message_id: str
    subject: str
    source: str
    key: str
    target: str
    mark: str
    new_key: str | None
    sure: float | None
    undoes: int | None
    state: str
    """ "intended" before it happens; then "moved", "refused" by the account, or "stopped" before anything moved."""
    why: str
    sender: str = ""
    corrected: str | None = None
    """The folder in which you have put it since; None where you have not."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The message that is to be moved."""

    folder: str
    key: str
    fingerprint: str
    message_id: str
    subject: str
    sender: str = ""


class Journal:
    def __init__(self, database: sqlite3.Connection, moved: Callable[[Move], None] = lambda move: None) -> None:
        self.database = database
        self.moved = moved
        """Called with each move in the same transaction in which it is acknowledged."""

    def move(
        self, account: Account, message: Subject, to: str, sure: float | None = None, undoes: int | None = None
    ) -> Move:
        """Moves a message; what the account refuses is written, and shown by the state of the move."""
        try:
            mark = account.mark(to, message.fingerprint)
        except (Gone, Refused) as error:
            return self._begun(message, to, "", sure, undoes, "refused", str(error))
        move = self._begun(message, to, mark, sure, undoes)
        try:
            new_key = account.move(message.folder, message.key, to)
        except (Gone, Refused) as error:
            return self._ended(move, "refused", why=str(error))
        if new_key is None:
            new_key = account.arrived(to, mark, message.key, message.fingerprint)
        return self._ended(move, "moved", new_key)

    def recover(self, account: Account) -> list[Move]:
        """Settles what was open when the last process ended: each message is then in one folder, and this agrees.

        Nothing that a journal may hold stops it: what cannot be settled is set aside as "stopped", with the reason.
        """
        return [self._settled(account, move) for move in self.of("state = 'intended'")]

    def _settled(self, account: Account, move: Move) -> Move:
        here = any(True for _ in _there(account, move.source, move.key))
        try:
            new_key = account.arrived(move.target, move.mark, move.key, move.fingerprint)
        except (Gone, Refused, ValueError) as error:  # the last, of a mark that is none
            why = "the process ended before it moved" if here else f"it cannot be found: {error}"
            return self._ended(move, "stopped", why=why)
        if new_key is None:
            why = "the process ended before it moved" if here else "it was gone when the process came back"
            return self._ended(move, "stopped", why=why)
        why = ""
        try:
            if here:
                account.take_out(move.source, move.key)
        except (Gone, Refused) as error:
            why = f"a copy stays in {move.source!r}: {error}"
        return self._ended(move, "moved", new_key, why)

    def undo(self, account: Account, move: Move) -> Move:
        """Puts a message back where it was, if it still is where the move left it."""
        try:
            key = self.where_left(account, move)
            why = f"it is not in {move.target!r} any more"
        except (Gone, Refused) as error:
            key, why = None, str(error)
        subject = Subject(move.target, key or "", move.fingerprint, move.message_id, move.subject, move.sender)
        if key is None:
            return self._begun(subject, move.source, "", None, move.id, "refused", why)
        return self.move(account, subject, move.source, undoes=move.id)

    def where_left(self, account: Account, move: Move) -> str | None:
        """The key under which a message that was moved is still in its folder."""
        if move.new_key is not None:
            letters = account.read(move.target, [move.new_key])
            if any(letter.fingerprint == move.fingerprint for letter in letters):
                return move.new_key
        return account.arrived(move.target, move.mark, move.key, move.fingerprint)

    def undoable(self, since: float | None = None) -> list[Move]:
        """Moves that were not undone, the newest first."""
        return self.of(
            "state = 'moved' AND undoes IS NULL AND at >= ? "
            "AND id NOT IN (SELECT undoes FROM moves WHERE undoes IS NOT NULL AND state = 'moved')",
            since or 0.0,
        )[::-1]

    def given_up(self, move: Move) -> bool:
        """Whether it was to be undone before, and the message was not there any more."""
        query = "SELECT 1 FROM moves WHERE undoes = ? AND state = 'refused' AND key = '' LIMIT 1"
        return self.database.execute(query, (move.id,)).fetchone() is not None

    def numbered(self, number: int) -> Move:
        """The move of a number of `likely mail log`."""
        found = self.of("id = ?", number)
        if not found:
            raise ValueError(f"there is no move {number} in the log")
        return found[0]

    def correct(self, folder: str, key: str, to: str) -> None:
        """Writes that you moved a message on from where it was filed."""
        self.database.execute(
            "UPDATE moves SET corrected = ? WHERE target = ? AND new_key = ? AND state = 'moved' AND undoes IS NULL",
            (to, folder, key),
        )

    def of(self, where: str = "1", *values: Any) -> list[Move]:
        """Moves in the order in which they were begun."""
        rows = self.database.execute(f"SELECT * FROM moves WHERE {where} ORDER BY id", values)
        return [Move(**dict(row)) for row in rows]

    def touched(self, fingerprint: str) -> bool:
        """Whether this message was ever moved: where it is now is for you to decide."""
        query = "SELECT 1 FROM moves WHERE fingerprint = ? AND state = 'moved' LIMIT 1"
        return self.database.execute(query, (fingerprint,)).fetchone() is not None

    def _begun(
        self,
        message: Subject,
        to: str,
        mark: str,
        sure: float | None,
        undoes: int | None,
        state: str = "intended",
        why: str = "",
    ) -> Move:
        """Writes a move that is to happen; or one that can't, which begins and ends at once."""
        told = (message.fingerprint, message.message_id, message.subject, message.folder, message.key)
        values = (time(), *told, to, mark, sure, undoes, state, why, message.sender)
        done = self.database.execute(
            "INSERT INTO moves "
            "(at, fingerprint, message_id, subject, source, key, target, mark, sure, undoes, state, why, sender) "
            f"VALUES ({', '.join('?' * len(values))})",
            values,
        )
        return self.of("id = ?", done.lastrowid)[0]

    def _ended(self, move: Move, state: str, new_key: str | None = None, why: str = "") -> Move:
        with transaction(self.database):
            self.database.execute(
                "UPDATE moves SET state = ?, new_key = ?, why = ? WHERE id = ?", (state, new_key, why, move.id)
            )
            ended = self.of("id = ?", move.id)[0]
            if state == "moved":
                self.moved(ended)
        return ended


def _there(account: Account, folder: str, key: str) -> Iterator[Letter]:
    """The message of that key; none where it or its folder is gone."""
    with suppress(Gone, Refused):
        yield from account.read(folder, [key])


def as_json(moves: list[Move]) -> Iterator[dict[str, Any]]:
    for move in moves:
        yield {
            "id": move.id,
            "at": move.at,
            "message_id": move.message_id,
            "subject": move.subject,
            "sender": move.sender,
            "from": move.source,
            "to": move.target,
            "confidence": move.sure,
            "state": move.state,
            "undoes": move.undoes,
            "corrected": move.corrected,
            "why": move.why,
        }
