"""An account at an IMAP server: reads messages, moves them, and waits for new ones."""

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
"""Seconds between two checks, at a server without IDLE."""

IDLE = 600.0
"""The longest IDLE, in seconds: servers may disconnect after 30 minutes, and routers earlier."""

LATE = 300.0
"""For how many seconds a server may still do the request of a lost connection: Dovecot waits two minutes for a lock
that a killed process has left."""

CHUNK = 2**22
"""How many bytes of a message are compared at once: 4 MiB."""

KEY = re.compile(r"(\d+)\.(\d+)")
NO_KEY = (0, 0)
"""No message has this key: both numbers start at 1."""

COPIED = re.compile(rb"(\d+) [\d:,]+ (\d+)")


Selected: TypeAlias = Callable[[str], AbstractContextManager[tuple[IMAPClient, int]]]


class Imap(ImapFolders):
    """An account at an IMAP server. The key of a message is its UIDVALIDITY and UID. A move is UID MOVE; at a server
    without it, UID COPY, then \\Deleted and UID EXPUNGE of this one message. Messages are read by BODY.PEEK, which does
    not mark them as read."""

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
        """The UIDVALIDITY of a folder, and the UIDs of the keys that have this UIDVALIDITY."""
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
                raise Refused(f"the server's BODYSTRUCTURE of a message is invalid: {error}") from None
        return {uid: found[uid] for uid in uids if uid in found}

    def labels(self, folder: str, keys: Iterable[str]) -> dict[str, set[str]]:
        if self.identity != GMAIL:
            return {}
        validity, uids = self._uids(folder, keys)
        answer = self._fetched(folder, validity, uids, ("X-GM-LABELS",))
        return {
            f"{validity}.{uid}": {path_of(decode_utf7(_quoted(label)), "/") for label in item.get(b"X-GM-LABELS") or ()}
            for uid, item in answer.items()
        }

    def find(self, message_id: str, folders: Iterable[str]) -> Letter | None:
        wanted = message_id.strip("<> ")
        for folder in folders:
            try:
                with self.selected(folder) as (client, validity):
                    uids = client.search(["HEADER", "Message-ID", wanted])
            except Gone:
                continue
            for letter in self.read(folder, [f"{validity}.{uid}" for uid in uids]):  # the search is for substrings
                if parse(letter.raw).message_id.strip("<> ") == wanted:
                    return letter
        return None

    # Moving

    def mark(self, folder: str, fingerprint: str) -> str:
        now = self.status(folder)
        return f"{now.validity}.{now.next}"

    def now_called(self, folder: str, mark: str) -> str:
        """Finds the folder by its UIDVALIDITY, which it keeps when it is renamed, if no other folder has the same."""
        validity, _ = _numbers(mark)
        if not validity or self._validity(folder) == validity:
            return folder
        names = [other.name for other in self.folders() if self._validity(other.name) == validity]
        return names[0] if len(names) == 1 else folder

    def _validity(self, folder: str) -> int | None:
        """The UIDVALIDITY of a folder; None if it is gone or can't be read."""
        with suppress(Gone, Refused):
            return self.status(folder).validity
        return None

    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        before, after = _numbers(mark)
        if (before, after) == NO_KEY:
            raise ValueError(f"{mark!r} is no mark of folder {folder!r}")
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
                raise Refused(f"{self.server.host} can't move a single message: it supports neither MOVE nor UIDPLUS")
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
            raise Refused(f"folder {folder!r} does not store the keyword {keyword!r}")

    def _copy(self, of: tuple[str, str], to: str, claimed: str | None, mark: str) -> str:
        """The key of the copy of a message. The copy is compared with the original: the key that the server `claimed`
        may be wrong, and some servers report none."""
        original = self.fingerprints(of[0], [of[1]]).get(of[1])
        if original is None:
            raise Gone(f"there is no message {of[1]!r} in folder {of[0]!r} any more")
        if claimed is not None:
            key = claimed if self.fingerprints(to, [claimed]).get(claimed) == original else None
        else:
            key = self.arrived(to, mark, of[1], original)
        if key is not None:
            return key
        if self._validity(to) != _numbers(mark)[0]:
            raise Gone(f"folder {to!r} is another one now")
        raise Refused(f"{self.server.host} reports that it copied a message to {to!r}, but there is no such copy")

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
        """The digest of all bytes of a message; None if it is gone, or if the name now belongs to another folder."""
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
        """Removes a message. Raises Refused if it is still there, and restores its flags: a server may report that it
        removed a message when it did not."""
        before = client.fetch([uid], ["FLAGS"]).get(uid)
        if before is None:
            return
        try:
            client.add_flags([uid], [DELETED], silent=True)
            client.uid_expunge([uid])
        except IMAPClientAbortError:
            raise
        except IMAPClientError:
            pass  # the message is still there: see below
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
    """For the steps after a copy. If a folder is then gone or renamed, it is not known where the message is: raises
    Unreachable, so that the move stays open and recovery looks for it."""
    try:
        yield
    except Gone as error:
        raise Unreachable(f"while a message went from {folder!r} to {to!r}: {error}") from None


def _quoted(label: bytes | int) -> bytes:
    """A label as bytes; imapclient reads a label of digits as a number."""
    return label if isinstance(label, bytes) else str(label).encode()


def _numbers(key: str) -> tuple[int, int]:
    """The UIDVALIDITY and UID of a key, or the UIDVALIDITY and UIDNEXT of a mark; NO_KEY for other text."""
    found = KEY.fullmatch(key)
    return (int(found[1]), int(found[2])) if found is not None else NO_KEY


def _copied(client: IMAPClient, command: Any) -> str | None:
    """Runs a command, and returns the key that the server reports for the copy (COPYUID), or None."""
    client._imap.untagged_responses.pop("COPYUID", None)
    answer = command()
    untagged = client._imap.untagged_responses.pop("COPYUID", [])
    text = b" ".join(part for part in [*untagged, answer if isinstance(answer, bytes) else b""] if part)
    found = COPIED.search(text)
    return f"{int(found[1])}.{int(found[2])}" if found is not None else None
