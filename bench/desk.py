"""The desk under load: 100,000 labelled rows, and 50,000 messages, with a client that sends requests like a browser.

Times are the processor times of the desk, as Linux counts them per thread: they do not change if the machine does other
work. On an idle machine, the wall clock agrees with them to a few milliseconds. Both are shown."""

import csv
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from time import perf_counter, time
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np

from bench.table import Row

ROWS, UNLABELLED, MESSAGES, INBOX = 100_000, 2_000, 50_000, 2_000
ANSWERS = 200


def _row(name: str, found: float, most: float, unit: str) -> Row:
    return Row(name, f"{found:.0f} {unit}", "at most", f"{most:g} {unit}", most / found, 1)


def _times(name: str, found: list["Spent"], most: float) -> Iterator[Row]:
    """The 95th percentile, or the only one, in processor time and by the wall clock."""
    processor, wall = (1000 * float(np.percentile([one[k] for one in found], 95)) for k in (0, 1))
    yield _row(name, processor, most, "ms")
    yield Row(f"{name}, by the wall clock", f"{wall:.0f} ms", "at most", f"{most:g} ms", most / wall)


class Spent(NamedTuple):
    processor: float
    wall: float


class Client:
    """A desk in its own process, and one connection to it that stays open."""

    def __init__(self, *arguments: str) -> None:
        began = perf_counter()
        command = [str(Path(sys.executable).with_name("likely")), "desk", *arguments, "--no-open"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", self.process.stdout.readline())
        assert found
        self.started = Spent(self.processor, perf_counter() - began)
        self.host = f"127.0.0.1:{found[1]}"
        self.connection = HTTPConnection(self.host, timeout=600)
        self.cookie = ""
        self.connection.request("GET", f"/?token={found[2]}")
        answer = self.connection.getresponse()
        answer.read()
        self.cookie = str(answer.getheader("set-cookie")).partition(";")[0]

    @property
    def processor(self) -> float:
        """The processor time of all its threads, in seconds."""
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((one / "schedstat").read_text().split()[0]) for one in threads) / 1e9

    def ask(self, path: str, form: dict[str, object] | None = None) -> tuple[str, Spent]:
        """The page, and the seconds that it took."""
        headers = {"cookie": self.cookie, "x-desk": "part"}
        if form is not None:
            headers |= {"origin": f"http://{self.host}", "content-type": "application/x-www-form-urlencoded"}
        began, before = perf_counter(), self.processor
        self.connection.request("GET" if form is None else "POST", path, urlencode(form or {}), headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, text
        wall = perf_counter() - began
        return text, Spent(self.processor - before, wall)

    @property
    def memory(self) -> float:
        """The peak memory of the process, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found
        return int(found[1]) / 1024

    def close(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait()


def _texts(count: int) -> Iterator[tuple[str, str]]:
    rng = np.random.default_rng(0)
    words = np.array([f"word{at}" for at in range(30_000)])
    for start in range(0, count, 10_000):
        y = rng.integers(0, 5, min(10_000, count - start))
        rank = np.minimum((30_000 ** rng.random((len(y), 20))).astype(np.int64), 29_999)
        rank[:, :4] = rank[:, :4] // 5 * 5 + y[:, None]
        for label, row in zip(y, rank % 30_000, strict=True):
            yield f"class{label}", " ".join(words[row])


def desk_label() -> Iterator[Row]:
    """100,000 labelled rows of 20 words, and 2,000 without a label."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["text", "kind"])
            for at, (label, text) in enumerate(_texts(ROWS + UNLABELLED)):
                writer.writerow([text, label if at < ROWS else ""])
        small = Path(folder) / "small.csv"
        with path.open() as some:
            small.write_text("".join(islice(some, 201)))
        client = Client(str(small), "--text", "text", "--target", "kind")
        client.close()
        yield from _times("desk, label: until the address is printed, 200 rows", [client.started], 1000)
        client = Client(str(path), "--text", "text", "--target", "kind")
        yield from _times("desk, label: first page, 100,000 rows", [client.ask("/")[1]], 300)
        times = []
        for _ in range(ANSWERS):
            page, _ = client.ask("/")
            row, seen = (re.search(rf'name="{name}" value="(\d+)"', page) for name in ("row", "seen"))
            assert row
            assert seen
            _, took = client.ask("/answer", {"row": row[1], "seen": seen[1], "label": "class1"})
            times.append(took)
        yield from _times("desk, label: answer with the error, 95th percentile", times, 50)
        yield _row("desk, label: memory", client.memory, 200, "MB")
        started = 1000 * client.started.processor
        yield Row("desk, label: until the address is printed, 100,000 rows", f"{started:.0f} ms", "", "", 1)
        client.close()


def desk_mail() -> Iterator[Row]:
    """50,000 messages in 20 folders of a Maildir, 2,000 of them in the inbox."""
    with tempfile.TemporaryDirectory() as folder:
        root, now = Path(folder) / "mail", time()
        for at, (label, text) in enumerate(_texts(MESSAGES)):
            place = root if at >= MESSAGES - INBOX else root / f".{label}-{at % 4}"
            if not (place / "cur").exists():
                for name in ("cur", "new", "tmp"):
                    (place / name).mkdir(parents=True)
            head = f"From: {label}-{at % 4}@example.org\nSubject: {text[:40]}\nMessage-ID: <{at}@example.org>\n"
            (place / "cur" / f"{int(now)}.M{at}.bench:2,").write_text(f"{head}\n{text}\n")
        home = os.fspath(Path(folder) / "home")
        subprocess.run(
            [str(Path(sys.executable).with_name("likely")), "mail", "learn", str(root), "--home", home],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        client = Client("mail", str(root), "--home", home)
        page, took = client.ask("/")
        yield from _times("desk, mail: first page, 50,000 messages", [took], 300)
        times = []
        for _ in range(ANSWERS // 2):
            shown = re.search(r'name="number" value="(\d+)"><input type="hidden" name="folder" value="([^"]+)"', page)
            assert shown
            page, took = client.ask("/move", {"number": shown[1], "folder": shown[2]})
            times.append(took)
        yield from _times("desk, mail: move, 95th percentile", times, 50)
        yield _row("desk, mail: memory", client.memory, 200, "MB")
        client.close()
