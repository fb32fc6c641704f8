"""Histories of mail for benches: the mail of four users in order of time, and corpora of spam."""

import tarfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.corpora import plain
from bench.data import FOLDER
from likely.data import encode_target
from likely.mail import messages, parse
from likely.mail.account import Letter
from likely.mail.history import History


def letters_of(user: str) -> Iterator[Letter]:
    for item in messages(FOLDER / "enron-folders" / f"{user}.tar.gz"):
        if not item.problem:
            yield Letter(item.folder, item.key, item.raw, 0.0)


def history_of(user: str) -> tuple[History, Any, Any]:
    history = History.of_letters(letters_of(user))
    folders, y = encode_target(history.folders)
    return history, y, folders


def texts_of(user: str) -> list[str]:
    """As peers read them, in the same order."""
    read = {letter.key: plain(parse(letter.raw)) for letter in letters_of(user)}
    return [read[entry.key] for entry in history_of(user)[0].entries]


def spam_sets() -> Iterator[tuple[str, list[bytes], Any]]:
    items = list(messages(FOLDER / "spamassassin" / "spamassassin.tar.gz"))
    labels = ["spam" if item.folder.startswith("spam") else "ham" for item in items]
    yield "SpamAssassin", [item.raw for item in items], np.array(labels)
    for number in (1, 4, 6):
        with tarfile.open(FOLDER / "enron-spam" / f"enron{number}.tar.gz") as files:
            found = [(file.name.split("/"), files.extractfile(file)) for file in files if file.isfile()]
            rows = [(names[1], file.read()) for names, file in found if len(names) == 3 and file is not None]
        yield f"Enron-Spam {number}", [raw for _, raw in rows], np.array([label for label, _ in rows])


def shuffled(raws: list[bytes], labels: Any) -> History:
    """In random order: most corpora have no dates."""
    history = History.of_letters(
        Letter(label, str(at), raw, 1.0) for at, (raw, label) in enumerate(zip(raws, labels, strict=True))
    )
    return history.of(np.random.default_rng(0).permutation(len(history)).tolist())
