"""An account that is a Maildir with its subfolders, or a folder of Maildirs."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep, time

from likely import system
from likely.mail import maildir_files
from likely.mail.account import Account, Gone, Letter, Refused, written
from likely.mail.folder_uses import Folder, with_uses
from likely.mail.mailbox import maildir_folder
from likely.mail.maildir_files import PARTS, UID, unique

POLL = 0.2
"""Seconds between two checks of a folder."""


class Maildir(Account):
    """The key of a message is its unique name, which it keeps when it is moved. A move renames the file, and is
    atomic."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.root = Path(path).resolve()
        self.address = str(self.root)
        self._places: dict[str, Path] = {}
        self._at: dict[tuple[str, str], str] = {}
        """The path at which each message was last seen; a mail program may rename it at any time."""
        self._listed: dict[str, tuple[list[int], set[str]]] = {}
        """The times of change of a folder when it was listed, and its keys."""
        if not self.folders():
            raise Gone(f"{str(self.root)!r} contains no Maildir: a folder with 'cur' and 'new' in it")

    def folders(self) -> list[Folder]:
        self._places = {}
        for place, names in sorted(_maildirs(self.root)):
            name = called = maildir_folder(names)
            number = 1
            while name in self._places:  # two directories have the same folder name
                number += 1
                name = f"{called} ({number})"
            self._places[name] = place
        return with_uses((name, ()) for name in self._places)

    def _place(self, folder: str) -> Path:
        if folder not in self._places or not self._places[folder].is_dir():
            self.folders()
        try:
            return self._places[folder]
        except KeyError:
            raise Gone(f"there is no folder {folder!r}") from None

    def keys(self, folder: str) -> list[str]:
        place = self._place(folder)
        stamps = _stamps([place / part for part in PARTS])
        found: dict[str, str] = {}
        for part in PARTS:  # `new` first: a mail program may move a message from there to `cur` meanwhile
            try:
                for entry in maildir_files.listed(place, part):
                    if entry.is_file(follow_symlinks=False):
                        base, key = unique(entry.name), _key(entry.name)
                        taken = key in found and not found[key].rpartition("/")[2].startswith(base)
                        found[written(base) if taken else key] = entry.path
            except FileNotFoundError:
                raise Gone(f"there is no folder {folder!r}") from None
            except PermissionError as error:
                raise Refused(f"folder {folder!r} cannot be read: {error.strerror}") from None
        self._listed[folder] = stamps, set(found)
        self._at.update(((folder, key), path) for key, path in found.items())
        return sorted(found)

    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        for key in keys:
            letter = self._letter(folder, key)
            if letter is not None:
                yield letter

    def _letter(self, folder: str, key: str) -> Letter | None:
        for again in (False, True):
            path = self._path(folder, key, again)
            if path is None:
                return None
            try:
                raw, about = maildir_files.contents(path)
            except FileNotFoundError:
                continue  # its flags, which are part of its name, have changed
            except OSError:
                return None
            return Letter(folder, key, raw, about.st_mtime)
        return None

    def _path(self, folder: str, key: str, again: bool = False) -> str | None:
        if again or (folder, key) not in self._at:
            self._at.pop((folder, key), None)
            self.keys(folder)
        return self._at.get((folder, key))

    def mark(self, folder: str, fingerprint: str) -> str:
        self._place(folder)
        return ""

    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        letter = self._letter(folder, key)
        return key if letter is not None and letter.fingerprint == fingerprint else None

    def move(self, folder: str, key: str, to: str) -> str:
        moved = self._put(folder, key, to, Path.rename)
        del self._at[folder, key]
        return moved

    def copy(self, folder: str, key: str, to: str) -> str:
        """Makes a hard link, as Dovecot does: no program changes a message in a Maildir."""
        return self._put(folder, key, to, lambda path, target: target.hardlink_to(path))

    def _put(self, folder: str, key: str, to: str, how: Callable[[Path, Path], object]) -> str:
        place = self._place(to)
        for again in (False, True):
            at = self._path(folder, key, again)
            if at is None or not (path := Path(at)).exists():
                continue
            if key in self.keys(to):
                raise Refused(f"folder {to!r} already has a message {key!r}")
            target = place / path.parent.name / UID.sub("", path.name)
            try:
                how(path, target)
            except FileNotFoundError:
                continue
            except OSError as error:
                why = "it is on another disk" if error.errno == errno.EXDEV else error.strerror
                raise Refused(f"message {key!r} cannot be put into {to!r}: {why}") from None
            for directory in (target.parent, path.parent):
                _synced(directory)
            self._at[to, key] = str(target)
            return key
        raise Gone(f"there is no message {key!r} in folder {folder!r}")

    def take_out(self, folder: str, key: str, twin: tuple[str, str]) -> None:
        path, other = self._path(folder, key, again=True), self._letter(*twin)
        letter = self._letter(folder, key)
        if path is None or letter is None:
            return
        if other is None or other.fingerprint != letter.fingerprint:
            raise Refused(f"a message in {folder!r} has no copy in {twin[0]!r} that is the same to the last byte")
        try:
            Path(path).unlink()
        except OSError as error:
            raise Refused(f"message {key!r} may not be taken out of folder {folder!r}: {error.strerror}") from None
        _synced(Path(path).parent)
        del self._at[folder, key]

    def wait(self, folder: str, seconds: float) -> None:
        parts, end = [self._place(folder) / part for part in PARTS], monotonic() + seconds
        before, names = self._listed.get(folder) or (_stamps(parts), set(self.keys(folder)))
        # The time of a folder has a resolution of some milliseconds: a message that came that soon after the listing
        # does not change it.
        fresh = max(before) > (time() - 1) * 1e9
        while _stamps(parts) == before and (left := end - monotonic()) > 0:
            sleep(min(POLL, left))
            if fresh and set(self.keys(folder)) != names:
                return
            fresh = False

    def close(self) -> None:
        pass


def _key(name: str) -> str:
    """The name of a file without its flags, and without the UID that mbsync adds and removes."""
    return written(UID.sub("", unique(name)))


def is_maildir(path: Path) -> bool:
    """Whether there is a Maildir here or one level below."""
    return any(maildir_files.is_one(place) for place in (path, *(entry for entry in path.iterdir() if entry.is_dir())))


def _maildirs(root: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Each Maildir below a folder, with the names of the folders down to it."""
    todo: list[tuple[Path, tuple[str, ...]]] = [(root, ())]
    while todo:
        place, names = todo.pop()
        here = maildir_files.is_one(place)
        if here:
            yield place, names
        try:
            with os.scandir(place) as found:
                below = [entry.name for entry in found if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        todo += [(place / name, (*names, name)) for name in below if not (here and name in (*PARTS, "tmp"))]


def _synced(directory: Path) -> None:
    """Makes the changes in a directory durable; does nothing if the directory has been renamed meanwhile."""
    with suppress(FileNotFoundError):
        system.sync_folder(directory)


def _stamps(parts: list[Path]) -> list[int]:
    try:
        return [part.stat().st_mtime_ns for part in parts]
    except FileNotFoundError as error:
        raise Gone(f"{error.filename} is gone") from None
