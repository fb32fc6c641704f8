"""Writes the texts from which the fuzzer starts: python seeds.py FOLDER"""

import sys
from pathlib import Path

TEXTS = [
    "The quick brown fox, the FOX_2 and 3 dogs.",
    "ΑΣ ΑΣ'Σ ΑΣ\u00ad' Σ A\u0345Σ ΣΣ 字Σ 𐐀Σ A\U000e0001Σ",
    "İx ẞ Ⱥ Ⱦ K Å ǅ 字字 😀 𐐀𐐀 ٣९ ½² \u2003\u0085\u001c",
    "\ud800ab\udfff cd",
    "ab\0 \0\0 cd\0ef",
    "x" * 11 + " " + "x" * 12 + " " + "x" * 13 + " " + "y" * 63 + " " + "z" * 200,
    "ab cd ef " * 70,
]
# Lone bytes, sequences cut short, too long, of a surrogate, beyond the last character; and about a sigma.
BYTES = [
    b"ab\xffcd \x80 \xe5\xad",
    b"\xf0\x90\x90 \xc1\x81 \xe0\x81\x81 \xf0\x80\x81\x81 \xf4\x90\x80\x80",
    b"A\x80\xce\xa31 A\xce\xa3\x801 \xce",
    bytes(range(256)),
]

MAIL = [
    b"From: =?utf-8?q?Ann_M=C3=BC?= <ann@a.org>\nTo: b@c.d, e@f.g\nSubject: =?iso-8859-1?B?R3L832U=?= and\n more\n"
    b'Message-ID: <1@a.org>\nReferences: <0@a.org>\nContent-Type: multipart/alternative; boundary="b"\n\n--b\n'
    b"Content-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9 =\nsee http://l.org/\n--b\nContent-Type: text/html\n\n"
    b"<p>a<b>c</b><!-- d --><img alt='e'>&eacute;&amp;&#8364;<script>f</script>\n--b--\n",
    b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogeAoKeQ==\n",
    b"Content-Type: text/plain; charset=koi8-r; name*0*=utf-8''a%20; name*1=\"b.c\"\n"
    b"Content-Disposition: attachment\n\n\xc1",
    b"Subject: x\nno field\nTo: a@b\n\nbegin 644 a.b\n#86)C\n`\nend\nmore\n",
    b"Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: y\n"
    b"Content-Transfer-Encoding: x-uuencode\n\n#86)C\n--b",
]

if __name__ == "__main__":
    seeds = BYTES + MAIL + [text.encode(code, "surrogatepass") for text in TEXTS for code in ("utf-8", "utf-16-le")]
    for number, seed in enumerate(seeds):
        (Path(sys.argv[1]) / f"seed{number}").write_bytes(seed)
