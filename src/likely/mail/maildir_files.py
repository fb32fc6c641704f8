"""The files of one Maildir: which there are, what their names say, and their bytes."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG

from likely import system
from likely.mail.message import RAW_BYTES

PARTS = ("new", "cur")
"""In the order in which they are to be listed: a mail program may move what is new to `cur` at any time. What is in
`tmp` has not been delivered yet."""

UID = re.compile(r",U=\d+")
"""What mbsync adds to a name: the message's UID in its folder. In another folder it would be that of another."""


def is_one(folder: Path) -> bool:
    return all((folder / part).is_dir() for part in PARTS)


def listed(folder: Path, part: str) -> Iterator["os.DirEntry[str]"]:
    """What is in one part, whether files or not, but for what a program hides there."""
    with os.scandir(folder / part) as entries:
        yield from (entry for entry in entries if not entry.name.startswith("."))


def unique(name: str) -> str:
    """A file's name without its flags, the same in both parts."""
    return name.partition(":")[0]


def contents(path: str) -> tuple[bytes, os.stat_result]:
    """The bytes of a file, as many as are looked at, and what is known of it. No link is followed, no pipe waited for.

    By system calls: opening a file object and reading `RAW_BYTES` takes three times as long.
    """
    handle = os.open(path, system.PLAIN)
    try:
        about = os.fstat(handle)
        if not S_ISREG(about.st_mode):
            raise OSError("it is no file")
        wanted = min(about.st_size, RAW_BYTES)
        raw = os.read(handle, wanted)
        while len(raw) < wanted and (more := os.read(handle, wanted - len(raw))):
            raw += more
    finally:
        os.close(handle)
    return raw, about
