"""An account at an IMAP server."""

import re
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from time import monotonic, sleep
from typing import Any
from urllib.parse import unquote, urlsplit

from likely.mail.account import Account, Denied, Gone, Letter, Refused, Unreachable
from likely.mail.folder_uses import Folder, with_uses
from likely.mail.message import RAW_BYTES
from likely.mail.secrets import Secret

try:
    from imapclient import DELETED, IMAPClient
    from imapclient.exceptions import (
        IMAPClientAbortError,
        IMAPClientError,
        IMAPClientReadOnlyError,
        LoginError,
        ProtocolError,
    )

    from likely.mail.idle import changed
except ImportError as error:
    raise ImportError("mail by IMAP needs imapclient: pip install 'likely[mail]'") from error

PORTS = {"imap": 143, "imaps": 993}
SECONDS = 60.0
"""How long a server may take to answer."""

POLL = 15.0
"""Seconds between two looks, at a server that does not notify (IDLE)."""

IDLE = 600.0
"""Seconds of IDLE on end: servers may hang up after 30 minutes, and routers forget sooner."""

FETCHED = 2**24
"""Bytes of messages fetched at once, 16 MiB, unless one alone has more."""

LISTED = 1000
KEY = re.compile(r"(\d+)\.(\d+)")
NO_KEY = (0, 0)
"""What no message has: both numbers start at 1."""

COPIED = re.compile(rb"(\d+) [\d:,]+ (\d+)")
TEMPORARY = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|THROTTLED|EXPUNGEISSUED)\b|temporar|try again|retry|throttl|too many|"
    r"rate limit|bandwidth|server (?:is )?(?:busy|error|unavailable)|timed? ?out|not connected|internal error",
    re.IGNORECASE,
)
"""How a NO or BAD says that it need not be one later: by the codes of RFC 5530, or in the words of the large
providers. Gmail writes "[OVERQUOTA] Account exceeded command or bandwidth limits", and Outlook "User is authenticated
but not connected"."""

MISSING = re.compile(r"TRYCREATE|NONEXISTENT|doesn't exist|does not exist|no such mailbox|not found", re.IGNORECASE)


class Imap(Account):
    """A key is UIDVALIDITY and UID. A move is UID MOVE; at servers without it, UID COPY, then \\Deleted and UID EXPUNGE
    of that message alone. Messages are read by BODY.PEEK, which does not mark them.

    A connection is made when it is needed. Where it breaks, Unreachable is raised, and the next call makes another.
    """

    remote = True

    def __init__(self, address: str, secret: Secret) -> None:
        parts = urlsplit(address)
        if parts.password is not None:
            raise ValueError(
                "a password does not belong into an address, where others see it: see `likely mail --help`"
            )
        if parts.username is None or parts.hostname is None:
            raise ValueError("an address is imaps://user@host:port; this one has no user or no host")
        self.tls, self.host, self.user = parts.scheme == "imaps", parts.hostname, unquote(parts.username)
        self.port = parts.port or PORTS[parts.scheme]
        self.address = f"{parts.scheme}://{self.user}@{self.host}:{self.port}"
        self.secret = secret
        self._connection: IMAPClient | None = None
        self._names: dict[str, str] = {}
        """What the server calls each folder: it may part names by another sign than "/"."""
        self._next: dict[str, tuple[int, int]] = {}
        """UIDVALIDITY and UIDNEXT of folders when they were last listed."""

    # The connection

    @contextmanager
    def _client(self) -> Iterator[IMAPClient]:
        try:
            if self._connection is None:
                self._connection = self._connected()
            yield self._connection
        except ssl.SSLCertVerificationError as error:
            raise Denied(f"{self.host}:{self.port} is not who it says: {error.verify_message}") from None
        except (IMAPClientAbortError, ProtocolError, OSError, ValueError, LookupError, MemoryError) as error:
            # The last three where a server says what nobody can understand, or to expect more than memory holds.
            self.close()
            raise Unreachable(f"{self.host}:{self.port}: {error or 'it cannot be understood'}") from None
        except IMAPClientError as error:
            kind = Unreachable if TEMPORARY.search(str(error)) else Refused
            raise kind(f"{self.host}:{self.port}: {error}") from None

    def _connected(self) -> IMAPClient:
        context = ssl.create_default_context()
        client = IMAPClient(
            self.host, self.port, ssl=self.tls, ssl_context=context if self.tls else None, timeout=SECONDS
        )
        try:
            if not self.tls and (client.has_capability("STARTTLS") or not _is_here(self.host)):
                client.starttls(context)
            secret = self.secret.get(self.user, self.host)
            if self.secret.is_token and client.has_capability("AUTH=OAUTHBEARER"):
                client.oauthbearer_login(self.user, secret)
            elif self.secret.is_token:
                client.oauth2_login(self.user, secret)
            else:
                client.login(self.user, secret)
        except BaseException as error:
            with suppress(OSError, IMAPClientError):
                client.shutdown()
            if isinstance(error, IMAPClientError) and TEMPORARY.search(str(error)):
                raise Unreachable(f"{self.host}:{self.port} does not let {self.user} in now: {error}") from None
            if isinstance(error, LoginError):
                raise Denied(f"{self.host}:{self.port} did not accept the login of {self.user}") from None
            if isinstance(error, IMAPClientError) and not isinstance(error, IMAPClientAbortError):
                raise Denied(f"{self.host}:{self.port} offers no encrypted connection: {error}") from None
            raise
        return client

    def close(self) -> None:
        client, self._connection = self._connection, None
        if client is not None:
            with suppress(Exception):
                client.shutdown()

    @contextmanager
    def _selected(self, folder: str, write: bool = False) -> Iterator[tuple[IMAPClient, int]]:
        """The connection with a folder opened as it now is, and its UIDVALIDITY."""
        with self._client() as client, _told(folder):
            opened = client.select_folder(self._name(folder), readonly=not write)
            validity = _number(opened, b"UIDVALIDITY")
            self._now = validity, int(opened.get(b"UIDNEXT", 0))
            yield client, validity

    def _name(self, folder: str) -> str:
        if folder not in self._names:
            self.folders()
        try:
            return self._names[folder]
        except KeyError:
            raise Gone(f"there is no folder {folder!r}") from None

    # Reading

    def folders(self) -> list[Folder]:
        with self._client() as client:
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
        with self._selected(folder) as (client, validity):
            uids = sorted(client.search("ALL"))
            self._next[folder] = self._now
        return [f"{validity}.{uid}" for uid in uids]

    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        wanted = [_numbers(key) for key in keys]
        if not wanted:
            return
        with self._selected(folder) as (_, validity):
            uids = [uid for of, uid in wanted if of == validity]
        for at in range(0, len(uids), LISTED):
            sizes = self._fetched(folder, validity, uids[at : at + LISTED], "RFC822.SIZE")
            for some in _batches({uid: _number(told, b"RFC822.SIZE") for uid, told in sizes.items()}):
                what = "BODY.PEEK[]" if len(some) > 1 else f"BODY.PEEK[]<0.{RAW_BYTES}>"
                for uid, told in self._fetched(folder, validity, some, what, "INTERNALDATE").items():
                    raw = next((value for name, value in told.items() if name.startswith(b"BODY[")), None)
                    if raw is not None:
                        arrived = told.get(b"INTERNALDATE")
                        yield Letter(folder, f"{validity}.{uid}", raw, arrived.timestamp() if arrived else 0.0)

    def _fetched(self, folder: str, validity: int, uids: list[int], *what: str) -> dict[int, dict[bytes, Any]]:
        """Each time the folder is opened again: another may have been meanwhile."""
        with self._selected(folder) as (client, now):
            found: dict[int, dict[bytes, Any]] = client.fetch(uids, what) if now == validity and uids else {}
        return {uid: found[uid] for uid in uids if uid in found}

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
        with self._client() as client, _told(folder):
            status = client.folder_status(self._name(folder), ["UIDVALIDITY", "UIDNEXT"])
        return f"{_number(status, b'UIDVALIDITY')}.{_number(status, b'UIDNEXT')}"

    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        before, after = _numbers(mark)
        if (before, after) == NO_KEY:
            raise ValueError(f"{mark!r} does not say how folder {folder!r} was")
        keys = self.keys(folder)
        came = [name for name in keys if not name.startswith(f"{before}.") or int(name.partition(".")[2]) >= after]
        return next((letter.key for letter in self.read(folder, came) if letter.fingerprint == fingerprint), None)

    def move(self, folder: str, key: str, to: str) -> str | None:
        of, uid = _numbers(key)
        target, mark = self._name(to), self.mark(to, "")
        with self._selected(folder, write=True) as (client, validity):
            if of != validity or uid not in client.fetch([uid], ["FLAGS"]):
                raise Gone(f"there is no message {key!r} in folder {folder!r}")
            moves = client.has_capability("MOVE")
            if not moves and not client.has_capability("UIDPLUS"):
                raise Refused(f"{self.host} can move no single message: it offers neither MOVE nor UIDPLUS")
            with _told(to):
                new_key = _copied(client, lambda: (client.move if moves else client.copy)([uid], target))
            if moves and uid not in client.fetch([uid], ["FLAGS"]):
                return new_key
        copy = self._copy((folder, key), to, new_key, mark)
        try:
            self.take_out(folder, key)
        except Refused:
            self.take_out(to, copy)
            raise
        return copy

    def _copy(self, of: tuple[str, str], to: str, claimed: str | None, mark: str) -> str:
        """The key of a message's copy, which is read and compared: a server's word is not enough, and some give
        none."""
        for letter in self.read(of[0], [of[1]]):
            if claimed is not None:
                copies = self.read(to, [claimed])
                found = claimed if any(copy.fingerprint == letter.fingerprint for copy in copies) else None
            else:
                found = self.arrived(to, mark, of[1], letter.fingerprint)
            if found is not None:
                return found
        raise Refused(f"{self.host} says that it copied a message to {to!r}, where there is none like it")

    def take_out(self, folder: str, key: str) -> None:
        of, uid = _numbers(key)
        with self._selected(folder, write=True) as (client, validity):
            if of == validity:
                self._expunge(folder, client, uid)

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
                if self._now != self._next.get(folder, self._now):
                    return
                found = changed(client, min(IDLE, left), SECONDS) if client.has_capability("IDLE") else None
            if found:
                return
            if found is None:
                sleep(min(POLL, left))


@contextmanager
def _told(folder: str) -> Iterator[None]:
    """A server's refusal as what it is for a filer."""
    try:
        yield
    except IMAPClientReadOnlyError:
        raise Refused(f"folder {folder!r} is read-only") from None
    except (IMAPClientAbortError, ProtocolError):
        raise
    except IMAPClientError as error:
        if TEMPORARY.search(str(error)):
            raise Unreachable(f"folder {folder!r}: {error}") from None
        if MISSING.search(str(error)):
            raise Gone(f"there is no folder {folder!r}") from None
        raise Refused(f"folder {folder!r}: {error}") from None


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


def _number(told: dict[bytes, Any], name: bytes) -> int:
    if not isinstance(told.get(name), int):
        raise Refused(f"the server did not report {name.decode()}, which all must")
    return int(told[name])


def _copied(client: IMAPClient, command: Any) -> str | None:
    """Does a command, and gives the key of its COPYUID."""
    client._imap.untagged_responses.pop("COPYUID", None)
    answer = command()
    told = client._imap.untagged_responses.pop("COPYUID", [])
    text = b" ".join(part for part in [*told, answer if isinstance(answer, bytes) else b""] if part)
    found = COPIED.search(text)
    return f"{int(found[1])}.{int(found[2])}" if found is not None else None


def _batches(sizes: dict[int, int]) -> Iterator[list[int]]:
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


def _is_here(host: str) -> bool:
    """Whether a host is this machine: what is said to it goes over no wire."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
