"""An account that is a folder of mbox files, each a mail folder; or one of these files."""

import fcntl
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from mmap import ACCESS_READ, mmap
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from likely.mail.account import Account, Folder, Gone, Letter, Refused, fingerprint, written
from likely.mail.mailbox import INDEX_NAME, MBOX_NAME, SEPARATOR_BYTES, separator, unboxed
from likely.mail.message import RAW_BYTES
from likely.store import replacing

POLL = 0.2
"""Seconds between two looks at a file."""

LOCKED = 10.0
"""Seconds in which another program should be done with a file."""


class _Span(NamedTuple):
    """Where a message stands in its file: its separator, its text, and the start of the next."""

    start: int
    text: int
    end: int


class Mbox(Account):
    """A message's key is its fingerprint, with a number where there are several like it: an mbox gives no names.

    A move writes the message to the end of its new file and then the old file anew without it, both locked as mail
    programs do. Messages change places within a file, and nothing else of them changes.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.root = Path(path)
        self.address = f"mbox:{self.root}"
        if not self.root.exists():
            raise Gone(f"there is no {str(self.root)!r}")
        self._files: dict[str, Path] = {}
        self._known: dict[str, tuple[tuple[int, int, int], dict[str, _Span]]] = {}
        self.folders()

    def folders(self) -> list[Folder]:
        if self.root.is_file():
            self._files = {_folder_name((self.root.name,)): self.root}
        else:
            files = mboxes_in(self.root)
            self._files = {_folder_name(file.relative_to(self.root).parts): file for file in files}
        return [Folder.called(name) for name in sorted(self._files)]

    def _file(self, folder: str) -> Path:
        if folder not in self._files or not self._files[folder].is_file():
            self.folders()
        try:
            return self._files[folder]
        except KeyError:
            raise Gone(f"there is no folder {folder!r}") from None

    def _spans(self, folder: str) -> dict[str, _Span]:
        """Each message by its key, of the file as it is now."""
        file = self._file(folder)
        try:
            stamp = _stamp(file)
            if self._known.get(folder, (None,))[0] != stamp:
                self._known[folder] = stamp, dict(_keyed(file))
        except PermissionError as error:
            raise Refused(f"folder {folder!r} cannot be read: {error.strerror}") from None
        return self._known[folder][1]

    def keys(self, folder: str) -> list[str]:
        return list(self._spans(folder))

    def read(self, folder: str, keys: Iterable[str]) -> Iterator[Letter]:
        for key in keys:
            span = self._spans(folder).get(key)
            if span is None:
                continue
            with self._file(folder).open("rb") as file:
                file.seek(span.text)
                raw = unboxed(file.read(min(span.end - span.text, RAW_BYTES)), True)
            yield Letter(folder, key, raw, 0.0)

    def mark(self, folder: str, fingerprint: str) -> str:
        return str(sum(_is(key, fingerprint) for key in self._spans(folder)))

    def arrived(self, folder: str, mark: str, key: str, fingerprint: str) -> str | None:
        alike = [name for name in self._spans(folder) if _is(name, fingerprint)]
        return alike[-1] if len(alike) > int(mark) else None

    def move(self, folder: str, key: str, to: str) -> str:
        source, target = self._file(folder), self._file(to)
        with _locked(source, target):
            span = self._spans(folder).get(key)
            if span is None:
                raise Gone(f"there is no message {key!r} in folder {folder!r}")
            with source.open("rb") as file:
                file.seek(span.start)
                message = file.read(span.end - span.start)
            before = target.stat().st_size
            try:
                _append(target, message)
                _cut(source, span)
            except OSError as error:
                os.truncate(target, before)
                raise Refused(f"message {key!r} cannot be moved to {to!r}: {error.strerror}") from None
        alike = [name for name in self._spans(to) if _is(name, key.partition("-")[0])]
        return alike[-1]

    def take_out(self, folder: str, key: str) -> None:
        with _locked(self._file(folder)):
            span = self._spans(folder).get(key)
            if span is not None:
                _cut(self._file(folder), span)

    def wait(self, folder: str, seconds: float) -> None:
        file, end = self._file(folder), monotonic() + seconds
        listed = self._known.get(folder, (_stamp(file),))[0]  # what came since it was listed need not be waited for
        while _stamp(file) == listed and (left := end - monotonic()) > 0:
            sleep(min(POLL, left))

    def close(self) -> None:
        pass


def is_mbox(file: Path) -> bool:
    """Whether a file may be an mbox, which it may while it is empty."""
    try:
        with file.open("rb") as opened:
            return opened.read(5) in (b"", b"From ")
    except OSError:
        return False


def mboxes_in(folder: Path, all_files: bool = False) -> Iterator[Path]:
    """The mboxes below a folder, or all files there that are neither locks nor kept by mail programs along with
    mail."""
    for file in folder.rglob("*"):
        passed_over = INDEX_NAME.fullmatch(file.name) or file.suffix == ".lock" or file.is_symlink()
        if not passed_over and file.is_file() and (all_files or is_mbox(file)):
            yield file


def _folder_name(names: tuple[str, ...]) -> str:
    """As `likely.mail.messages` names it."""
    *above, last = names
    mbox = MBOX_NAME.fullmatch(last)
    return written("/".join((*(name.removesuffix(".sbd") for name in above), mbox[1] if mbox is not None else last)))


def _is(key: str, fingerprint: str) -> bool:
    return key.partition("-")[0] == fingerprint


def _keyed(path: Path) -> Iterator[tuple[str, _Span]]:
    if path.stat().st_size == 0:
        return
    alike: Counter[str] = Counter()
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        for span in _parted(data):
            name = fingerprint(unboxed(data[span.text : min(span.end, span.text + RAW_BYTES)], True))
            alike[name] += 1
            yield (name if alike[name] == 1 else f"{name}-{alike[name]}"), span


def _parted(data: mmap) -> Iterator[_Span]:
    start, text = 0, data.find(b"\n") + 1
    at = data.find(b"\nFrom ")
    while at >= 0:
        window = data[max(at - 2, 0) : at + 2 * SEPARATOR_BYTES]
        found = separator(window, min(at, 2))
        if found:
            yield _Span(start, text, at + 1)
            start, text = at + 1, max(at - 2, 0) + found
        at = data.find(b"\nFrom ", at + 1)
    yield _Span(start, text, len(data))


def _append(path: Path, message: bytes) -> None:
    """Writes a message to the end of a file."""
    with path.open("r+b", buffering=0) as file:  # what a buffer holds would be written again after an error
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 2, 0))
        ending = file.read()
        blank = b"" if size == 0 or ending == b"\n\n" else b"\n" if ending.endswith(b"\n") else b"\n\n"
        left = memoryview(blank + message + (b"" if message.endswith(b"\n\n") else b"\n"))
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())


def _cut(path: Path, span: _Span) -> None:
    """Writes a file anew without one of its messages."""
    with replacing(path) as file, path.open("rb") as old:
        for start, end in ((0, span.start), (span.end, path.stat().st_size)):
            old.seek(start)
            left = end - start
            while left > 0 and (piece := old.read(min(left, 1 << 20))):
                file.write(piece)
                left -= len(piece)


@contextmanager
def _locked(*paths: Path) -> Iterator[None]:
    """Holds files as mail programs do, by a file next to each; and waits for those that use the system's locks."""
    with ExitStack() as held:
        for path in sorted(set(paths)):
            end = monotonic() + LOCKED
            while not (_held_beside(path, held) and _is_free(path)):
                if monotonic() > end:
                    raise Refused(f"{path.name!r} is locked by another program")
                sleep(0.05)
        yield


def _held_beside(path: Path, held: ExitStack) -> bool:
    beside = path.with_name(f"{path.name}.lock")
    try:
        with beside.open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return _left_behind(beside)
    except OSError as error:
        raise Refused(f"{path.name!r} cannot be locked: {error.strerror}") from None
    held.callback(beside.unlink, missing_ok=True)
    return True


def _left_behind(beside: Path) -> bool:
    """Takes away the lock of a process that has ended, so that the next try succeeds; True if this one holds it."""
    try:
        process = int(beside.read_text() or "0")
        if process == os.getpid():
            return True
        if process > 0:
            os.kill(process, 0)
    except ProcessLookupError:
        beside.unlink(missing_ok=True)
    except (OSError, ValueError):
        pass  # another program's, that does not say whose
    return False


def _is_free(path: Path) -> bool:
    try:
        with path.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        raise Gone(f"there is no {path.name!r} any more") from None
    except BlockingIOError:
        return False
    except OSError as error:
        raise Refused(f"{path.name!r} cannot be written: {error.strerror}") from None
    return True


def _stamp(file: Path) -> tuple[int, int, int]:
    try:
        stat = file.stat()
    except FileNotFoundError:
        raise Gone(f"there is no {file.name!r} any more") from None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns
