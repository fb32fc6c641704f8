"""The interface of a mail account: what Likely needs to file mail in it."""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b

from likely.mail.folder_uses import Folder
from likely.mail.message import parse

STATUS = re.compile(
    rb"^(?:Status|X-Status|X-Keywords|X-UID|X-IMAP|X-IMAPbase|Content-Length|Lines|X-Mozilla-[\w-]+):.*\n"
    rb"(?:[ \t].*\n)*",
    re.MULTILINE | re.IGNORECASE,
)
"""Header fields in which mail programs store the state of a message in an mbox, such as whether it was read."""


class Gone(Exception):
    """A folder or message is not there any more."""


class Refused(Exception):
    """The account refused a request, and nothing has changed: a full quota, a read-only folder."""


class Denied(Refused):
    """The account will refuse every time: the password is not accepted, or the certificate is not trusted."""


class Unreachable(Exception):
    """The account can't be reached, or can't do the request now; it may later. It is not known whether the last request
    was done."""


class NotNow(Unreachable):
    """The account answered that it can't do the request now, and has not done it."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message in a folder of an account."""

    folder: str
    key: str
    raw: bytes
    """The part of it that was read: of a large message at a server, not the attachments."""
    arrived: float
    """When it arrived, in seconds since 1970; 0 if that is not known."""
    known_as: str = ""
    """The fingerprint that the account reports; "" if it is a digest of the bytes."""

    @property
    def fingerprint(self) -> str:
        return self.known_as or fingerprint(self.raw)


@dataclass(frozen=True, slots=True)
class Listing:
    """The messages of a folder at one time."""

    keys: list[str]
    stamp: str = ""
    """The state of the folder, in a form that only the account reads; "" if it has none."""


def fingerprint(raw: bytes) -> str:
    """A digest that is the same for the same message in any folder. It reveals nothing of the message."""
    head = raw.find(b"\n\n") if b"\r\n\r\n" not in raw[: 1 << 16] else raw.find(b"\r\n\r\n")
    head = len(raw) if head < 0 else head + 1
    digest = blake2b(STATUS.sub(b"", raw[:head]), digest_size=16)
    digest.update(memoryview(raw)[head:])
    return digest.hexdigest()


def written(name: str) -> str:
    """A file name as printable text: bytes that are not UTF-8 become "\\xff"."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


class Account(ABC):
    """Folders with messages in them. A key names a message in its folder. It never changes while the message is there,
    and is never used for another message.

    Nothing here deletes a message or marks it as read. Every method may raise Unreachable.
    """

    address: str
    """The address of the account: the same however you spell it, and without the password."""

    remote = False
    """Whether reading a message is a download."""

    late = 0.0
    """For how many seconds the account may still do the request of a process or connection that has ended."""

    only_read = ""
    """Why no message can be moved in this account; "" if messages can be moved."""

    no_keywords = "only IMAP has keywords: in this account messages can be moved or copied, not flagged"
    """Why no message can be flagged with a keyword; "" if messages can be flagged."""

    @property
    def identity(self) -> str:
        """The kind of fingerprints. Fingerprints of another kind, from an earlier version or server, can't be compared
        with these: see `likely.mail.identity`."""
        return "bytes"

    @abstractmethod
    def folders(self) -> list[Folder]: ...

    def name_of(self, folder: str) -> str:
        """The server's own name of a folder, for example for a filter that runs there."""
        return folder

    @abstractmethod
    def keys(self, folder: str) -> list[str]:
        """The keys of all messages in a folder, the oldest arrival first. Raises Gone if there is no such folder."""

    def listing(self, folder: str, before: Listing | None = None) -> Listing:
        """The keys of a folder. With the listing `before`, a server reports only what has changed since."""
        return Listing(self.keys(folder))

    @abstractmethod
    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        """The messages with these keys that are still there."""

    def fingerprints(self, folder: str, keys: Iterable[str]) -> dict[str, str]:
        """The fingerprint of each message with one of these keys that is still there, by key."""
        return {letter.key: letter.fingerprint for letter in self.read(folder, keys)}

    @abstractmethod
    def mark(self, folder: str, fingerprint: str) -> str:
        """The state of a folder before a message is moved into it, for `arrived`."""

    def now_called(self, folder: str, mark: str) -> str:
        """The name that a folder has now, if it was renamed since the mark was made and the account can find it."""
        return folder

    @abstractmethod
    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        """The key of a message that arrived in a folder after the mark was made; it had `key` in its old folder. None
        if it did not arrive."""

    @abstractmethod
    def move(self, folder: str, key: str, to: str) -> str | None:
        """Moves one message with all its flags, and returns its new key, or None if the account does not report it.

        Raises Gone if the message or a folder is missing, or Refused; then nothing was moved.
        """

    @abstractmethod
    def copy(self, folder: str, key: str, to: str) -> str | None:
        """As `move`, but the original stays where it is."""

    def labels(self, folder: str, keys: Iterable[str]) -> dict[str, set[str]]:
        """By key, the other folders that a message is in. Only Gmail has this (labels); elsewhere it is empty."""
        return {}

    def keywords(self, folder: str, key: str) -> set[str]:
        """The keywords of one message, in lower case. Raises Gone."""
        raise Refused(self.no_keywords)

    def flag(self, folder: str, key: str, keyword: str, on: bool) -> None:
        """Adds a keyword to a message (`on`), or removes it. Raises Gone and Refused."""
        raise Refused(self.no_keywords)

    @abstractmethod
    def take_out(self, folder: str, key: str, twin: tuple[str, str]) -> None:
        """Removes a message that has a copy: `twin` is the folder and key of the copy.

        Raises Refused if the copy differs in any byte, or if the message may not be removed.
        """

    @abstractmethod
    def wait(self, folder: str, seconds: float) -> None:
        """Waits until a message may have arrived in a folder, at most this number of seconds."""

    @abstractmethod
    def close(self) -> None: ...

    def find(self, message_id: str, folders: Iterable[str]) -> Letter | None:
        """The first message with this Message-ID, with or without angle brackets; None if there is none."""
        wanted = message_id.strip("<> ")
        letters = self.letters(folders)
        return next((letter for letter in letters if parse(letter.raw).message_id.strip("<> ") == wanted), None)

    def letters(self, folders: Iterable[str]) -> Iterator[Letter]:
        """All messages of some folders. If a folder disappears meanwhile, the rest of its messages are skipped."""
        for folder in folders:
            with suppress(Gone):
                yield from self.read(folder, self.keys(folder))
