"""The journal of moves. Each move is written before it is made: after a crash, the account shows whether it was made.
All moves can be undone."""

import sqlite3
from collections.abc import Callable
from time import time
from typing import Any

from likely.mail.account import Account, Gone, NotNow, Refused
from likely.mail.actions import MOVE, Action, action_of
from likely.mail.database import transaction
from likely.mail.move import Move, Subject, as_json

__all__ = ["Journal", "Move", "Subject", "as_json"]


MAY_STILL = "the connection was lost, and the server may still move it; try again in a few minutes"


class Journal:
    def __init__(self, database: sqlite3.Connection, moved: Callable[[Move], None] = lambda move: None) -> None:
        self.database = database
        self.moved = moved
        """Called with each move that was made, in the transaction that records it."""
        self._answered: set[int] = set()
        """The ids of open moves that the account has refused for good: it did not make them, and never will."""

    def move(
        self,
        account: Account,
        message: Subject,
        to: str,
        sure: float | None = None,
        undoes: int | None = None,
        action: Action = MOVE,
    ) -> Move:
        """Moves a message, or does what `action` does. If the account refuses, the move that is returned has the state
        "refused"."""
        if self.of("state = 'intended' AND source = ? AND key = ?", message.folder, message.key):
            return self._begun(message, to, "", sure, undoes, action, "refused", MAY_STILL)
        try:
            mark = action.mark(account, message, to)
        except (Gone, Refused) as error:
            return self._begun(message, to, "", sure, undoes, action, "refused", str(error))
        move = self._begun(message, to, mark, sure, undoes, action)
        try:
            new_key = action.do(account, message, to)
        except (Gone, Refused) as error:
            return self._ended(move, "refused", why=str(error))
        except NotNow:
            self._answered.add(move.id)
            raise
        if new_key is None and mark:
            new_key = account.arrived(to, mark, message.key, message.fingerprint)
        return self._ended(move, "moved", new_key)

    def recover(self, account: Account) -> list[Move]:
        """Settles the moves that were open when the last process or connection ended: afterwards each message is in one
        folder, and the journal agrees. A move that was not made stays open while the server may still make it.

        It never raises because of one move: a move that can't be settled gets the state "stopped", with the reason. A
        move in a folder that can't be read now stays open, and the other moves are settled.
        """
        return [self._settled(account, move) for move in self.of("state = 'intended'")]

    def _settled(self, account: Account, move: Move) -> Move:
        try:
            move = self._called_now(account, move)
            outcome = action_of(move).settled(account, move)
        except NotNow:
            return move
        young = abs(time() - move.at) < account.late  # abs: also right if the clock was set back
        if outcome.open and young and move.id not in self._answered:
            return move
        return self._ended(move, outcome.state, outcome.new_key, outcome.why)

    def _called_now(self, account: Account, move: Move) -> Move:
        """An open move, with the names that its folders have now. If a folder was renamed meanwhile, the copy in it
        would not be found under the old name, and a second one would be made."""
        for column, name, mark in (("source", move.source, move.key), ("target", move.target, move.mark)):
            if (now := account.now_called(name, mark)) != name:
                self.database.execute(f"UPDATE moves SET {column} = ? WHERE id = ?", (now, move.id))
        return self.of("id = ?", move.id)[0]

    def under_way(self, folder: str) -> set[str]:
        """The keys of messages in a folder that an open move may still take out of it."""
        return {move.key for move in self.of("state = 'intended' AND source = ?", folder)}

    def undo(self, account: Account, move: Move) -> Move:
        """Puts a message back where it was, if it is still where the move left it."""
        action = action_of(move).undo(move)
        try:
            folder, key = self.where_left(account, move)
            why = f"it is not in {folder!r} any more"
        except (Gone, Refused) as error:
            folder, key, why = move.target, None, str(error)
        subject = Subject(folder, key or "", move.fingerprint, move.message_id, move.subject, move.sender)
        to = move.source if folder == move.target else move.target
        if key is None:
            return self._begun(subject, to, "", None, move.id, action, "refused", why)
        return self.move(account, subject, to, undoes=move.id, action=action)

    def where_left(self, account: Account, move: Move) -> tuple[str, str | None]:
        """The folder in which a move left a message, and its key there; the key is None if it is not there any more."""
        if move.keyword:
            there = account.fingerprints(move.source, [move.key])
            return move.source, move.key if there.get(move.key) == move.fingerprint else None
        left = account.fingerprints(move.target, [move.new_key]) if move.new_key is not None else {}
        if left.get(move.new_key or "") == move.fingerprint:
            return move.target, move.new_key
        return move.target, account.arrived(move.target, move.mark, move.key, move.fingerprint)

    def undoable(self, since: float | None = None) -> list[Move]:
        """Moves that can be undone, the newest first."""
        return self.of(
            "state = 'moved' AND undoes IS NULL AND at >= ? "
            "AND id NOT IN (SELECT undoes FROM moves WHERE undoes IS NOT NULL AND state = 'moved')",
            since or 0.0,
        )[::-1]

    def given_up(self, move: Move) -> bool:
        """Whether an earlier undo of this move failed because the message was not there any more."""
        query = "SELECT 1 FROM moves WHERE undoes = ? AND state = 'refused' AND key = '' LIMIT 1"
        return self.database.execute(query, (move.id,)).fetchone() is not None

    def numbered(self, number: int) -> Move:
        """The move with this number in `likely mail log`."""
        moves = self.of("id = ?", number)
        if not moves:
            raise ValueError(f"there is no move {number} in the log")
        return moves[0]

    def correct(self, folder: str, key: str, to: str) -> None:
        """Records that you moved a message to another folder after Likely had filed it."""
        self.database.execute(
            "UPDATE moves SET corrected = ? WHERE target = ? AND new_key = ? AND state = 'moved' AND undoes IS NULL",
            (to, folder, key),
        )

    def rename(self, old: str, new: str) -> None:
        """Records that you renamed a folder, so that the messages that were moved there are found."""
        for column in ("source", "target"):
            self.database.execute(f"UPDATE moves SET {column} = ? WHERE {column} = ?", (new, old))

    def of(self, where: str = "1", *values: Any) -> list[Move]:
        """The moves that match a WHERE clause, the oldest first."""
        rows = self.database.execute(f"SELECT * FROM moves WHERE {where} ORDER BY id", values)
        return [Move(**dict(row)) for row in rows]

    def _begun(
        self,
        message: Subject,
        to: str,
        mark: str,
        sure: float | None,
        undoes: int | None,
        action: Action = MOVE,
        state: str = "intended",
        why: str = "",
    ) -> Move:
        """Writes a move before it is made (state "intended"), or one that can't be made (another `state`, and
        `why`)."""
        values = {
            "at": time(),
            "fingerprint": message.fingerprint,
            "message_id": message.message_id,
            "subject": message.subject,
            "sender": message.sender,
            "source": message.folder,
            "key": message.key,
            "target": to,
            "mark": mark,
            "sure": sure,
            "undoes": undoes,
            "state": state,
            "why": why,
            "action": action.name,
            "keyword": action.keyword,
        }
        done = self.database.execute(
            f"INSERT INTO moves ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", tuple(values.values())
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
