import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from likely.desk import events as module
from likely.desk.events import Events


def run(work: Coroutine[Any, Any, list[str]]) -> list[str]:
    with ThreadPoolExecutor(1) as other:  # in this thread the browser's own loop may run
        return other.submit(asyncio.run, work).result()


def test_listeners_hear_of_a_change_once_however_many_there_were() -> None:
    async def heard() -> list[str]:
        events = Events()
        stream = events._stream()
        first = await anext(stream)
        events.changed()
        events.changed()
        await asyncio.sleep(0)
        second = await anext(stream)
        await stream.aclose()
        assert not events._listeners
        return [first, second]

    assert run(heard()) == ["retry: 1000\n\n", "event: changed\ndata: \n\n"]


def test_what_another_process_has_changed_is_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUIET", 0.01)
    answers = iter([False, True])

    async def elsewhere() -> bool:
        return next(answers)

    async def heard() -> list[str]:
        stream = Events(elsewhere)._stream()
        found = [await anext(stream) for _ in range(4)]
        await stream.aclose()
        return found

    assert run(heard()) == ["retry: 1000\n\n", ": quiet\n\n", ": quiet\n\n", "event: changed\ndata: \n\n"]


def test_without_a_page_nobody_is_told() -> None:
    Events().changed()
