"""IDLE (RFC 2177): waiting until a server reports that the folder which is open has changed.

IMAPClient's `idle_check` looks at the socket alone. What a server sends together with its answer to IDLE, such as a
message that came since the folder was opened, is by then in a buffer above the socket, and would be noticed only when
the server speaks again; `idle` takes a report before that answer for an error.
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
    """Waits for a change, or that number of seconds; None, at once, where the server does not want to IDLE now.

    `patience` is how many seconds the server may take for the rest of a line.
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
    """The lines that are there; if there are none, those that come next, or none in that number of seconds."""
    socket = client.socket()
    lines, _ = _without_waiting(client, socket, patience)
    if lines or not select.select([socket], [], [], seconds)[0]:
        return lines
    lines, nothing = _without_waiting(client, socket, patience)
    if nothing and not lines:
        raise IMAPClientAbortError("the server has hung up")
    return lines


def _without_waiting(client: IMAPClient, socket: Any, patience: float) -> tuple[list[bytes], bool]:
    """The lines that are there, and whether nothing was read after them without a word that something may come."""
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
