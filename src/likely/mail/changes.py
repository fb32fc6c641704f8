"""What you have done since the last look: a function of what was known, what is there, and nothing else."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple, TypeAlias

from likely.mail.history import Entry

Spot: TypeAlias = tuple[str, str]
"""A folder and a key in it."""


SEVERAL = 5
"""Messages that show a renaming though none of them kept its key."""


class Known(NamedTuple):
    """A message that was seen."""

    folder: str
    key: str
    fingerprint: str
    date: float
    state: str
    """ "learned"; "waiting", which Likely filed and has not learned; or "seen", where mail comes in."""
    since: float
    """When it got this state."""
    gone: float | None
    """When it was missed first; None while it is there."""


@dataclass(frozen=True)
class Changes:
    learn: list[int] = field(default_factory=list)
    """Of the messages that came, those that you have filed, by their place in the sequence."""
    forget: list[tuple[int, Known]] = field(default_factory=list)
    """Those that were learned in another folder before, and as what."""
    state: list[tuple[int, str, float]] = field(default_factory=list)
    """The state of each message that came, and since when it has that."""
    elsewhere: list[tuple[int, Known]] = field(default_factory=list)
    """Those that were missed in another folder, and what was known of them."""
    corrected: list[tuple[int, Known]] = field(default_factory=list)
    """Those that you have moved from another folder, and what was known of them."""
    settled: list[Spot] = field(default_factory=list)
    """What Likely filed, and may now be learned."""
    missing: list[Known] = field(default_factory=list)
    """What was there, and is not any more."""
    moved: list[Known] = field(default_factory=list)
    """What was gone, or is missing, and is among what came."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Folders that seem to be called otherwise now, and how."""


def unknown(known: Mapping[Spot, Known], listing: Set[Spot]) -> list[Spot]:
    """What is there and was not before."""
    return [spot for spot in listing if spot not in known or known[spot].gone is not None]


def missing(known: Mapping[Spot, Known], listing: Set[Spot]) -> list[Known]:
    return [one for spot, one in known.items() if spot not in listing and one.gone is None]


def changes(
    known: Mapping[Spot, Known],
    listing: Set[Spot],
    came: Sequence[Entry],
    source: str,
    settled_before: float,
    filed_by_likely: Callable[[Entry], bool],
    now: float,
) -> Changes:
    """`came` are the unknown messages, as far as they were read; `source` is where mail comes in.

    A message that was known is recognised by its fingerprint. In the same folder it has only got another key; in
    another one, you moved it, unless `filed_by_likely`. What Likely filed is settled if you left it there since
    `settled_before`, or put something into the same folder.
    """
    found = Changes(missing=missing(known, listing))
    before: dict[str, list[Known]] = defaultdict(list)
    for one in [*(one for one in known.values() if one.gone is not None), *found.missing]:
        before[one.fingerprint].append(one)
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
        for spot, one in known.items()
        if one.state == "waiting"
        and one.gone is None
        and spot in listing
        and (one.folder in touched or one.since <= settled_before)
    )
    return found


def _renamed(known: Mapping[Spot, Known], found: Changes, came: Sequence[Entry], source: str) -> dict[str, str]:
    """Folders that have lost all their messages, if most of what they lost at last came in one folder that had none.

    A folder that is renamed keeps the keys of its messages at most servers, and in a Maildir. Where none is kept, it
    takes several messages: one alone may be the last that was known of a folder long gone, which you moved.
    """
    missed = {(one.folder, one.key) for one in found.missing}
    alive = {one.folder for spot, one in known.items() if one.gone is None and spot not in missed} | {source}
    lost: dict[str, float] = {}
    for one in known.values():
        lost[one.folder] = max(lost.get(one.folder, 0.0), _lost(one))
    last = Counter(one.folder for one in known.values() if _lost(one) == lost[one.folder])
    went = Counter((old.folder, came[at].folder) for at, old in found.elsewhere if _lost(old) == lost[old.folder])
    kept = {(old.folder, came[at].folder) for at, old in found.elsewhere if old.key == came[at].key}
    return {
        old: new
        for (old, new), count in went.items()
        if 2 * count > last[old] and (count >= SEVERAL or (old, new) in kept) and not {old, new} & alive
    }


def _lost(one: Known) -> float:
    """When it was missed first."""
    return inf if one.gone is None else one.gone
