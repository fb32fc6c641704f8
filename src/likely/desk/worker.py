"""One thread in which a place does all its work, one thing at a time: its databases belong to that thread."""

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
        """For who is not in the event loop: waits."""
        return self._pool.submit(work, *args, **kwargs).result()

    async def call(
        self, work: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Answer:
        return await asyncio.wrap_future(self._pool.submit(work, *args, **kwargs))

    def close(self) -> None:
        self._pool.shutdown()
