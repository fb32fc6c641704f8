"""Messages that stay in a file until they are asked for, against the same in memory."""

from contextlib import closing

import numpy as np
import pytest

from likely.mail.account import Letter
from likely.mail.history import History
from likely.mail.index import Index
from likely.mail.indexed_history import SHORT, packed, unpacked
from likely.mail.prove import prove

from .letters import mixed

LETTERS = [Letter(folder, f"1.{at + 1}", raw, 0.0, f"f{at}") for at, (folder, raw) in enumerate(mixed(150))]


class Account:
    def read(self, folder, keys):
        return (letter for letter in LETTERS if letter.folder == folder and letter.key in keys)


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.setattr("likely.mail.indexed_history.AT_ONCE", 7)
    with closing(Index(tmp_path / "index")) as index:
        yield index


@pytest.fixture
def both(index):
    spots = {}
    for letter in LETTERS:
        spots.setdefault(letter.folder, []).append(letter.key)
    index.read(Account(), spots)
    in_memory = History.of_letters(letter for folder in spots for letter in LETTERS if letter.folder == folder)
    return index.history(spots), in_memory


def test_it_is_what_is_in_memory(both):
    lazy, in_memory = both
    assert list(lazy.entries) == in_memory.entries
    assert lazy.entries[3] == in_memory.entries[3]
    assert lazy.entries[-2:] == in_memory.entries[-2:]
    with pytest.raises(IndexError):
        lazy.entries[150]
    assert lazy.folders == in_memory.folders
    assert (lazy.dates == in_memory.dates).all()
    assert (lazy.letters == in_memory.letters).all()
    for part in (slice(None), slice(3, 20), slice(5, 5)):
        assert lazy.mail[part].to_pylist() == in_memory.mail[part].to_pylist()
    assert lazy.mail.num_rows == len(lazy) == 150


def test_some_of_it_in_another_order(both):
    lazy, in_memory = (history.of([40, 3, 3, 100]) for history in both)
    assert list(lazy.entries) == in_memory.entries
    assert lazy.mail[:].to_pylist() == in_memory.mail.to_pylist()
    last = both[0].latest(limit=5)
    assert list(last.entries) == both[1].entries[-5:]


def test_it_stays_when_the_index_is_closed_once_it_is_loaded(both, index):
    loaded = both[0].loaded()
    index.close()
    assert loaded.entries == both[1].entries
    assert loaded.mail.to_pylist() == both[1].mail.to_pylist()


def test_another_process_changes_nothing_of_it(both, tmp_path):
    lazy, in_memory = both
    with closing(Index(tmp_path / "index")) as other:
        other.keep_only({})
    assert list(lazy.entries) == in_memory.entries
    assert lazy.mail[:].to_pylist() == in_memory.mail.to_pylist()


def test_what_is_proved_is_the_same(both):
    lazy, in_memory = (prove(history).as_json() for history in both)
    assert lazy == in_memory
    assert np.isfinite(lazy["threshold"])


@pytest.mark.parametrize("text", ["", "12", "Grüße\0", "é" * (SHORT - 1), "é" * SHORT, "a b " * SHORT])
def test_a_text_is_what_it_was(index, text):
    """Short ones lie in the file as they are, and are not read as numbers; long ones are compressed."""
    index.database.execute("INSERT INTO folders VALUES ('Chess', '', ?)", (packed(text),))
    (kept,) = index.database.execute("SELECT keys FROM folders").fetchone()
    assert unpacked(kept) == text.encode()
    assert isinstance(kept, str) == (len(text) < SHORT)
