"""Access control of the desk. A request must come from this machine, from a browser that has the token, and from a page
of the desk itself."""

from collections.abc import Iterable
from secrets import compare_digest, token_urlsafe
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
POLICY += "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
"""Only our own script file, nothing inline, and nothing from another host."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with "no-referrer", a browser hides the origin of the desk's own forms too
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""The headers of every answer, unless a view sets its own."""

METHODS = ("GET", "HEAD", "POST")
LONGEST = 1 << 20
"""The longest form, in bytes; it may have a text for the model."""


class AccessTokens:
    """The tokens that open the desk. `address` is only printed, and you can use it many times. The token that a browser
    gets on its command line works only once, because other users of the machine can read command lines."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._lasting, self._cookie = token_urlsafe(32), token_urlsafe(32)
        self._once: set[str] = set()

    @property
    def cookie_name(self) -> str:
        """It has the port, because all ports of a host share their cookies."""
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
        used = [unused for unused in self._once if _equal(unused, token)]
        self._once.difference_update(used)
        return bool(used) or _equal(self._lasting, token)

    def knows(self, cookies: Iterable[str]) -> bool:
        """Whether one of these Cookie headers has the cookie of a visitor who had the token. Other ports of this host
        may set cookies too, malformed ones or with the same name: this does not lock you out."""
        pairs = (pair.strip().partition("=") for header in cookies for pair in header.split(";"))
        return any(name == self.cookie_name and _equal(self._cookie, value) for name, _, value in pairs)


def _equal(one: str, other: str) -> bool:
    return compare_digest(one.encode(), other.encode("utf-8", "replace"))


class Guard:
    """Wraps an application. Requests that it refuses never reach a view."""

    def __init__(self, app: ASGIApp, tokens: AccessTokens) -> None:
        self.app, self.tokens = app, tokens
        self.hosts = (f"127.0.0.1:{tokens.port}", f"localhost:{tokens.port}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        answer = self._refused(scope) or self._opened(scope) or self.app
        await answer(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> ASGIApp | None:
        """The answer to a forbidden request, or None. A host with another name means DNS rebinding. Another origin,
        even another port of this host, means that a foreign page uses your cookie (CSRF)."""
        host = _all(scope, b"host")
        if len(host) != 1 or host[0].lower() not in self.hosts:
            return PlainTextResponse("This desk is at 127.0.0.1 and has no other name.", 403)
        if scope["method"] not in METHODS:
            return PlainTextResponse("The desk does not support this method.", 405)
        origins = _all(scope, b"origin")
        own = f"http://{host[0].lower()}"
        if any(origin != own for origin in origins) or (scope["method"] == "POST" and not origins):
            return PlainTextResponse("This request comes from another page.", 403)
        if any(site not in ("same-origin", "none") for site in _all(scope, b"sec-fetch-site")):
            return PlainTextResponse("This request comes from another page.", 403)
        if any(not size.isdecimal() or int(size) > LONGEST for size in _all(scope, b"content-length")):
            return PlainTextResponse("This form is too long.", 413)
        return None

    def _opened(self, scope: Scope) -> ASGIApp | None:
        """The answer to the first visit, which sets the cookie and removes the token from the address; or a refusal; or
        None for a visitor with the cookie."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if scope["path"] == "/" and given and self.tokens.opens(given[0]):
            return RedirectResponse("/", 303, {"set-cookie": self.tokens.cookie})
        if not self.tokens.knows(_all(scope, b"cookie")):
            return PlainTextResponse("Open the address that `likely desk` has printed: it contains the token.", 403)
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
