"""Folders of texts as batches of rows."""

from pathlib import Path

import pytest

from likely.cli.text_source import Folders, spread


def test_any_stretch_has_its_share_of_each_class() -> None:
    found = spread({"a": list(range(30)), "b": list(range(10))})
    assert len(found) == 40
    for start in range(0, 40, 8):
        assert [label for label, _ in found[start : start + 8]].count("b") == 2


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    for label in ("fun", "study"):
        (tmp_path / label).mkdir()
        (tmp_path / label / "1.txt").write_text(f"{label} caf\xe9", "utf-16")
    return tmp_path


def test_what_is_no_text_is_named_and_no_row(texts: Path) -> None:
    (texts / "README.md").write_text("about")
    (texts / "fun" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (texts / "fun" / ".git").mkdir()
    (texts / "fun" / ".git" / "config").write_text("no")
    source = Folders([texts])
    (batch,) = source
    assert batch.table["text"].to_pylist() == ["fun caf\xe9", "study caf\xe9"]
    assert source.place("", 0, 1) == str(texts / "study" / "1.txt")
    assert source.notes() == [
        f"Not used: {texts / 'README.md'} (not in a folder of texts), {texts / 'fun' / 'a.png'} (no text)."
    ]


def test_folders_that_all_have_one_name_are_classes_by_their_paths(texts: Path) -> None:
    for person in ("ann", "bob"):
        (texts / person).mkdir()
        (texts / "fun").rename(texts / person / "inbox") if person == "ann" else None
        (texts / "study").rename(texts / person / "inbox") if person == "bob" else None
    (batch,) = Folders([texts / "ann" / "inbox", texts / "bob" / "inbox"])
    assert batch.table["class"].to_pylist() == ["ann/inbox", "bob/inbox"]


def test_nothing_but_pictures(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(ValueError, match=r"a\.png: there are no texts in it"):
        list(Folders([tmp_path]))
