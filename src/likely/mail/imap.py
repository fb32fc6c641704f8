"""The messages of an account at an IMAP server: read, moved, and waited for."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from hashlib import blake2b
from time import monotonic, sleep
from typing import Any, TypeAlias

from likely.mail.account import Gone, Letter, Refused, Unreachable
from likely.mail.imap_connection import SECONDS, refusals

# isort: split
from imapclient import DELETED, IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, ProtocolError
from imapclient.imap_utf7 import decode as decode_utf7

from likely.mail.idle import changed
from likely.mail.imap_answers import Fetched, fetch
from likely.mail.imap_folders import ImapFolders, path_of
from likely.mail.imap_listing import Stamp
from likely.mail.imap_reader import BY_HEADERS, GMAIL, IDENTITIES, ImapReader
from likely.mail.message import parse

POLL = 15.0
"""Seconds between two looks, at a server that does not notify (IDLE)."""

IDLE = 600.0
"""Seconds of IDLE on end: servers may hang up after 30 minutes, and routers forget sooner."""

LATE = 300.0
"""Seconds in which a server may do what a lost connection has asked for: Dovecot waits two minutes for a lock that one
of its processes left when it was killed."""

CHUNK = 2**22
"""Bytes of a message compared at once, 4 MiB."""

KEY = re.compile(r"(\d+)\.(\d+)")
NO_KEY = (0, 0)
"""What no message has: both numbers start at 1."""

COPIED = re.compile(rb"(\d+) [\d:,]+ (\d+)")


Selected: TypeAlias = Callable[[str], AbstractContextManager[tuple[IMAPClient, int]]]


class Imap(ImapFolders):
    """A key is UIDVALIDITY and UID. A move is UID MOVE; at servers without it, UID COPY, then \\Deleted and UID EXPUNGE
    of that message alone. Messages are read by BODY.PEEK, which does not mark them."""

    remote = True
    no_keywords = ""
    late = LATE

    # Reading

    @property
    def identity(self) -> str:
        with self.server.client() as client:
            return next((item for name, item in IDENTITIES.items() if client.has_capability(name)), BY_HEADERS)

    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        validity, uids = self._uids(folder, keys)
        if uids:
            yield from self._reading(folder, validity, self.still_selected).letters(folder, validity, uids)

    def fingerprints(self, folder: str, keys: Iterable[str]) -> dict[str, str]:
        validity, uids = self._uids(folder, keys)
        found = self._reading(folder, validity, self.selected).fingerprints(uids) if uids else ()
        return {f"{validity}.{uid}": name for uid, name in found}

    def _reading(self, folder: str, validity: int, selected: Selected) -> ImapReader:
        return ImapReader(self.identity, partial(self._fetched, folder, validity, selected=selected))

    def _uids(self, folder: str, keys: Iterable[str]) -> tuple[int, list[int]]:
        """UIDVALIDITY of a folder, and the UIDs of the keys that are of it."""
        wanted = [_numbers(key) for key in keys]
        if not wanted:
            return 0, []
        with self.selected(folder) as (_, validity):
            return validity, [uid for of, uid in wanted if of == validity]

    def _fetched(
        self, folder: str, validity: int, uids: list[int], what: tuple[str, ...], selected: Selected | None = None
    ) -> Fetched:
        with (selected or self.selected)(folder) as (client, now):
            try:
                found = fetch(client, uids, what) if now == validity and uids else {}
            except (ProtocolError, LookupError, TypeError, RecursionError) as error:
                if "BODYSTRUCTURE" not in what:
                    raise
                raise Refused(f"what the server reports of a message's parts makes no sense: {error}") from None
        return {uid: found[uid] for uid in uids if uid in found}

    def labels(self, folder: str, keys: Iterable[str]) -> dict[str, set[str]]:
        if self.identity != GMAIL:
            return {}
        validity, uids = self._uids(folder, keys)
        answer = self._fetched(folder, validity, uids, ("X-GM-LABELS",))
        return {
            f"{validity}.{uid}": {path_of(decode_utf7(_quoted(label)), "/") for label in one.get(b"X-GM-LABELS") or ()}
            for uid, one in answer.items()
        }

    def find(self, message_id: str, folders: Iterable[str]) -> Letter | None:
        wanted = message_id.strip("<> ")
        for folder in folders:
            try:
                with self.selected(folder) as (client, validity):
                    uids = client.search(["HEADER", "Message-ID", wanted])
            except Gone:
                continue
            for letter in self.read(folder, [f"{validity}.{uid}" for uid in uids]):  # of any that contain it
                if parse(letter.raw).message_id.strip("<> ") == wanted:
                    return letter
        return None

    # Moving

    def mark(self, folder: str, fingerprint: str) -> str:
        now = self.status(folder)
        return f"{now.validity}.{now.next}"

    def now_called(self, folder: str, mark: str) -> str:
        """By UIDVALIDITY, which a folder keeps when it is renamed, where one folder alone has it."""
        validity, _ = _numbers(mark)
        if not validity or self._validity(folder) == validity:
            return folder
        found = [one.name for one in self.folders() if self._validity(one.name) == validity]
        return found[0] if len(found) == 1 else folder

    def _validity(self, folder: str) -> int | None:
        """None of a folder that is gone or can't be looked at."""
        with suppress(Gone, Refused):
            return self.status(folder).validity
        return None

    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        before, after = _numbers(mark)
        if (before, after) == NO_KEY:
            raise ValueError(f"{mark!r} does not say how folder {folder!r} was")
        keys = self.keys(folder)
        came = [name for name in keys if not name.startswith(f"{before}.") or int(name.partition(".")[2]) >= after]
        names = self.fingerprints(folder, came)
        return next((key for key, name in names.items() if name == fingerprint), None)

    def move(self, folder: str, key: str, to: str) -> str | None:
        of, uid = _numbers(key)
        target, mark = self.name_of(to), self.mark(to, "")
        with self.selected(folder, write=True) as (client, validity):
            if of != validity or uid not in client.fetch([uid], ["FLAGS"]):
                raise Gone(f"there is no message {key!r} in folder {folder!r}")
            moves = client.has_capability("MOVE")
            if not moves and not client.has_capability("UIDPLUS"):
                raise Refused(f"{self.server.host} can move no single message: it offers neither MOVE nor UIDPLUS")
            with refusals(to):
                new_key = _copied(client, lambda: (client.move if moves else client.copy)([uid], target))
            if moves and uid not in client.fetch([uid], ["FLAGS"]):
                return new_key
        with _begun(folder, to):
            copy = self._copy((folder, key), to, new_key, mark)
            try:
                self.take_out(folder, key, (to, copy))
            except Refused:
                self.take_out(to, copy, (folder, key))
                raise
            return copy

    def copy(self, folder: str, key: str, to: str) -> str:
        of, uid = _numbers(key)
        target, mark = self.name_of(to), self.mark(to, "")
        with self.selected(folder) as (client, validity):
            if of != validity or uid not in client.fetch([uid], ["FLAGS"]):
                raise Gone(f"there is no message {key!r} in folder {folder!r}")
            with refusals(to):
                new_key = _copied(client, lambda: client.copy([uid], target))
        with _begun(folder, to):
            return self._copy((folder, key), to, new_key, mark)

    def keywords(self, folder: str, key: str) -> set[str]:
        of, uid = _numbers(key)
        answer = self._fetched(folder, of, [uid], ("FLAGS",)).get(uid)
        if answer is None:
            raise Gone(f"there is no message {key!r} in folder {folder!r}")
        return {flag.decode("ascii", "replace").lower() for flag in answer[b"FLAGS"]}

    def flag(self, folder: str, key: str, keyword: str, on: bool) -> None:
        of, uid = _numbers(key)
        with self.selected(folder, write=True) as (client, validity):
            if of == validity:
                (client.add_flags if on else client.remove_flags)([uid], [keyword], silent=True)
        if (keyword.lower() in self.keywords(folder, key)) != on:
            raise Refused(f"folder {folder!r} keeps no keyword {keyword!r}")

    def _copy(self, of: tuple[str, str], to: str, claimed: str | None, mark: str) -> str:
        """The key of a message's copy, which is compared: a server's word is not enough, and some give none."""
        own = self.fingerprints(of[0], [of[1]]).get(of[1])
        if own is None:
            raise Gone(f"there is no message {of[1]!r} in folder {of[0]!r} any more")
        if claimed is not None:
            found = claimed if self.fingerprints(to, [claimed]).get(claimed) == own else None
        else:
            found = self.arrived(to, mark, of[1], own)
        if found is not None:
            return found
        if self._validity(to) != _numbers(mark)[0]:
            raise Gone(f"folder {to!r} is another one now")
        raise Refused(f"{self.server.host} says that it copied a message to {to!r}, where there is none like it")

    def take_out(self, folder: str, key: str, twin: tuple[str, str]) -> None:
        of, uid = _numbers(key)
        digest = self._digest(folder, key)
        if digest is not None and digest != self._digest(*twin):
            raise Refused(f"a message in {folder!r} has no copy in {twin[0]!r} that is the same to the last byte")
        with self.selected(folder, write=True) as (client, validity):
            if of != validity:
                raise Gone(f"folder {folder!r} is another one now")
            self._expunge(folder, client, uid)

    def _digest(self, folder: str, key: str) -> bytes | None:
        """Of all bytes of a message; None where it is gone, or its folder is another one now."""
        of, uid = _numbers(key)
        digest, size = blake2b(), 0
        while True:
            answer = self._fetched(folder, of, [uid], (f"BODY.PEEK[]<{size}.{CHUNK}>",)).get(uid)
            if answer is None:
                return None
            piece = next((value for name, value in answer.items() if name.startswith(b"BODY[]")), None)
            if not isinstance(piece, bytes):
                raise Refused(f"{self.server.host} does not give the bytes of a message in {folder!r}")
            digest.update(piece)
            size += len(piece)
            if len(piece) < CHUNK:
                return digest.digest()

    def _expunge(self, folder: str, client: IMAPClient, uid: int) -> None:
        """Raises Refused, the message being as it was, where it may not go; the server may say that it went."""
        before = client.fetch([uid], ["FLAGS"]).get(uid)
        if before is None:
            return
        try:
            client.add_flags([uid], [DELETED], silent=True)
            client.uid_expunge([uid])
        except IMAPClientAbortError:
            raise
        except IMAPClientError:
            pass  # it is then still there
        if uid in client.fetch([uid], ["FLAGS"]):
            if DELETED not in before[b"FLAGS"]:
                client.remove_flags([uid], [DELETED], silent=True)
            raise Refused(f"a message may not be taken out of folder {folder!r}")

    # Waiting

    def wait(self, folder: str, seconds: float) -> None:
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            with self.selected(folder) as (client, _):
                then = Stamp.of(self.listings.get(folder))
                if then is not None and then[:2] != self.now[:2]:
                    return
                found = changed(client, min(IDLE, left), SECONDS) if client.has_capability("IDLE") else None
            if found:
                return
            if found is None:
                sleep(min(POLL, left))


@contextmanager
def _begun(folder: str, to: str) -> Iterator[None]:
    """Around what follows a copy: where a folder is gone or renamed by then, nobody knows what became of the message
    until it is looked for."""
    try:
        yield
    except Gone as error:
        raise Unreachable(f"while a message went from {folder!r} to {to!r}: {error}") from None


def _quoted(label: bytes | int) -> bytes:
    """A label as bytes; imapclient takes one of digits for a number."""
    return label if isinstance(label, bytes) else str(label).encode()


def _numbers(key: str) -> tuple[int, int]:
    """UIDVALIDITY and UID of a key, or UIDNEXT of a mark; NO_KEY of what is neither."""
    found = KEY.fullmatch(key)
    return (int(found[1]), int(found[2])) if found is not None else NO_KEY


def _copied(client: IMAPClient, command: Any) -> str | None:
    """Does a command, and gives the key of its COPYUID."""
    client._imap.untagged_responses.pop("COPYUID", None)
    answer = command()
    untagged = client._imap.untagged_responses.pop("COPYUID", [])
    text = b" ".join(part for part in [*untagged, answer if isinstance(answer, bytes) else b""] if part)
    found = COPIED.search(text)
    return f"{int(found[1])}.{int(found[2])}" if found is not None else None
