"""Text for people: tables, numbers, and names without control characters, so that a terminal can show them safely."""

import re
from collections.abc import Sequence

UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters, line ends, marks that change the direction of writing, and lone surrogates."""


def safe(text: str) -> str:
    """The text on one line, with unsafe characters as escapes such as \\x1b. Use it for all text from files or mail,
    such as names and subjects, which anyone can write."""
    return UNSAFE.sub(lambda found: ascii(found[0])[1:-1], text)


def safe_lines(text: str) -> str:
    """The text with unsafe characters as escapes, but line ends unchanged."""
    return "\n".join(map(safe, text.split("\n")))


def aligned(lines: Sequence[Sequence[str]], align: str = "<<>") -> str:
    """Lines of cells as a table. `align` has < (left) or > (right) for each column; the last is for all that follow."""
    cells = [list(map(safe, line)) for line in lines]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    sides = align.ljust(len(widths), align[-1])
    return "\n".join(
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(line, sides, widths, strict=False)).rstrip()
        for line in cells
    )


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage; a dash for NaN."""
    return f"{100 * share:.{digits}f} %" if share == share else "–"


def probability(p: float) -> str:
    """A probability as a percentage, which is 0 or 100 % only if it is exactly 0 or 1."""
    return "< 0.1 %" if 0 < p < 0.0005 else "> 99.9 %" if 0.9995 <= p < 1 else percent(p)


def tail(p: float) -> str:
    """A p-value with its sign, in plain digits: "= 0.71", "< 0.0001"."""
    return f"= {p:.2g}" if p >= 0.0001 else "< 0.0001"


def number(value: float) -> str:
    """Four significant digits; numbers of 1,000 or more as integers with separators: 13,120, not 1.312e+04."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e15 else f"{value:.4g}"


def counted(count: float, one: str, many: str = "") -> str:
    """A count with its noun: "1 row", "1,200 rows"."""
    return f"{count:,.0f} {one if count == 1 else many or one + 's'}"


def between(low: float, high: float, digits: int = 1) -> str:
    """An interval of shares: "10.1 to 12.3 %"."""
    return f"{100 * low:.{digits}f} to {percent(high, digits)}"
