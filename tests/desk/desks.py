"""A desk as a user starts it: a process of its own, and what is asked of it as bytes."""

import os
import re
import signal
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

COMMAND = Path(sys.executable).with_name("likely")


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """By their names in small letters."""
    text: str


class RunningDesk:
    def __init__(self, *arguments: Any, **environment: str) -> None:
        self.process = subprocess.Popen(
            [str(COMMAND), "desk", *map(str, arguments), "--no-open"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "LIKELY_THREADS": "1", **environment},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        assert found, line + self.process.stdout.read()
        self.address, self.port, self.token = found[0], int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"
        self.cookie = ""

    def __enter__(self) -> "RunningDesk":
        return self

    def __exit__(self, *_: Any) -> None:
        self.kill()

    def enter(self) -> None:
        """As a browser does with the address that was printed."""
        answer = self.ask("GET", f"/?token={self.token}")
        assert answer.status == 303
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None, **headers: str | None) -> Answer:
        """With the headers that a page of the desk would have, unless others are given; None leaves one out."""
        sent: dict[str, str | None] = {"host": self.host}
        if self.cookie:
            sent["cookie"] = self.cookie
        if method == "POST":
            sent |= {"origin": f"http://{self.host}", "content-type": "application/x-www-form-urlencoded"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = urlencode(body or {}).encode()
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            if method == "POST":
                connection.putheader("content-length", str(len(data)))
            connection.endheaders(data if method == "POST" else None)
            with closing(connection.getresponse()) as answer:
                found = {name.lower(): value for name, value in answer.getheaders()}
                streamed = found.get("content-type", "").startswith("text/event-stream")
                return Answer(answer.status, found, "" if streamed else answer.read().decode())

    def page(self, path: str) -> str:
        answer = self.ask("GET", path)
        assert answer.status == 200, answer.text
        return answer.text

    def interrupt(self) -> str:
        """Ctrl-C; what it said last."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=20)[0]
        assert self.process.returncode == 0, said
        return said

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
