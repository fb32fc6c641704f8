"""An IMAP server in this process, for what a real one won't do: it holds mail as a server does, and misbehaves as it is
asked to."""

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from time import sleep

from likely.mail.imap import Imap
from likely.mail.secrets import Secret

CAPABILITIES = "IMAP4rev1 UIDPLUS MOVE IDLE"
WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\([^)]*\)|\S+')


@dataclass
class FakeFolder:
    messages: dict[int, bytes] = field(default_factory=dict)
    flags: dict[int, set[str]] = field(default_factory=dict)
    validity: int = 7
    next: int = 1

    def add(self, raw: bytes, flags: set[str] | None = None) -> int:
        uid, self.next = self.next, self.next + 1
        self.messages[uid], self.flags[uid] = raw, set(flags or ())
        return uid

    def remove(self, uid: int) -> None:
        del self.messages[uid], self.flags[uid]


class FakeImap:
    """`answer` may answer a command in place of the server: it is given the words of the command, and returns lines
    without a tag, the last of them being the tagged one ("OK done"), or None to leave it to the server."""

    def __init__(
        self,
        capabilities: str = CAPABILITIES,
        answer: Callable[[list[str]], list[str] | None] = lambda words: None,
        idling: tuple[bytes, ...] = (b"+ idling\r\n",),
        copyuid: bool = True,
        uidnext: bool = True,
        listed: str = "",
        certificate: Path | None = None,
    ) -> None:
        """`idling` is what it sends in answer to IDLE, each piece after a pause, an empty one to hang up; with a
        `certificate` it speaks TLS."""
        self.capabilities, self.answer, self.copyuid, self.listed = capabilities, answer, copyuid, listed
        self.idling, self.uidnext = idling, uidnext
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate is not None else None
        if self.tls is not None:
            self.tls.load_cert_chain(certificate)
        self.folders: dict[str, FakeFolder] = {"INBOX": FakeFolder()}
        self.asked: list[str] = []
        self.logins = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"{'imap' if self.tls is None else 'imaps'}://ann@127.0.0.1:{self.listener.getsockname()[1]}"
        self.connections: list[socket.socket] = []

    def account(self) -> Imap:
        return Imap(self.address, Secret())

    def __enter__(self) -> "FakeImap":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.listener.close()
        for connection in self.connections:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            connection = connection if self.tls is None else self.tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rwb", buffering=0) as stream:
                stream.write(b"* OK hello\r\n")
                _Session(self, stream).run()
        except (OSError, ValueError):
            pass


class _Session:
    def __init__(self, server: FakeImap, stream: socket.SocketIO) -> None:
        self.server, self.stream, self.name = server, stream, ""

    def run(self) -> None:
        for line in self.stream:
            tag, *words = (_plain(word) for word in WORD.findall(line.decode()))
            name = words[0].upper()
            words = words[1:] if name == "UID" else words
            name = f"UID {words[0].upper()}" if name == "UID" else name
            self.server.asked.append(name)
            told = self.server.answer([name, *words[1:]])
            if told is None:
                told = list(getattr(self, f"on_{name.replace(' ', '_').lower()}")(*words[1:])) or ["OK done"]
            *lines, last = told
            data = b"".join(f"* {one}\r\n".encode("utf-8", "surrogateescape") for one in lines)
            self.stream.write(data + f"{tag} {last}\r\n".encode())
            if name == "LOGOUT":
                return

    @property
    def folder(self) -> FakeFolder:
        return self.server.folders[self.name]

    def on_capability(self) -> Iterator[str]:
        yield f"CAPABILITY {self.server.capabilities}"
        yield "OK done"

    def on_login(self, *who: str) -> Iterator[str]:
        self.server.logins += 1
        yield "OK logged in"

    def on_list(self, *what: str) -> Iterator[str]:
        if self.server.listed:
            yield from self.server.listed.splitlines()
        else:
            for name in self.server.folders:
                yield f'LIST () "/" "{name}"'
        yield "OK done"

    def on_status(self, name: str, what: str) -> Iterator[str]:
        if name not in self.server.folders:
            yield "NO [NONEXISTENT] no such mailbox"
            return
        folder = self.server.folders[name]
        yield f'STATUS "{name}" (UIDVALIDITY {folder.validity} UIDNEXT {folder.next} MESSAGES {len(folder.messages)})'
        yield "OK done"

    def on_select(self, name: str, *more: str) -> Iterator[str]:
        if name not in self.server.folders:
            yield "NO [NONEXISTENT] no such mailbox"
            return
        self.name = name
        yield f"{len(self.folder.messages)} EXISTS"
        yield f"OK [UIDVALIDITY {self.folder.validity}] x"
        if self.server.uidnext:
            yield f"OK [UIDNEXT {self.folder.next}] x"
        yield "OK done"

    on_examine = on_select

    def on_uid_search(self, *what: str) -> Iterator[str]:
        yield "SEARCH " + " ".join(map(str, self.folder.messages))
        yield "OK done"

    def on_uid_fetch(self, which: str, *what: str) -> Iterator[str]:
        for uid in self._uids(which):
            raw = self.folder.messages[uid]
            told = [f"UID {uid}"]
            if "FLAGS" in " ".join(what):
                told.append(f"FLAGS ({' '.join(sorted(self.folder.flags[uid]))})")
            if "RFC822.SIZE" in " ".join(what):
                told.append(f"RFC822.SIZE {len(raw)}")
            asked = " ".join(what)
            if "HEADER.FIELDS" in asked:
                names = asked.partition("HEADER.FIELDS (")[2].partition(")")[0]
                told.append(f"BODY[HEADER.FIELDS ({names})] {_literal(_fields(raw, names.split()))}")
            if "X-GM-MSGID" in asked:
                told.append(f"X-GM-MSGID {int(blake2b(raw, digest_size=7).hexdigest(), 16)}")
            if "X-GM-LABELS" in asked:
                told.append(f"X-GM-LABELS ({' '.join(self._labels(raw))})")
            if "EMAILID" in asked:
                told.append(f"EMAILID (M{blake2b(raw, digest_size=8).hexdigest()})")
            if "BODY.PEEK[]" in asked:
                told.append(f"BODY[] {_literal(raw)}")
            yield f"{list(self.folder.messages).index(uid) + 1} FETCH ({' '.join(told)})"
        yield "OK done"

    def on_uid_copy(self, which: str, to: str) -> Iterator[str]:
        if to not in self.server.folders:
            yield "NO [TRYCREATE] no such mailbox"
            return
        target = self.server.folders[to]
        pairs = [(uid, target.add(self.folder.messages[uid], self.folder.flags[uid])) for uid in self._uids(which)]
        code = f"[COPYUID {target.validity} {pairs[0][0]} {pairs[0][1]}] " if self.server.copyuid and pairs else ""
        yield f"OK {code}done"

    def on_uid_move(self, which: str, to: str) -> Iterator[str]:
        told = list(self.on_uid_copy(which, to))
        if told[-1].startswith("OK"):
            yield from self._expunged(self._uids(which))
        yield from told

    def on_uid_store(self, which: str, sign: str, flags: str) -> Iterator[str]:
        for uid in self._uids(which):
            (set.update if sign[0] == "+" else set.difference_update)(self.folder.flags[uid], flags.strip("()").split())
        yield "OK done"

    def on_uid_expunge(self, which: str) -> Iterator[str]:
        yield from self._expunged([uid for uid in self._uids(which) if "\\Deleted" in self.folder.flags[uid]])
        yield "OK done"

    def _labels(self, raw: bytes) -> Iterator[str]:
        """Gmail's: the other folders that hold a message, its own with a backslash."""
        for name, folder in self.server.folders.items():
            if name != self.name and raw in folder.messages.values():
                yield f'"\\\\{name}"' if name.startswith("[Gmail]") else f'"{name}"'

    def on_idle(self) -> Iterator[str]:
        for piece in self.server.idling:
            if not piece:
                raise OSError("hung up")
            self.stream.write(piece)
            sleep(0.1)
        self.stream.readline()
        yield "OK idled"

    def on_noop(self) -> Iterator[str]:
        yield "OK done"

    def on_logout(self) -> Iterator[str]:
        yield "BYE"
        yield "OK done"

    def _expunged(self, uids: list[int]) -> Iterator[str]:
        for uid in uids:
            yield f"{list(self.folder.messages).index(uid) + 1} EXPUNGE"
            self.folder.remove(uid)

    def _uids(self, which: str) -> list[int]:
        wanted = []
        for part in which.split(","):
            first, _, last = part.partition(":")
            wanted += range(int(first), int(last or first) + 1)
        return [uid for uid in wanted if uid in self.folder.messages]


def _fields(raw: bytes, names: list[str]) -> bytes:
    header = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].replace(b"\n ", b"\n\x00 ").split(b"\n")
    found, taken = [], False
    for line in header:
        taken = taken if line.startswith(b"\x00") else line.partition(b":")[0].strip().decode().upper() in names
        found += [line.lstrip(b"\x00")] if taken else []
    return b"".join(line + b"\r\n" for line in [*found, b""])


def _literal(data: bytes) -> str:
    return f"{{{len(data)}}}\r\n{data.decode('utf-8', 'surrogateescape')}"


def _plain(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word[1:-1]) if word.startswith('"') else word
