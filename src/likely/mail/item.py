"""What a place that holds mail is read as."""

from collections.abc import Sequence
from dataclasses import dataclass

from likely.mail.message import RAW_BYTES


@dataclass(frozen=True, slots=True)
class Item:
    """One message, or one thing that could not be read.

    See Also
    --------
    messages : makes them.
    """

    folder: str
    """Folders below the place, with "/" between them; for the place itself "INBOX" if it is a Maildir, else ""."""

    key: str
    """Where it is, below the place: "work/12.eml", "work.mbox#3" for the fourth message in an mbox."""

    raw: bytes
    """As delivered, an mbox's quoting undone. Empty where nothing could be read."""

    problem: str = ""
    """Why it is not, or not all, here; "" where it is."""


def cut_short(cut: bool) -> str:
    return f"the message has more than {RAW_BYTES:,} bytes: the rest is not read" if cut else ""


def path_of(names: Sequence[str]) -> str:
    """Names as a path that can be printed, even if they are not UTF-8; Thunderbird's `Work.sbd/Plans` is Work/Plans."""
    *above, last = names or ("",)
    path = "/".join((*(name.removesuffix(".sbd") for name in above), last))
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
