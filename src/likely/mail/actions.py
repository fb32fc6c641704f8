"""What is done with a message that is filed: it is moved, copied or flagged. Each can be undone, and each shows after a
crash whether it was done."""

import re
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from likely.mail.account import Account, Gone, Refused
from likely.mail.move import Move, Subject

KEYWORD = re.compile(r"[A-Za-z0-9_.$+-]{1,60}")
"""Keywords that every server takes."""

FOLDER = "{folder}"
NOT_MOVED = "the process ended before it moved"


@dataclass(frozen=True)
class Settled:
    """What recovery found."""

    state: str
    new_key: str | None = None
    why: str = ""
    open: bool = False
    """Whether it may still happen, or show up in a folder that is called otherwise now."""


class Action(ABC):
    name: ClassVar[str]
    done: ClassVar[str]
    """How it is called once it was done."""
    keyword = ""

    def for_folder(self, folder: str) -> "Action":
        return self

    def mark(self, account: Account, message: Subject, to: str) -> str:
        """How the target stands before it."""
        return account.mark(to, message.fingerprint)

    @abstractmethod
    def do(self, account: Account, message: Subject, to: str) -> str | None:
        """Does it, and gives the key of the message in its target, None where the account does not know."""

    @abstractmethod
    def settled(self, account: Account, move: Move) -> Settled:
        """Whether it was done, of one that was begun."""

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
        except (Gone, Refused, ValueError) as error:  # the last, of a mark that is none
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
    """Removes a copy, as long as its original is where it was."""

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
    """Adds a keyword to a message, or takes it away again."""

    keyword: str = ""
    name, done = "flag", "flagged"

    def __post_init__(self) -> None:
        if not KEYWORD.fullmatch(self.keyword.replace(FOLDER, "x")):
            raise ValueError(f"{self.keyword!r} is no keyword: letters, digits and _.$+- may be in one")

    def for_folder(self, folder: str) -> Action:
        """With the name of the folder where "{folder}" stands, as far as a keyword may hold it."""
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
    """That of a row of the journal."""
    if move.action in ("flag", "unflag"):
        return (Flagging if move.action == "flag" else Unflagging)(move.keyword)
    return {"move": MOVE, "copy": COPY, "uncopy": Uncopying()}[move.action]


def is_there(account: Account, folder: str, key: str) -> bool:
    """Whether there is a message of that key; not where its folder is gone."""
    with suppress(Gone, Refused):
        return key in account.fingerprints(folder, [key])
    return False
