"""Mail at a server: how fast a first reading is compared with what the server can serve, and what a second one reads.

A Dovecot on this machine holds messages made up of the words of three folders, some with an attachment.
"""

import base64
import imaplib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time

from bench.sizes import SIZES
from bench.table import Row
from likely.mail.imap import Imap
from likely.mail.index import read_history
from likely.mail.secrets import Secret
from tests.mail.dovecot import PASSWORD, USER, Dovecot
from tests.mail.letters import WORDS, message

ATTACHED = 100_000
"""Bytes of the attachment that every tenth message has."""

PROGRAM = [sys.executable, "-c", "from likely.cli import main; main()"]


def remote() -> Iterator[Row]:
    """Messages at a Dovecot (--messages, --folders) read for the first time, and again, compared with fetching them."""
    os.environ["LIKELY_MAIL_PASSWORD"] = PASSWORD
    with TemporaryDirectory(prefix="likely-") as place:
        Path(place).chmod(0o755)
        server = Dovecot(Path(place))
        folders = [f"folder{number:03}" for number in range(SIZES.folders)]
        _fill(server.mail, folders)
        server.own()
        server.start()
        try:
            served = min(_served(server, folders) for _ in range(2))  # the first lets Dovecot build its own indexes
            account = Imap(server.address, Secret())
            database = Path(place, "bench.sqlite")
            used = process_time()
            first = _read(account, database, folders)
            used = process_time() - used
            second = _read(account, database, folders)
            account.close()
            peak = _peak(["mail", "prove", server.address, "--home", place, "--json"])
        finally:
            server.stop()
    rate, alone = f"{SIZES.messages / first:,.0f} messages/s", f"{SIZES.messages / served:,.0f}"
    yield Row("first reading by IMAP", rate, "whole messages fetched by imaplib", alone, served / first, 0.5)
    worked = f"{SIZES.messages / used:,.0f} messages/s"  # by the time of all cores: the same on a machine that is busy
    yield Row("the same, by processor time", worked, "", f"{used:.2f} s", 1.0)
    yield Row("second reading", f"{second:.2f} s", "first", f"{first:.2f} s", first / second, 3)
    yield Row("memory of likely mail prove", f"{peak:.0f} MB", "what is wanted", "300 MB", 300 / peak, 1)


def _fill(mail: Path, folders: list[str]) -> None:
    rng = random.Random(0)
    names = list(WORDS)
    for number in range(SIZES.messages):
        folder = mail / folders[number % len(folders)]
        if number < len(folders):
            for part in ("cur", "new", "tmp"):
                (folder / part).mkdir(parents=True, exist_ok=True)
        raw = message(names[number % len(folders) % 3], number)
        if number % 10 == 0:
            raw = _with_attachment(raw, rng)
        (folder / "cur" / f"1700000000.M{number:06}.host:2,S").write_bytes(raw)


def _with_attachment(raw: bytes, rng: random.Random) -> bytes:
    head, _, body = raw.replace(b"Content-Type: text/plain; charset=utf-8\n", b"").partition(b"\n\n")
    data = base64.encodebytes(rng.randbytes(ATTACHED))
    return b"".join(
        [
            head + b'\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\n' + body,
            b"\n--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n" + data + b"--b--\n",
        ]
    )


def _served(server: Dovecot, folders: list[str]) -> float:
    """Seconds in which the server gives all bytes to a client that does nothing with them."""
    start, count = monotonic(), 0
    with imaplib.IMAP4("127.0.0.1", server.port) as client:
        client.login(USER, PASSWORD)
        for folder in folders:
            client.select(folder, readonly=True)
            _, found = client.uid("FETCH", "1:*", "(BODY.PEEK[])")
            count += sum(isinstance(part, tuple) for part in found)
    assert count == SIZES.messages
    return monotonic() - start


def _read(account: Imap, database: Path, folders: list[str]) -> float:
    start = monotonic()
    with read_history(account, database, folders, set()) as history:
        assert len(history) == SIZES.messages
    return monotonic() - start


def _peak(arguments: list[str]) -> float:
    """Megabytes that a command takes at most."""
    process = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss / 1024
