"""The progress of a long fit: a model announces its steps, and a command shows them in its terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Show = Callable[[str], None]

_show: ContextVar[Show | None] = ContextVar("show", default=None)


def announce(step: str) -> None:
    """Announces that a step begins; it is shown if the fit runs in `announced_to`."""
    if (show := _show.get()) is not None:
        show(step)


@contextmanager
def announced_to(show: Show) -> Iterator[None]:
    """Calls `show` with each step that is announced in this context, and with "" at its end."""
    before = _show.set(show)
    try:
        yield
    finally:
        _show.reset(before)
        show("")
