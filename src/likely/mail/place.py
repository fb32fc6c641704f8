"""A read-only account: mbox files, or anything else that `likely.mail.messages` reads, such as an archive.

Likely moves no message in mbox files, because there is no safe way. To remove a message, all messages after it must be
written again. If that is done in place and the process is killed, no mail program can read the file. If it is done in a
new file with the old name, a delivery that waits for the lock of the old file is lost.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic, sleep

from likely.mail.account import Account, Gone, Letter, Refused, written
from likely.mail.folder_uses import Folder, with_uses
from likely.mail.mailbox import INDEX_NAME, MBOX_NAME, messages

POLL = 0.2
"""Seconds between two checks of a file."""


class Place(Account):
    """The key of a message is its fingerprint, because an mbox has no names; identical messages get a number too."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).resolve()
        self.address = str(self.path)
        self.only_read = (
            f"{self.address!r} is read-only: no message can be removed from an mbox or an archive safely; use a "
            "Maildir or IMAP to move mail"
        )
        messages(self.path).close()  # type: ignore[attr-defined]
        self._boxes: dict[str, Path] = {}
        """The mbox files of folders that are one mbox file each: such a folder can be read without the others."""
        self._listed: dict[str, tuple[object, list[str]]] = {}
        """The state of each folder when it was listed, and its keys."""

    def folders(self) -> list[Folder]:
        self._boxes = {_folder_name(file, self.path): file for file in mboxes_in(self.path)}
        names = {item.folder for item in messages(self.path) if not item.problem}
        return with_uses((name, ()) for name in names | set(self._boxes))

    def keys(self, folder: str) -> list[str]:
        stamp = self._stamp(folder)
        if self._listed.get(folder, (None,))[0] != stamp:
            keys = [letter.key for letter in self.letters([folder])]
            if not keys and folder not in [known.name for known in self.folders()]:
                raise Gone(f"there is no folder {folder!r}")
            self._listed[folder] = stamp, keys
        return list(self._listed[folder][1])

    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        wanted = set(keys)
        return (letter for letter in self.letters([folder]) if letter.key in wanted)

    def letters(self, folders: Iterable[str]) -> Iterator[Letter]:
        wanted = set(folders)
        alike: Counter[tuple[str, str]] = Counter()
        sources: list[tuple[Path, str | None]] = [(self.path, None)]
        if wanted and wanted <= set(self._boxes):
            sources = [(self._boxes[name], name) for name in sorted(wanted)]
        for path, box in sources:
            for item in messages(path):
                folder = item.folder if box is None else box
                if folder in wanted and not item.problem:
                    letter = Letter(folder, "", item.raw, 0.0)
                    name = letter.fingerprint
                    alike[folder, name] += 1
                    number = alike[folder, name]
                    yield Letter(folder, name if number == 1 else f"{name}-{number}", item.raw, 0.0)

    def mark(self, folder: str, fingerprint: str) -> str:
        return ""

    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        return None

    def move(self, folder: str, key: str, to: str) -> str | None:
        raise Refused(self.only_read)

    def copy(self, folder: str, key: str, to: str) -> str | None:
        raise Refused(self.only_read)

    def take_out(self, folder: str, key: str, twin: tuple[str, str]) -> None:
        raise Refused(self.only_read)

    def wait(self, folder: str, seconds: float) -> None:
        listed, end = self._listed.get(folder, (self._stamp(folder),))[0], monotonic() + seconds
        while self._stamp(folder) == listed and (left := end - monotonic()) > 0:
            sleep(min(POLL, left))

    def close(self) -> None:
        pass

    def _stamp(self, folder: str) -> list[tuple[str, int, int]]:
        """The path, size and time of change of each file that the folder may be in."""
        path = self._boxes.get(folder, self.path)
        files = [path] if not path.is_dir() else sorted(path.rglob("*"))
        return [(str(file), found.st_size, found.st_mtime_ns) for file in files for found in _stats(file)]


def mboxes_in(path: Path) -> Iterator[Path]:
    """The mbox file, or all mbox files below a folder, also empty ones; not the index files of mail programs."""
    for file in [path] if path.is_file() else path.rglob("*"):
        passed_over = INDEX_NAME.fullmatch(file.name) or file.suffix == ".lock" or file.is_symlink()
        if not passed_over and file.is_file() and _is_mbox(file):
            yield file


def _is_mbox(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(5) in (b"", b"From ")
    except OSError:
        return False


def _folder_name(file: Path, root: Path) -> str:
    """The name that `likely.mail.messages` gives the folder of an mbox file."""
    *above, last = file.relative_to(root).parts if file != root else (root.name,)
    mbox = MBOX_NAME.fullmatch(last)
    return written("/".join((*(name.removesuffix(".sbd") for name in above), mbox[1] if mbox is not None else last)))


def _stats(file: Path) -> Iterator[os.stat_result]:
    try:
        yield file.stat()
    except OSError:
        return
