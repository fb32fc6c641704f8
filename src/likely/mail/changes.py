"""What you have done with your mail since the last check. A pure function of what was known and what is there now."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple, TypeAlias

from likely.mail.history import Entry

Spot: TypeAlias = tuple[str, str]
"""A folder and a key in it."""


SEVERAL = 5
"""How many messages show that a folder was renamed, if none of them kept its key."""


class Known(NamedTuple):
    """A message that was seen before: a row of the table "placed"."""

    folder: str
    key: str
    fingerprint: str
    date: float
    state: str
    """ "learned"; "waiting": Likely filed it and has not learned it yet; or "seen": it is where mail comes in."""
    since: float
    """When it got this state."""
    gone: float | None
    """When it was first found to be missing; None while it is there."""


@dataclass(frozen=True)
class Changes:
    """An `int` is the position of a message in `came`, the new messages."""

    learn: list[int] = field(default_factory=list)
    """New messages that you have filed."""
    forget: list[tuple[int, Known]] = field(default_factory=list)
    """New messages that were learned in another folder before, with what was known of them there."""
    state: list[tuple[int, str, float]] = field(default_factory=list)
    """The state of each new message, and since when it has that state."""
    elsewhere: list[tuple[int, Known]] = field(default_factory=list)
    """New messages that were in another folder before, with what was known of them there."""
    corrected: list[tuple[int, Known]] = field(default_factory=list)
    """New messages that you have moved from another folder, with what was known of them there."""
    settled: list[Spot] = field(default_factory=list)
    """Messages that Likely filed, and that may now be learned."""
    missing: list[Known] = field(default_factory=list)
    """Messages that were there, and are not any more."""
    moved: list[Known] = field(default_factory=list)
    """Known messages that were missing from their place, and are now among the new messages."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Folders that seem to have been renamed: old name to new name."""


def unknown(known: Mapping[Spot, Known], listing: Set[Spot]) -> list[Spot]:
    """Where messages are that were not there before."""
    return [spot for spot in listing if spot not in known or known[spot].gone is not None]


def missing(known: Mapping[Spot, Known], listing: Set[Spot]) -> list[Known]:
    return [message for spot, message in known.items() if spot not in listing and message.gone is None]


def changes(
    known: Mapping[Spot, Known],
    listing: Set[Spot],
    came: Sequence[Entry],
    source: str,
    settled_before: float,
    filed_by_likely: Callable[[Entry], bool],
    now: float,
) -> Changes:
    """`came` are the new messages that could be read; `source` is the folder where mail comes in.

    A known message is recognised by its fingerprint. In the same folder, it only has a new key; in another folder, you
    moved it, unless `filed_by_likely`. A message that Likely filed is settled if it has been there since
    `settled_before`, or if you have put another message into the same folder.
    """
    found = Changes(missing=missing(known, listing))
    before: dict[str, list[Known]] = defaultdict(list)
    for message in [*(message for message in known.values() if message.gone is not None), *found.missing]:
        before[message.fingerprint].append(message)
    touched: set[str] = set()
    for at, entry in enumerate(came):
        old = before[entry.fingerprint].pop() if before[entry.fingerprint] else None
        if old is not None:
            found.moved.append(old)
            if old.folder == entry.folder:
                found.state.append((at, old.state, old.since))
                continue
            found.elsewhere.append((at, old))
            if not filed_by_likely(entry):
                found.corrected.append((at, old))
            if old.state == "learned":
                found.forget.append((at, old))
        if entry.folder == source:
            found.state.append((at, "seen", now))
        elif filed_by_likely(entry):
            found.state.append((at, "waiting", now))
        else:
            found.learn.append(at)
            found.state.append((at, "learned", now))
            touched.add(entry.folder)
    found.renamed.update(_renamed(known, found, came, source))
    found.settled.extend(
        spot
        for spot, message in known.items()
        if message.state == "waiting"
        and message.gone is None
        and spot in listing
        and (message.folder in touched or message.since <= settled_before)
    )
    return found


def _renamed(known: Mapping[Spot, Known], found: Changes, came: Sequence[Entry], source: str) -> dict[str, str]:
    """Renamed folders, old name to new name. A folder was renamed if it has lost all its messages, and if most of those
    that it lost last are now in one folder that had none.

    When you rename a folder, most servers and a Maildir keep the keys of its messages. If no key is the same, `SEVERAL`
    messages are needed: a single one may be the last message of a folder that is long gone, which you moved.
    """
    missed = {(message.folder, message.key) for message in found.missing}
    alive = {message.folder for spot, message in known.items() if message.gone is None and spot not in missed}
    alive.add(source)
    lost: dict[str, float] = {}
    for message in known.values():
        lost[message.folder] = max(lost.get(message.folder, 0.0), _lost(message))
    last = Counter(message.folder for message in known.values() if _lost(message) == lost[message.folder])
    went = Counter((old.folder, came[at].folder) for at, old in found.elsewhere if _lost(old) == lost[old.folder])
    kept = {(old.folder, came[at].folder) for at, old in found.elsewhere if old.key == came[at].key}
    return {
        old: new
        for (old, new), count in went.items()
        if 2 * count > last[old] and (count >= SEVERAL or (old, new) in kept) and not {old, new} & alive
    }


def _lost(message: Known) -> float:
    """When it was first found to be missing; infinity if that is now."""
    return inf if message.gone is None else message.gone
