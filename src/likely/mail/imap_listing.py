"""Lists the messages of a folder at an IMAP server: all of them once, and later only what has changed."""

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
    """The state of a folder at one time."""

    validity: int
    """UIDVALIDITY."""
    next: int
    """UIDNEXT, the UID that the next message will have; 0 if the server does not report it."""
    messages: int
    modseq: int
    """HIGHESTMODSEQ, the number of changes in the folder, those of flags too; 0 if the server does not count them."""

    @classmethod
    def reported(cls, answer: dict[bytes, Any]) -> "Stamp":
        """From an answer to SELECT, EXAMINE or STATUS."""
        messages = answer.get(b"EXISTS", answer.get(b"MESSAGES", 0))
        modseq = answer.get(b"HIGHESTMODSEQ", 0)
        return cls(number(answer, b"UIDVALIDITY"), int(answer.get(b"UIDNEXT", 0)), int(messages), int(modseq or 0))

    @classmethod
    def of(cls, listing: Listing | None) -> "Stamp | None":
        return cls(*map(int, listing.stamp.split("."))) if listing is not None else None

    def holds(self, now: "Stamp") -> bool:
        """Whether the folder has the same messages now. UIDs only grow: with the same next UID no message came, and
        with the same number none went."""
        return self[:3] == now[:3] and self.next > 0


def distinct(uids: Iterable[int]) -> list[int]:
    """Sorted UIDs, each once, without numbers that can't be one (RFC 3501)."""
    return sorted({uid for uid in uids if 0 < uid < 2**32})


def listing_of(uids: Iterable[int], stamp: Stamp) -> Listing:
    return Listing([f"{stamp.validity}.{uid}" for uid in uids], ".".join(map(str, stamp)))


def resynced(client: IMAPClient, name: str, before: Listing) -> Listing | None:
    """Opens a folder, and updates its listing by what came and what vanished since (QRESYNC, RFC 7162). None if that
    does not give the number of messages in the folder: then they must all be listed again."""
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
    """The sorted UIDs without those in a set such as "(EARLIER) 300:310,405"."""
    gone: set[int] = set()
    for first, last in RANGE.findall(vanished):
        gone.update(uids[bisect_left(uids, int(first)) : bisect_right(uids, int(last or first))])
    return [uid for uid in uids if uid not in gone]
