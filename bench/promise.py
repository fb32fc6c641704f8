"""How well a filer keeps what it promises, and how sure it is."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bench.corpora import USERS, WITH_MANY_FOLDERS
from bench.data import check
from bench.histories import history_of, shuffled, spam_sets
from bench.table import Row
from likely.data import encode_target
from likely.mail import folder_records
from likely.mail.confidence import STEP, Guesses, foretold
from likely.mail.history import History
from likely.mail.model import MailModel
from likely.mail.promise import WARM, filed
from likely.mail.replay import replay
from likely.validation.risk import risk

PROMISED = (0.95, 0.97)
BELOW = 0.01
"""How far below what was promised a share may be."""
ALL = (*USERS, *WITH_MANY_FOLDERS)
SUCCESSIONS = (("kean-s", "taylor-m"), ("germany-c", "farmer-d"), ("sanders-r", "lokay-m"))


def promise() -> Iterator[Row]:
    """The share filed at a precision promised, its threshold from the past alone, and the precision that came: of all
    messages, and of the second half.

    Where nearly all is guessed right, what comes is better than promised, whatever the threshold: then it is judged by
    the precision of a prophet who keeps the promise.
    """
    check()
    for user in ALL:
        guesses = _guesses_of(user)
        sure = foretold(guesses)
        for wanted in PROMISED:
            moved = filed(sure, guesses.right, wanted)
            for half, part in (("", slice(None)), (", second half", slice(len(sure) // 2, None))):
                yield _kept(f"{user}{half}, filed", moved[part], guesses.right[part], wanted)


def drift() -> Iterator[Row]:
    """The same of accounts that change: the mail of one person, and then that of another; and halves of the folders of
    one, by chance. Of so many accounts the shares that broke the promise, among those that filed 50 messages or more.
    """
    check()
    for kind, accounts in (("one after the other", _successions()), ("some folders", _parts())):
        guessed = [replay(one.mail, *_codes(one), letters=one.letters).guesses for one in accounts]
        sure = [foretold(guesses) for guesses in guessed]
        for wanted in PROMISED:
            moved = [filed(one, guesses.right, wanted) for one, guesses in zip(sure, guessed, strict=True)]
            enough = [guesses.right[own] for own, guesses in zip(moved, guessed, strict=True) if own.sum() >= 50]
            broken = np.mean([right.mean() < wanted - BELOW for right in enough])
            yield Row(
                f"{len(enough)} accounts, {kind}: broken",
                f"{broken:.0%}, {np.mean([own.mean() for own in moved]):.1%} filed",
                "promised",
                f"{wanted:.0%}",
                1.0,
                None,
                f"at worst {100 * min(right.mean() - wanted for right in enough):+.1f} points",
            )


def _kept(name: str, moved: NDArray[np.bool], right: NDArray[np.bool], wanted: float) -> Row:
    came, prophet = right[moved].mean(), _prophet(right, wanted)
    off = max(wanted - came, 0.0)
    told = f"{100 * (came - wanted):+.1f} points; a prophet's {prophet:.1%}"
    return Row(name, f"{moved.mean():.1%} at {came:.1%}", "promised", f"{wanted:.0%}", BELOW / max(off, 1e-3), 1, told)


def _prophet(right: NDArray[np.bool], wanted: float) -> float:
    """The precision of one who knows each guess to be right or wrong, files all right ones, and as many wrong ones as
    leave the precision of all filed so far where it was promised. Later mail that is guessed better lifts it."""
    good = bad = 0
    for one in right[WARM:]:
        good += int(one)
        bad += int(not one and bad + 1 <= (1 - wanted) * (good + bad + 1))
    return good / (good + bad)


def practice() -> Iterator[Row]:
    """The first half learned, and the second filed at 97 % as it comes, compared with what replay shows of it.

    There are 25 messages between two lessons; `likely mail prove` learns each before the next.
    """
    check()
    for user in USERS:
        history, guesses = history_of(user)[0], _guesses_of(user)
        second = slice(len(guesses) // 2, len(guesses))
        told = filed(foretold(guesses), guesses.right, 0.97)[second], guesses.right[second]
        mine, theirs = (
            f"{moved.mean():.1%} at {right[moved].mean():.1%}" for moved, right in (_as_it_comes(history), told)
        )
        yield Row(f"{user}, second half filed", mine, "replayed", theirs, 1.0)


def _as_it_comes(history: History) -> tuple[NDArray[np.bool], NDArray[np.bool]]:
    """Which of the second half were filed, and which guessed right."""
    model, moved = MailModel.of(history.of(range(len(history) // 2))), []
    for start in range(len(history) // 2, len(history), STEP):
        part = history.of(range(start, min(start + STEP, len(history))))
        names, odds = model.odds(part.mail, set(model.folders))
        moved.append(model.sure(names, odds) >= model.threshold(0.97))
        model = model.with_guesses(part).with_learned(part)
    return np.concatenate(moved), model.guesses.right[len(history) // 2 :]


def confidence() -> Iterator[Row]:
    """The log loss of confidence, and what it files in hindsight, with the records of folders and without; and with
    records that never fade."""
    check()
    ours = _judged(_all_guesses())
    with patch.object(folder_records, "FADING", 1.0):
        _all_guesses.cache_clear()
        unfading = _judged(_all_guesses())
    _all_guesses.cache_clear()
    without = _judged([replace(one, record=0 * one.record, idle=0 * one.idle) for one in _all_guesses()])
    for name, theirs in (("records that never fade", unfading), ("no records", without)):
        yield Row("log loss of confidence", f"{ours[0]:.4f}", name, f"{theirs[0]:.4f}", theirs[0] / ours[0])
        for wanted, mine, other in zip(PROMISED, ours[1:], theirs[1:], strict=True):
            yield Row(f"filed at {wanted:.0%} in hindsight", f"{mine:.3f}", name, f"{other:.3f}", mine / other)


def _judged(guessed: list[Guesses]) -> NDArray[np.float64]:
    figures = []
    for guesses in guessed:
        sure, right = foretold(guesses)[WARM:], guesses.right[WARM:]
        own = np.clip(sure, 1e-9, 1 - 1e-9)
        shares = [risk(sure, right).at_precision(wanted).coverage for wanted in PROMISED]
        figures.append([-np.log(np.where(right, own, 1 - own)).mean(), *shares])
    return np.mean(figures, axis=0)


@cache
def _all_guesses() -> list[Guesses]:
    """Of the seven users, then of the sets of spam in an order by chance."""
    histories = [history_of(user)[0] for user in ALL] + [shuffled(raws, labels) for _, raws, labels in spam_sets()]
    return [replay(history.mail, *_codes(history), letters=history.letters).guesses for history in histories]


def _guesses_of(user: str) -> Guesses:
    history, y, folders = history_of(user)
    return replay(history.mail, y, len(folders), letters=history.letters).guesses


def _codes(history: History) -> tuple[NDArray[np.int32], int]:
    folders, y = encode_target(history.folders)
    return y, len(folders)


def _successions() -> Iterator[History]:
    for pair in SUCCESSIONS:
        for first, then in (pair, pair[::-1]):
            one, other = history_of(first)[0], history_of(then)[0]
            yield History(one.entries + other.entries, pa.concat_tables([one.mail, other.mail]))


def _parts() -> Iterator[History]:
    rng = np.random.default_rng(1)
    for user in ALL:
        history, y, folders = history_of(user)
        for _ in range(5):
            some = rng.permutation(len(folders))[: len(folders) // 2]
            yield history.of(np.flatnonzero(np.isin(y, some)).tolist())
