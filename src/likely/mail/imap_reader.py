"""Fetches messages from an IMAP server: only as much as is needed to classify and to identify them."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, TypeAlias

from likely.mail.account import Letter, Refused
from likely.mail.imap_answers import Fetched
from likely.mail.imap_connection import number
from likely.mail.imap_parts import TEXT_BYTES, assembled, items, outline

Fetch: TypeAlias = Callable[[list[int], tuple[str, ...]], Fetched]
"""Fetches items of messages in one folder, by UID. Messages that are gone are missing in the result."""

Answer: TypeAlias = dict[bytes, Any]

SIZE = "RFC822.SIZE"

AT_ONCE = 1000
"""How many messages to ask for at once."""

FETCHED = 2**24
"""How many bytes of messages to fetch at once: 16 MiB, or one message if it is larger."""

WITHOUT_STRUCTURE = 2**18
"""How many bytes to read from the start of a large message that has too many parts, or no valid list of them."""

ITEMS = 100
"""How many items to fetch for one message. With more parts the command would be too long, so only the start is read."""

BROKEN = 20
"""How many messages a server may refuse to send. If it refuses more, the reason is not a broken message."""

FIELDS = "DATE FROM TO CC SUBJECT MESSAGE-ID"
BY_HEADERS = "headers"
GMAIL = "X-GM-MSGID"
IDENTITIES = {"X-GM-EXT-1": GMAIL, "OBJECTID": "EMAILID"}
"""By capability, the item with a permanent identifier of a message, the same in every folder (RFC 8474, and
Gmail's)."""


class ImapReader:
    """Reads messages at a server that identifies them by `identity`: an item of `IDENTITIES`, or `BY_HEADERS`."""

    def __init__(self, identity: str, fetch: Fetch) -> None:
        self.identity, self.fetch = identity, fetch
        self.refused = 0
        """How many messages the server refused to send."""
        self.known_by = f"BODY.PEEK[HEADER.FIELDS ({FIELDS})]" if identity == BY_HEADERS else identity

    def fingerprints(self, uids: list[int]) -> Iterator[tuple[int, str]]:
        for at in range(0, len(uids), AT_ONCE):
            for uid, answer in self.fetch(uids[at : at + AT_ONCE], (SIZE, self.known_by)).items():
                yield uid, fingerprint(self.identity, answer)

    def letters(self, folder: str, validity: int, uids: list[int]) -> Iterator[Letter]:
        for at in range(0, len(uids), AT_ONCE):
            asked = self._given(uids[at : at + AT_ONCE], (SIZE,))
            sizes = {uid: number(answer, b"RFC822.SIZE") for uid, answer in asked.items()}
            for uid, answer, raw in self._messages(sizes):
                arrived = answer.get(b"INTERNALDATE")
                answer[b"RFC822.SIZE"] = sizes[uid]
                name = fingerprint(self.identity, answer)
                yield Letter(folder, f"{validity}.{uid}", raw, arrived.timestamp() if arrived else 0.0, name)

    def _messages(self, sizes: dict[int, int]) -> Iterator[tuple[int, Answer, bytes]]:
        """The UID, the answer and the raw bytes of each message."""
        for some in batches({uid: size for uid, size in sizes.items() if size <= TEXT_BYTES}):
            yield from self._bodies(some, "BODY.PEEK[]")
        large = self._structures([uid for uid, size in sizes.items() if size > TEXT_BYTES])
        alike = defaultdict(list)
        for uid, answer in large.items():
            structure = answer.get(b"BODYSTRUCTURE")
            alike[outline(structure) if structure is not None else None].append(uid)
        for message, some in alike.items():
            wanted = items(message) if message is not None else ()
            if message is None or len(wanted) > ITEMS:
                for uid in some:
                    yield from self._bodies([uid], f"BODY.PEEK[]<0.{WITHOUT_STRUCTURE}>")
                continue
            step = max(1, FETCHED // (TEXT_BYTES * len(wanted)))
            for at in range(0, len(some), step):
                for uid, parts in self._given(some[at : at + step], wanted).items():
                    yield uid, large[uid], assembled(message, parts)

    def _structures(self, uids: list[int]) -> dict[int, Answer]:
        """The answers with the BODYSTRUCTURE of large messages; empty for a message whose parts the server can't
        list."""
        answer = self._given(uids, ("BODYSTRUCTURE", "INTERNALDATE", self.known_by)) if uids else {}
        return {uid: answer.get(uid, {}) for uid in uids}

    def _bodies(self, uids: list[int], item: str) -> Iterator[tuple[int, Answer, bytes]]:
        for uid, answer in self._given(uids, ("INTERNALDATE", self.known_by, item)).items():
            raw = next((value for name, value in answer.items() if name.startswith(b"BODY[]")), None)
            if raw is not None:
                yield uid, answer, raw

    def _given(self, uids: list[int], what: tuple[str, ...]) -> Fetched:
        """The fetched items, without those of messages that the server refuses to send: a broken message must not hide
        all others. To find it, the messages are asked for in halves."""
        try:
            return self.fetch(uids, what)
        except Refused:
            self.refused += len(uids) == 1
            if self.refused > BROKEN:
                raise
            halves = (uids[::2], uids[1::2]) if len(uids) > 1 else ()
            return {uid: answer for half in halves for uid, answer in self._given(half, what).items()}


def fingerprint(identity: str, answer: Answer) -> str:
    """The fingerprint of a message, the same in every folder: the server's identifier, or a digest of its size and of
    header fields that no two messages share. These never change, and need no download of attachments."""
    if identity != BY_HEADERS:
        name = answer.get(identity.encode())
        name = name[0] if isinstance(name, tuple) and name else name
        if not isinstance(name, bytes | int):
            raise Refused(f"the server did not report {identity}, though it announces it")
        return f"{identity} {name.decode('ascii', 'replace') if isinstance(name, bytes) else name}"
    header = next((value for name, value in answer.items() if name.startswith(b"BODY[HEADER.FIELDS")), None) or b""
    fields = header.replace(b"\r\n", b"\n").replace(b"\n ", b" ").replace(b"\n\t", b" ").split(b"\n")
    text = b"\n".join([b"%d" % number(answer, b"RFC822.SIZE"), *sorted([field.strip() for field in fields if field])])
    return blake2b(text, digest_size=16).hexdigest()


def batches(sizes: dict[int, int]) -> Iterator[list[int]]:
    """Lists of UIDs to fetch at once, from the size of each message."""
    some: list[int] = []
    left = FETCHED
    for uid, size in sizes.items():
        if some and size > left:
            yield some
            some, left = [], FETCHED
        some.append(uid)
        left -= size
    if some:
        yield some
