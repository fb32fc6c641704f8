"""Names that come from data, as they are shown: in one line, without what would disturb others, and not too long."""

import unicodedata
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from likely.data import Sample
from likely.report.colours import CLASSES

NAME = 22
"""Characters of a name in a picture; those of Chinese, and pictures, are as wide as two."""

LONGEST = 200
"""Characters of a name in the text."""

NAMED = 60
"""Characters of a class in a sentence or a table."""

EMPTY = "(empty)"

TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that turn the direction of what comes after them."""


def displayed(name: Any, most: int = LONGEST) -> str:
    """The name in one line. What is no character, and what would turn the writing round, is shown as such; so is a name
    without a letter."""
    name = "".join(_shown(character) for character in str(name)[: 4 * most])
    if not name.strip():
        return EMPTY
    widths = list(accumulate(1 + (unicodedata.east_asian_width(character) in "WF") for character in name))
    return name if widths[-1] <= most else f"{name[: bisect(widths, most - 1)]}…"


def short(name: Any, most: int = NAME) -> str:
    return displayed(name, most)


def in_legend(name: Any) -> str:
    """The name, short; matplotlib leaves out of a legend what begins with an underscore."""
    cut = short(name)
    return f"\u200b{cut}" if cut.startswith("_") else cut


def apart(names: Sequence[Any], most: int = NAME) -> list[str]:
    """The names, short. Where two would look alike, long ones are cut in the middle."""
    found = [short(name, most) for name in names]
    if len({*found}) == len(found):
        return found
    half = most // 2
    return [
        f"{short(name, half)}{_end(name, most - half)}" if cut.endswith("…") else cut
        for name, cut in zip(names, found, strict=True)
    ]


def _end(name: Any, most: int) -> str:
    """What the name ends with."""
    return displayed(str(name)[::-1], most + 1).removesuffix("…")[::-1]


def _shown(character: str) -> str:
    if character.isspace():
        return " "
    bad = unicodedata.category(character) in ("Cc", "Cs", "Cn") or character in TURNS
    return "\ufffd" if bad else character


def most_common(sample: Sample) -> list[int]:
    """The classes that have a colour each, in their order: those with most rows, if there are many."""
    return sorted(np.argsort(-sample.class_weights, kind="stable")[: len(CLASSES)].tolist())
