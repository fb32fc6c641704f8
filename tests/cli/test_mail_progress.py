"""How far the reading has got."""

import pytest

from likely.cli import mail_progress, output
from likely.cli.mail_progress import ReadingProgress, line


def test_the_line() -> None:
    assert line(1500, 12000, 3.0) == "1,500 of 12,000 messages read, 500 a second, 21 s left"
    assert line(100, 100_100, 1.0) == "100 of 100,100 messages read, 100 a second, 16 min 40 s left"


def test_lines_come_now_and_then_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    times = iter([0.0, 1.0, 1.1, 1.3, 2.0])
    monkeypatch.setattr(mail_progress, "monotonic", lambda: next(times))
    monkeypatch.setattr(output, "passing", said.append)
    progress = ReadingProgress()
    for done in (10, 20, 30, 40):
        progress(done, 40)
    assert [text.partition(" ")[0] for text in said] == ["10", "30", ""]
