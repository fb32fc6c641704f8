"""Writes a C++ header with HTML's names of characters, as Python knows them: python html_tables.py FILE

So that text agrees with `html.unescape`.
"""

import html
import sys
from html.entities import html5
from pathlib import Path

NUMBERS = 256
"""Numbers below this may stand for another character than their own, as 128 does for the euro, or for none."""


def literal(text: str) -> str:
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode()) + '"'


def header() -> str:
    names = sorted(html5, key=str.encode)
    entities = ",\n".join(f"{{{literal(name)}, {literal(html5[name])}}}" for name in names)
    numbers = ",\n".join(literal(html.unescape(f"&#{number};")) for number in range(NUMBERS))
    return (
        "// Made by html_tables.py from the Python that builds the module.\n#pragma once\n#include <string_view>\n"
        "namespace likely::mail {\n"
        "struct Entity {\n  std::string_view name, text;\n};\n"
        f"inline constexpr Entity kEntities[] = {{\n{entities}}};\n"
        f"inline constexpr std::string_view kNumbers[] = {{\n{numbers}}};\n"
        "} // namespace likely::mail\n"
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(header())
