"""Texts in files, with a folder for each class."""

import os
from pathlib import Path


def folders(path: str | os.PathLike[str]) -> tuple[list[str], list[str]]:
    """The texts of all files below the folders in `path`, in the order of their names; and for each the name of its
    folder.

    A file that is not valid UTF-8 is read as Latin-1. Files whose names begin with a dot are ignored.
    """
    texts: list[str] = []
    classes: list[str] = []
    for folder in sorted(entry for entry in Path(path).iterdir() if entry.is_dir() and not entry.name.startswith(".")):
        for file in sorted(folder.rglob("[!.]*")):
            if file.is_file():
                texts.append(_decoded(file.read_bytes()))
                classes.append(folder.name)
    if not texts:
        raise ValueError(f"{os.fspath(path)!r} holds no folder with files in it: each class needs one")
    return texts, classes


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
