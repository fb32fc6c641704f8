"""An account at an IMAP server."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from hashlib import blake2b
from time import monotonic, sleep
from typing import Any, TypeAlias

from likely.mail.account import Account, Gone, Letter, Listing, Refused
from likely.mail.folder_uses import Folder, with_uses
from likely.mail.imap_connection import SECONDS, ImapConnection, refusals
from likely.mail.secrets import Secret

# isort: split
from imapclient import DELETED, IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, ProtocolError
from imapclient.imap_utf7 import decode as decode_utf7

from likely.mail.idle import changed
from likely.mail.imap_answers import Fetched, fetch
from likely.mail.imap_listing import STATUS, Stamp, listing_of, resynced
from likely.mail.imap_reader import BY_HEADERS, GMAIL, IDENTITIES, ImapReader

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


class Imap(Account):
    """A key is UIDVALIDITY and UID. A move is UID MOVE; at servers without it, UID COPY, then \\Deleted and UID EXPUNGE
    of that message alone. Messages are read by BODY.PEEK, which does not mark them."""

    remote = True
    no_keywords = ""
    late = LATE

    def __init__(self, address: str, secret: Secret) -> None:
        self.server = ImapConnection(address, secret)
        self.address = self.server.address
        self._names: dict[str, str] = {}
        """What the server calls each folder: it may part names by another sign than "/"."""
        self._listings: dict[str, Listing] = {}
        self._open: tuple[IMAPClient | None, str] = None, ""
        """The folder that is open or was to be opened last, and in which connection."""
        self._opened = self._open
        """The one that is open for sure."""

    def close(self) -> None:
        self.server.close()

    @contextmanager
    def _selected(self, folder: str, write: bool = False) -> Iterator[tuple[IMAPClient, int]]:
        """The connection with a folder opened as it now is, and its UIDVALIDITY."""
        with self.server.client() as client, refusals(folder):
            name = self.name_of(folder)
            self._open, self._opened = (client, folder), (None, "")
            self._now = Stamp.reported(client.select_folder(name, readonly=not write))
            self._opened = self._open
            yield client, self._now.validity

    @contextmanager
    def _still_selected(self, folder: str) -> Iterator[tuple[IMAPClient, int]]:
        """The same, without opening the folder again if it still is: messages that have come since, or went, may be
        missing, or not."""
        if self._opened == (self.server.connected, folder):
            with self.server.client() as client, refusals(folder):
                yield client, self._now.validity
        else:
            with self._selected(folder) as opened:
                yield opened

    def name_of(self, folder: str) -> str:
        if folder not in self._names:
            self.folders()
        try:
            return self._names[folder]
        except KeyError:
            raise Gone(f"there is no folder {folder!r}") from None

    # Reading

    def folders(self) -> list[Folder]:
        with self.server.client() as client:
            listed = client.list_folders()
        self._names = {}
        found = []
        for flags, delimiter, name in listed:
            told = {flag.decode("ascii", "replace").lstrip("\\").lower() for flag in flags}
            if told & {"noselect", "nonexistent"}:
                continue
            path = _path(str(name), delimiter.decode() if delimiter else "")
            self._names[path] = name
            found.append((path, told))
        return with_uses(found)

    def keys(self, folder: str) -> list[str]:
        self._listings[folder] = self.listing(folder, self._listings.get(folder))
        return list(self._listings[folder].keys)

    def listing(self, folder: str, before: Listing | None = None) -> Listing:
        then = Stamp.of(before)
        if before is not None and then is not None:
            # Of a folder that is open, STATUS may report what it was when it was opened.
            if self._open != (self.server.connected, folder) and then.holds(self._status(folder)):
                return before
            if self.server.resyncs:
                with self.server.client() as client, refusals(folder):
                    self._open, self._opened = (client, folder), (None, "")
                    found = resynced(client, self.name_of(folder), before)
                if found is not None:
                    return found
        with self._selected(folder) as (client, _):
            now = self._now
            if before is not None and then is not None and then.holds(now):
                return before
            return listing_of(sorted(client.search("ALL")), now)

    def _status(self, folder: str) -> Stamp:
        with self.server.client() as client, refusals(folder):
            return Stamp.reported(client.folder_status(self.name_of(folder), STATUS))

    @property
    def identity(self) -> str:
        with self.server.client() as client:
            return next((item for name, item in IDENTITIES.items() if client.has_capability(name)), BY_HEADERS)

    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        validity, uids = self._uids(folder, keys)
        if uids:
            yield from self._reading(folder, validity, self._still_selected).letters(folder, validity, uids)

    def fingerprints(self, folder: str, keys: Iterable[str]) -> dict[str, str]:
        validity, uids = self._uids(folder, keys)
        found = self._reading(folder, validity, self._selected).fingerprints(uids) if uids else ()
        return {f"{validity}.{uid}": name for uid, name in found}

    def _reading(self, folder: str, validity: int, selected: Selected) -> ImapReader:
        return ImapReader(self.identity, partial(self._fetched, folder, validity, selected=selected))

    def _uids(self, folder: str, keys: Iterable[str]) -> tuple[int, list[int]]:
        """UIDVALIDITY of a folder, and the UIDs of the keys that are of it."""
        wanted = [_numbers(key) for key in keys]
        if not wanted:
            return 0, []
        with self._selected(folder) as (_, validity):
            return validity, [uid for of, uid in wanted if of == validity]

    def _fetched(
        self, folder: str, validity: int, uids: list[int], what: tuple[str, ...], selected: Selected | None = None
    ) -> Fetched:
        with (selected or self._selected)(folder) as (client, now):
            try:
                found = fetch(client, uids, what) if now == validity and uids else {}
            except (ProtocolError, LookupError, TypeError) as error:
                if "BODYSTRUCTURE" not in what:
                    raise
                raise Refused(f"what the server reports of a message's parts makes no sense: {error}") from None
        return {uid: found[uid] for uid in uids if uid in found}

    def labels(self, folder: str, keys: Iterable[str]) -> dict[str, set[str]]:
        if self.identity != GMAIL:
            return {}
        validity, uids = self._uids(folder, keys)
        told = self._fetched(folder, validity, uids, ("X-GM-LABELS",))
        return {
            f"{validity}.{uid}": {_path(decode_utf7(_quoted(label)), "/") for label in one.get(b"X-GM-LABELS") or ()}
            for uid, one in told.items()
        }

    def find(self, message_id: str, folders: Iterable[str]) -> Letter | None:
        wanted = message_id.strip("<> ")
        for folder in folders:
            try:
                with self._selected(folder) as (client, validity):
                    uids = client.search(["HEADER", "Message-ID", wanted])
            except Gone:
                continue
            for letter in self.read(folder, [f"{validity}.{uid}" for uid in uids]):
                return letter
        return None

    # Moving

    def mark(self, folder: str, fingerprint: str) -> str:
        now = self._status(folder)
        return f"{now.validity}.{now.next}"

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
        with self._selected(folder, write=True) as (client, validity):
            if of != validity or uid not in client.fetch([uid], ["FLAGS"]):
                raise Gone(f"there is no message {key!r} in folder {folder!r}")
            moves = client.has_capability("MOVE")
            if not moves and not client.has_capability("UIDPLUS"):
                raise Refused(f"{self.server.host} can move no single message: it offers neither MOVE nor UIDPLUS")
            with refusals(to):
                new_key = _copied(client, lambda: (client.move if moves else client.copy)([uid], target))
            if moves and uid not in client.fetch([uid], ["FLAGS"]):
                return new_key
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
        with self._selected(folder) as (client, validity):
            if of != validity or uid not in client.fetch([uid], ["FLAGS"]):
                raise Gone(f"there is no message {key!r} in folder {folder!r}")
            with refusals(to):
                new_key = _copied(client, lambda: client.copy([uid], target))
        return self._copy((folder, key), to, new_key, mark)

    def keywords(self, folder: str, key: str) -> set[str]:
        of, uid = _numbers(key)
        told = self._fetched(folder, of, [uid], ("FLAGS",)).get(uid)
        if told is None:
            raise Gone(f"there is no message {key!r} in folder {folder!r}")
        return {flag.decode("ascii", "replace").lower() for flag in told[b"FLAGS"]}

    def flag(self, folder: str, key: str, keyword: str, on: bool) -> None:
        of, uid = _numbers(key)
        with self._selected(folder, write=True) as (client, validity):
            if of == validity:
                (client.add_flags if on else client.remove_flags)([uid], [keyword], silent=True)
        if (keyword.lower() in self.keywords(folder, key)) != on:
            raise Refused(f"folder {folder!r} keeps no keyword {keyword!r}")

    def _copy(self, of: tuple[str, str], to: str, claimed: str | None, mark: str) -> str:
        """The key of a message's copy, which is compared: a server's word is not enough, and some give none."""
        own = self.fingerprints(of[0], [of[1]]).get(of[1])
        if own is not None:
            if claimed is not None:
                found = claimed if self.fingerprints(to, [claimed]).get(claimed) == own else None
            else:
                found = self.arrived(to, mark, of[1], own)
            if found is not None:
                return found
        raise Refused(f"{self.server.host} says that it copied a message to {to!r}, where there is none like it")

    def take_out(self, folder: str, key: str, twin: tuple[str, str]) -> None:
        of, uid = _numbers(key)
        digest = self._digest(folder, key)
        if digest is not None and digest != self._digest(*twin):
            raise Refused(f"a message in {folder!r} has no copy in {twin[0]!r} that is the same to the last byte")
        with self._selected(folder, write=True) as (client, validity):
            if of == validity:
                self._expunge(folder, client, uid)

    def _digest(self, folder: str, key: str) -> bytes | None:
        """Of all bytes of a message; None where it is gone."""
        of, uid = _numbers(key)
        digest, size = blake2b(), 0
        while True:
            told = self._fetched(folder, of, [uid], (f"BODY.PEEK[]<{size}.{CHUNK}>",)).get(uid)
            if told is None:
                return None
            piece = next((value for name, value in told.items() if name.startswith(b"BODY[]")), None) or b""
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
            with self._selected(folder) as (client, _):
                then = Stamp.of(self._listings.get(folder))
                if then is not None and then[:2] != self._now[:2]:
                    return
                found = changed(client, min(IDLE, left), SECONDS) if client.has_capability("IDLE") else None
            if found:
                return
            if found is None:
                sleep(min(POLL, left))


def _quoted(label: bytes | int) -> bytes:
    """A label as bytes; imapclient takes one of digits for a number."""
    return label if isinstance(label, bytes) else str(label).encode()


def _path(name: str, delimiter: str) -> str:
    """A server's name of a folder with "/" between the parts, and a "/" within a part as another sign that looks like
    it, so that no two names become one."""
    if delimiter and delimiter != "/":
        name = name.replace("/", "\N{DIVISION SLASH}").replace(delimiter, "/")
    return "INBOX" if name.upper() == "INBOX" else name


def _numbers(key: str) -> tuple[int, int]:
    """UIDVALIDITY and UID of a key, or UIDNEXT of a mark; NO_KEY of what is neither."""
    found = KEY.fullmatch(key)
    return (int(found[1]), int(found[2])) if found is not None else NO_KEY


def _copied(client: IMAPClient, command: Any) -> str | None:
    """Does a command, and gives the key of its COPYUID."""
    client._imap.untagged_responses.pop("COPYUID", None)
    answer = command()
    told = client._imap.untagged_responses.pop("COPYUID", [])
    text = b" ".join(part for part in [*told, answer if isinstance(answer, bytes) else b""] if part)
    found = COPIED.search(text)
    return f"{int(found[1])}.{int(found[2])}" if found is not None else None
