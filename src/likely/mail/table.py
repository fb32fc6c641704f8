"""Makes a table of messages, which a classifier learns from."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from likely import _native
from likely.families import Text
from likely.mail.message import Message
from likely.mail.parsed import Parsed
from likely.text import Tokens

if TYPE_CHECKING:
    import pyarrow as pa

READ_AS = {
    "text": Text(),
    "marks": Text(tokens=Tokens(lower=False, whole=True, sublinear=True, root=True)),
}
"""How a classifier should read the columns of `table`. There are two text columns, because in a single one the many
words of a body would outweigh the few marks: `python -m bench accuracy --only folders`."""


TEXT, MARKS = 0, 1
"""The numbers of the columns in `_native.Mail`."""


def table(messages: Parsed | Iterable[Message]) -> "pa.Table":
    """A row for each message: "text" is its subject and body, "marks" its marked tokens, separated by spaces.

    The texts of messages from `parse_all` are not copied.

    Parameters
    ----------
    messages : Parsed or iterable of Message
        What `parse_all` or `parse` made.

    Returns
    -------
    pyarrow.Table
        A table for `NaiveBayes(READ_AS)`, which reads both columns as texts.

    See Also
    --------
    parse_all : many messages, on all cores.
    likely.NaiveBayes : learns from the table.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.mail import READ_AS, parse_all, table
    >>> mail = table(parse_all([b"Subject: Party\\n\\nTonight at the lake", b"Subject: Exam\\n\\nTomorrow in room 3"]))
    >>> NaiveBayes(READ_AS).fit(mail, ["fun", "study"]).predict(mail).tolist()
    ['fun', 'study']
    """
    import pyarrow as pa

    if isinstance(messages, Parsed):
        columns = [[_column(batch, column) for batch in messages.batches] for column in (TEXT, MARKS)]
        return pa.table([pa.chunked_array(column, pa.large_string()) for column in columns], ["text", "marks"])
    rows = [(f"{message.subject}\n{message.text}", " ".join(message.tokens)) for message in messages]
    text, marks = zip(*rows, strict=True) if rows else ((), ())
    return pa.table({"text": pa.array(text, pa.large_string()), "marks": pa.array(marks, pa.large_string())})


def _column(batch: _native.Mail, column: int) -> "pa.LargeStringArray":
    import pyarrow as pa

    ends, data = batch.buffers(column)
    return pa.LargeStringArray.from_buffers(len(batch), pa.py_buffer(ends), pa.py_buffer(data))
