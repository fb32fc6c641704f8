"""Reads the messages of an mbox, a Maildir, a folder of files, or a tar archive of any of these."""

import io
import os
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from likely.mail import maildir_files
from likely.mail.archive import BLOCK, DAMAGE, Stream, is_tar, members, unpacked
from likely.mail.item import Item, cut_short, path_of
from likely.mail.mbox import HEADER_LINE, mbox_messages, unboxed
from likely.mail.message import RAW_BYTES

MEMORY = 6 * RAW_BYTES
"""192 MiB: the most memory that reading takes, besides the names in one folder. Messages are cut at `RAW_BYTES`."""

MESSAGE_NAME = re.compile(r"\d.*|.*\.eml", re.IGNORECASE)
"""Names of files with one message each, as in folders of MH. SpamAssassin has names like "00001.7c53336b37003a9286"."""

OTHER_NAME = re.compile(r".*\.(?:mbox|mbx|tar|tgz|gz|bz2)", re.IGNORECASE)
MBOX_NAME = re.compile(r"(.*)\.(?:mbox|mbx)(?:\.gz|\.bz2)?", re.IGNORECASE)
INDEX_NAME = re.compile(
    r"\..*|.*\.(?:msf|cmeta|snm|toc|pag|dir)|dovecot.*|courier.*|maildirfolder|subscriptions|cmds", re.IGNORECASE
)
"""Other files of mail programs, and hidden files. They are skipped silently."""

ENCODED_NAME = re.compile(r"&([A-Za-z0-9+,]*)-")


def messages(path: str | os.PathLike[str]) -> Iterator[Item]:
    """The messages in a place, one at a time.

    The place is one of these:

    - an mbox file;
    - a Maildir with its subfolders, of both kinds (`.Work.Plans` and `Work/Plans`);
    - a folder, of any depth, with files of one message each, mbox files or Maildirs;
    - a .tar, .tar.gz or .tar.bz2 of any of these, which is not unpacked to disk.

    A file that can't be read becomes an item with a problem. Symbolic links are not followed. Only a `path` that can't
    be read at all raises OSError, at once. It takes at most `MEMORY` bytes, plus the list of names in one folder.

    Parameters
    ----------
    path : str or path
        The place.

    Returns
    -------
    iterator of Item
        Each has its folder, its key in that folder, and its bytes or a problem.

    See Also
    --------
    parse : reads the bytes of a message.

    Examples
    --------
    >>> from likely.datasets import MAILBOX
    >>> from likely.mail import messages
    >>> sum(1 for _ in messages(MAILBOX))
    60
    """
    place = Path(path)
    if place.is_dir():
        os.scandir(place).close()
        return _folder(place)
    with place.open("rb"):
        return _file(place, (place.name,), ())


def _folder(root: Path) -> Iterator[Item]:
    folders: list[tuple[Path, tuple[str, ...]]] = [(root, ())]
    while folders:
        folder, names = folders.pop()
        try:
            entries = _entries(folder)
        except OSError as error:
            yield _unreadable(names, error)
            continue
        subfolders = {entry.name for entry in entries if entry.is_dir(follow_symlinks=False)}
        is_maildir = {"cur", "new"} <= subfolders
        if is_maildir:
            yield from _maildir(folder, names)
        below = []
        for entry in entries:
            name = entry.name
            if name in subfolders:
                # Messages in tmp have not been delivered yet.
                if not (is_maildir and name in ("cur", "new", "tmp")) and (
                    not name.startswith(".") or Path(entry.path, "cur").is_dir()
                ):
                    below.append((Path(entry.path), (*names, name)))
            elif not INDEX_NAME.fullmatch(name) and not is_maildir:
                yield from _entry(entry, (*names, name))
        folders += reversed(below)


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as found:
        return sorted(found, key=lambda entry: entry.name)


def _entry(entry: "os.DirEntry[str]", names: tuple[str, ...]) -> Iterator[Item]:
    if not entry.is_file(follow_symlinks=False):
        what = "a symbolic link" if entry.is_symlink() else "a device, pipe or socket"
        yield Item(path_of(names[:-1]), path_of(names), b"", f"{what} is not followed")
        return
    if MESSAGE_NAME.fullmatch(entry.name) and not OTHER_NAME.fullmatch(entry.name):
        item = _message(entry.path, path_of(names[:-1]), names)
        if not item.raw.startswith(b"From "):
            yield item
            return
        if b"\n\nFrom " not in item.raw and b"\r\n\r\nFrom " not in item.raw and not item.problem:
            raw = item.raw[item.raw.find(b"\n") + 1 or len(item.raw) :]
            yield replace(item, raw=unboxed(raw, b">From " in raw))
            return
        del item
    yield from _file(Path(entry.path), names, names)


def _maildir(folder: Path, names: tuple[str, ...]) -> Iterator[Item]:
    """The messages of one Maildir. Those in `new` come first, because a mail program may move them to `cur` at any
    time."""
    label = maildir_folder(names)
    seen: set[str] = set()
    for part in maildir_files.PARTS:
        try:
            entries = sorted(maildir_files.listed(folder, part), key=lambda entry: entry.name)
        except OSError as error:
            yield _unreadable((*names, part), error)
            continue
        for entry in entries:
            at = (*names, part, entry.name)
            unique = maildir_files.unique(entry.name)
            if part == "cur" and unique in seen:
                continue
            if not entry.is_file(follow_symlinks=False):
                yield Item(label, path_of(at), b"", "what is not a file in a Maildir is not read")
                continue
            item = _message(entry.path, label, at)
            if part == "new" and item.raw:
                seen.add(unique)
            yield item


def _message(path: str, folder: str, names: tuple[str, ...]) -> Item:
    """A file with one message."""
    try:
        raw, about = maildir_files.contents(path)
    except OSError as error:
        return _unreadable(names, error, folder)
    return Item(folder, path_of(names), raw, cut_short(about.st_size > RAW_BYTES) if raw else "the file is empty")


def _file(path: Path, names: tuple[str, ...], above: tuple[str, ...]) -> Iterator[Item]:
    """A file that may be an mbox, a message or an archive. The members of an archive are below `above`."""
    try:
        with path.open("rb") as packed:
            stream = unpacked(packed)
            if is_tar(_start(stream)):
                yield from _archive(stream, above)
            else:
                yield from _stream(stream, names)
    except DAMAGE as error:
        yield _unreadable(names, error)


def _archive(stream: Stream, within: tuple[str, ...]) -> Iterator[Item]:
    for member in members(stream):
        # Names are only labels here, and open no file; but ".." would be a strange name for a folder.
        names = (*within, *(name for name in member.name.split("/") if name not in ("", ".", "..")))
        if not names or INDEX_NAME.fullmatch(names[-1]):
            continue
        if member.problem:
            yield Item(path_of(names[:-1]), path_of(names), b"", member.problem)
            continue
        inner: Stream = io.BufferedReader(member)
        if names[-2:-1] in (("cur",), ("new",)):
            yield _whole(inner, maildir_folder(names[:-2]), names)
        elif is_tar(_start(inner)):
            yield Item(path_of(names[:-1]), path_of(names), b"", "an archive within an archive is not read")
        else:
            yield from _stream(inner, names)


def _stream(stream: Stream, names: tuple[str, ...]) -> Iterator[Item]:
    """An mbox or a message: its name and its start show which."""
    *above, name = names
    start = _start(stream).lstrip()
    mbox = MBOX_NAME.fullmatch(name)
    if mbox is not None:
        yield from mbox_messages(stream, path_of((*above, mbox[1])), names)
    elif start.startswith(b"From "):
        items = mbox_messages(stream, path_of(names), names)
        if MESSAGE_NAME.fullmatch(name):
            # "00001.7c53" is one message in a folder, but "2020" may be an mbox: it is, if it has two messages.
            first, second = next(items), next(items, None)
            if second is None:
                yield replace(first, folder=path_of(above), key=path_of(names))
                return
            yield first
            del first
            yield second
            del second
        yield from items
    elif MESSAGE_NAME.fullmatch(name) or HEADER_LINE.match(start):
        yield _whole(stream, path_of(above), names)
    else:
        what = f"starts with {start[:30]!r}" if start else "is empty"
        yield Item(path_of(above), path_of(names), b"", f"the file is neither a message nor an mbox: it {what}")


def _whole(stream: Stream, folder: str, names: tuple[str, ...]) -> Item:
    raw = stream.read(RAW_BYTES)
    return Item(folder, path_of(names), raw, cut_short(bool(stream.peek(1))) if raw else "the file is empty")


def _start(stream: Stream) -> bytes:
    return stream.peek(BLOCK)[:BLOCK]


def _unreadable(names: tuple[str, ...], error: BaseException, folder: str | None = None) -> Item:
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return Item(path_of(names[:-1]) if folder is None else folder, path_of(names), b"", f"cannot be read: {why}")


def maildir_folder(names: tuple[str, ...]) -> str:
    """The folder name of a Maildir, from the names of the directories down to it."""
    pieces: list[str] = []
    for name in names:
        pieces += name[1:].split(".") if name.startswith(".") else [name]
    return path_of([folder_name(piece) for piece in pieces]) or "INBOX"


def folder_name(name: str) -> str:
    """Decodes a name in IMAP's modified UTF-7: "Entw&APw-rfe" is "Entwürfe". Invalid parts stay as they are."""
    return ENCODED_NAME.sub(_shifted, name)


def _shifted(found: "re.Match[str]") -> str:
    if not found[1]:
        return "&"
    try:
        data = b64decode(found[1].replace(",", "/") + "=" * (-len(found[1]) % 4), validate=True)
        return data.decode("utf-16-be")
    except ValueError:
        return found[0]
