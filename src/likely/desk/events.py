"""Server-sent events: every open page is notified of changes, and then loads its content again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import StreamingResponse

QUIET = 2.0
"""Seconds without an event, after which a comment keeps the connection alive, and `elsewhere` is asked."""


async def nowhere() -> bool:
    """For data that no other process changes."""
    return False


class Events:
    def __init__(self, elsewhere: Callable[[], Awaitable[bool]] = nowhere) -> None:
        """`elsewhere` returns whether another process has changed something since the last call."""
        self._elsewhere = elsewhere
        self._listeners: set[asyncio.Queue[str]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False

    def changed(self, name: str = "changed") -> None:
        """Notifies all open pages. It may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._notify, name)

    def end(self) -> None:
        """Ends all streams, so that the server can stop."""
        self._ended = True
        self.changed()

    def _notify(self, name: str) -> None:
        for listener in self._listeners:
            if listener.empty():  # a page that has not been notified yet needs no second event
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
