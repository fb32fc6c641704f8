"""Filing mail: the folders of four users in order of time, spam compared with bogofilter, and the speed of learning and
filing."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.svm import LinearSVC

from bench.corpora import NEXT, USERS, cuts
from bench.data import FOLDER, check
from bench.histories import history_of, letters_of, shuffled, spam_sets, texts_of
from bench.made_accounts import made_accounts
from bench.promise import confidence, drift, practice, promise
from bench.remote_mail import remote
from bench.soak import soak
from bench.spam_streams import spam_streams
from bench.table import Row
from likely import LogisticRegression, NaiveBayes
from likely.mail import READ_AS, messages
from likely.mail.confidence import foretold
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.maildir import Maildir
from likely.mail.model import MailModel
from likely.mail.promise import filed
from likely.mail.replay import replay
from likely.text import Tokens

POINTS = 20
REFITS = 5
"""How often the blend is refitted."""
FOLDS = 5
KEPT = 0.995
"""The share of ham that must be kept."""

PEERS: dict[str, Callable[[], Any]] = {
    "counts + MultinomialNB(0.1)": lambda: MultinomialNB(alpha=0.1),
    "counts + ComplementNB(0.1)": lambda: ComplementNB(alpha=0.1),
}


def immediate() -> Iterator[Row]:
    """Every message is predicted, then learned; a message in a new folder is an error. If a message lies in several
    folders, each of them is right, for peers too; the last row counts copies as wrong."""
    check()
    ours, strictly = [], []
    for user in USERS:
        history, y, folders = history_of(user)
        past = replay(history.mail, y, len(folders), letters=history.letters)
        ours.append(past.guesses.right.mean())
        strictly.append(np.mean(past.best == y))
        counts = csr_matrix(Tokens().matrix(texts_of(user))[0])
        guessed = {name: _one_by_one(make(), counts, y, len(folders)) for name, make in PEERS.items()}
        guessed["tf-idf + LinearSVC, every 100"] = _refitted(counts, y)
        lies = history.letters * len(folders)
        for name, best in guessed.items():
            theirs = np.mean(np.isin(lies + best, lies + y) & (best >= 0))
            yield Row(f"{user}, accuracy", f"{ours[-1]:.3f}", name, f"{theirs:.3f}", ours[-1] / theirs)
    mean = float(np.mean(ours))
    yield Row("mean of four, accuracy", f"{mean:.3f}", "what is wanted", "0.880", mean / 0.88, 1)
    yield Row("the same, copies wrong", f"{np.mean(strictly):.3f}", "", "", 1.0)


def batches() -> Iterator[Row]:
    """At 20 points in time, the next 100 messages are predicted from all mail before. If a message lies in several
    folders, each of them is right; the last row counts copies as wrong."""
    check()
    ours, strictly = [], []
    for user in USERS:
        history, y, _ = history_of(user)
        lies, right = set(zip(history.letters.tolist(), history.folders, strict=True)), []
        for point in cuts(len(y), POINTS):
            model, after = MailModel.of(history.of(range(point))), history.of(range(point, point + NEXT))
            folders, chances = model.chances(after.mail, set(model.folders))
            guessed = [folders[at] for at in chances.argmax(axis=1)]
            letters = history.letters[point : point + NEXT].tolist()
            right.append(
                [
                    (own == folder, (letter, own) in lies)
                    for own, folder, letter in zip(guessed, after.folders, letters, strict=True)
                ]
            )
        alone, any_copy = np.concatenate(right).mean(axis=0)
        ours.append(any_copy)
        strictly.append(alone)
        yield Row(f"{user}, next 100, accuracy", f"{any_copy:.3f}", "", "", 1.0)
    mean = float(np.mean(ours))
    yield Row("mean of four, next 100", f"{mean:.3f}", "what is wanted", "0.830", mean / 0.83, 1)
    yield Row("the same, copies wrong", f"{np.mean(strictly):.3f}", "tf-idf + LinearSVC's", "0.780", 1.0)


def plain_texts() -> Iterator[Row]:
    """The same next 100 messages as plain texts, at 10 days: `NaiveBayes()`, which knows nothing of mail."""
    check()
    both = []
    for user in USERS:
        _, y, _ = history_of(user)
        texts, right = texts_of(user), []
        for point in cuts(len(y), POINTS // 2):
            before, after = slice(point), slice(point, point + NEXT)
            weights = TfidfVectorizer(sublinear_tf=True)
            peer = LinearSVC().fit(weights.fit_transform(texts[before]), y[before])
            guessed = NaiveBayes().fit(texts[before], y[before]).predict(texts[after])
            theirs = peer.predict(weights.transform(texts[after]))
            right.append([np.mean(guessed == y[after]), np.mean(theirs == y[after])])
        both.append(np.mean(right, axis=0))
        ours, theirs = both[-1]
        yield Row(f"{user}, next 100 as texts", f"{ours:.3f}", "tf-idf + LinearSVC", f"{theirs:.3f}", ours / theirs)
    ours, theirs = np.mean(both, axis=0)
    yield Row(
        "mean of four, next 100 as texts",
        f"{ours:.3f}",
        "tf-idf + LinearSVC",
        f"{theirs:.3f}",
        ours / theirs,
        (theirs - 0.01) / theirs,
    )


def blend() -> Iterator[Row]:
    """The online blend vs. naive Bayes alone, and vs. the refitted blend."""
    check()
    for user in USERS:
        history, y, folders = history_of(user)
        leaning, alone = (replay(history.mail, y, len(folders), leans=leans) for leans in (True, False))
        yield Row(
            f"{user}, log loss", f"{leaning.loss:.3f}", "naive Bayes", f"{alone.loss:.3f}", alone.loss / leaning.loss
        )
        ours, theirs = (filed(foretold(past.guesses), past.guesses.right, 0.97).mean() for past in (leaning, alone))
        yield Row(f"{user}, filed at 97 %", f"{ours:.1%}", "naive Bayes", f"{theirs:.1%}", ours / theirs)
        points = np.linspace(NEXT, len(y) - NEXT, REFITS).astype(int)
        right, seconds = np.zeros((2, len(points))), np.zeros(2)
        for at, point in enumerate(points):
            before, after = history.of(range(point)), history.of(range(point, point + NEXT))
            truth, start = np.array(after.folders, object), process_time()
            model = MailModel.of(before)
            names, chances = model.chances(after.mail, set(model.folders))
            right[0, at] = np.mean(np.array(names, object)[chances.argmax(axis=1)] == truth)
            seconds[0] += process_time() - start
            start = process_time()
            refitted = LogisticRegression(shrink_to="naive_bayes", families=READ_AS).fit(before.mail, before.folders)
            right[1, at] = np.mean(refitted.predict(after.mail) == truth)
            seconds[1] += process_time() - start
        ours, theirs = right.mean(axis=1)
        told = [f"{value:.3f} in {time / REFITS:.1f} s" for value, time in zip((ours, theirs), seconds, strict=True)]
        yield Row(f"{user}, next 100, accuracy", told[0], "refitted, C = 1", told[1], ours / theirs)


def spam() -> Iterator[Row]:
    """Errors if 99.5 % of the ham is kept, over 5 random folds, compared with bogofilter."""
    check()
    if shutil.which("bogofilter") is None:
        print("left out: bogofilter is not installed; on Debian, apt-get install bogofilter")
        return
    for name, raws, labels in spam_sets():
        history = shuffled(raws, labels)
        rows = np.array([int(entry.key) for entry in history.entries])
        is_spam = labels[rows] == "spam"
        ours, theirs = np.empty(len(rows)), np.empty(len(rows))
        for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(rows, is_spam):
            model = MailModel.of(history.of(train.tolist()))
            folders, _ = model.chances(history.mail.slice(0, 1), {"ham", "spam"})
            scores = model.scores(history.of(test.tolist()).mail)
            ours[test] = scores[:, folders.index("spam")] - scores[:, folders.index("ham")]
            theirs[test] = _bogofilter(
                [raws[rows[at]] for at in train], is_spam[train], [raws[rows[at]] for at in test]
            )
        mine, peers = (_errors(scores, is_spam) for scores in (ours, theirs))
        yield Row(f"{name}, errors of {len(rows):,}", str(mine), "bogofilter", str(peers), peers / max(mine, 1), 1)


def learned() -> Iterator[Row]:
    """A Maildir of the four users' 10,122 messages, learned from the first to the last."""
    check()
    with TemporaryDirectory() as place:
        count = _maildir(Path(place, "mail"))
        times, worked = [], []
        for turn in range(3):
            filer = Filer(Maildir(Path(place, "mail")), opened(Path(place, f"{turn}.sqlite")))
            start, used = monotonic(), process_time()
            assert filer.learn().learned == count
            times.append(monotonic() - start)
            worked.append(process_time() - used)
            filer.database.close()
    rate = count / min(times)
    yield Row("Maildir learned", f"{rate:,.0f} messages/s", "what is wanted", "2,000", rate / 2000, 1)
    rate = count / min(worked)  # the processor time of all cores does not depend on other work of the machine
    yield Row("the same, by processor time", f"{rate:,.0f} messages/s", "", "", 1.0)


def watched() -> Iterator[Row]:
    """`likely mail watch` on that Maildir: the time from arrival to filing of a message, and the memory."""
    check()
    with TemporaryDirectory() as place:
        mail = Path(place, "mail")
        _maildir(mail)
        arguments = ["mail", "watch", str(mail), "--home", place, "--move", "--json", "--precision", "0.5"]
        program = [sys.executable, "-c", "from likely.cli import main; main()"]
        filer = Filer(Maildir(mail), opened(_path(mail, place)))
        filer.learn()
        filer.database.close()
        with subprocess.Popen([*program, *arguments], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert json.loads(process.stdout.readline())["event"] == "learned"
            times = []
            for number in range(10):
                raw = next(messages(FOLDER / "enron-folders" / f"{USERS[number % 4]}.tar.gz")).raw
                (mail / "tmp" / str(number)).write_bytes(raw)
                start = monotonic()
                (mail / "tmp" / str(number)).rename(mail / "new" / f"{number}.new")
                assert json.loads(process.stdout.readline())["event"] == "filed"
                times.append(monotonic() - start)
            status = Path(f"/proc/{process.pid}/status").read_text()
            process.terminate()
    peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]
    worst = max(times)
    yield Row("message to filed, the slowest of 10", f"{worst:.2f} s", "what is wanted", "1 s", 1 / worst, 1)
    yield Row("memory of the watch, at most", f"{peak:.0f} MB", "what is wanted", "150 MB", 150 / peak, 1)


def _one_by_one(model: Any, counts: Any, y: Any, folders: int) -> Any:
    """The guess of each message, -1 for the first."""
    best = np.full(len(y), -1)
    for row in range(len(y)):
        if row:
            best[row] = model.predict(counts[row])[0]
        model.partial_fit(counts[row], y[row : row + 1], classes=np.arange(folders))
    return best


def _refitted(counts: Any, y: Any) -> Any:
    """The guess of each message, -1 for the first."""
    best = np.full(len(y), -1)
    for point in range(NEXT, len(y), NEXT):
        tfidf = TfidfTransformer().fit(counts[:point])
        model = LinearSVC().fit(tfidf.transform(counts[:point]), y[:point])
        after = slice(point, point + NEXT)
        best[after] = model.predict(tfidf.transform(counts[after]))
    return best


def _errors(scores: Any, is_spam: Any) -> int:
    """The errors at the threshold at which at most 0.5 % of the ham is predicted as spam."""
    ham = np.sort(scores[~is_spam])
    threshold = ham[int(np.ceil(KEPT * len(ham))) - 1]
    return int(np.sum(scores[~is_spam] > threshold) + np.sum(scores[is_spam] <= threshold))


def _bogofilter(train: list[bytes], is_spam: Any, test: list[bytes]) -> Any:
    """Its scores."""
    from bench.mail import _boxed

    with TemporaryDirectory() as words:
        call = ["bogofilter", "-C", "-d", words, "-M"]
        for learn, of in (("-n", False), ("-s", True)):
            mbox = b"".join(_boxed(raw) for raw, own in zip(train, is_spam, strict=True) if own == of)
            subprocess.run([*call, learn], input=mbox, check=False)
        mbox = b"".join(map(_boxed, test))
        told = subprocess.run([*call, "-T", "-T"], input=mbox, stdout=subprocess.PIPE, check=False).stdout.split()
    return np.array(told, float)


def _maildir(root: Path) -> int:
    count = 0
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True)
    for user in USERS:
        for letter in letters_of(user):
            folder = root / letter.folder.replace(".", "_")
            if not folder.exists():
                for part in ("cur", "new", "tmp"):
                    (folder / part).mkdir(parents=True)
            (folder / "cur" / f"{count}.host:2,S").write_bytes(letter.raw)
            count += 1
    return count


def _path(mail: Path, home: str) -> Path:
    from likely.mail.database import path_for

    return path_for(str(mail.resolve()), Path(home))


BENCHES: dict[str, Callable[[], Iterator[Row]]] = {
    "immediate": immediate,
    "batches": batches,
    "plain_texts": plain_texts,
    "blend": blend,
    "promise": promise,
    "made_accounts": made_accounts,
    "practice": practice,
    "drift": drift,
    "confidence": confidence,
    "spam": spam,
    "spam_streams": spam_streams,
    "learned": learned,
    "watched": watched,
    "remote": remote,
    "soak": soak,
}
