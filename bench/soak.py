"""A watch left alone with an account for an hour: mail comes, a client corrects and renames, connections are lost, the
server restarts, and the watch itself is killed."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep, time
from typing import IO

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from bench.cutting import Cutting
from bench.sizes import SIZES
from bench.table import Row
from likely.mail.database import opened, path_for
from likely.mail.filer import Filer
from likely.mail.imap import LATE, Imap
from likely.mail.journal import Move
from likely.mail.message import parse
from likely.mail.secrets import Secret
from tests.mail.dovecot import PASSWORD, USER, Dovecot
from tests.mail.letters import WORDS, message

RATE = 20_000 / 3600
"""Messages that come in a second, however long the server takes for each."""

RESTARTS = 12
"""Restarts of the server: every five minutes of an hour."""

CUT = 0.05
"""The share of the commands that move a message at which the watch loses its connection."""

BEFORE = 100
"""Messages of each folder that are there at the start."""

KILLS = (4, 8)
"""After which of these the watch is killed too."""

RENAMES, CORRECTS = 0.02, 0.1
"""The shares of what happens that are renamed folders and messages moved by hand; the rest is mail that comes."""

FILES = 0.9
"""The share of what an owner moves that is filed correctly; the rest is moved at random."""

RENAMED = re.compile(r" r\d+$")


class Owner:
    """Who delivers mail, moves some of it, and renames folders, by a connection of their own."""

    def __init__(self, server: Dovecot, rng: random.Random) -> None:
        self.server, self.rng = server, rng
        self.client: IMAPClient | None = None
        self.folders = {name: name for name in WORDS}
        """What each folder is called now."""
        self.delivered: list[str] = []
        self.touched: set[str] = set()
        """Message-IDs of what was moved by hand."""
        self.cut_off: set[str] = set()
        """Of what was delivered or moved by hand just as the server was killed: it may be there twice, or not."""
        self.renamings = 0

    def connected(self) -> IMAPClient:
        if self.client is None:
            self.client = IMAPClient("127.0.0.1", self.server.port, ssl=False)
            self.client.login(USER, PASSWORD)
        return self.client

    def hang_up(self) -> None:
        if self.client is not None:
            with suppress(OSError, IMAPClientError):
                self.client.shutdown()
        self.client = None

    def deliver(self, to: str | None = None) -> None:
        number = len(self.delivered)
        folder = list(WORDS)[number % 3]
        raw = message(folder, number)
        client = self.connected()
        self.delivered.append(parse(raw).message_id)
        with self.noted(self.delivered[-1]):
            client.append(to or "INBOX", raw)

    @contextmanager
    def noted(self, message_id: str) -> Iterator[None]:
        """Around what a server that is killed may leave half done."""
        try:
            yield
        except (OSError, IMAPClientError):
            self.cut_off.add(message_id)
            raise

    def correct(self) -> None:
        """Files a message of the inbox where it belongs, or moves one that lies anywhere to anywhere else."""
        source, target = self.rng.sample(["INBOX", *self.folders.values()], 2)
        source = "INBOX" if (files := self.rng.random() < FILES) else source
        client = self.connected()
        client.select_folder(source)
        uids = client.search("ALL")
        if uids:
            uid = self.rng.choice(uids)
            found = client.fetch([uid], ["BODY.PEEK[HEADER]"]).get(uid, {}).get(b"BODY[HEADER]")
            if found:
                name = parse(found).message_id
                self.touched.add(name)
                with self.noted(name):
                    client.move([uid], self.folders[list(WORDS)[int(name.partition(".")[0]) % 3]] if files else target)

    def rename(self) -> None:
        name = self.rng.choice(list(self.folders))
        self.renamings += 1
        new = f"{name} r{self.renamings}"
        try:
            self.connected().rename_folder(self.folders[name], new)
        except (OSError, IMAPClientError):  # it may have done it
            self.hang_up()
            if new not in self.listed():
                return
        self.folders[name] = new

    def listed(self) -> list[str]:
        """All folders that there are, whoever made them."""
        hidden = {b"\\Noselect", b"\\NonExistent"}
        return [name for flags, _, name in self.connected().list_folders() if not hidden & set(flags)]

    def where(self) -> dict[str, list[str]]:
        """The folders in which each message lies, by their first names."""
        found: dict[str, list[str]] = {}
        client = self.connected()
        for folder in self.listed():
            client.select_folder(folder, readonly=True)
            uids = client.search("ALL")
            for at in range(0, len(uids), 500):  # a list of all is longer than Dovecot takes
                for told in client.fetch(uids[at : at + 500], ["BODY.PEEK[HEADER]"]).values():
                    found.setdefault(parse(told[b"BODY[HEADER]"]).message_id, []).append(first_name(folder))
        return found


def first_name(folder: str) -> str:
    return RENAMED.sub("", folder)


def soak() -> Iterator[Row]:
    """A watch on Dovecot, --minutes long: mail comes, a client corrects and renames, server and watch are killed."""
    os.environ["LIKELY_MAIL_PASSWORD"] = PASSWORD
    with TemporaryDirectory(prefix="likely-") as place:
        Path(place).chmod(0o755)
        server = Dovecot(Path(place))
        server.start()
        owner = Owner(server, random.Random(0))
        way = Cutting(lambda: server.port, CUT, random.Random(1))
        way.start()
        address = server.address.replace(f":{server.port}", f":{way.port}")
        try:
            for folder in WORDS:
                owner.connected().create_folder(folder)
            for number in range(3 * BEFORE):
                owner.deliver(list(WORDS)[number % 3])
            home = Path(place, "likely")
            events, memory, errors = _watched(address, server, owner, home)
            way.share = 0.0
            moves, opens = _settled(address, home)
            where = owner.where()
        finally:
            owner.hang_up()
            server.stop()
    yield from _rows(owner, where, moves, events, memory, errors)
    yield opens
    yield Row("connections cut at a move", f"{way.cuts.total():,}", "", str(dict(way.cuts)), 1.0)


class Watch:
    """The program, which is killed and started again."""

    def __init__(self, address: str, home: Path) -> None:
        arguments = ["mail", "watch", address, "--home", str(home), "--move", "--json", "--precision", "0.9"]
        self.program = [sys.executable, "-c", "from likely.cli import main; main()", *arguments, "--every", "5"]
        home.mkdir()
        self.errors = (home / "errors").open("w+")
        self.events: Counter[str] = Counter()
        self.memory: list[float] = []
        """Megabytes, of the program that ran longest."""
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.program, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self.reader.start()
        self.now: list[float] = []

    def _read(self, stdout: IO[str]) -> None:
        for line in stdout:
            with suppress(ValueError):  # half a line, where it was killed
                self.events[json.loads(line)["event"]] += 1

    def measure(self) -> None:
        self.now.append(_resident(self.process.pid))
        self.memory = max(self.memory, self.now, key=len)

    def end(self, signal_number: int) -> None:
        assert self.process.poll() is None, "the watch ended of itself"
        self.process.send_signal(signal_number)
        self.process.wait(60)
        self.reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


def _watched(address: str, server: Dovecot, owner: Owner, home: Path) -> tuple[Counter[str], list[float], str]:
    watch = Watch(address, home)
    start = monotonic()
    end, restart, sample, restarts = start + 60 * SIZES.minutes, start, start, 0
    due = start
    while (now := monotonic()) < end:
        if now > restart + 60 * SIZES.minutes / RESTARTS:
            stop = threading.Timer(owner.rng.random(), server.stop)  # whatever is under way then
            stop.start()
            while stop.is_alive():
                _done(owner)
            server.start()
            restart, restarts = now, restarts + 1
            if restarts in KILLS:
                watch.end(signal.SIGKILL)
                watch.start()
        if now > sample + 1:
            watch.measure()
            sample = now
        _done(owner)
        due += (1 - RENAMES - CORRECTS) / RATE
        sleep(max(due - monotonic(), 0))
    sleep(15)  # what came last is filed
    watch.end(signal.SIGTERM)
    watch.errors.seek(0)
    with watch.errors:
        return watch.events, watch.memory, watch.errors.read()


def _settled(address: str, home: Path) -> tuple[list[Move], Row]:
    """The journal once the next process has settled what the watch left open, and how much of it stays open for longer
    than a server may take. The watch settles before each round, and the last round may be ended at any moment."""
    start = time()
    with closing(opened(path_for(address, home))) as database:
        filer = Filer(Imap(address, Secret()), database)
        before = len(filer.journal.of("state = 'intended'"))
        with filer.working():
            moves = filer.journal.of()
        filer.account.close()
    left = sum(move.state == "intended" and move.at < start - LATE for move in moves)
    return moves, Row("moves left open", str(left), "when the watch ended", str(before), float(not left), 1)


def _done(owner: Owner) -> None:
    """One thing that an owner does, or mail that comes."""
    try:
        chance = owner.rng.random()
        (owner.rename if chance < RENAMES else owner.correct if chance < RENAMES + CORRECTS else owner.deliver)()
    except (OSError, IMAPClientError):  # a folder that the watch has just changed, or a server that is gone
        owner.hang_up()


def _resident(pid: int) -> float:
    """Megabytes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found is not None else 0.0


def _rows(
    owner: Owner,
    where: dict[str, list[str]],
    moves: list[Move],
    events: Counter[str],
    memory: list[float],
    errors: str,
) -> Iterator[Row]:
    assert not errors, errors
    delivered = [one for one in owner.delivered if one not in owner.cut_off]
    once, count = sum(len(where.get(one, [])) == 1 for one in delivered), len(delivered)
    by_id = {
        one: [(move.state, move.source, move.target, move.why) for move in moves if move.message_id == one]
        for one in delivered
    }
    for one in delivered:
        if len(where.get(one, [])) != 1:
            print(f"    {one} is in {where.get(one)}; {by_id[one]}", file=sys.stderr)
    yield Row("messages in exactly one folder", f"{once:,}", "delivered", f"{count:,}", once / count, 1)
    last = {move.message_id: move for move in moves if move.state == "moved"}
    own = {one: move for one, move in last.items() if one not in owner.touched}
    agree = sum(where.get(one) == [first_name(move.target)] for one, move in own.items())
    for one, move in own.items():
        if where.get(one) != [first_name(move.target)]:
            print(f"    {one} is in {where.get(one)}, and not in {move.target!r}; {by_id.get(one)}", file=sys.stderr)
    yield Row("moves that the journal has right", f"{agree:,}", "moves", f"{len(own):,}", agree / max(len(own), 1), 1)
    under_way = {move.message_id for move in moves if move.state == "intended"}  # settled by the next process
    filed = {one for one, folders in where.items() if folders != ["INBOX"]} - owner.touched - set(last) - under_way
    found = sorted(filed & set(owner.delivered[3 * BEFORE :]) - owner.cut_off)
    unknown = len(found)
    for one in found:
        print(f"    {one} is in {where.get(one)}; {by_id[one]}", file=sys.stderr)
    yield Row("filed without a line in the journal", str(unknown), "", "0", float(not unknown), 1)
    third = len(memory) // 3
    early, late = max(memory[third : 2 * third]), max(memory[2 * third :])
    yield Row("memory in the last third", f"{late:.0f} MB", "in the second", f"{early:.0f} MB", early / late, 0.9)
    told = f"{events['filed']:,} decisions, {events['lost']} losses, {len(owner.touched)} corrections"
    yield Row("what happened", told, "renamings", f"{owner.renamings}; cut off: {len(owner.cut_off)}", 1.0)
