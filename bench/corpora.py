"""The shared corpora of texts and mail: texts, their classes, and the rows for testing."""

import gzip
import json
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bench.data import FOLDER
from likely.mail import Message, messages, parse, parse_all, table

USERS = ("farmer-d", "lokay-m", "sanders-r", "williams-w3")
WITH_MANY_FOLDERS = ("germany-c", "kean-s", "taylor-m")
"""Users with 41 to 121 folders; few folders are in use for long."""
NEXT = 100
"""How many messages are predicted at once."""


@dataclass(frozen=True)
class Corpus:
    """Texts and their classes. `test` are the rows that the corpus reserves for testing; None if it reserves none."""

    texts: list[str]
    y: NDArray[Any]
    test: NDArray[np.bool] | None = None
    mail: pa.Table | None = None

    @property
    def ours(self) -> Any:
        """The texts in the form that Likely reads."""
        return self.texts if self.mail is None else self.mail


def newsgroups() -> Corpus:
    """Posts with their headers, as in most published results."""
    rows = sorted(_files("20news-bydate/20news-bydate.tar.gz"))
    test = np.array([path.parts[0].endswith("test") for path, _ in rows])
    return Corpus([text for _, text in rows], np.array([path.parts[1] for path, _ in rows]), test)


def reuters() -> Corpus:
    """Reuters R52: news of one topic each, 52 of very uneven size."""
    parts = []
    for part in ("train", "test"):
        lines = gzip.decompress((FOLDER / "reuters-r52" / f"{part}.jsonl.gz").read_bytes()).decode("utf-8").split("\n")
        parts.append([json.loads(line) for line in lines if line])
    rows = parts[0] + parts[1]
    test = np.arange(len(rows)) >= len(parts[0])
    return Corpus([row["text"] for row in rows], np.array([row["label"] for row in rows]), test)


def sms() -> Corpus:
    lines = (FOLDER / "sms-spam" / "SMSSpamCollection.tsv").read_text("utf-8").split("\n")
    return _corpus(line.split("\t", 1) for line in lines if line)


def polarity() -> Corpus:
    sides = {side: FOLDER / "rt-polarity" / f"rt-polarity.{side}.txt.gz" for side in ("neg", "pos")}
    lines = {side: gzip.decompress(path.read_bytes()).decode("cp1252").split("\n") for side, path in sides.items()}
    return _corpus((side, line) for side in sides for line in lines[side] if line)


def titles() -> Corpus:
    lines = gzip.decompress((FOLDER / "stackoverflow-titles" / "titles.tsv.gz").read_bytes()).decode("utf-8")
    return _corpus(line.split("\t", 1) for line in lines.split("\n") if line)


def spamassassin() -> Corpus:
    items = list(messages(FOLDER / "spamassassin" / "spamassassin.tar.gz"))
    y = np.array(["spam" if item.folder.startswith("spam") else "ham" for item in items])
    mail = parse_all(item.raw for item in items)
    return Corpus([plain(message) for message in mail], y, mail=table(mail))


def enron_spam(number: int) -> Corpus:
    rows = _files(f"enron-spam/enron{number}.tar.gz")
    return _corpus((path.parts[1], text) for path, text in rows if len(path.parts) == 3)


TEXTS: dict[str, Callable[[], Corpus]] = {
    "20 Newsgroups by date": newsgroups,
    "Reuters R52": reuters,
    "SMS spam": sms,
    "rt-polarity": polarity,
    "Stack Overflow titles": titles,
    "SpamAssassin": spamassassin,
    **{f"Enron-Spam {number}": partial(enron_spam, number) for number in (1, 4, 6)},
}


def folders(user: str) -> tuple[list[Message], NDArray[Any]]:
    """The mail of a user and the folder of each message, in order of date."""
    items = messages(FOLDER / "enron-folders" / f"{user}.tar.gz")
    found = [(parse(item.raw), item.folder) for item in items if not item.problem]
    found.sort(key=lambda row: row[0].date.timestamp() if row[0].date else 0.0)
    return [message for message, _ in found], np.array([folder for _, folder in found])


def cuts(messages: int, most: int) -> list[int]:
    """The points at which the next hundred messages are predicted, as numbers of known messages: at most `most` points,
    evenly spaced from 100 on, at least 100 apart, and with 100 messages left.

    There are about 50 ways to choose such points. This one comes nearest to twelve published figures of peers (which
    read `letter`): multinomial naive Bayes 0.77, 0.82, 0.63 and 0.84 on the four users (here 0.768, 0.814, 0.640 and
    0.834), complement naive Bayes 0.77, 0.81, 0.67 and 0.85 (0.768, 0.804, 0.675 and 0.842), a linear SVM 0.77, 0.84,
    0.66 and 0.86 (0.760, 0.833, 0.661 and 0.850). The choice of the points changes a figure by up to 0.04.
    """
    step = max(NEXT, (messages - NEXT) // most)
    return list(range(NEXT, messages - NEXT + 1, step))[:most]


def letter(message: Message) -> str:
    """A message as one text: its sender, its subject and its body."""
    sender = next((token.removeprefix("from:") for token in message.tokens if token.startswith("from:")), "")
    return f"{sender}\n{message.subject}\n{message.text}"


def plain(message: Message) -> str:
    """A message as one text: its marked tokens, which include the words of its subject, and its body."""
    return f"{' '.join(message.tokens)}\n{message.text}"


def _files(archive: str) -> Iterator[tuple[Path, str]]:
    with tarfile.open(FOLDER / archive) as files:
        for member in files:
            if (file := files.extractfile(member)) is not None:
                yield Path(member.name), file.read().decode("latin-1")


def _corpus(rows: Any) -> Corpus:
    y, texts = zip(*rows, strict=True)
    return Corpus(list(texts), np.array(y))
