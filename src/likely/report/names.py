"""Names that come from data, as they are shown: in one line, without what would disturb others, and not too long."""

import unicodedata
from bisect import bisect
from itertools import accumulate
from typing import Any

import numpy as np

from likely.data import Sample
from likely.report.colours import CLASSES

NAME = 22
"""Characters of a name in a picture; those of Chinese, and pictures, are as wide as two."""

LONGEST = 200
"""Characters of a name in the text."""

TURNS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that turn the direction of what comes after them."""


def displayed(name: Any, most: int = LONGEST) -> str:
    """The name in one line. What is no character, and what would turn the writing round, is shown as such."""
    name = "".join(_shown(character) for character in str(name)[: 4 * most])
    widths = list(accumulate(1 + (unicodedata.east_asian_width(character) in "WF") for character in name))
    return name if not name or widths[-1] <= most else f"{name[: bisect(widths, most - 1)]}…"


def short(name: Any, most: int = NAME) -> str:
    return displayed(name, most)


def _shown(character: str) -> str:
    if character.isspace():
        return " "
    bad = unicodedata.category(character) in ("Cc", "Cs", "Cn") or character in TURNS
    return "\ufffd" if bad else character


def most_common(sample: Sample) -> list[int]:
    """The classes that have a colour each, in their order: those with most rows, if there are many."""
    return sorted(np.argsort(-sample.class_weights, kind="stable")[: len(CLASSES)].tolist())
