"""Who may ask the desk: this machine, a browser that has the token, and pages of the desk itself."""

from collections.abc import Iterable
from secrets import compare_digest, token_urlsafe
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
POLICY += "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
"""No script but our own file, nothing inline, nothing from another host."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without any, a browser hides the origin of the desk's own forms as well
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""Of every answer, unless a view has set its own."""

METHODS = ("GET", "HEAD", "POST")
LONGEST = 1 << 20
"""Bytes of a form, which may hold a text that a model is asked about."""


class AccessTokens:
    """What opens the desk. `address` may be used again and again, and is only printed; the token that is handed to a
    browser on its command line, where other users of the machine can read it, is good for one visit."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._lasting, self._cookie = token_urlsafe(32), token_urlsafe(32)
        self._once: set[str] = set()

    @property
    def cookie_name(self) -> str:
        """Cookies are shared by all ports of a host."""
        return f"likely-desk-{self.port}"

    @property
    def cookie(self) -> str:
        return f"{self.cookie_name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    @property
    def address(self) -> str:
        return self._address(self._lasting)

    def address_for_one_visit(self) -> str:
        token = token_urlsafe(32)
        self._once.add(token)
        return self._address(token)

    def _address(self, token: str) -> str:
        return f"http://127.0.0.1:{self.port}/?token={token}"

    def opens(self, token: str) -> bool:
        used = [one for one in self._once if _equal(one, token)]
        self._once.difference_update(used)
        return bool(used) or _equal(self._lasting, token)

    def knows(self, cookies: Iterable[str]) -> bool:
        """Whether one of these Cookie headers is that of a visitor who had the token. Other ports of this host set
        cookies too, of any form and of the same name: they lock nobody out."""
        pairs = (pair.strip().partition("=") for header in cookies for pair in header.split(";"))
        return any(name == self.cookie_name and _equal(self._cookie, value) for name, _, value in pairs)


def _equal(one: str, other: str) -> bool:
    return compare_digest(one.encode(), other.encode("utf-8", "replace"))


class Guard:
    """Around an application: what it refuses never reaches a view."""

    def __init__(self, app: ASGIApp, tokens: AccessTokens) -> None:
        self.app, self.tokens = app, tokens
        self.hosts = (f"127.0.0.1:{tokens.port}", f"localhost:{tokens.port}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        answer = self._refused(scope) or self._opened(scope) or self.app
        await answer(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> ASGIApp | None:
        """A host of another name is DNS rebinding; another origin, even another port of this host, is a page of someone
        else that uses the visitor's cookie."""
        host = _all(scope, b"host")
        if len(host) != 1 or host[0].lower() not in self.hosts:
            return PlainTextResponse("This desk is at 127.0.0.1 and has no other name.", 403)
        if scope["method"] not in METHODS:
            return PlainTextResponse("The desk does not do this.", 405)
        origin = _all(scope, b"origin")
        own = f"http://{host[0].lower()}"
        if any(one != own for one in origin) or (scope["method"] == "POST" and not origin):
            return PlainTextResponse("This request comes from another page.", 403)
        if any(site not in ("same-origin", "none") for site in _all(scope, b"sec-fetch-site")):
            return PlainTextResponse("This request comes from another page.", 403)
        if any(not size.isdecimal() or int(size) > LONGEST for size in _all(scope, b"content-length")):
            return PlainTextResponse("This form is too long.", 413)
        return None

    def _opened(self, scope: Scope) -> ASGIApp | None:
        """The first visit becomes a cookie and an address without the token."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if scope["path"] == "/" and given and self.tokens.opens(given[0]):
            return RedirectResponse("/", 303, {"set-cookie": self.tokens.cookie})
        if not self.tokens.knows(_all(scope, b"cookie")):
            return PlainTextResponse("Open the address that `likely desk` has printed: it holds the token.", 403)
        return None


def _all(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[Any] = list(message.get("headers", []))
            there = {name.lower() for name, _ in headers}
            headers += [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in there]
            message = {**message, "headers": headers}
        await send(message)

    return sent
