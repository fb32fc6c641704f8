"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, that takes the place of the one at `path` once it is complete and on the disk.

    Whoever reads meanwhile reads what was there before. Of several writers the last to finish wins, each with a file of
    its own; an error, or Ctrl-C, leaves what was there.
    """
    target = Path(path).resolve()  # what a link points to is replaced, not the link
    beside = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
