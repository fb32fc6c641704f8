"""A move as the journal has it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


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
    action: str = "move"
    """What is done in place of a move, by its name in `likely.mail.actions`."""
    keyword: str = ""
    """The flag that it gets, where that is done."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The message that is to be moved."""

    folder: str
    key: str
    fingerprint: str
    message_id: str
    subject: str
    sender: str = ""


def as_json(moves: Iterable[Move]) -> Iterator[dict[str, Any]]:
    for move in moves:
        yield {
            "id": move.id,
            "at": move.at,
            "message_id": move.message_id,
            "subject": move.subject,
            "sender": move.sender,
            "from": move.source,
            "to": move.target,
            "action": move.action,
            "keyword": move.keyword,
            "confidence": move.sure,
            "state": move.state,
            "undoes": move.undoes,
            "corrected": move.corrected,
            "why": move.why,
        }
