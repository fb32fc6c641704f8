"""Writes a C++ header that knows of every character what this Python knows: python unicode_tables.py FILE

So that tokens agree with `re.findall(r"\\w\\w+", text.lower())`: a word character is what `re`'s \\w says, lower case
is what `str.lower` says, including the two forms of the Greek sigma, which depend on the letters about it.
"""

import re
import sys
from pathlib import Path

PAGE = 256
WORD, CASED, IGNORABLE, LOWERS, SPACE = 1, 2, 4, 8, 16


def kind(character: str) -> int:
    """What a character is. Python does not show which are cased or ignorable, but how a sigma behind them is lowered:
    as a final one behind a cased letter, with any ignorable characters between them."""
    word = WORD if re.fullmatch(r"\w", character) else 0
    cased = (character + "\u03a3").lower().endswith("\u03c2")
    ignorable = not cased and ("A" + character + "\u03a3").lower().endswith("\u03c2")
    lowers = LOWERS if character.lower() != character else 0
    space = SPACE if character.isspace() or "\ud800" <= character <= "\udfff" else 0  # no word has half a character
    return word | cased * CASED | ignorable * IGNORABLE | lowers | space


def fits(character: str) -> bool:
    """Whether its lower case takes no more room than words.hpp keeps for it, in each encoding that can hold it."""
    needs, code = len(character.lower().encode(errors="surrogatepass")), ord(character)
    room = 2 if code < 0x100 else 3 if code < 0x10000 else 4
    return needs <= 2 * len(character.encode(errors="surrogatepass")) and needs <= room


def pages(values: list[int]) -> tuple[list[int], list[int]]:
    """The values in pages, each kept once: where the page of each 256 characters is, and the pages."""
    known: dict[tuple[int, ...], int] = {}
    where = [known.setdefault(tuple(values[i : i + PAGE]), len(known)) for i in range(0, len(values), PAGE)]
    return where, [value for page in known for value in page]


def array(kind_: str, name: str, values: list[int]) -> str:
    return f"inline constexpr {kind_} {name}[] = {{{','.join(map(str, values))}}};\n"


def header() -> str:
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    if not all(map(fits, characters)):
        raise ValueError("a character is longer in lower case than words.hpp expects")
    where, kinds = pages([kind(character) for character in characters])
    lowered = [(ord(a), a.lower()) for a in characters if a.lower() != a]
    single = {code: ord(low) for code, low in lowered if len(low) == 1}
    several = [(code, low) for code, low in lowered if len(low) > 1]
    steps_where, steps = pages([single.get(code, code) - code for code in range(len(characters))])
    expansions = [number for code, low in several for number in (code, len(low), *map(ord, low.ljust(3, "\0")))]
    return (
        "// Made by unicode_tables.py from the Python that builds the module.\n#pragma once\n#include <cstdint>\n"
        "namespace likely {\n"
        + array("uint16_t", "kKindPage", where)
        + array("uint8_t", "kKinds", kinds)
        + array("uint16_t", "kStepPage", steps_where)
        + array("int32_t", "kSteps", steps)
        + array("uint32_t", "kExpansions", expansions)
        + "} // namespace likely\n"
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(header())
