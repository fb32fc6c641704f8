"""An account that can only be read: anything that `likely.mail.messages` reads, such as an archive."""

import os
from collections.abc import Iterable, Iterator
from time import sleep

from likely.mail.account import Account, Folder, Letter, Refused
from likely.mail.mailbox import messages


class Place(Account):
    """Good for `prove`. Each question reads it all."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.address = os.fspath(path)
        messages(path).close()  # type: ignore[attr-defined]

    def folders(self) -> list[Folder]:
        names = {item.folder for item in messages(self.path) if not item.problem}
        return [Folder.called(name) for name in sorted(names)]

    def keys(self, folder: str) -> list[str]:
        return [item.key for item in messages(self.path) if item.folder == folder and not item.problem]

    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        wanted = set(keys)
        for item in messages(self.path):
            if item.folder == folder and item.key in wanted:
                yield Letter(folder, item.key, item.raw, 0.0)

    def letters(self, folders: Iterable[str]) -> Iterator[Letter]:
        wanted = set(folders)
        for item in messages(self.path):
            if item.folder in wanted and not item.problem:
                yield Letter(item.folder, item.key, item.raw, 0.0)

    def mark(self, folder: str, fingerprint: str) -> str:
        return ""

    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        return None

    def move(self, folder: str, key: str, to: str) -> str | None:
        raise Refused(f"{self.address!r} can only be read: mail is moved in a Maildir, in mbox files or by IMAP")

    def take_out(self, folder: str, key: str) -> None:
        raise Refused(f"{self.address!r} can only be read")

    def wait(self, folder: str, seconds: float) -> None:
        sleep(seconds)

    def close(self) -> None:
        pass
