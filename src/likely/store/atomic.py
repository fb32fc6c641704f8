"""Writes files atomically: complete, or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG, S_ISSOCK
from typing import BinaryIO

from likely import system

BESIDE = ".likely-{}.part"
"""The name of the temporary file, in the folder of the file that it replaces."""


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, which replaces the file at `path` once it is complete and on disk.

    Until then, readers see the old file. After an error, or Ctrl-C, the old file stays. If there are several writers,
    the last one to finish wins. If a writer is killed, the next writer in the same folder removes its temporary file.
    The new file has the owner and mode of the old one from the start.

    A device or a pipe can't be replaced, so it is written to directly; so is a file that standard output or standard
    error already goes to.
    """
    try:
        about = Path(path).stat()  # raises if links form a loop
    except FileNotFoundError:
        about = None
    if about is not None and (stream := _stream(path, about)) is not None:
        with stream:
            yield stream
        return
    target = Path(path).resolve()  # the target of a link is replaced, not the link
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    for left in target.parent.glob(BESIDE.format("*")):
        system.remove_unless_held(left)
    file, beside = _beside(target, about)
    try:
        with file:
            if about is not None:
                system.take_after(file.fileno(), about)
            yield file
            file.flush()
            os.fsync(file.fileno())
            system.replace(file, beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    system.sync_folder(target.parent)


def _stream(path: str | os.PathLike[str], about: os.stat_result) -> BinaryIO | None:
    """A stream to write to directly; None for a file to replace."""
    for descriptor in (1, 2):
        with suppress(OSError):  # it may be closed
            if os.path.samestat(about, os.fstat(descriptor)):
                return os.fdopen(os.dup(descriptor), "wb")
    if S_ISSOCK(about.st_mode):
        raise OSError(errno.ENXIO, "it is a socket, which has no bytes of its own; write to a file or a pipe", path)
    return None if S_ISREG(about.st_mode) else Path(path).open("wb")


def _beside(target: Path, about: os.stat_result | None) -> tuple[BinaryIO, Path]:
    """A new, locked file in the folder of the target, and its name."""
    mode = 0o666 if about is None else 0o600
    while True:
        beside = target.with_name(BESIDE.format(os.urandom(8).hex()))
        file = open(beside, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
        if system.hold(file) and beside.exists():  # no other writer has removed it as a leftover
            return file, beside
        file.close()
