"""Serves one desk on 127.0.0.1, until Ctrl-C."""

import socket
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from likely.desk.events import Events
from likely.desk.guard import AccessTokens, Guard
from likely.desk.pages import HERE, Pages


class Desk(Protocol):
    """What a place gives the server. Its first page is at "/"."""

    pages: Pages
    events: Events

    def routes(self) -> Sequence[Route | Mount]: ...

    def close(self) -> None: ...


def application(desk: Desk, tokens: AccessTokens) -> Guard:
    async def failed(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        why = error.detail if isinstance(error, HTTPException) else f"{type(error).__name__}: {error}"
        page: HTMLResponse = desk.pages(request, "failed.html", {"why": why}, status=status)
        return page

    app = Starlette(
        routes=[
            *desk.routes(),
            Route("/events", desk.events.view),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        exception_handlers={HTTPException: failed, Exception: failed},
    )
    return Guard(app, tokens)


class EndingServer(uvicorn.Server):
    """It would wait for pages that listen for events."""

    def __init__(self, config: uvicorn.Config, events: Events) -> None:
        super().__init__(config)
        self.events = events

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.events.end()
        super().handle_exit(sig, frame)


def listener(port: int) -> socket.socket:
    """On this machine alone. By its protocol asyncio knows that small packets must not wait for each other: without it
    an answer takes 40 ms longer (`python -m bench speed --only desk_label`)."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
    except OSError as error:
        made.close()
        raise ValueError(f"port {port} of 127.0.0.1 can't be used: {error.strerror}; leave --port out") from None
    made.listen(128)
    return made


def serve(desk: Desk, port: int = 0, opened: Callable[[AccessTokens], None] = lambda tokens: None) -> None:
    """Returns after Ctrl-C. `opened` is called once connections are accepted; they wait until the first is served."""
    with listener(port) as listening:
        tokens = AccessTokens(listening.getsockname()[1])
        config = uvicorn.Config(
            application(desk, tokens), log_level="error", access_log=False, lifespan="off", ws="none", http="h11",
            loop="asyncio", server_header=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = EndingServer(config, desk.events)
        try:
            # Before the address is shown: asyncio's own handler loses a Ctrl-C that comes just as its loop starts.
            with server.capture_signals():
                opened(tokens)
                server.run(sockets=[listening])
        except KeyboardInterrupt:
            pass
        finally:
            desk.close()
