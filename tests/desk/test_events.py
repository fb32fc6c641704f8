import asyncio

from likely.desk.events import Events


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

    assert asyncio.run(heard()) == ["retry: 1000\n\n", "event: changed\ndata: \n\n"]


def test_without_a_page_nobody_is_told() -> None:
    Events().changed()
