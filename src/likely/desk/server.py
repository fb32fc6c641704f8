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
    """The interface of a place for the server. Its first page is at "/"."""

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
    """Ends the event streams of open pages at Ctrl-C: uvicorn would wait for them."""

    def __init__(self, config: uvicorn.Config, events: Events) -> None:
        super().__init__(config)
        self.events = events

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.events.end()
        super().handle_exit(sig, frame)


def listener(port: int) -> socket.socket:
    """A socket on this machine only. asyncio sets TCP_NODELAY only if the protocol is given; otherwise an answer takes
    40 ms longer (`python -m bench speed --only desk_label`)."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
    except OSError as error:
        made.close()
        raise ValueError(
            f"port {port} of 127.0.0.1 can't be used: {error.strerror}; without --port, a free one is chosen"
        ) from None
    made.listen(128)
    return made


def serve(desk: Desk, port: int = 0, opened: Callable[[AccessTokens], None] = lambda tokens: None) -> None:
    """Serves the desk until Ctrl-C. `opened` is called once the socket accepts connections; they wait until the server
    runs."""
    with listener(port) as listening:
        tokens = AccessTokens(listening.getsockname()[1])
        config = uvicorn.Config(
            application(desk, tokens), log_level="error", access_log=False, lifespan="off", ws="none", http="h11",
            loop="asyncio", server_header=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = EndingServer(config, desk.events)
        try:
            # Signals are captured before the address is shown: asyncio's handler loses a Ctrl-C while its loop starts.
            with server.capture_signals():
                opened(tokens)
                server.run(sockets=[listening])
        except KeyboardInterrupt:
            pass
        finally:
            desk.close()
