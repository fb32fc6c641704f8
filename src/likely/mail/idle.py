"""IDLE (RFC 2177): waits until the server reports a change in the open folder.

IMAPClient's own functions miss reports. Its `idle_check` reads only from the socket. A report that the server sends
together with its answer to IDLE, for example of a message that arrived since the folder was opened, is already in a
buffer by then, and would be noticed only after the next report. Its `idle` treats a report before that answer as an
error.
"""

import re
import select
import ssl
from time import monotonic
from typing import Any

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError

CHANGE = re.compile(rb"\* \d+ (?:EXISTS|EXPUNGE)\b|\* VANISHED ", re.IGNORECASE)


def changed(client: IMAPClient, seconds: float, patience: float) -> bool | None:
    """Waits for a change, at most this number of seconds, and returns whether there was one. Returns None at once if
    the server refuses IDLE now.

    `patience` is how many seconds the server may take to send the rest of a line.
    """
    imap = client._imap
    client._idle_tag = tag = imap._command("IDLE")
    lines: list[bytes] = []
    while (line := imap._get_response()) is not None:
        if imap.tagged_commands[tag]:
            del imap.tagged_commands[tag]
            return None
        lines.append(line)
    end = monotonic() + seconds
    found = _is_change(lines)
    while not found and (left := end - monotonic()) > 0:
        found = _is_change(_heard(client, left, patience))
    client.idle_done()
    return found


def _is_change(lines: list[bytes]) -> bool:
    return any(CHANGE.match(line) for line in lines)


def _heard(client: IMAPClient, seconds: float, patience: float) -> list[bytes]:
    """The lines that have arrived; if there are none, the next ones, or none after this number of seconds."""
    socket = client.socket()
    lines, _ = _without_waiting(client, socket, patience)
    if lines or not select.select([socket], [], [], seconds)[0]:
        return lines
    lines, ended = _without_waiting(client, socket, patience)
    if ended and not lines:
        raise IMAPClientAbortError("the server has hung up")
    return lines


def _without_waiting(client: IMAPClient, socket: Any, patience: float) -> tuple[list[bytes], bool]:
    """The lines that have arrived, and whether the connection ended after them."""
    lines: list[bytes] = []
    socket.setblocking(False)
    try:
        while line := client._imap.readline():
            if not line.endswith(b"\n"):
                socket.settimeout(patience)
                line += client._imap.readline()
                socket.setblocking(False)
            lines.append(line)
    except (BlockingIOError, ssl.SSLWantReadError):
        return lines, False
    finally:
        socket.settimeout(patience)
    return lines, True
