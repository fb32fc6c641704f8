"""Where fields and bodies are, beside Python's own parser."""

from email import message_from_bytes
from email.policy import compat32

from hypothesis import given
from hypothesis import strategies as st

from likely.mail.message import parse

names = st.sampled_from(["Subject", "subject", "X-Other", "To", "Received", "X"])
values = st.text("ab:@ .", min_size=1, max_size=12).map(str.strip).filter(bool)
folds = st.sampled_from([" ", "\n ", "\n\t", "\r\n  "])


@given(
    st.lists(st.tuples(names, st.lists(values, min_size=1, max_size=3), folds), min_size=1, max_size=6), st.text("ab\n")
)
def test_the_first_subject_and_the_body(fields, body):
    head = "".join(f"{name}: {fold.join(pieces)}\n" for name, pieces, fold in fields)
    raw = f"{head}\n{body}".encode()
    expected = message_from_bytes(raw, policy=compat32)
    read = parse(raw)
    assert read.subject == " ".join((expected["subject"] or "").split())
    assert read.text == expected.get_payload()
    assert not [problem for problem in read.problems if "date" not in problem]
