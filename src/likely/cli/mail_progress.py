"""Shows the progress while an account is read."""

from time import monotonic

from likely.cli import output

OFTEN = 0.2
"""Seconds between two lines."""


class ReadingProgress:
    """Shows how many messages are read, how many per second, and the remaining time."""

    def __init__(self) -> None:
        self.start, self.next = monotonic(), 0.0

    def __call__(self, done: int, total: int) -> None:
        now = monotonic()
        if done < total and now < self.next:
            return
        self.next = now + OFTEN
        output.passing(line(done, total, now - self.start) if done < total else "")


def line(done: int, total: int, seconds: float) -> str:
    speed = done / max(seconds, 1e-9)
    left = round((total - done) / speed)
    time = f"{left // 60} min {left % 60} s" if left >= 60 else f"{left} s"
    return f"{done:,} of {total:,} messages read, {speed:,.0f} a second, {time} left"
