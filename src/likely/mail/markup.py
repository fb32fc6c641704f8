"""HTML to text.

Every pattern here passes over the text once, from left to right. A parser that builds the tree of elements does not:
selectolax 1.0 took 0.23 s for 10,000 nested <div> (50 KB) and more than 100 s for 200,000 of them (1 MB), which is one
message. On the 1,203 HTML parts of SpamAssassin's corpus the two are equally fast.
"""

import html
import re
from collections.abc import Iterator

PIECE_CHARS = 2**16
"""Characters taken apart at a time: a megabyte of tags in one list would take 60."""

HIDDEN = re.compile(
    r"<(?=[!snx])(?:!--.*?(?:-->|\Z)|(script|style|noscript|xml)\b.*?(?:</\1\b[^<>]*>?|\Z))", re.DOTALL | re.IGNORECASE
)
"""What no reader sees. A comment in the middle of a word does not part it: spam hides words so."""

TAG = re.compile(r"<([iI][mM][gG](?![\w:-])[^<>]*+|[a-zA-Z/!?][\w:-]*+)[^<>]*+>?")
"""Its group is the element's name; of a picture it is the whole tag, for the words that stand for it."""

_BREAKS = re.findall(
    r"\w+",
    "p br div td tr th table tbody thead li ul ol dl dd dt h1 h2 h3 h4 h5 h6 hr center blockquote pre title body html "
    "head form option select input button textarea address article section header footer nav main aside figure map "
    "area marquee iframe object embed frame frameset noframes caption label legend fieldset img",
)
BREAKS = frozenset((*_BREAKS, *(f"/{name}" for name in _BREAKS)))
"""Elements that part words; all others, known or not, are within a line."""

PICTURE = re.compile(r"img(?![\w:-])", re.IGNORECASE)
ALT = re.compile(r"""\balt\s*+=\s*+["']([^"']*+)""", re.IGNORECASE)
LONG_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{9,}+;?")
HTML_START = re.compile(
    r"\s*+(?:<!--.{0,1000}?-->\s*+)?<(?:!doctype\s+html|html|head|body|table|center)\b", re.I | re.DOTALL
)


def is_html(text: str) -> bool:
    """Whether a text that is called plain is HTML all the same."""
    return HTML_START.match(text) is not None


def to_text(source: str) -> str:
    """What a reader sees, and the words that stand for pictures."""
    source = HIDDEN.sub("", source)
    text = "".join(map(_without_tags, _pieces(source))) if len(source) > PIECE_CHARS else _without_tags(source)
    if "&" in text:
        try:
            text = html.unescape(text)
        except ValueError:  # Python refuses to read a number of more than 4,300 digits, and html does not expect it
            text = html.unescape(LONG_NUMBER.sub("", text))
    return text


def _without_tags(source: str) -> str:
    pieces = TAG.split(source)
    pieces[1::2] = map(MARKS.__getitem__, pieces[1::2])
    return "".join(pieces)


class _Marks(dict[str, str]):
    """What an element leaves in the text, by its name as it is written: nothing, or a line end."""

    def __missing__(self, tag: str) -> str:
        if PICTURE.match(tag):
            alt = ALT.search(tag) if "alt" in tag.lower() else None
            return "\n" if alt is None else f"\n{alt[1]}\n"
        mark = "\n" if tag.lower() in BREAKS else ""
        if len(self) < 1000 and len(tag) < 20:
            self[tag] = mark
        return mark


MARKS = _Marks()


def _pieces(source: str) -> Iterator[str]:
    """A long text in pieces that cut no tag: no tag goes on beyond the next "<"."""
    at = 0
    while at < len(source):
        end = min(at + PIECE_CHARS, len(source))
        tag = source.rfind("<", at + 1, end) if end < len(source) else -1
        end = tag if tag > 0 else end
        yield source[at:end]
        at = end
