"""Numbers: the ways in which they are written."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

FORMS = [(".", ""), (",", ""), (".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "'")]
"""The decimal sign and the separator of thousands, the plainest first."""
CURRENCIES = (
    *("USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "CNY", "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF"),
    *("BRL", "MXN", "ZAR", "TRY", "KRW", "RUB", "NZD", "SGD", "HKD", "kr", "Rs", "Rs."),
)
REWRITES = (
    ("[\u00a0\u2007\u2009\u202f]", " "),
    ("[\u2212\u2013]", "-"),
    ("\u2019", "'"),
    (r"^'([-+.\d])", r"\1"),  # by which a spreadsheet marks a text
    (r"^([^\d(]*)\((.*\d.*)\)$", r"-\1\2"),  # as accountants write negative numbers
    (r"^([^-]*\d)\s*-$", r"-\1"),  # as SAP does
)
"""Replaces signs and spaces by those of a keyboard. Python and Arrow read these expressions alike."""
EITHER = re.compile(r"[+-]?[1-9]\d{0,2}(?:[.,]\d{3})?")
"""A whole number, maybe with one comma or point, which may be a decimal sign or separate thousands."""
_PARTS = re.compile(r"[+-]?\s*(?P<before>[^\d\s+.,'-]*)\s*[+-]?[.,]?\d[\d.,' ]*(?:[eE][+-]?\d+)?\s*(?P<after>[^\d]*)")


class NumberForm(NamedTuple):
    decimal: str
    thousands: str
    unit: str
    whole: bool


def plainly(text: str) -> str:
    for pattern, replacement in REWRITES:
        text = re.sub(pattern, replacement, text)
    return text


def form_of_numbers(
    counts: Mapping[str, int], share: float, decimal: str | None = None, thousands: str | None = None
) -> NumberForm | None:
    """The one way in which at least this share of the texts are numbers. Counts are how often each text occurs. The
    decimal sign and the separator of thousands are detected unless they are given."""
    texts = {text: times for text, times in counts.items() if any(mark.isdigit() for mark in text)}
    if not texts or any(re.fullmatch(r"[+-]?0\d+", text) for text in texts):  # 007 is a code, and 07.50 is none
        return None
    written: Counter[str] = Counter()
    for text, times in texts.items():
        written[plainly(text)] += times
    unit = _unit(written)
    numbers: Counter[str] = Counter()
    for text, times in written.items():
        numbers[without_unit(text, unit)] += times
    best, most = None, 0
    for form in FORMS:
        if decimal in (None, form[0]) and thousands in (None, form[1]):
            pattern = pattern_of(*form)
            matched = sum(times for text, times in numbers.items() if pattern.fullmatch(text))
            if matched > most:
                best, most = form, matched
    if best is None or most < share * sum(counts.values()):
        return None
    if best == (",", "") and decimal is None and all(EITHER.fullmatch(text) for text in numbers):
        best = ".", ","  # 1,234 and nothing else: thousands, as `--decimal ,` can say otherwise
    pattern = pattern_of(*best)
    whole = not any(best[0] in text or "e" in text.lower() for text in numbers if pattern.fullmatch(text))
    return NumberForm(*best, unit, whole)


def may_be_thousands(texts: Sequence[str]) -> bool:
    """Whether all texts are numbers whose comma or point may be a decimal sign or separate thousands, and at least one
    has it."""
    return any("." in text or "," in text for text in texts) and all(EITHER.fullmatch(text.strip()) for text in texts)


def pattern_of(decimal: str, thousands: str) -> re.Pattern[str]:
    group = re.escape(thousands)
    # 12,34,567: in India all groups but the last have two digits
    whole = rf"(?:\d+|\d{{1,3}}(?:{group}\d{{2,3}})*{group}\d{{3}})" if thousands else r"\d+"
    point = re.escape(decimal)
    return re.compile(rf"[+-]?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d{{1,3}})?|[+-]?inf(?:inity)?", re.I)


def unit_pattern(unit: str) -> str:
    """Matches a unit around a number. Replaced by `\\1\\2`, the number remains."""
    sign = re.escape(unit)
    return rf"^([+-]?)\s*{sign}\s*([+-]?[\d.,])|\s*{sign}$"


def without_unit(text: str, unit: str) -> str:
    return re.sub(unit_pattern(unit), r"\1\2", text) if unit else text


def _unit(written: Mapping[str, int]) -> str:
    """The most frequent unit of the numbers: a currency around them, or any word or sign after them."""
    return next(iter(units_in(written)), "")


def units_in(counts: Mapping[str, int]) -> dict[str, int]:
    """The words or signs after numbers, and the currencies around them, with how many texts have each; the most
    frequent first."""
    found: Counter[str] = Counter()
    for text, times in counts.items():
        parts = _PARTS.fullmatch(plainly(text).strip())
        unit = _unit_of(parts) if parts is not None else ""
        if unit:
            found[unit] += times
    return dict(found.most_common())


def _unit_of(parts: re.Match[str]) -> str:
    """A word before a number is no unit: K17 and Room 5 are names."""
    unit = parts["before"] or parts["after"].strip()
    if (parts["before"] and parts["after"]) or not (unit.isprintable() and 0 < len(unit) <= 12):
        return ""
    return unit if parts["after"] or is_currency(unit) else ""


def is_currency(unit: str) -> bool:
    return unit in CURRENCIES or unicodedata.category(unit[-1]) == "Sc"
