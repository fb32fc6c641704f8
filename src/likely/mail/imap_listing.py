"""Which messages a folder at an IMAP server holds: asked for once, and later by what has changed."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Any, NamedTuple

from imapclient import IMAPClient

from likely.mail.account import Listing
from likely.mail.imap_connection import number

RANGE = re.compile(rb"(\d+)(?::(\d+))?")
STATUS = ["UIDVALIDITY", "UIDNEXT", "MESSAGES"]


class Stamp(NamedTuple):
    """How a folder stood."""

    validity: int
    next: int
    """The UID that the next message will have; 0 where the server does not say."""
    messages: int
    modseq: int
    """HIGHESTMODSEQ: counts the changes of a folder, those of flags too; 0 where the server counts none."""

    @classmethod
    def reported(cls, answer: dict[bytes, Any]) -> "Stamp":
        """By an answer to SELECT, EXAMINE or STATUS."""
        messages = answer.get(b"EXISTS", answer.get(b"MESSAGES", 0))
        modseq = answer.get(b"HIGHESTMODSEQ", 0)
        return cls(number(answer, b"UIDVALIDITY"), int(answer.get(b"UIDNEXT", 0)), int(messages), int(modseq or 0))

    @classmethod
    def of(cls, listing: Listing | None) -> "Stamp | None":
        return cls(*map(int, listing.stamp.split("."))) if listing is not None else None

    def holds(self, now: "Stamp") -> bool:
        """Whether the folder has the same messages now: none came, since UIDs only grow, and so none went."""
        return self[:3] == now[:3] and self.next > 0


def distinct(uids: Iterable[int]) -> list[int]:
    """UIDs as a server should list them: each once, and only what can be one (RFC 3501)."""
    return sorted({uid for uid in uids if 0 < uid < 2**32})


def listing_of(uids: Iterable[int], stamp: Stamp) -> Listing:
    return Listing([f"{stamp.validity}.{uid}" for uid in uids], ".".join(map(str, stamp)))


def resynced(client: IMAPClient, name: str, before: Listing) -> Listing | None:
    """Opens a folder, and lists it by what came and what has vanished since (QRESYNC, RFC 7162); None where that gives
    another number of messages than there are, and they have to be listed again."""
    then = Stamp.of(before)
    if then is None or not then.modseq or not then.next:
        return None
    imap = client._imap
    imap.untagged_responses = {}
    since = f"(QRESYNC ({then.validity} {then.modseq}))"
    answer, data = imap._simple_command("EXAMINE", client._normalise_folder(name), since)
    imap.state, imap.is_readonly = ("SELECTED" if answer == "OK" else "AUTH"), True
    client._checkok("examine", answer, data)
    vanished = b" ".join(part for part in imap.untagged_responses.get("VANISHED", []) if isinstance(part, bytes))
    now = Stamp.reported(client._process_select_response(imap.untagged_responses))
    imap.untagged_responses = {}
    if now.validity != then.validity:
        return None
    uids = _without([int(key.rpartition(".")[2]) for key in before.keys], vanished)
    if now.next != then.next:
        uids += [uid for uid in distinct(client.search(["UID", f"{then.next}:*"])) if uid >= then.next]
    return listing_of(uids, now) if len(uids) == now.messages else None


def _without(uids: list[int], vanished: bytes) -> list[int]:
    """Those of the sorted UIDs that are not in a set such as "(EARLIER) 300:310,405"."""
    gone: set[int] = set()
    for first, last in RANGE.findall(vanished):
        gone.update(uids[bisect_left(uids, int(first)) : bisect_right(uids, int(last or first))])
    return [uid for uid in uids if uid not in gone]
