"""Messages that are meant to hurt, and ways to damage good ones."""

import base64

ALL_KINDS = b"""\
From ann@example.org Mon Jan  1 10:00:00 2024
Received: from a.example.org by b.example.org; Mon, 1 Jan 2024 10:00:01 +0100
From: =?utf-8?q?Ann_M=C3=BCller?= <ann@example.org>
To: "Bob, the other" <bob@example.net>, carol@example.com
Subject: =?iso-8859-1?B?R3L832U=?= and
 folded words
Date: Mon, 1 Jan 2024 10:00:00 +0100
Message-ID: <one@example.org>
References: <zero@example.org> <half@example.org>
List-Id: Developers <dev.example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

preamble
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

plain caf=C3=A9 text that is =
long enough
--inner
Content-Type: text/html; charset=windows-1252

<html><body><p>marked <b>up</b> <a href="http://link.example.org/x">here</a>&nbsp;&#8364;</p></body></html>
--inner--
--outer
Content-Type: application/pdf; name="big invoice.pdf"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename*0*=utf-8''big%20; filename*1="invoice.pdf"

JVBERi0xLjQK
--outer
Content-Type: message/rfc822

From: dan@example.org
Subject: within
Content-Type: text/plain; charset=utf-7
Content-Transfer-Encoding: base64

K0FPay0gaW5zaWRl
--outer--
"""


def nested(depth):
    head = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (i, i) for i in range(depth))
    return b"Subject: deep\n" + head + b"Content-Type: text/plain\n\nbottom\n"


def enclosed(depth):
    return b"Subject: deep\n" + b"Content-Type: message/rfc822\n\n" * depth + b"Subject: x\n\nbottom\n"


def wrapped(depth):
    raw = b"Subject: bottom\n\nbottom\n" * 100
    for _ in range(depth):
        raw = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(raw)
    return raw


def kept(depth):
    """Messages in quoted-printable, each with a part behind it for which it must be kept."""
    raw = b"Subject: x\n\n" + b"a" * 900_000
    for i in range(depth):
        head = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i)
        inner = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n"
        raw = head + inner + raw.replace(b"=", b"=3D") + b"\n--b%d\n\nafter\n--b%d--\n" % (i, i)
    return raw


def same_boundary(depth, lines):
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=%s\n\n--%s\n" % (b"b" * i, b"b" * i) for i in range(1, depth)
    )
    return head + b"--bx\n" * lines


def html(source):
    return b"Subject: x\nContent-Type: text/html; charset=utf-8\n\n" + source


def plain(charset, body, encoding=b"8bit"):
    return b"Content-Type: text/plain; charset=%s\nContent-Transfer-Encoding: %s\n\n" % (charset, encoding) + body


M = 2**20

BOMBS = {
    "10,000 nested parts": lambda: nested(10_000),
    "10,000 nested messages": lambda: enclosed(10_000),
    "base64 in base64": lambda: wrapped(25),
    "messages that must be kept": lambda: kept(25),
    "100 MB in one field": lambda: b"Subject: " + b"a" * (100 * M) + b"\n\nbody",
    "100 MB of fields": lambda: b"X: y\n" * (20 * M) + b"\nbody",
    "100 MB of empty fields": lambda: b"a:\n" * (33 * M) + b"\nbody",
    "100 MB of one folded field": lambda: b"To: a@b,\n" + b" a@b,\n" * (16 * M) + b"\nbody",
    "100 MB of encoded words": lambda: b"Subject:" + b" =?utf-8?q?=F0=9F=98=80?=" * (4 * M) + b"\n\nbody",
    "fields that all count": lambda: b"To: a@b\nSubject: aa bb cc\n" * 3000 + b"\nbody",
    "lines that are no fields": lambda: b"junk\nX-a: b\n" * 10_000 + b"\nbody",
    "100,000 parts": lambda: b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 100_000,
    "1,000 attachments": lambda: (
        b"Content-Type: multipart/mixed; boundary=b\n\n"
        + b'--b\nContent-Type: a/b; name="%s.x"\n\nx\n' % (b"word " * 40) * 1000
    ),
    "lines like boundaries": lambda: same_boundary(30, 6 * M),
    "100 MB of base64": lambda: plain(b"utf-8", b"8J+YgPCfmIDwn5iA8J+YgPCfmIDwn5iA\n" * (3 * M), b"base64"),
    "100 MB of base64 padding": lambda: plain(b"utf-8", b"=" * (100 * M), b"base64"),
    "100 MB of soft line breaks": lambda: plain(b"utf-8", b"=\n" * (50 * M), b"quoted-printable"),
    "100 MB of emoji": lambda: plain(b"utf-8", "\U0001f600".encode() * (25 * M)),
    "100 MB of line ends": lambda: b"\n" * (100 * M),
    "100 MB of carriage returns": lambda: b"Subject: x\r" + b"\r" * (100 * M),
    "100 MB of zeros": lambda: bytes(100 * M),
    "100 MB of spaces": lambda: b" " * (100 * M),
    "uuencoded lines": lambda: plain(
        b"us-ascii", b"begin 644 a.exe\n" + b"M" * 61 + b"\n" + b"begin 644 b\n!\n" * 60_000
    ),
    "uuencoding of nothing": lambda: plain(b"us-ascii", b"`\n" * M, b"x-uuencode"),
    "punycode": lambda: plain(b"punycode", b"a-" + b"9" * M),
    "idna": lambda: plain(b"idna", b"xn--" + b"a" * M),
    "unicode_escape": lambda: plain(b"unicode_escape", b"\\N{BULLET}\\q" * 60_000),
    "zlib": lambda: plain(b"zlib", b"x\x9c" + b"a" * M),
    "utf-7": lambda: plain(b"utf-7", b"+2AA-" * 200_000),
    "utf-16": lambda: plain(b"utf-16", b"\xff\xfe\x00\xd8" * 250_000),
    "iso-2022-kr": lambda: plain(b"iso-2022-kr", b"\x1b$)C\x0e" * 200_000),
    "a long boundary": lambda: b"Content-Type: multipart/mixed; boundary=" + b"b" * 60_000 + b"\n\n--" + b"b" * 60_000,
    "parameters without end": lambda: b"Content-Type: text/plain" + b'; name*0*="\\' * 5000 + b"\n\nx",
    "addresses without end": lambda: b"From: " + b"@" * 60_000 + b"\nTo: " + b"<" * 5000 + b"\n\nx",
    "nested <div>": lambda: html(b"<div>" * 200_000),
    "formatting that multiplies": lambda: html(b"".join(b"<b a%d>" % i for i in range(50_000)) + b"<p>x" * 100_000),
    "tags that do not end": lambda: html(b"<a" * 500_000),
    "less-than": lambda: html(b"<" * M),
    "comments that do not end": lambda: html(b"<!--" * 250_000),
    "scripts that do not end": lambda: html(b"<script>" * 120_000),
    "styles that end otherwise": lambda: html(b"<style></script>" * 60_000),
    "pictures that do not end": lambda: html(b"<img alt=" * 110_000),
    "pictures of spaces": lambda: html(b"<img " + b"alt " * 250_000),
    "a number of a million digits": lambda: html(b"&#" + b"9" * M + b";"),
    "many long numbers": lambda: html(b"&#99999999999999999999;" * 45_000),
    "entities": lambda: html(b"&CounterClockwiseContourIntegral;" * 30_000),
    "doctypes": lambda: plain(b"utf-8", b"<!--" * 250_000),
    "links": lambda: plain(b"utf-8", b"a://b%d.example " * 60_000),
}


def mutated(random, raw):
    """A message with a few of the things done to it that happen to mail, and some that do not."""
    data = bytearray(raw)
    for _ in range(random.randint(1, 6)):
        at, other = sorted((random.randint(0, len(data)), random.randint(0, len(data))))
        match random.randrange(12):
            case 0:
                del data[at:]
            case 1:
                del data[at : at + random.randint(1, 40)]
            case 2:
                data[at:at] = random.randbytes(random.randint(1, 40))
            case 3 if data:
                data[min(at, len(data) - 1)] = random.randrange(256)
            case 4:
                data[at:at] = data[at : at + random.randint(1, 2000)] * random.randint(1, 5)
            case 5:
                data[at:other] = bytes(reversed(data[at:other]))
            case 6:
                data = data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"", b"\n ")), random.randint(1, 50))
            case 7:
                data[at:at] = random.choice(PIECES)
            case 8:
                data = data.replace(b"7bit", random.choice((b"base64", b"quoted-printable", b"x-uuencode", b"9bit")))
            case 9:
                data = data.replace(
                    b"us-ascii", random.choice((b"utf-7", b"hz", b"utf-16", b"punycode", b"iso-2022-jp"))
                )
            case 10:
                data = data.replace(b"text/plain", random.choice((b"text/html", b"message/rfc822", b"multipart/mixed")))
            case 11:
                data[at:at] = b'\nContent-Type: multipart/digest; boundary="%s"\n\n' % bytes(data[at : at + 8])
    return bytes(data)


PIECES = (
    b"\n\n", b"\r\n\r\n", b"\x00", b"\xff\xfe", b"=?utf-8?b?", b"=?utf-8?q?=C3?= =?utf-8?q?=BC?=", b"?=", b"<!--",
    b"-->", b"&#x110000;", b"&#xD800;", b"<a href=http://", b"\nContent-Type: text/html; charset=utf-7\n",
    b"\nDate: 99 Feb 99999\n", b"\nDate: Mon, 31 Dec 1969 25:61:61 +9999\n", b"\nContent-Transfer-Encoding: base64\n",
    b"--", b'"', b";", b"*0*=", b"begin 644 x\n", b"\nContent-Disposition: attachment; filename*=''%\n", b"\nFrom ",
    b"\n>From ", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\nSubject: =?unknown?q?=?=\n", b"\nMessage-ID: <<<>>>@\n",
    b"\nList-Id: < >\n", b"\xe2\x80\xa8", b"\x1c\x85", b"http://a\xe2\x80\xa8b",
)  # fmt: skip
