"""Raw mail to a filter beside bogofilter, which is C and reads an mbox: SpamAssassin's corpus, 6,046 messages."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
from sklearn.model_selection import StratifiedKFold

from bench.data import FOLDER
from bench.table import Row
from bench.timing import best
from likely import NaiveBayes
from likely.mail import READ_AS, messages, parse_all, table

CORPUS = FOLDER / "spamassassin" / "spamassassin.tar.gz"
FOLDS = 10
LEARN = {"ham": "-n", "spam": "-s"}
QUOTED = re.compile(rb"^(>*From )", re.MULTILINE)


def mail_learned() -> Iterator[Row]:
    """An mbox of ham and one of spam, learned: 6,046 messages."""
    if _missing():
        return
    raws, labels = _corpus()
    with TemporaryDirectory() as place:
        boxes = {label: Path(place, f"{label}.mbox") for label in LEARN}
        for label, box in boxes.items():
            box.write_bytes(b"".join(_boxed(raw) for raw, own in zip(raws, labels, strict=True) if own == label))

        def ours() -> None:
            read = [parse_all(item.raw for item in messages(box)) for box in boxes.values()]
            mail = pa.concat_tables(map(table, read))
            NaiveBayes(READ_AS).fit(mail, np.repeat(list(boxes), list(map(len, read))))

        def theirs() -> None:
            with TemporaryDirectory() as words:
                for label, box in boxes.items():
                    _bogofilter(words, "-M", LEARN[label], "-I", str(box))

        taken, peers = best(ours, theirs)
    rates = f"{len(raws) / taken:,.0f} messages/s", "bogofilter", f"{len(raws) / peers:,.0f} messages/s"
    yield Row("SpamAssassin, raw mail to learned", *rates, peers / taken, 5)


def mail_folds() -> Iterator[Row]:
    """10 random folds; what bogofilter is unsure of is left in the inbox, as ham, or else counted as an error."""
    if _missing():
        return
    raws, labels = _corpus()
    mail, boxed = table(parse_all(raws)), [_boxed(raw) for raw in raws]
    right, theirs, unsure = 0, [], []
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(labels, labels):
        model = NaiveBayes(READ_AS).fit(mail.take(train), labels[train])
        right += np.sum(model.predict(mail.take(test)) == labels[test])
        with TemporaryDirectory() as words:
            for label, learn in LEARN.items():
                _bogofilter(words, "-M", learn, mbox=b"".join(boxed[row] for row in train if labels[row] == label))
            told = _bogofilter(words, "-M", "-T", mbox=b"".join(boxed[row] for row in test)).split()[::2]
        theirs += [(answer == b"S") == (label == "spam") for answer, label in zip(told, labels[test], strict=True)]
        unsure += [answer == b"U" for answer in told]
    error, lost = 1 - right / len(raws), 1 - np.mean(np.array(theirs))
    worst = 1 - np.mean(np.array(theirs) & ~np.array(unsure))
    for name, peers in (("unsure is ham", lost), ("unsure is an error", worst)):
        yield Row(
            f"SpamAssassin, error, {FOLDS} folds",
            f"{error:.2%}",
            f"bogofilter, {name}",
            f"{peers:.2%}",
            peers / error,
            1,
        )


def _missing() -> bool:
    """Whether there is nothing to measure, which it tells."""
    if shutil.which("bogofilter") is None:
        print("left out: bogofilter is not installed; on Debian, apt-get install bogofilter")
    elif not CORPUS.exists():
        print(f"left out: the corpus is not at {CORPUS}; LIKELY_DATA may name another place")
    else:
        return False
    return True


def _corpus() -> tuple[list[bytes], np.ndarray]:
    items = list(messages(CORPUS))
    labels = ["spam" if item.folder.startswith("spam") else "ham" for item in items]
    return [item.raw for item in items], np.array(labels)


def _boxed(raw: bytes) -> bytes:
    """A message as it stands in an mbox."""
    end = b"\n" if raw.endswith(b"\n") else b"\n\n"
    return b"From ann@example.org Mon Jan  1 10:00:00 2024\n" + QUOTED.sub(rb">\1", raw) + end


def _bogofilter(words: str, *options: str, mbox: bytes = b"") -> bytes:
    done = subprocess.run(["bogofilter", "-C", "-d", words, *options], input=mbox, stdout=subprocess.PIPE, check=False)
    if done.returncode == 3:
        raise RuntimeError("bogofilter failed")
    return done.stdout
