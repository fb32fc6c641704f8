"""Shows names that come from data: in one line, not too long, and without characters that would disturb other text."""

import unicodedata
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from likely.data import Sample
from likely.report.colours import CLASSES

NAME = 22
"""The longest name in a figure, in characters; wide ones, such as Chinese and emoji, count as two."""

LONGEST = 200
"""The longest name in the text, in characters."""

NAMED = 60
"""The longest name of a class in a sentence or a table, in characters."""

EMPTY = "(empty)"

TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of the text after them."""


def displayed(name: Any, most: int = LONGEST) -> str:
    """The name in one line. Control characters, and characters that would change the direction of writing, are shown as
    escapes; a name of only invisible characters too."""
    name = "".join(_shown(character) for character in str(name)[: 4 * most])
    if not name.strip():
        return EMPTY
    widths = list(accumulate(1 + (unicodedata.east_asian_width(character) in "WF") for character in name))
    return name if widths[-1] <= most else f"{name[: bisect(widths, most - 1)]}…"


def short(name: Any, most: int = NAME) -> str:
    return displayed(name, most)


def in_legend(name: Any) -> str:
    """The short name for a legend. matplotlib drops names that begin with an underscore, so this is avoided."""
    cut = short(name)
    return f"\u200b{cut}" if cut.startswith("_") else cut


def apart(names: Sequence[Any], most: int = NAME) -> list[str]:
    """The short names. If two would look the same, long ones are cut in the middle."""
    found = [short(name, most) for name in names]
    if len({*found}) == len(found):
        return found
    half = most // 2
    return [
        f"{short(name, half)}{_end(name, most - half)}" if cut.endswith("…") else cut
        for name, cut in zip(names, found, strict=True)
    ]


def _end(name: Any, most: int) -> str:
    """The end of a name, in at most `most` characters."""
    return displayed(str(name)[::-1], most + 1).removesuffix("…")[::-1]


def _shown(character: str) -> str:
    if character.isspace():
        return " "
    bad = unicodedata.category(character) in ("Cc", "Cs", "Cn") or character in TURNS
    return "\ufffd" if bad else character


def most_common(sample: Sample) -> list[int]:
    """The classes with their own colour, in order; if there are many, those with the most rows."""
    return sorted(np.argsort(-sample.class_weights, kind="stable")[: len(CLASSES)].tolist())
