"""Messages as a table, and what is learned of it."""

import numpy as np
import pyarrow as pa

from likely import NaiveBayes
from likely.mail import READ_AS, parse, table

MAIL = [
    parse(b"From: ann@example.org\nSubject: lunch\n\nAt noon?"),
    parse(b"From: bob@example.org\nSubject: budget\n\nThe figures."),
    parse(b"From: ann@example.org\nSubject: =?utf-8?q?caf=C3=A9?=\n\nAt eight!"),
    parse(b""),
]


def test_a_row_has_the_subject_and_body_and_the_marks():
    found = table(MAIL)
    assert found.column_names == ["text", "marks"]
    assert found["text"].to_pylist()[0] == "lunch\nAt noon?"
    assert found["marks"].to_pylist()[0].split() == list(MAIL[0].tokens)
    assert "from:ann@example.org" in found["marks"].to_pylist()[0].split()
    assert found["text"].to_pylist()[2] == "café\nAt eight!"


def test_no_messages():
    assert table([]).num_rows == 0
    assert table([]).schema.names == ["text", "marks"]


def test_halves_of_characters_are_replaced():
    """A subject may hold a lone surrogate, which no Arrow string can."""
    message = parse(b"Subject: =?utf-16-be?b?2AA=?= x\n\n\xed\xa0\x80 body")
    assert isinstance(table([message]), pa.Table)


def test_marks_are_read_whole():
    model = NaiveBayes(READ_AS).fit(table(MAIL), [0, 1, 0, 1])
    reasons = model.explain(table(MAIL[:1]))[0].reasons
    assert "marks: from:ann@example.org" in [reason.column for reason in reasons]
    assert "text: noon" in [reason.column for reason in reasons]
    np.testing.assert_allclose(
        model.explain(table(MAIL))[0].scores, model.predict_joint_log_proba(table(MAIL))[0], rtol=1e-12
    )


def test_a_message_of_nothing_gets_the_class_prior():
    model = NaiveBayes(READ_AS).fit(table(MAIL[:3]), [0, 1, 0])
    np.testing.assert_allclose(model.predict_proba(table([parse(b"")])), [[2 / 3, 1 / 3]], rtol=1e-12)
