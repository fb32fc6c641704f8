"""Values of fields, beside Python's own reader of them."""

from email.header import decode_header, make_header
from email.message import Message

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.mail.message import parse

words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)


@given(st.lists(words, min_size=1, max_size=6), st.sampled_from(["b", "q"]))
def test_encoded_words_are_read_as_python_reads_them(text, how):
    from email.charset import BASE64, QP, Charset

    charset = Charset("utf-8")
    charset.header_encoding = BASE64 if how == "b" else QP
    encoded = charset.header_encode(" ".join(text))
    assert str(make_header(decode_header(encoded))) == " ".join(text)
    assert parse(f"Subject: {encoded}\n\n".encode()).subject == " ".join(text)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="./"), max_size=12))
def test_parameters_are_read_as_python_writes_them(name):
    made = Message()
    made["Content-Type"] = "application/x"
    made.add_header("Content-Disposition", "attachment", filename=("utf-8", "", f"{name}.pdf"))
    read = parse(made.as_bytes())
    assert "attachment:pdf" in read.tokens
    assert read.problems == ()


@pytest.mark.parametrize(
    "value",
    [
        "=?utf-8?q?",
        "=?utf-8?x?a?=",
        "=??q?a?=",
        "=?utf-8?q?a",
        "=?utf-8?q?a?",
        "=?a b?q?c?=",
        "=?" + "a" * 61 + "?q?b?=",
    ],
)
def test_what_only_looks_encoded_stays(value):
    assert parse(f"Subject: {value}\n\n".encode()).subject == value
