"""HTML to text."""

import pytest

from likely.mail.markup import PIECE_CHARS, is_html, to_text


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<p>One<p>two", ["One", "two"]),
        ("<td>One</td><td>two</td>", ["One", "two"]),
        ("One<BR>two", ["One", "two"]),
        ("V<b>ia</b>g<xyz>ra", ["Viagra"]),
        ("Vi<!-- no > reader sees this -->agra", ["Viagra"]),
        ("a<style>b</style>c<SCRIPT type=x>d</Script>e", ["ace"]),
        ("<title>Hello</title>", ["Hello"]),
        ("fish &amp; chips&nbsp;&#8364;&#x41;", ["fish", "&", "chips", "€A"]),
        ('<img src="x" alt="A picture"><img alt=\'of you\'>', ["A", "picture", "of", "you"]),
        ("a<IMG border=0 ALT = 'B' src=x>c<img>d<imgs alt='e'>f", ["a", "B", "c", "df"]),
        ("<img data-alternative='a' title='b'>", []),
        ("1 < 2 and <3", ["1", "<", "2", "and", "<3"]),
        ("before <!-- never closed", ["before"]),
        ("before <a href='never closed", ["before"]),
    ],
)
def test_what_a_reader_sees(source, words):
    assert to_text(source).split() == words


def test_a_number_that_python_refuses_to_read_is_left_out():
    assert to_text("a&#" + "9" * 10_000 + ";b &eacute;") == "ab é"


def test_long_texts_are_taken_apart_without_cutting_tags():
    source = "<p>word <b class='a b c'>bold</b>" * 20_000
    assert len(source) > 5 * PIECE_CHARS
    assert to_text(source).split() == ["word", "bold"] * 20_000
    assert to_text("x" * 3 * PIECE_CHARS + "<p>y") == "x" * 3 * PIECE_CHARS + "\ny"


def test_html_that_is_called_plain():
    assert is_html("\n <!DOCTYPE html><p>")
    assert is_html("<!-- saved --><HTML>")
    assert not is_html("see <html> for more")
    assert not is_html("<b@example.org> wrote")
