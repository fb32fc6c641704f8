"""Bytes of a part to text: transfer encodings and charsets, none of which can fail or grow without bound."""

import binascii
import codecs
import io
import re
from functools import lru_cache

from likely.mail.problems import Problems

BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
NOT_BASE64 = bytes(set(range(256)) - set(BASE64))

TEXT_CODEC = re.compile(
    r"ascii|utf-(?:8|8-sig|7|16|16-[bl]e|32|32-[bl]e)|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+|big5\w*|gb\w+|hz|euc_\w+"
    r"|shift_jis\w*|iso2022_\w+|johab|tis-620|ptcp154|kz1048|hp-roman8"
)
"""Codecs that a message may name. Python has others, made for programs: `punycode` is quadratic in its input, and
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
"""What is meant by a charset's name, as browsers read it: senders name the standard and use its extension."""

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
    """The codec that reads a charset, by the name given in a message; None where there is none."""
    name = ALIASES.get(charset)
    if name is None:
        try:
            name = codecs.lookup(charset).name
        except (LookupError, ValueError):
            return None
    return WIDER.get(name, name) if TEXT_CODEC.fullmatch(name) else None


def decode(data: bytes, charset: str, problems: Problems) -> str:
    """Text in a charset by its name, "" where none is named. What is not valid in it becomes U+FFFD."""
    if data.isascii() and charset in ("", "us-ascii", "utf-8", "iso-8859-1", "windows-1252"):
        return data.decode("ascii")
    name = codec(charset) if charset else "ascii"
    if name is None:
        problems.add(f"charset {charset!r} is unknown: read as UTF-8, or else as Windows-1252")
    if name is None or name == "ascii":
        try:
            # Not final: a part that was cut may end within a character.
            return codecs.utf_8_decode(data, "strict", False)[0]
        except UnicodeDecodeError:
            if name is not None:
                problems.add("text is neither ASCII nor UTF-8, and no charset is named: read as Windows-1252")
            return data.decode("cp1252", "replace")
    text = data.decode(name, "replace")
    if name == "utf-7":  # the only one of these codecs that lets half a surrogate pair through
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if "\ufffd" in text:
        problems.add(f"text holds bytes that are not valid {charset}")
    return text


def transfer_decoded(data: bytes, encoding: str, problems: Problems) -> bytes:
    """What a Content-Transfer-Encoding stands for; never longer than what is given."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding == "base64":
        return base64(data, problems)
    if encoding in ("x-uuencode", "uuencode", "x-uue", "uue"):
        return uudecoded(data, problems)
    if encoding not in ("", "7bit", "8bit", "binary"):
        problems.add(f"transfer encoding {encoding!r} is unknown: read as it stands")
    return data


def base64(data: bytes, problems: Problems) -> bytes:
    """Base64 as far as there is any: what is not in its alphabet is passed over, and lost padding is put back."""
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:
        problems.add("base64 is damaged: read as far as it could be")
    letters = data.translate(None, NOT_BASE64)
    whole = len(letters) - (len(letters) % 4 == 1)
    return binascii.a2b_base64(letters[:whole] + b"==="[: -whole % 4])


def uudecoded(data: bytes, problems: Problems) -> bytes:
    """The lines between `begin` and `end`."""
    whole = bytearray()
    for line in io.BytesIO(data):
        if line.startswith(b"begin "):
            whole.clear()
        elif line.strip() == b"end":
            break
        else:
            try:
                whole += binascii.a2b_uu(line)
            except binascii.Error:
                problems.add("uuencoded lines are damaged: left out")
    return bytes(whole)
