"""One message of a mailbox, or a problem."""

from collections.abc import Sequence
from dataclasses import dataclass

from likely.mail.message import RAW_BYTES


@dataclass(frozen=True, slots=True)
class Item:
    """One message, or one file or member of an archive that could not be read.

    See Also
    --------
    messages : makes them.
    """

    folder: str
    """The folders below the place, with "/" between them. For the place itself "INBOX" if it is a Maildir, else ""."""

    key: str
    """Where the message is, below the place: "work/12.eml", or "work.mbox#3" for the fourth message in an mbox."""

    raw: bytes
    """The message as delivered, without the quoting of an mbox. Empty if nothing could be read."""

    problem: str = ""
    """Why the message could not be read, or not completely; "" if it could."""


def cut_short(cut: bool) -> str:
    return f"the message has more than {RAW_BYTES:,} bytes: the rest is not read" if cut else ""


def path_of(names: Sequence[str]) -> str:
    """Names as a printable path, even if they are not UTF-8. Thunderbird's `Work.sbd/Plans` becomes Work/Plans."""
    *above, last = names or ("",)
    path = "/".join((*(name.removesuffix(".sbd") for name in above), last))
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
