"""A proxy to a mail server that cuts connections at random, in the middle of moving a message."""

import random
import re
import select
import socket
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from time import sleep

MOVING = re.compile(rb"UID (MOVE|COPY|STORE|EXPUNGE) \d")

WAYS = ("before", "after", "answer", "late")
"""When it is cut: before the server has the command, as soon as it has it, with its answer on the way, or before, and
the server gets it all the same, later."""

LATER = 3.0
"""After at most this many seconds the server gets a late command."""


class Cutting(threading.Thread):
    """Listens at `port`, and passes on to the port that `server` gives; a `share` of the commands is cut."""

    def __init__(self, server: Callable[[], int], share: float, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.server, self.share, self.rng = server, share, rng
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.cuts: Counter[str] = Counter()

    def run(self) -> None:
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._connected, args=(client,), daemon=True).start()

    def _connected(self, client: socket.socket) -> None:
        with client, suppress(OSError), socket.create_connection(("127.0.0.1", self.server()), 5) as server:
            while self._passed_on(client, server):
                pass

    def _passed_on(self, client: socket.socket, server: socket.socket) -> bool:
        """Passes data on; returns whether both sides are still connected."""
        ready, _, _ = select.select([client, server], [], [])
        if server in ready:
            data = server.recv(65536)
            client.sendall(data)
            return bool(data)
        data = client.recv(65536)
        if MOVING.search(data) and self.rng.random() < self.share:
            self._cut(data, client, server)
            return False
        server.sendall(data)
        return bool(data)

    def _cut(self, data: bytes, client: socket.socket, server: socket.socket) -> None:
        way = self.rng.choice(WAYS)
        self.cuts[way] += 1
        if way == "late":
            client.shutdown(socket.SHUT_RDWR)
            client.close()
            sleep(self.rng.uniform(0, LATER))
        if way != "before":
            server.sendall(data)
        if way in ("answer", "late"):
            server.settimeout(LATER)
            server.recv(65536)
