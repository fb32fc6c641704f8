"""What is counted of the two texts of a message."""

import pyarrow as pa

from likely.mail import parse, table
from likely.mail.reading import COLUMNS, texts_of, tokens

MAIL = table(parse(f"From: Ann@example.org\nSubject: a b{n}\n\nthe Cat sat".encode()) for n in range(3))


def test_words_pairs_and_marks():
    assert tuple(tokens(False)) == tuple(tokens(True)) == COLUMNS == tuple(MAIL.column_names)
    assert tokens(False)["text"].of("the Cat sat") == ["the", "cat", "sat"]
    assert set(tokens(True)["text"].of("the Cat sat")) == {"the", "cat", "sat", "the cat", "cat sat"}
    assert tokens(True)["marks"].of("from:Ann@example.org a") == ["from:Ann@example.org", "a"]


def test_texts_of_one_piece_and_of_several():
    several = pa.concat_tables([MAIL[:1], MAIL[1:]])
    for mail in (MAIL, several, MAIL[1:]):
        for column in COLUMNS:
            read = tokens(False)[column].matrix(texts_of(mail, column))[0]
            assert (read != tokens(False)[column].matrix(mail[column].to_pylist())[0]).nnz == 0
