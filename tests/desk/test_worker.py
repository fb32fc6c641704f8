import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from likely.desk.worker import Worker


def test_all_work_is_done_in_one_thread() -> None:
    worker = Worker("test")

    async def both() -> set[int]:
        return {await worker.call(threading.get_ident), await worker.call(threading.get_ident)}

    with ThreadPoolExecutor(1) as other:  # playwright may have an event loop in this one
        assert other.submit(asyncio.run, both()).result() == {worker.now(threading.get_ident)}
    worker.close()


def test_what_goes_wrong_is_raised_where_it_was_asked_for() -> None:
    worker = Worker("test")
    with pytest.raises(ZeroDivisionError):
        worker.now(lambda: 1 / 0)
    worker.close()
