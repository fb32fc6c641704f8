"""Server-sent events: all open pages hear that something has changed, and ask for what they show again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import StreamingResponse

QUIET = 2.0
"""Seconds after which a connection on which nothing happens is shown to be alive, and other processes are looked at."""


async def nowhere() -> bool:
    """Of what no other process changes."""
    return False


class Events:
    def __init__(self, elsewhere: Callable[[], Awaitable[bool]] = nowhere) -> None:
        """`elsewhere` says whether another process has changed something since it was asked last."""
        self._elsewhere = elsewhere
        self._listeners: set[asyncio.Queue[str]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False

    def changed(self, name: str = "changed") -> None:
        """From any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell, name)

    def end(self) -> None:
        """All pages are let go, so that the server can end."""
        self._ended = True
        self.changed()

    def _tell(self, name: str) -> None:
        for listener in self._listeners:
            if listener.empty():  # several changes at once are one
                listener.put_nowait(name)

    async def view(self, request: Request) -> StreamingResponse:
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _stream(self) -> AsyncIterator[str]:
        self._loop = asyncio.get_running_loop()
        listener: asyncio.Queue[str] = asyncio.Queue()
        self._listeners.add(listener)
        try:
            yield "retry: 1000\n\n"
            while not self._ended:
                try:
                    name = await asyncio.wait_for(listener.get(), QUIET)
                    yield f"event: {name}\ndata: \n\n"
                except TimeoutError:
                    if await self._elsewhere():
                        self.changed()
                    yield ": quiet\n\n"
        finally:
            self._listeners.discard(listener)
