"""Texts in files, in a folder for each class."""

import pytest

from likely import NaiveBayes
from likely.text import folders


def test_texts_and_the_names_of_their_folders(tmp_path):
    for name, data in {
        "ham/2.txt": "grüße".encode(),
        "ham/1.txt": b"lunch at noon",
        "ham/deeper/0": b"noon",
        "spam/1": "grüße".encode("latin-1"),
        "spam/.hidden": b"not read",
        ".git/config": b"not read",
        "readme.txt": b"not read",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    texts, classes = folders(tmp_path)
    assert texts == ["lunch at noon", "grüße", "noon", "grüße"]
    assert classes == ["ham", "ham", "ham", "spam"]
    assert NaiveBayes().fit(texts, classes).predict(["noon"]).tolist() == ["ham"]


def test_no_folder_with_files(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b.txt").write_text("b")
    with pytest.raises(ValueError, match="holds no folder with files in it"):
        folders(tmp_path)
