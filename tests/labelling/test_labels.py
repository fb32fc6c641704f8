import sqlite3
from pathlib import Path

import pytest

from likely.labelling.labels import Labels, digest_of


@pytest.fixture
def labels(tmp_path: Path) -> Labels:
    return Labels(tmp_path / "x.sqlite")


def test_answers_stand_until_they_are_undone_and_none_is_lost(labels: Labels) -> None:
    said = [(3, "spam"), (3, "ham"), (4, None)]
    assert [labels.add(row, b"d", label, "random") for row, label in said] == [1, 2, 3]
    assert [(one.row, one.label) for one in labels.answers()] == said
    last = labels.last_of(3, b"d")
    assert last is not None
    assert last.label == "ham"
    undone = labels.undo()
    assert undone is not None
    assert (undone.row, undone.label) == (4, None)
    labels.undo()
    last = labels.last_of(3, b"d")
    assert last is not None
    assert last.label == "spam"
    labels.undo()
    assert labels.undo() is None
    assert labels.database.execute("SELECT count(*) FROM answers").fetchone() == (3,)
    assert labels.add(3, b"d", "spam", "random") == 4  # a number that no page has seen


def test_it_is_written_ahead_and_for_its_owner_alone(labels: Labels) -> None:
    assert labels.database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert labels.database.execute("PRAGMA synchronous").fetchone() == (2,)
    assert labels.path.stat().st_mode & 0o077 == 0


def test_others_are_noticed(labels: Labels) -> None:
    assert not labels.changed_by_others()
    labels.add(1, b"", "a", "random")
    assert not labels.changed_by_others()
    other = Labels(labels.path)
    other.add(2, b"", "a", "random")
    assert labels.changed_by_others()
    assert not labels.changed_by_others()


def test_a_transaction_is_whole_or_nothing(labels: Labels) -> None:
    def both() -> None:
        with labels.transaction():
            labels.add(1, b"", "a", "random")
            labels.add(2, b"", "a", "nonsense")  # type: ignore[arg-type]

    with pytest.raises(sqlite3.IntegrityError):
        both()
    assert list(labels.answers()) == []


def test_a_full_disk_refuses_an_answer_and_the_next_one_is_taken(labels: Labels) -> None:
    def write() -> None:
        with labels.transaction():
            labels.name("x" * 100_000)

    pages = labels.database.execute("PRAGMA page_count").fetchone()[0]
    labels.database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(sqlite3.OperationalError, match="full"):
        write()
    labels.database.execute("PRAGMA max_page_count = 100000")
    write()
    assert len(labels.classes()) == 1


def test_classes_keep_their_order(labels: Labels) -> None:
    for label in ("b", "a", "b", "c"):
        labels.name(label)
    assert labels.classes() == ["b", "a", "c"]


def test_rows_are_known_by_what_they_hold() -> None:
    assert digest_of(("a", 1)) == digest_of(("a", 1))
    assert digest_of(("a", 1)) != digest_of(("a", 2))
    assert digest_of(("\ud800",))
