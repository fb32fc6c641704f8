"""One thread in which a place does all its work, one call at a time: its databases may only be used in that thread."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class Worker:
    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, name)

    def now(self, work: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        """Runs `work` in the thread and waits for the result. Do not call it in the event loop."""
        return self._pool.submit(work, *args, **kwargs).result()

    async def call(
        self, work: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Answer:
        return await asyncio.wrap_future(self._pool.submit(work, *args, **kwargs))

    def close(self) -> None:
        self._pool.shutdown()
