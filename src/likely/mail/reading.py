"""How the two text columns of a message are tokenised."""

import pyarrow as pa

from likely.text import Texts, Tokens

COLUMNS = ("text", "marks")
"""The two texts of `likely.mail.table`."""


def tokens(pairs: bool) -> dict[str, Tokens]:
    """The tokens of "text" are words, with `pairs` also pairs of neighbouring words; those of "marks" are separated by
    spaces."""
    return {
        "text": Tokens(ngrams=(1, 2) if pairs else (1, 1), sublinear=True, root=True),
        "marks": Tokens(lower=False, whole=True, sublinear=True, root=True),
    }


def texts_of(mail: pa.Table, column: str) -> Texts:
    """The texts of a column, without a copy if they are in one chunk."""
    texts = mail[column].combine_chunks()
    return Texts.of_arrow(texts.chunk(0) if isinstance(texts, pa.ChunkedArray) else texts)
