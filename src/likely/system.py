"""What Linux, macOS and Windows do differently. No other code checks which of them it runs on."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt

    PLAIN = os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT
    """Flags to open a file for reading. Windows has no flag against following links."""

    def cores() -> int:
        """The number of cores that this process may use."""
        return os.cpu_count() or 1

    def hold(file: IO[Any]) -> bool:
        """Locks an open file until it is closed. False if another process has locked it, or this one by another
        open."""
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def take_after(descriptor: int, about: os.stat_result) -> None:
        """Gives an open file the owner, group and mode in `about`. If the group can't be set, the file's group gets the
        permissions of all others."""

    def replace(file: IO[bytes], source: Path, target: Path) -> None:
        """Replaces the file `target` by the open file `source`, and closes it."""
        file.close()
        source.replace(target)

    def remove_unless_held(path: Path) -> None:
        """Removes a file of this user, unless a process has locked it."""
        with suppress(OSError):  # Windows does not remove an open file
            path.unlink()

    def sync_folder(folder: Path) -> None:
        """Waits until the file names of a folder are written to disk."""

else:
    import fcntl

    PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

    if sys.platform == "linux":

        def cores() -> int:
            return len(os.sched_getaffinity(0))
    else:

        def cores() -> int:
            return os.cpu_count() or 1

    def hold(file: IO[Any]) -> bool:
        return _held(file.fileno())

    def _held(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def take_after(descriptor: int, about: os.stat_result) -> None:
        mode, own = about.st_mode & 0o777, os.fstat(descriptor)
        if own.st_uid != about.st_uid:
            with suppress(PermissionError):  # only root may change the owner
                os.fchown(descriptor, about.st_uid, -1)
        if own.st_gid != about.st_gid:
            try:
                os.fchown(descriptor, -1, about.st_gid)
            except PermissionError:
                mode = mode & 0o707 | (mode & 0o007) << 3
        os.fchmod(descriptor, mode)

    def replace(file: IO[bytes], source: Path, target: Path) -> None:
        source.replace(target)  # while it is still locked
        file.close()

    def remove_unless_held(path: Path) -> None:
        with suppress(OSError):
            descriptor = os.open(path, PLAIN)
            try:
                about = os.fstat(descriptor)
                if S_ISREG(about.st_mode) and about.st_uid == os.geteuid() and _held(descriptor):
                    path.unlink()
            finally:
                os.close(descriptor)

    def sync_folder(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
