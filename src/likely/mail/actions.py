"""The actions of filing: a message is moved, copied or flagged. Each action can be undone. After a crash, each can find
out whether it was done."""

import re
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from likely.mail.account import Account, Gone, Refused
from likely.mail.move import Move, Subject

KEYWORD = re.compile(r"[A-Za-z0-9_.$+-]{1,60}")
"""Keywords that every server accepts."""

FOLDER = "{folder}"
NOT_MOVED = "the process ended before it moved"


@dataclass(frozen=True)
class Settled:
    """What recovery found out about an action."""

    state: str
    """ "moved" if the action was done, else "stopped"."""
    new_key: str | None = None
    why: str = ""
    open: bool = False
    """Whether the server may still do it, or has done it in a folder that was renamed since."""


class Action(ABC):
    name: ClassVar[str]
    done: ClassVar[str]
    """The past participle, for output: "moved"."""
    keyword = ""

    def for_folder(self, folder: str) -> "Action":
        return self

    def mark(self, account: Account, message: Subject, to: str) -> str:
        """A mark of the state of the target folder before the action, by which recovery separates new messages from old
        ones."""
        return account.mark(to, message.fingerprint)

    @abstractmethod
    def do(self, account: Account, message: Subject, to: str) -> str | None:
        """Does it, and returns the key of the message in the target folder; None if the account does not report it."""

    @abstractmethod
    def settled(self, account: Account, move: Move) -> Settled:
        """Whether an action that was begun was also done."""

    @abstractmethod
    def undo(self, move: Move) -> "Action": ...


class Moving(Action):
    name, done = "move", "moved"

    def do(self, account: Account, message: Subject, to: str) -> str | None:
        return account.move(message.folder, message.key, to)

    def settled(self, account: Account, move: Move) -> Settled:
        here = is_there(account, move.source, move.key)
        try:
            new_key = account.arrived(move.target, move.mark, move.key, move.fingerprint)
        except (Gone, Refused, ValueError) as error:  # ValueError: the mark is malformed
            why = NOT_MOVED if here else f"it cannot be found: {error}"
            return Settled("stopped", why=why, open=isinstance(error, Gone))
        if new_key is None:
            return Settled("stopped", why=NOT_MOVED if here else "it was gone when the process came back", open=here)
        why = ""
        try:
            if here:
                account.take_out(move.source, move.key, (move.target, new_key))
        except (Gone, Refused) as error:
            why = f"a copy stays in {move.source!r}: {error}"
        return Settled("moved", new_key, why)

    def undo(self, move: Move) -> Action:
        return self


class Copying(Action):
    name, done = "copy", "copied"

    def do(self, account: Account, message: Subject, to: str) -> str | None:
        return account.copy(message.folder, message.key, to)

    def settled(self, account: Account, move: Move) -> Settled:
        try:
            new_key = account.arrived(move.target, move.mark, move.key, move.fingerprint)
        except (Gone, Refused, ValueError) as error:
            return Settled("stopped", why=f"its copy cannot be found: {error}", open=isinstance(error, Gone))
        if new_key is None:
            return Settled("stopped", why="the process ended before it was copied", open=True)
        return Settled("moved", new_key)

    def undo(self, move: Move) -> Action:
        return Uncopying(move.key)


@dataclass(frozen=True)
class Uncopying(Action):
    """Removes a copy, if the original is still where it was."""

    name, done = "uncopy", "removed"
    original: str = ""

    def mark(self, account: Account, message: Subject, to: str) -> str:
        return ""

    def do(self, account: Account, message: Subject, to: str) -> str | None:
        account.take_out(message.folder, message.key, (to, self.original))
        return self.original

    def settled(self, account: Account, move: Move) -> Settled:
        if is_there(account, move.source, move.key):
            return Settled("stopped", why="the process ended before the copy was removed", open=True)
        return Settled("moved")

    def undo(self, move: Move) -> Action:
        raise AssertionError("an undo is not undone")


@dataclass(frozen=True)
class Flagging(Action):
    """Adds a keyword to a message."""

    keyword: str = ""
    name, done = "flag", "flagged"

    def __post_init__(self) -> None:
        if not KEYWORD.fullmatch(self.keyword.replace(FOLDER, "x")):
            raise ValueError(f"{self.keyword!r} is no keyword: use 1 to 60 letters, digits or _.$+-")

    def for_folder(self, folder: str) -> Action:
        """With "{folder}" replaced by the name of the folder; characters that a keyword can't have become "_"."""
        return type(self)(self.keyword.replace(FOLDER, re.sub(r"[^A-Za-z0-9_.$+-]", "_", folder)))

    def mark(self, account: Account, message: Subject, to: str) -> str:
        return ""

    def do(self, account: Account, message: Subject, to: str) -> str | None:
        if self.keyword.lower() in account.keywords(message.folder, message.key):
            raise Refused(f"it has the keyword {self.keyword!r} already")
        account.flag(message.folder, message.key, self.keyword, True)
        return None

    def settled(self, account: Account, move: Move) -> Settled:
        return self._settled(account, move, True)

    def _settled(self, account: Account, move: Move, wanted: bool) -> Settled:
        try:
            has = self.keyword.lower() in account.keywords(move.source, move.key)
        except (Gone, Refused) as error:
            return Settled("stopped", why=str(error))
        if has == wanted:
            return Settled("moved")
        return Settled("stopped", why="the process ended before it was flagged", open=True)

    def undo(self, move: Move) -> Action:
        return Unflagging(self.keyword)


@dataclass(frozen=True)
class Unflagging(Flagging):
    name, done = "unflag", "unflagged"

    def do(self, account: Account, message: Subject, to: str) -> str | None:
        account.flag(message.folder, message.key, self.keyword, False)
        return None

    def settled(self, account: Account, move: Move) -> Settled:
        return self._settled(account, move, False)


MOVE, COPY = Moving(), Copying()


def action_of(move: Move) -> Action:
    """The action of a move in the journal."""
    if move.action in ("flag", "unflag"):
        return (Flagging if move.action == "flag" else Unflagging)(move.keyword)
    return {"move": MOVE, "copy": COPY, "uncopy": Uncopying()}[move.action]


def is_there(account: Account, folder: str, key: str) -> bool:
    """Whether the folder has a message with this key; False if the folder is gone."""
    with suppress(Gone, Refused):
        return key in account.fingerprints(folder, [key])
    return False
