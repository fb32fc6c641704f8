"""Accounts of every kind with the same mail in them, and what their owner does there with another program."""

import os
import shutil
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path

from imapclient import IMAPClient

from likely.mail.account import Account
from likely.mail.imap import Imap
from likely.mail.maildir import Maildir
from likely.mail.place import Place
from likely.mail.secrets import Secret

from .dovecot import PASSWORD, USER, Dovecot
from .letters import boxed, deliver


class Mailplace(ABC):
    """What stands behind an account."""

    kind: str

    @abstractmethod
    def account(self) -> Account: ...

    @abstractmethod
    def create(self, folder: str) -> None: ...

    @abstractmethod
    def put(self, folder: str, *raws: bytes) -> None: ...

    @abstractmethod
    def delete_folder(self, folder: str) -> None: ...

    def close(self) -> None:  # noqa: B027 (files need none)
        pass

    def contents(self, folder: str) -> list[bytes]:
        account = self.account()
        try:
            return [letter.raw.replace(b"\r\n", b"\n") for letter in account.letters([folder])]
        finally:
            account.close()


class MaildirPlace(Mailplace):
    kind = "maildir"

    def __init__(self, root: Path) -> None:
        self.root, self.delivered = root, 0
        self.create("INBOX")

    def _place(self, folder: str) -> Path:
        return self.root / ("" if folder == "INBOX" else folder)

    def account(self) -> Maildir:
        return Maildir(self.root)

    def create(self, folder: str) -> None:
        for part in ("cur", "new", "tmp"):
            (self._place(folder) / part).mkdir(parents=True, exist_ok=True)

    def put(self, folder: str, *raws: bytes) -> None:
        for raw in raws:
            self.delivered += 1
            deliver(self._place(folder), raw, f"1700000000.M{self.delivered:06}.host", part="new")

    def delete_folder(self, folder: str) -> None:
        shutil.rmtree(self._place(folder))


class MboxPlace(Mailplace):
    kind = "mbox"

    def __init__(self, root: Path) -> None:
        self.root = root
        self.create("INBOX")

    def account(self) -> Place:
        return Place(self.root)

    def create(self, folder: str) -> None:
        (self.root / folder).parent.mkdir(parents=True, exist_ok=True)
        (self.root / f"{folder}.mbox").touch()

    def put(self, folder: str, *raws: bytes) -> None:
        with (self.root / f"{folder}.mbox").open("ab") as file:
            file.write(boxed(list(raws)))

    def delete_folder(self, folder: str) -> None:
        (self.root / f"{folder}.mbox").unlink()


class ImapPlace(Mailplace):
    kind = "imap"

    def __init__(self, **options: object) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="likely-"))
        self.root.chmod(0o755)
        self.server = Dovecot(self.root, **options)
        self.server.start()
        os.environ["LIKELY_MAIL_PASSWORD"] = PASSWORD

    def account(self) -> Imap:
        return Imap(self.server.address, Secret())

    def client(self) -> IMAPClient:
        """Another mail program of the owner's."""
        client = IMAPClient("127.0.0.1", self.server.port, ssl=False)
        client.login(USER, PASSWORD)
        return client

    def create(self, folder: str) -> None:
        with self.client() as client:
            client.create_folder(folder)

    def put(self, folder: str, *raws: bytes) -> None:
        with self.client() as client:
            client.multiappend(folder, raws)

    def delete_folder(self, folder: str) -> None:
        with self.client() as client:
            client.delete_folder(folder)

    def close(self) -> None:
        self.server.stop()
        shutil.rmtree(self.root)
