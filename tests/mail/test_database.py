"""The file in which a filer keeps what it knows."""

from pathlib import Path

import pytest

from likely.mail.database import Busy, alone, home, opened, path_for, transaction


def test_it_is_for_its_owner_alone_and_written_ahead(tmp_path):
    path = path_for("imap://ann@example.org:143", tmp_path)
    database = opened(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert database.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert database.execute("PRAGMA synchronous").fetchone()[0] == 2
    database.close()


def test_each_account_has_its_own(tmp_path):
    addresses = ["imap://ann@example.org:143", "imap://ann@example.org:144", "maildir:/home/ann", "maildir:/home_ann"]
    assert len({path_for(address, tmp_path) for address in addresses}) == 4


def test_a_transaction_is_whole_or_not_at_all(tmp_path):
    database = opened(tmp_path / "a.sqlite")

    def broken():
        with transaction(database):
            database.execute("INSERT INTO model VALUES (1, x'00')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert database.execute("SELECT count(*) FROM model").fetchone()[0] == 0
    with transaction(database):
        database.execute("INSERT INTO model VALUES (1, x'00')")
    assert opened(tmp_path / "a.sqlite").execute("SELECT count(*) FROM model").fetchone()[0] == 1


def test_one_process_at_a_time(tmp_path):
    path = tmp_path / "a.sqlite"
    with alone(path), pytest.raises(Busy, match="another process"), alone(path, seconds=0.0):
        pass
    with alone(path):
        pass


def test_where_it_is(monkeypatch):
    monkeypatch.setenv("LIKELY_HOME", "here")
    assert home() == Path("here")
    monkeypatch.delenv("LIKELY_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    assert home() == Path("state/likely")
