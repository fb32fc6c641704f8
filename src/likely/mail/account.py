"""What a filer needs of a place that holds mail."""

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
"""Fields of a header in which programs keep whether a message in an mbox was read."""


class Gone(Exception):
    """A folder or message is not there any more."""


class Refused(Exception):
    """The place did not do what it was asked, and nothing has changed: a full quota, a folder that is read-only."""


class Denied(Refused):
    """It will not do so later either: a password that is not accepted, a certificate that is not trusted."""


class Unreachable(Exception):
    """The place cannot be reached, or does not do what it was asked, now; it may later. What became of the last
    request is not known."""


class NotNow(Unreachable):
    """It answered, and did not do the last request."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message where it lies."""

    folder: str
    key: str
    raw: bytes
    """As much as was read of it: at a server, no attachment of a large one."""
    arrived: float
    """When it came, in seconds since 1970; 0 where that is not known."""
    known_as: str = ""
    """What the account knows it by; "" where that is a digest of its bytes."""

    @property
    def fingerprint(self) -> str:
        return self.known_as or fingerprint(self.raw)


@dataclass(frozen=True, slots=True)
class Listing:
    """The messages of a folder at one time."""

    keys: list[str]
    stamp: str = ""
    """How the folder stood, in the account's own words; "" where it can't say."""


def fingerprint(raw: bytes) -> str:
    """The same for the same message wherever it lies, and different for others. It gives nothing of it away."""
    head = raw.find(b"\n\n") if b"\r\n\r\n" not in raw[: 1 << 16] else raw.find(b"\r\n\r\n")
    head = len(raw) if head < 0 else head + 1
    digest = blake2b(STATUS.sub(b"", raw[:head]), digest_size=16)
    digest.update(memoryview(raw)[head:])
    return digest.hexdigest()


def written(name: str) -> str:
    """A file's name as text that can be written anywhere: bytes of it that are no UTF-8 as "\\xff"."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


class Account(ABC):
    """Folders with messages in them. A key names a message in its folder: it stays while the message does, and is never
    given to another.

    Nothing here deletes a message or marks it as read. What cannot be reached raises Unreachable, at any time.
    """

    address: str
    """One for each account, however you spell it, and without any secret."""

    remote = False
    """Whether reading a message is a download."""

    late = 0.0
    """Seconds in which a place may still do what it was asked by a process or a connection that has ended."""

    only_read = ""
    """Why no message can be moved here; "" where it can."""

    no_keywords = "only IMAP has keywords: in this account messages can be moved or copied, not flagged"
    """Why no message can be flagged with a word of yours; "" where it can."""

    @property
    def identity(self) -> str:
        """By what fingerprints are made. Those of another kind, which an earlier version or server gave, are of no use:
        see `likely.mail.identity`."""
        return "bytes"

    @abstractmethod
    def folders(self) -> list[Folder]: ...

    def name_of(self, folder: str) -> str:
        """What the place itself calls a folder, as in a filter that runs there."""
        return folder

    @abstractmethod
    def keys(self, folder: str) -> list[str]:
        """Of all messages in a folder, the oldest arrival first. Raises Gone if there is no such folder."""

    def listing(self, folder: str, before: Listing | None = None) -> Listing:
        """The keys of a folder; at a server, by what has changed since it was listed `before`."""
        return Listing(self.keys(folder))

    @abstractmethod
    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        """Those of the messages that are still there."""

    def fingerprints(self, folder: str, keys: Iterable[str]) -> dict[str, str]:
        """Of those of the messages that are still there, by key."""
        return {letter.key: letter.fingerprint for letter in self.read(folder, keys)}

    @abstractmethod
    def mark(self, folder: str, fingerprint: str) -> str:
        """How a folder stands before a message comes into it: what `arrived` is given."""

    def now_called(self, folder: str, mark: str) -> str:
        """The name that a folder has now which had this one when the mark was made, as far as the place knows."""
        return folder

    @abstractmethod
    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        """The key of the message that came into a folder since the mark and had `key` where it was before."""

    @abstractmethod
    def move(self, folder: str, key: str, to: str) -> str | None:
        """Moves one message with all its flags, and gives its new key, None where the place does not know it.

        Raises Gone where the message or a folder is missing, and Refused; nothing has moved then.
        """

    @abstractmethod
    def copy(self, folder: str, key: str, to: str) -> str | None:
        """As `move`, but the message stays where it is too."""

    def labels(self, folder: str, keys: Iterable[str]) -> dict[str, set[str]]:
        """At Gmail, the folders in which messages lie besides this one, by key; elsewhere a message lies in one."""
        return {}

    def keywords(self, folder: str, key: str) -> set[str]:
        """Those of one message, in lower case. Raises Gone."""
        raise Refused(self.no_keywords)

    def flag(self, folder: str, key: str, keyword: str, on: bool) -> None:
        """Gives a message a keyword, or takes it away. Raises Gone and Refused."""
        raise Refused(self.no_keywords)

    @abstractmethod
    def take_out(self, folder: str, key: str, twin: tuple[str, str]) -> None:
        """Removes a message that has a twin under that folder and key, the same to the last byte.

        Raises Refused where the twin is not the same, or the message may not be removed.
        """

    @abstractmethod
    def wait(self, folder: str, seconds: float) -> None:
        """Until something may have come into a folder, or that number of seconds has passed."""

    @abstractmethod
    def close(self) -> None: ...

    def find(self, message_id: str, folders: Iterable[str]) -> Letter | None:
        """The first message with that Message-ID, with or without its angle brackets."""
        wanted = message_id.strip("<> ")
        letters = self.letters(folders)
        return next((letter for letter in letters if parse(letter.raw).message_id.strip("<> ") == wanted), None)

    def letters(self, folders: Iterable[str]) -> Iterator[Letter]:
        """All messages of some folders; of one that is gone meanwhile, those that were read."""
        for folder in folders:
            with suppress(Gone):
                yield from self.read(folder, self.keys(folder))
