"""Messages as a table that a classifier learns from."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from likely.families import Text
from likely.mail.message import Message
from likely.text import Tokens

if TYPE_CHECKING:
    import pyarrow as pa

READ_AS = {
    "text": Text(),
    "marks": Text(tokens=Tokens(lower=False, whole=True, sublinear=True, root=True)),
}
"""How a classifier shall read the columns of `table`. Two texts, each for itself, because a body of many words would
drown the few marks: `python -m bench accuracy --only folders`."""


def table(messages: Iterable[Message]) -> "pa.Table":
    """A row for each message: "text", its subject and body, and "marks", its marked tokens with spaces between."""
    import pyarrow as pa

    rows = [(f"{message.subject}\n{message.text}", " ".join(message.tokens)) for message in messages]
    text, marks = zip(*rows, strict=True) if rows else ((), ())
    return pa.table({"text": pa.array(map(_storable, text), pa.large_string()), "marks": pa.array(marks)})


def _storable(text: str) -> str:
    """Arrow holds no half of a character."""
    return text.encode(errors="replace").decode() if not text.isascii() else text
