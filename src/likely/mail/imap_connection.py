"""The connection to an IMAP server, with TLS. It connects when needed, and again after the connection was lost."""

import logging
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Any
from urllib.parse import unquote, urlsplit

from likely.mail.account import Denied, Gone, NotNow, Refused, Unreachable
from likely.mail.secrets import Secret

try:
    from imapclient import IMAPClient
    from imapclient.exceptions import (
        IMAPClientAbortError,
        IMAPClientError,
        IMAPClientReadOnlyError,
        LoginError,
        ProtocolError,
    )
except ImportError as error:
    raise ImportError("mail by IMAP needs imapclient: pip install 'likely[mail]'") from error

logging.getLogger("imapclient").addHandler(logging.NullHandler())
"""Keeps its log of the server's answers away from standard error; our errors have what matters of them."""

PORTS = {"imap": 143, "imaps": 993}
ADDRESS = "an address is imaps://user@host:port"
SECONDS = 60.0
"""How many seconds a server may take to answer."""

TEMPORARY = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|THROTTLED|EXPUNGEISSUED)\b|temporar|try again|retry|throttl|too many|"
    r"rate limit|bandwidth|server (?:is )?(?:busy|error|unavailable)|timed? ?out|not connected|internal error",
    re.IGNORECASE,
)
"""Answers NO or BAD that are temporary: the codes of RFC 5530, or texts of the large providers. Gmail writes
"[OVERQUOTA] Account exceeded command or bandwidth limits", and Outlook "User is authenticated but not connected"."""

MISSING = re.compile(r"TRYCREATE|NONEXISTENT|doesn't exist|does not exist|no such mailbox|not found", re.IGNORECASE)


SENSELESS = (ValueError, LookupError, OverflowError, RecursionError, MemoryError)
"""Errors of the parser when an answer makes no sense, or announces more bytes than memory holds."""


class ImapConnection:
    """When the connection is lost, it raises Unreachable, and the next call connects again."""

    def __init__(self, address: str, secret: Secret) -> None:
        try:
            parts = urlsplit(address)
            port = parts.port if parts.username is not None else None
        except ValueError:  # its text may contain the password
            raise ValueError(f"{ADDRESS}; this one can't be read") from None
        if parts.password is not None:
            raise ValueError("do not put a password into an address, where others can see it: see `likely mail --help`")
        if parts.username is None or parts.hostname is None:
            raise ValueError(f"{ADDRESS}; this one has no user or no host")
        self.tls, self.host, self.user = parts.scheme == "imaps", parts.hostname, unquote(parts.username)
        self.port = port or PORTS[parts.scheme]
        self.address = f"{parts.scheme}://{self.user}@{self.host}:{self.port}"
        self.secret = secret
        self.connected: IMAPClient | None = None
        self.resyncs = False
        """Whether the server can list the messages that have vanished since a time (QRESYNC)."""

    @contextmanager
    def client(self) -> Iterator[IMAPClient]:
        try:
            if self.connected is None:
                self.connected = self._connect()
            yield self.connected
        except ssl.SSLCertVerificationError as error:
            raise Denied(f"the certificate of {self.host}:{self.port} is not trusted: {error.verify_message}") from None
        except (IMAPClientAbortError, ProtocolError, OSError, *SENSELESS) as error:
            self.close()
            why = getattr(error, "strerror", None) or str(error) or "its answer makes no sense"
            raise Unreachable(f"{self.host}:{self.port}: {why}") from None
        except IMAPClientError as error:
            kind = NotNow if TEMPORARY.search(str(error)) else Refused
            raise kind(f"{self.host}:{self.port}: {error}") from None

    def _connect(self) -> IMAPClient:
        context = ssl.create_default_context() if self.tls else None
        client = IMAPClient(self.host, self.port, ssl=self.tls, ssl_context=context, timeout=SECONDS)
        try:
            if not self.tls and (client.has_capability("STARTTLS") or not _is_here(self.host)):
                client.starttls(ssl.create_default_context())
            secret = self.secret.get(self.user, self.host)
            if self.secret.is_token and client.has_capability("AUTH=OAUTHBEARER"):
                client.oauthbearer_login(self.user, secret)
            elif self.secret.is_token:
                client.oauth2_login(self.user, secret)
            else:
                client.login(self.user, secret)
        except BaseException as error:
            with suppress(OSError, IMAPClientError):
                client.shutdown()
            lost = isinstance(error.__context__, IMAPClientAbortError)  # IMAPClient turns it into a LoginError
            if isinstance(error, IMAPClientError) and (lost or TEMPORARY.search(str(error))):
                raise Unreachable(f"{self.host}:{self.port} does not let {self.user} in now: {error}") from None
            if isinstance(error, LoginError):
                raise Denied(f"{self.host}:{self.port} did not accept the login of {self.user}") from None
            if isinstance(error, IMAPClientError) and not isinstance(error, IMAPClientAbortError):
                raise Denied(f"{self.host}:{self.port} offers no encrypted connection: {error}") from None
            raise
        self.resyncs = client.has_capability("ENABLE") and client.has_capability("QRESYNC")
        self.resyncs = self.resyncs and b"QRESYNC" in client.enable("QRESYNC")
        return client

    def close(self) -> None:
        client, self.connected = self.connected, None
        if client is not None:
            with suppress(Exception):
                client.shutdown()


@contextmanager
def refusals(folder: str) -> Iterator[None]:
    """Turns the server's errors about a folder into Gone, Refused or NotNow."""
    try:
        yield
    except IMAPClientReadOnlyError:
        raise Refused(f"folder {folder!r} is read-only") from None
    except (IMAPClientAbortError, ProtocolError):
        raise
    except IMAPClientError as error:
        if TEMPORARY.search(str(error)):
            raise NotNow(f"folder {folder!r}: {error}") from None
        if MISSING.search(str(error)):
            raise Gone(f"there is no folder {folder!r}") from None
        raise Refused(f"folder {folder!r}: {error}") from None


def number(reported: dict[bytes, Any], name: bytes) -> int:
    """A number that every server must report."""
    if not isinstance(reported.get(name), int):
        raise Refused(f"the server did not report {name.decode()}, which IMAP requires")
    return int(reported[name])


def _is_here(host: str) -> bool:
    """Whether a host is this machine, so that nothing is sent over a network."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
