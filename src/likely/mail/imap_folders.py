"""The folders of an account at an IMAP server: their names, which of them is open, and what each holds."""

from collections.abc import Iterator
from contextlib import contextmanager

from likely.mail.account import Account, Gone, Listing
from likely.mail.folder_uses import Folder, with_uses
from likely.mail.imap_connection import ImapConnection, refusals
from likely.mail.secrets import Secret

# isort: split
from imapclient import IMAPClient
from imapclient import imap_utf7 as utf7

from likely.mail.imap_listing import STATUS, Stamp, distinct, listing_of, resynced


class ImapFolders(Account):
    """Keys are UIDVALIDITY and UID."""

    def __init__(self, address: str, secret: Secret) -> None:
        self.server = ImapConnection(address, secret)
        self.address = self.server.address
        self._names: dict[str, str] = {}
        """What the server calls each folder: it may part names by another sign than "/"."""
        self.listings: dict[str, Listing] = {}
        """What each folder held when its keys were asked for."""
        self._open: tuple[IMAPClient | None, str] = None, ""
        """The folder that is open or was to be opened last, and in which connection."""
        self._opened = self._open
        """The one that is open for sure."""

    def close(self) -> None:
        self.server.close()

    @contextmanager
    def selected(self, folder: str, write: bool = False) -> Iterator[tuple[IMAPClient, int]]:
        """The connection with a folder opened as it now is, and its UIDVALIDITY."""
        with self.server.client() as client, refusals(folder):
            name = self.name_of(folder)
            self._open, self._opened = (client, folder), (None, "")
            self.now = Stamp.reported(client.select_folder(name, readonly=not write))
            self._opened = self._open
            yield client, self.now.validity

    @contextmanager
    def still_selected(self, folder: str) -> Iterator[tuple[IMAPClient, int]]:
        """The same, without opening the folder again if it still is: messages that have come since, or went, may be
        missing, or not."""
        if self._opened == (self.server.connected, folder):
            with self.server.client() as client, refusals(folder):
                yield client, self.now.validity
        else:
            with self.selected(folder) as opened:
                yield opened

    def name_of(self, folder: str) -> str:
        if folder not in self._names:
            self.folders()
        try:
            return self._names[folder]
        except KeyError:
            raise Gone(f"there is no folder {folder!r}") from None

    def folders(self) -> list[Folder]:
        with self.server.client() as client:
            client.folder_encode = False
            try:
                listed = client.list_folders()
            finally:
                client.folder_encode = True
        self._names = {}
        found = []
        for flags, delimiter, encoded in listed:
            uses = {flag.decode("ascii", "replace").lstrip("\\").lower() for flag in flags}
            name = _decoded(encoded)
            if uses & {"noselect", "nonexistent"} or not name:
                continue
            path = path_of(name, delimiter.decode("utf-8", "replace") if delimiter else "")
            self._names[path] = name
            found.append((path, uses))
        return with_uses(found)

    def keys(self, folder: str) -> list[str]:
        self.listings[folder] = self.listing(folder, self.listings.get(folder))
        return list(self.listings[folder].keys)

    def listing(self, folder: str, before: Listing | None = None) -> Listing:
        then = Stamp.of(before)
        if before is not None and then is not None:
            # Of a folder that is open, STATUS may report what it was when it was opened.
            if self._open != (self.server.connected, folder) and then.holds(self.status(folder)):
                return before
            if self.server.resyncs:
                with self.server.client() as client, refusals(folder):
                    self._open, self._opened = (client, folder), (None, "")
                    found = resynced(client, self.name_of(folder), before)
                if found is not None:
                    return found
        with self.selected(folder) as (client, _):
            now = self.now
            if before is not None and then is not None and then.holds(now):
                return before
            return listing_of(distinct(client.search("ALL")), now)

    def status(self, folder: str) -> Stamp:
        """How a folder stands, without opening it."""
        with self.server.client() as client, refusals(folder):
            return Stamp.reported(client.folder_status(self.name_of(folder), STATUS))


def _decoded(name: bytes | str) -> str:
    """The name of a folder; "" of one that is not written as IMAP wants it (modified UTF-7), by which the server could
    not be asked for it."""
    try:
        text: str = utf7.decode(name)
        return text if utf7.encode(text) == (name if isinstance(name, bytes) else name.encode()) else ""
    except UnicodeError:
        return ""


def path_of(name: str, delimiter: str) -> str:
    """A server's name of a folder with "/" between the parts, and a "/" within a part as another sign that looks like
    it, so that no two names become one."""
    if delimiter and delimiter != "/":
        name = name.replace("/", "\N{DIVISION SLASH}").replace(delimiter, "/")
    return "INBOX" if name.upper() == "INBOX" else name
