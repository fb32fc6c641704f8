"""What is fetched of a large message says the same as all of it."""

import base64
from email.message import EmailMessage

import pytest

from likely.mail.imap_parts import TEXT_BYTES, TEXTS, Leaf, Multipart, items, outline
from likely.mail.message import parse

DATA = bytes(range(256)) * 400


def plain():
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Ann <ann@example.org>", "bob@example.org", "Café at noon"
    made["Date"], made["Message-ID"] = "Mon, 1 Jan 2024 10:00:00 +0100", "<1@example.org>"
    made.set_content("See https://menu.example.org/today, naïve and 日本.\n", cte="base64")
    return made


def attached():
    made = plain()
    made.add_attachment(DATA, maintype="application", subtype="pdf", filename="Rechnung für Mai.pdf")
    return made


def alternatives():
    made = attached()
    made.get_payload()[0].add_alternative("<p>See <a href='http://x.example'>it</a>", subtype="html")
    made.get_payload()[0].get_payload()[1].add_related(DATA, "image", "png", cid="<a>")
    return made


def forwarded():
    made = attached()
    made.add_attachment(plain())
    return made


def attachment_alone():
    made = plain()
    made.set_content(DATA, maintype="application", subtype="zip", filename="all.zip")
    return made


def digest():
    made = attached()
    for number in range(5):
        made.add_attachment(f"part {number}\n", filename=f"notes{number}.txt")
    return made


KINDS = [attached, alternatives, forwarded, attachment_alone, digest]


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A real server with all of them, and the bytes that it sends for each when they are read."""
    from .conftest import server

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIKELY_MAIL_PASSWORD", "")
        place = server()
        raws = [kind().as_bytes() for kind in KINDS]
        place.put("INBOX", *raws)
        account = place.account()
        yield raws, list(account.read("INBOX", account.keys("INBOX"))), account
        account.close()
        place.close()


@pytest.mark.parametrize("at", range(len(KINDS)), ids=[kind.__name__ for kind in KINDS])
def test_it_says_the_same_and_no_attachment_is_fetched(large, at):
    raws, letters, _ = large
    assert len(raws[at]) > TEXT_BYTES
    assert len(letters[at].raw) < 10_000
    whole, part = parse(raws[at]), parse(letters[at].raw)
    assert (part.text.split(), part.tokens, part.subject, part.date) == (
        *(whole.text.split(), whole.tokens, whole.subject, whole.date),
    )
    assert "attachment:pdf" in part.tokens or "attachment:zip" in part.tokens


def test_each_is_known_by_its_fields_and_its_size(large):
    _, letters, account = large
    names = account.fingerprints("INBOX", account.keys("INBOX"))
    assert [names[letter.key] for letter in letters] == [letter.fingerprint for letter in letters]
    assert len(set(names.values())) == len(KINDS)  # of the same fields, and of other sizes
    assert account.identity == "headers"


def test_a_long_text_is_read_as_far_as_64_kb(imap):
    place = imap()
    made = plain()
    made.set_content("knight " * 20_000 + "gambit")
    made.add_attachment(base64.b64encode(DATA), maintype="text", subtype="csv", filename="all.csv")
    place.put("INBOX", made.as_bytes())
    account = place.account()
    (letter,) = account.read("INBOX", account.keys("INBOX"))
    assert TEXT_BYTES < len(letter.raw) < 2 * TEXT_BYTES + 2000
    assert "gambit" not in parse(letter.raw).text
    assert parse(letter.raw).text.count("knight") > 9_000
    account.close()


PARTS = b"".join(b"--b\nContent-Type: text/plain\n\nknight %d\n" % number for number in range(5000))
LARGE = {
    "parts": b'Subject: x\nContent-Type: multipart/mixed; boundary="b"\n\n' + PARTS + b"--b--\n",
    "headers": b"Subject: x\n" + b"".join(b"X-%d: y\n" % number for number in range(100_000)) + b"\nknight\n",
    "long header": b"Subject: x\nTo: " + b"ann@example.org, " * 100_000 + b"\n\nknight\n",
}


def test_a_message_of_thousands_of_parts_or_headers_is_read_within_bounds(imap):
    """And keeps no other from being read."""
    place = imap()
    place.put("INBOX", *LARGE.values(), plain().as_bytes())
    account = place.account()
    letters = list(account.read("INBOX", account.keys("INBOX")))
    assert len(letters) == len(LARGE) + 1
    assert all(len(letter.raw) < 2**18 + 1000 for letter in letters)
    texts = [parse(letter.raw).text for letter in letters if parse(letter.raw).subject == "x"]
    assert len(texts) == len(LARGE)
    assert all("knight" in text for text in texts)
    account.close()


class Structure(tuple):
    """As imapclient makes them."""

    @property
    def is_multipart(self):
        return isinstance(self[0], list)


TEXT, FILE = Structure((b"TEXT", b"PLAIN")), Structure((b"application", b"pdf"))


def mixed(*parts, boundary=b"b"):
    return Structure(([*parts], b"mixed", (b"Boundary", boundary)))


def test_what_is_fetched():
    message = outline(mixed(TEXT, FILE, mixed(TEXT)))
    assert message == Multipart(
        "", b"b", (Leaf("1", True), Leaf("2", False), Multipart("3", b"b", (Leaf("3.1", True),)))
    )
    heads = ("HEADER", "1.MIME", "2.MIME", "3.MIME", "3.1.MIME")
    texts = ("1", "3.1")
    assert items(message) == (
        *(f"BODY.PEEK[{head}]<0.65536>" for head in heads),
        *(f"BODY.PEEK[{text}]<0.65536>" for text in texts),
    )
    assert items(outline(TEXT)) == ("BODY.PEEK[HEADER]<0.65536>", "BODY.PEEK[TEXT]<0.65536>")
    many = items(outline(mixed(*[TEXT] * 100)))
    assert sum("MIME" not in item for item in many) == TEXTS + 1


def test_a_structure_that_makes_no_sense_is_none():
    deep = TEXT
    for _ in range(10_000):
        deep = mixed(deep)
    for bad in (mixed(TEXT, boundary=None), Structure(([TEXT], b"mixed")), Structure((None,)), deep):
        assert outline(bad) is None
        assert outline(mixed(TEXT, bad)) is None
