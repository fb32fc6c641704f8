from pathlib import Path
from threading import Timer

import pytest

from likely import system
from likely.mail.database import Busy, opened
from likely.mail.watcher import pause, paused, status, watching


def test_who_watches_is_seen_by_all_and_gone_with_it(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    database = opened(path)
    assert str(status(database, path)) == "not running"
    with watching(path):
        assert str(status(database, path)) == "running"
        with pytest.raises(Busy), watching(path):
            pass
        pause(opened(path))
        assert str(status(database, path)) == "paused"
    assert str(status(database, path)) == "not running; paused when it starts"
    pause(database, False)
    assert not paused(database)


def test_a_watcher_starts_while_a_desk_asks_whether_one_runs(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    asking = path.with_suffix(".watch").open("w")  # as `status` does, for a moment
    assert system.hold(asking)
    Timer(0.1, asking.close).start()
    with watching(path):
        assert status(opened(path), path).running
