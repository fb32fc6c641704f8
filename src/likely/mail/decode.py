"""Decodes text in the charset that a message names."""

import codecs
import re
from functools import lru_cache

TEXT_CODEC = re.compile(
    r"ascii|utf-(?:8|8-sig|7|16|16-[bl]e|32|32-[bl]e)|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+|big5\w*|gb\w+|hz|euc_\w+"
    r"|shift_jis\w*|iso2022_\w+|johab|tis-620|ptcp154|kz1048|hp-roman8"
)
"""The codecs that a message may use. Python has others that are not safe here: `punycode` takes quadratic time, and
`unicode_escape` warns."""

WIDER = {
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "iso8859-9": "cp1254",
}
"""Charsets that are read as a larger one, as in browsers: senders name the standard, but use characters of the larger
one."""

ALIASES = {
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "cp-850": "cp850",
    "x-sjis": "cp932",
    "x-gbk": "gb18030",
    "x-big5": "big5hkscs",
    "iso-8859-8-i": "iso8859-8",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "unicode-1-1-utf-7": "utf-7",
}


@lru_cache(256)
def codec(charset: str) -> str | None:
    """The codec for the charset that a message names; None if there is none."""
    name = ALIASES.get(charset)
    if name is None:
        try:
            name = codecs.lookup(charset).name
        except (LookupError, ValueError):
            return None
    return WIDER.get(name, name) if TEXT_CODEC.fullmatch(name) else None


def decode(data: bytes, charset: str) -> tuple[str | None, str]:
    """The decoded text, and a problem or "". Invalid bytes become U+FFFD.

    The text is None for an unknown charset, and for ASCII: the caller then tries UTF-8 and Windows-1252. Most mail is
    in these two or in ASCII, and does not come here.
    """
    name = codec(charset)
    if name is None:
        return None, f"charset {charset!r} is unknown: read as UTF-8, or else as Windows-1252"
    if name == "ascii":
        return None, ""
    text = data.decode(name, "replace")
    if name == "utf-7":  # the only one of these codecs that can return half a surrogate pair
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text, f"text holds bytes that are not valid {charset}" if "\ufffd" in text else ""
