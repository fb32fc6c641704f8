"""Spam in a stream, each message guessed and then learned: ours and bogofilter's scores for the same messages."""

import shutil
import subprocess
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from bench.data import check
from bench.histories import shuffled, spam_sets
from bench.table import Row
from likely.mail.replay import replay, worth_pairs

HAM_LOST = 0.001
"""Of the ham, at which spam that is missed is counted."""


def spam_streams() -> Iterator[Row]:
    """SpamAssassin and Enron-Spam 1, 4 and 6 in an order by chance, with immediate feedback: errors, 1 - AUC, and the
    spam missed where 0.1 % of the ham is lost, vs. bogofilter."""
    check()
    if shutil.which("bogofilter") is None:
        print("left out: bogofilter is not installed; on Debian, apt-get install bogofilter")
        return
    for name, raws, labels in spam_sets():
        history = shuffled(raws, labels)
        is_spam = np.array(history.folders) == "spam"
        y = is_spam.astype(np.int32)
        past = replay(history.mail, y, 2, pairs=worth_pairs(history.mail, y, 2))
        ours = np.where(past.best == 1, past.guesses.odds, -past.guesses.odds)
        ours[~np.isfinite(ours)] = 0.0  # as long as there was one class alone, or none
        theirs = _bogofilter([raws[int(entry.key)] for entry in history.entries], is_spam)
        figures = zip(*(_figures(*each, is_spam) for each in ((ours, 0.0), (theirs, 0.5))), strict=True)
        whats = f"errors of {len(y):,}", "1 - AUC, %", f"of {is_spam.sum():,} spam missed, 0.1 % of ham lost"
        for what, (mine, peers) in zip(whats, figures, strict=True):
            yield Row(f"{name}, {what}", f"{mine:.4g}", "bogofilter", f"{peers:.4g}", peers / max(mine, 1e-9), 1)


def _figures(scores: Any, limit: float, is_spam: Any) -> tuple[float, float, float]:
    errors = int(np.sum((scores > limit) != is_spam))
    allowed = np.sort(scores[~is_spam])[::-1][int(HAM_LOST * np.sum(~is_spam))]
    missed = int(np.sum(scores[is_spam] <= allowed))
    return errors, 100 * (1 - float(roc_auc_score(is_spam, scores))), missed


def _bogofilter(raws: list[bytes], is_spam: Any) -> Any:
    """Its score of each message before it learns it; what it can't score is 0.5."""
    scores = np.full(len(raws), 0.5)
    with TemporaryDirectory() as words:
        call = ["bogofilter", "-C", "-d", words]
        for at, (raw, spam) in enumerate(zip(raws, is_spam, strict=True)):
            if at:
                found = subprocess.run([*call, "-T", "-T"], input=raw, stdout=subprocess.PIPE, check=False).stdout
                scores[at] = float(found.split()[-1]) if found.split() else 0.5
            subprocess.run([*call, "-s" if spam else "-n"], input=raw, check=False)
    return scores
