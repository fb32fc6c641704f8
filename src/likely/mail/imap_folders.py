"""The folders of an account at an IMAP server: their names, which of them is open, and the keys of their messages."""

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
        """The server's name of each folder: its separator may be another character than "/"."""
        self.listings: dict[str, Listing] = {}
        """The last listing of each folder."""
        self._open: tuple[IMAPClient | None, str] = None, ""
        """The connection, and the folder that we last tried to open in it."""
        self._opened = self._open
        """The connection, and the folder that is certainly open in it."""

    def close(self) -> None:
        self.server.close()

    @contextmanager
    def selected(self, folder: str, write: bool = False) -> Iterator[tuple[IMAPClient, int]]:
        """Opens a folder, with its current messages; gives the connection and the folder's UIDVALIDITY."""
        with self.server.client() as client, refusals(folder):
            name = self.name_of(folder)
            self._open, self._opened = (client, folder), (None, "")
            self.now = Stamp.reported(client.select_folder(name, readonly=not write))
            self._opened = self._open
            yield client, self.now.validity

    @contextmanager
    def still_selected(self, folder: str) -> Iterator[tuple[IMAPClient, int]]:
        """The same, but does not open the folder again if it is still open: the connection may then not show messages
        that arrived or vanished since."""
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
            # For an open folder, STATUS may report the state at the time when it was opened.
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
        """The state of a folder, without opening it."""
        with self.server.client() as client, refusals(folder):
            return Stamp.reported(client.folder_status(self.name_of(folder), STATUS))


def _decoded(name: bytes | str) -> str:
    """The name of a folder; "" if it is not valid modified UTF-7, as IMAP requires: then the server can't be asked for
    it."""
    try:
        text: str = utf7.decode(name)
        return text if utf7.encode(text) == (name if isinstance(name, bytes) else name.encode()) else ""
    except UnicodeError:
        return ""


def path_of(name: str, delimiter: str) -> str:
    """The server's name of a folder, with "/" as the separator. A "/" within a part becomes a similar character, so
    that no two folders get the same name."""
    if delimiter and delimiter != "/":
        name = name.replace("/", "\N{DIVISION SLASH}").replace(delimiter, "/")
    return "INBOX" if name.upper() == "INBOX" else name
