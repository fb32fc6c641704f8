"""HTML to text, as it stands in a message."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.mail.message import TEXT_CHARS, parse


def seen(source):
    return parse(b"Content-Type: text/html; charset=utf-8\n\n" + source.encode()).text


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
    assert seen(source).split() == words


ENTITIES = (
    "&amp;", "&amp", "&ampere", "&notin;", "&notit;", "&eacute", "&Eacute;x", "&nGg;", "&unknown;", "&;", "&", "&#",
    "&#65;", "&#x41", "&#X41;g", "&#xg", "&#0;", "&#128;", "&#129;", "&#xD800;", "&#x110000;", "&#1;", "&#xFDD0;",
    "&#x1FFFF;", "&#13;", "&am p;", "&CounterClockwiseContourIntegral;", "&" + "a" * 40,
)  # fmt: skip


@given(st.lists(st.sampled_from([*ENTITIES, "a", ";", "#", "é", "\n"])).map("".join))
def test_names_of_characters_are_read_as_python_reads_them(text):
    assert seen(text) == html.unescape(text)


def test_every_kind_of_number():
    for number in (*range(300), *range(0xD7F0, 0xE010), *range(0xFDC0, 0xFDF8), 0xFFFE, 0x10FFFF, 2**70):
        for text in (f"&#{number};", f"&#{number}", f"&#x{number:x};"):
            assert seen(text) == html.unescape(text)


def test_every_name():
    names = [f"&{name}" for name in html.entities.html5]
    assert seen("\n".join(names)) == html.unescape("\n".join(names))


def test_a_number_that_python_refuses_to_read_is_no_character():
    assert seen("a&#" + "9" * 10_000 + ";b &eacute;") == "a\ufffdb é"


def test_long_texts():
    assert seen("<p>word <b class='a b c'>bold</b>" * 20_000).split() == ["word", "bold"] * 20_000
    assert seen("<p>" + "x" * (TEXT_CHARS - 10) + "<p>y").strip() == "x" * (TEXT_CHARS - 10) + "\ny"


@pytest.mark.parametrize("source", ["\n <!DOCTYPE html><p>a<i>b", "<!-- saved --><HTML>a<i>b", "\u2003<center>a<i>b"])
def test_html_that_is_called_plain(source):
    assert parse(b"Content-Type: text/plain; charset=utf-8\n\n" + source.encode()).text.strip() == "ab"


@pytest.mark.parametrize(
    "source", ["see <html> for more", "<b@example.org> wrote", "<htmlx>", "<!doctypehtml>", "<!-- a"]
)
def test_what_only_looks_like_html(source):
    assert parse(b"Subject: x\n\n" + source.encode()).text == source
