"""Mail at a server: how fast a first reading is compared with what the server can serve, and what a second one reads.

A Dovecot on this machine holds messages made up of the words of three folders, some with an attachment: 10,000 in 50
folders, a tenth of the large account that this stands for.
"""

import base64
import os
import random
import resource
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from bench.table import Row
from likely.mail.imap import Imap
from likely.mail.index import read_history
from likely.mail.secrets import Secret
from tests.mail.dovecot import PASSWORD, Dovecot
from tests.mail.letters import WORDS, message

MESSAGES, FOLDERS = 10_000, 50
ATTACHED = 30_000
"""Bytes of the attachment that every tenth message has."""


def remote() -> Iterator[Row]:
    """10,000 messages at a Dovecot read for the first time, and again, compared with fetching them alone."""
    os.environ["LIKELY_MAIL_PASSWORD"] = PASSWORD
    with TemporaryDirectory(prefix="likely-") as place:
        Path(place).chmod(0o755)
        server = Dovecot(Path(place))
        folders = [f"folder{number:03}" for number in range(FOLDERS)]
        _fill(server.mail, folders)
        server.own()
        server.start()
        try:
            account = Imap(server.address, Secret())
            served = _served(account, folders)  # also lets Dovecot build its own indexes
            served = min(served, _served(account, folders))
            database = Path(place, "bench.sqlite")
            first, second = (_read(account, database, folders) for _ in range(2))
            account.close()
        finally:
            server.stop()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rate, alone = f"{MESSAGES / first:,.0f} messages/s", f"{MESSAGES / served:,.0f}"
    yield Row("first reading by IMAP", rate, "fetched alone", alone, served / first, 0.5)
    yield Row("second reading", f"{second:.2f} s", "first", f"{first:.2f} s", first / second, 3)
    yield Row("memory of both, at most", f"{peak:.0f} MB", "what is wanted", "300 MB", 300 / peak, 1)


def _fill(mail: Path, folders: list[str]) -> None:
    rng = random.Random(0)
    names = list(WORDS)
    for number in range(MESSAGES):
        folder = mail / folders[number % len(folders)]
        if number < len(folders):
            for part in ("cur", "new", "tmp"):
                (folder / part).mkdir(parents=True, exist_ok=True)
        raw = message(names[number % 3], number)
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


def _served(account: Imap, folders: list[str]) -> float:
    """Seconds in which the server gives all bytes to a client that does nothing with them."""
    start = monotonic()
    count = sum(1 for _ in account.letters(folders))
    assert count == MESSAGES
    return monotonic() - start


def _read(account: Imap, database: Path, folders: list[str]) -> float:
    start = monotonic()
    assert len(read_history(account, database, folders, set())) == MESSAGES
    return monotonic() - start
