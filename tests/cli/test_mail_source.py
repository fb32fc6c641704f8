"""Mail as batches of rows."""

import gzip
from pathlib import Path

import pytest

from likely.cli import mail_source
from likely.cli.mail_source import Mail

from .mailbox import message


@pytest.fixture
def boxes(tmp_path: Path) -> Path:
    for folder, count in (("Chess", 5), ("garden", 3)):
        letters = [b"From a@example.org Mon Jan  1 10:00:00 2024\n" + message(folder, i) + b"\n" for i in range(count)]
        (tmp_path / f"{folder}.mbox").write_bytes(b"".join(letters))
    return tmp_path


def test_mailboxes_are_classes_in_turn(boxes: Path) -> None:
    source = Mail([boxes])
    (batch,) = source
    assert batch.table["class"].to_pylist() == ["Chess", "garden"] * 3 + ["Chess"] * 2
    assert batch.table.column_names[:2] == ["message", "subject"]
    assert {"text", "marks"} <= set(batch.table.column_names)
    assert source.place("", 2) == f"message {batch.table['message'][2].as_py()}"


def test_batches_are_of_so_many_messages(boxes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_source, "MESSAGES", 3)
    batches = list(Mail([boxes / "Chess.mbox"]))
    assert [(batch.first, batch.table.num_rows) for batch in batches] == [(0, 3), (3, 2)]


def test_a_folder_of_messages_is_a_class(tmp_path: Path) -> None:
    (tmp_path / "fun").mkdir()
    (tmp_path / "fun" / "1.eml").write_bytes(message("Chess", 1))
    (batch,) = Mail([tmp_path / "fun"])
    assert batch.table["class"].to_pylist() == ["fun"]


def test_no_message(tmp_path: Path) -> None:
    (tmp_path / "empty.mbox").write_text("")
    with pytest.raises(ValueError, match="there are no messages in it"):
        list(Mail([tmp_path / "empty.mbox"]))


def test_mailboxes_of_one_name_add_up(boxes: Path, tmp_path: Path) -> None:
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "spam.mbox").write_bytes((boxes / "Chess.mbox").read_bytes())
    (tmp_path / "b" / "lists.python").write_bytes((boxes / "garden.mbox").read_bytes())
    (tmp_path / "b" / "lists.rust").write_bytes((boxes / "garden.mbox").read_bytes())
    (batch,) = Mail([tmp_path / "a" / "spam.mbox", *sorted((tmp_path / "b").iterdir())])
    labels = batch.table["class"].to_pylist()
    assert {label: labels.count(label) for label in labels} == {"spam": 10, "lists.python": 3, "lists.rust": 3}


def test_a_compressed_mailbox_has_its_name(boxes: Path) -> None:
    path = boxes / "spam.mbox.gz"
    path.write_bytes(gzip.compress((boxes / "Chess.mbox").read_bytes()))
    (batch,) = Mail([path])
    assert set(batch.table["class"].to_pylist()) == {"spam"}


def test_mailboxes_that_all_have_one_name_are_classes_by_their_paths(boxes: Path, tmp_path: Path) -> None:
    for person, box in (("ann", "Chess"), ("bob", "garden")):
        (tmp_path / person).mkdir()
        (boxes / f"{box}.mbox").rename(tmp_path / person / "inbox.mbox")
    (batch,) = Mail([tmp_path / "ann" / "inbox.mbox", tmp_path / "bob" / "inbox.mbox"])
    assert set(batch.table["class"].to_pylist()) == {"ann/inbox", "bob/inbox"}


def test_a_file_that_is_no_mail_is_named(boxes: Path) -> None:
    (boxes / "todo.txt").write_bytes(b"buy milk\n")
    source = Mail([boxes])
    assert sum(batch.table.num_rows for batch in source) == 8
    (note,) = source.notes()
    assert note.startswith(f"Not used: {boxes / 'todo.txt'} (the file is neither a message nor an mbox")
