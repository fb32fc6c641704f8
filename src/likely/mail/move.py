"""A move in the journal."""

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
    """ "intended" before it is made; then "moved", "refused" by the account, or "stopped" before anything moved."""
    why: str
    sender: str = ""
    corrected: str | None = None
    """The folder to which you have moved the message since; None if you have not."""
    action: str = "move"
    """The name of the action in `likely.mail.actions`."""
    keyword: str = ""
    """The keyword that the message is flagged with; "" for other actions."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The message to move."""

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
