"""What a long fit is doing at the moment, for whoever shows it: a model knows its steps, a command its terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Show = Callable[[str], None]

_show: ContextVar[Show | None] = ContextVar("show", default=None)


def announce(step: str) -> None:
    """Shows a step that begins, if anybody does."""
    if (show := _show.get()) is not None:
        show(step)


@contextmanager
def announced_to(show: Show) -> Iterator[None]:
    """What is done here is shown; "" at its end."""
    before = _show.set(show)
    try:
        yield
    finally:
        _show.reset(before)
        show("")
