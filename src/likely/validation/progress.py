"""A progress bar for work that takes longer than a second; on terminals only."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

AFTER = 1.0
"""Seconds before a bar is shown."""


def progress(items: Sequence[T], what: str) -> Iterable[T]:
    """The items, with a progress bar on standard error if they take long."""
    return _shown(items, what) if sys.stderr.isatty() else items


def _shown(items: Sequence[T], what: str) -> Iterator[T]:
    start, done = monotonic(), 0
    for item in items:
        if monotonic() - start > AFTER:
            break
        yield item
        done += 1
    if done == len(items):
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=len(items), completed=done)
        for item in items[done:]:
            yield item
            bar.advance(task)
