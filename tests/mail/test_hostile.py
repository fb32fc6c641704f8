"""Damage and malice: whatever the bytes, `parse` and `messages` come back, within the memory that they state."""

import gzip
import io
import random
import subprocess
import sys
import tarfile
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import _native
from likely.mail import header, mailbox, message
from likely.mail.header import TOKEN_CHARS
from likely.mail.message import parse

from . import hostile

OVERHEAD = 2**20
"""What the test itself takes."""


def check(read):
    """What holds for every message that was read."""
    assert not [problem for problem in read.problems if "mistake in Likely" in problem]
    assert len(read.problems) <= message.PROBLEMS
    assert len(read.text) <= message.TEXT_CHARS
    assert len(read.tokens) <= message.TOKENS
    read.text.encode()
    for token in (*read.tokens, read.subject, read.message_id, *read.problems):
        token.encode()
    for token in read.tokens:
        assert ":" in token
        assert not token.split()[1:], token
        assert len(token) <= TOKEN_CHARS + 20
    if read.date is not None:
        assert read.date.utcoffset() is not None
        assert read.date.timestamp() > -100_000
    assert parse(b"Subject: still\n\nhere").text == "here"


@pytest.mark.parametrize("name", hostile.BOMBS)
def test_a_bomb_is_read_in_bounded_time(name):
    raw = hostile.BOMBS[name]()
    began = time.process_time()
    read = parse(raw)
    took = time.process_time() - began
    check(read)
    assert took < 2


def test_the_system_gives_no_more_memory_than_is_stated():
    script = f"""
import resource, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import hostile
from likely.mail.message import MEMORY, parse
parse(hostile.ALL_KINDS)
for name, bomb in hostile.BOMBS.items():
    raw = bomb()
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, resource.RLIM_INFINITY))
    read = parse(raw)
    assert not any("mistake" in problem for problem in read.problems), (name, read.problems)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    del raw, read
print("read")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "read\n", done.stderr


def test_what_a_bomb_lost_is_told():
    assert parse(hostile.nested(10_000)).problems == (
        "the last part is not closed: the message may have been cut short",
        "parts are nested more than 32 deep: what is further in is not read",
    )
    assert "bottom" in parse(hostile.nested(30)).text
    assert parse(hostile.enclosed(10_000)).problems[-1].startswith("parts are nested more than 32 deep")
    assert "bottom" in parse(hostile.wrapped(10)).text
    assert (
        "a header has more than 65,536 bytes: the rest of it is not read"
        in parse(b"Subject: lunch\nX: " + b"a" * 100_000 + b"\n\nbody").problems
    )
    many = parse(hostile.BOMBS["100,000 parts"]())
    assert many.problems == ("the message has more than 1,000 parts: the others are not read",)


def test_the_body_after_a_header_that_is_too_long_is_read():
    read = parse(b"Subject: lunch\nX: " + b"a" * 1_000_000 + b"\nFrom: ann@example.org\n\nbody\n")
    assert (read.text, read.subject) == ("body\n", "lunch")


def test_damaged_messages_are_read():
    dice = random.Random(4)
    whole = hostile.ALL_KINDS
    for _ in range(1500):
        check(parse(hostile.mutated(dice, whole)))


def test_every_beginning_of_a_message_is_read():
    for end in range(len(hostile.ALL_KINDS)):
        check(parse(hostile.ALL_KINDS[:end]))


@given(st.binary(max_size=300))
def test_any_bytes_are_read(raw):
    check(parse(raw))


@given(st.binary(max_size=100), st.sampled_from(["base64", "quoted-printable", "uue", "nothing"]), st.text(max_size=20))
def test_any_body_and_charset_are_read(body, encoding, charset):
    head = f"Content-Type: text/html; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n".encode()
    check(parse(head + body))


def test_a_mistake_in_the_parser_costs_one_message_and_is_told():
    def decode(data, charset):
        return data[1 // 0]

    limits = message.LIMITS
    reader = _native.MailReader(limits, list(header.READ.items()), decode, header.without_leaks)
    good, bad = (f"Subject: lunch\nContent-Type: text/plain; charset={charset}\n\nx".encode() for charset in ("", "hz"))
    mail = reader.read([good, bad, good])
    assert [message.message(mail, row).subject for row in range(3)] == ["lunch"] * 3
    assert [message.message(mail, row).problems for row in (0, 2)] == [(), ()]
    assert message.message(mail, 1).problems == (
        "reading stopped at a mistake in Likely: ZeroDivisionError: integer division or modulo by zero",
    )


def archive(*members):
    """A tar archive of (name, bytes) or of TarInfo."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                tar.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                tar.addfile(info, io.BytesIO(member[1]))
    return file.getvalue()


def test_damaged_archives_are_read_as_far_as_they_go(tmp_path):
    dice = random.Random(5)
    tar = archive(*((f"work/{i}.eml", hostile.ALL_KINDS) for i in range(3)), ("x" * 150, b"From: a@b\n\nx"))
    path = tmp_path / "a.tar"
    for packed in (tar, gzip.compress(tar, 1)):
        for _ in range(300):
            path.write_bytes(hostile.mutated(dice, packed))
            for item in mailbox.messages(path):
                check(parse(item.raw))
                assert item.raw or item.problem


def test_damaged_mboxes_are_read_as_far_as_they_go(tmp_path):
    dice = random.Random(6)
    path = tmp_path / "work.mbox"
    for _ in range(300):
        path.write_bytes(hostile.mutated(dice, (hostile.ALL_KINDS + b"\n") * 3))
        items = list(mailbox.messages(path))
        assert all(item.raw or item.problem for item in items)


def bomb_with_extended_header(length):
    info = tarfile.TarInfo("x")
    info.type, info.size = b"x", length
    zeros = gzip.compress(bytes(2**20), 9)
    return (
        gzip.compress(info.tobuf(tarfile.USTAR_FORMAT))
        + zeros * (length // 2**20)
        + gzip.compress(archive(("a.eml", b"From: a@b\n\nx")))
    )


def mbox_line(length):
    return gzip.compress(b"From a Mon Jan 1 10:00:00 2024\nSubject: x\n\n", 1) + gzip.compress(b"a" * 2**20) * (
        length // 2**20
    )


@pytest.mark.parametrize(
    ("name", "make", "found"),
    [
        ("a.tar.gz", lambda: bomb_with_extended_header(300 * 2**20), 1),
        ("a.mbox.gz", lambda: mbox_line(300 * 2**20), 1),
        ("a.tar.gz", lambda: gzip.compress(archive(("a.eml", bytes(100 * 2**20))), 1), 1),
        ("a.mbox", lambda: b"From a Mon Jan 1 10:00:00 2024\na: b\n\n" * 30_000, 30_000),
    ],
    ids=["an extended header of 300 MB", "a line of 300 MB", "a message of 100 MB", "30,000 small messages"],
)
def test_a_mailbox_that_is_a_bomb_is_read_in_bounded_memory(tmp_path, name, make, found):
    path = tmp_path / name
    path.write_bytes(make())
    tracemalloc.start()
    try:
        count = sum(1 for item in mailbox.messages(path) if item.raw)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == found
    assert peak < mailbox.MEMORY
