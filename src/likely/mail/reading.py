"""How the two texts of a message are read."""

import pyarrow as pa

from likely.text import Texts, Tokens

COLUMNS = ("text", "marks")
"""The two texts of `likely.mail.table`."""


def tokens(pairs: bool) -> dict[str, Tokens]:
    """The first as words, or as words and pairs of neighbours; the second as what stands between spaces."""
    return {
        "text": Tokens(ngrams=(1, 2) if pairs else (1, 1), sublinear=True, root=True),
        "marks": Tokens(lower=False, whole=True, sublinear=True, root=True),
    }


def texts_of(mail: pa.Table, column: str) -> Texts:
    """The texts of a column, where they lie if they lie in one piece."""
    texts = mail[column].combine_chunks()
    return Texts.of_arrow(texts.chunk(0) if isinstance(texts, pa.ChunkedArray) else texts)
