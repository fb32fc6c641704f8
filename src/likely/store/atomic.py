"""Files that are written whole or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG, S_ISSOCK
from typing import BinaryIO

from likely import system

BESIDE = ".likely-{}.part"
"""The name of a file that is being written, in the folder of the one that it replaces."""


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, that takes the place of the one at `path` once it is complete and on the disk.

    Whoever reads meanwhile reads what was there before. Of several writers the last to finish wins, each with a file of
    its own; an error, or Ctrl-C, leaves what was there. What a killed writer leaves behind, the next in the same folder
    removes. From its first byte the new file has the owner and mode of the old one.

    What is no regular file, as a device or a pipe, cannot be replaced, and is written to as it is; so is what standard
    output or standard error already goes to.
    """
    try:
        about = Path(path).stat()  # raises where links go in a circle
    except FileNotFoundError:
        about = None
    if about is not None and (stream := _stream(path, about)) is not None:
        with stream:
            yield stream
        return
    target = Path(path).resolve()  # what a link points to is replaced, not the link
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
    """What is written to as it is."""
    for descriptor in (1, 2):
        with suppress(OSError):  # it may be closed
            if os.path.samestat(about, os.fstat(descriptor)):
                return os.fdopen(os.dup(descriptor), "wb")
    if S_ISSOCK(about.st_mode):
        raise OSError(errno.ENXIO, "it is a socket, which has no bytes of its own; write to a file or a pipe", path)
    return None if S_ISREG(about.st_mode) else Path(path).open("wb")


def _beside(target: Path, about: os.stat_result | None) -> tuple[BinaryIO, Path]:
    """A new file in the target's folder, held, and its name."""
    mode = 0o666 if about is None else 0o600
    while True:
        beside = target.with_name(BESIDE.format(os.urandom(8).hex()))
        file = open(beside, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
        if system.hold(file) and beside.exists():  # nobody took it for one that was left behind
            return file, beside
        file.close()
