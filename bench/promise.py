"""How well a filer keeps what it promises, and how sure it is."""

from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from bench.corpora import USERS
from bench.data import check
from bench.histories import history_of, shuffled, spam_sets
from bench.table import Row
from likely.data import encode_target
from likely.mail import confidence
from likely.mail.confidence import STEP, WARM, Guesses, filed, foretold
from likely.mail.history import History
from likely.mail.model import MailModel
from likely.mail.replay import replay
from likely.validation.risk import risk

IN_HINDSIGHT = (0.95, 0.97, 0.99)
WHAT = (*(f"filed at {wanted:.0%} in hindsight" for wanted in IN_HINDSIGHT), "filed at 97% foretold", "right of these")


def promise() -> Iterator[Row]:
    """The share filed at a precision promised, its threshold from the past alone, and the precision that came.

    Where nearly all is guessed right, what comes is better than promised, whatever the threshold: then it is judged by
    the precision of a prophet who keeps the promise.
    """
    check()
    for user in USERS:
        history, y, folders = history_of(user)
        guesses = replay(history.mail, y, len(folders)).guesses
        sure = foretold(guesses)
        for wanted in (0.95, 0.97):
            moved = filed(sure, wanted)
            came, prophet = guesses.right[moved].mean(), _prophet(guesses.right, wanted)
            off = max(wanted - came, came - prophet, 0.0)
            yield Row(
                f"{user}, filed",
                f"{moved.mean():.1%} at {came:.1%}",
                "promised",
                f"{wanted:.0%}",
                0.015 / max(off, 1e-3),
                1,
                f"{100 * (came - wanted):+.1f} points; a prophet's {prophet:.1%}",
            )


def _prophet(right: NDArray[np.bool], wanted: float) -> float:
    """The precision of one who knows each guess to be right or wrong, files all right ones, and as many wrong ones as
    leave the precision of all filed so far where it was promised. Later mail that is guessed better lifts it."""
    good = bad = 0
    for one in right[WARM:]:
        good += int(one)
        bad += int(not one and bad + 1 <= (1 - wanted) * (good + bad + 1))
    return good / (good + bad)


def practice() -> Iterator[Row]:
    """The first half learned, and the second filed at 97 % as it comes, beside what replay told of it.

    There are 25 messages between two lessons; `likely mail prove` learns each before the next.
    """
    check()
    for user in USERS:
        history, y, folders = history_of(user)
        guesses = replay(history.mail, y, len(folders)).guesses
        second = slice(len(y) // 2, len(y))
        told = filed(foretold(guesses), 0.97)[second], guesses.right[second]
        mine, theirs = (
            f"{moved.mean():.1%} at {right[moved].mean():.1%}" for moved, right in (_as_it_comes(history), told)
        )
        yield Row(f"{user}, second half filed", mine, "replayed", theirs, 1.0)


def _as_it_comes(history: History) -> tuple[NDArray[np.bool], NDArray[np.bool]]:
    """Which of the second half were filed, and which guessed right."""
    model, moved, right = MailModel.of(history.of(range(len(history) // 2))), [], []
    for start in range(len(history) // 2, len(history), STEP):
        part = history.of(range(start, min(start + STEP, len(history))))
        names, chances = model.chances(part.mail, set(model.folders))
        moved.append(model.sure(names, chances) >= model.threshold(0.97))
        right.append(np.array(names, object)[chances.argmax(axis=1)] == np.array(part.folders, object))
        model = model.with_guesses(part).with_learned(part)
    return np.concatenate(moved), np.concatenate(right)


def product() -> Iterator[Row]:
    """How sure it is with the product of odds and messages seen, which was chosen on first halves, and without it."""
    check()
    told = np.array([_halves(guesses) for guesses in _all_guesses()])
    with patch.object(confidence, "PULL", np.array([*confidence.PULL[:3], 1e9])):
        without = np.array([_halves(guesses) for guesses in _all_guesses()])
    for half, name in enumerate(("first halves", "second halves")):
        mine, alone = (part[:, half].mean(axis=0) for part in (told, without))
        yield Row(f"{name}, log loss, all", f"{mine[0]:.4f}", "without", f"{alone[0]:.4f}", alone[0] / mine[0])
        mine, alone = (part[: len(USERS), half].mean(axis=0) for part in (told, without))
        for what, own, other in zip(WHAT, mine[1:], alone[1:], strict=True):
            yield Row(f"{name}, the four, {what}", f"{own:.3f}", "without", f"{other:.3f}", own / other)


def _halves(guesses: Guesses) -> list[list[float]]:
    sure = foretold(guesses)
    moved, middle, out = filed(sure, 0.97), len(sure) // 2, []
    for half in (slice(WARM, middle), slice(middle, len(sure))):
        own, right = np.clip(sure[half], 1e-4, 1 - 1e-4), guesses.right[half]
        reached = risk(sure[half], right)
        shares = [reached.coverage[reached.precision >= wanted].max(initial=0.0) for wanted in IN_HINDSIGHT]
        loss = -np.log(np.where(right, own, 1 - own)).mean()
        out.append([loss, *shares, moved[half].mean(), right[moved[half]].mean()])
    return out


@cache
def _all_guesses() -> list[Guesses]:
    """Of the four users, then of the sets of spam in an order by chance."""
    histories = [history_of(user)[0] for user in USERS] + [shuffled(raws, labels) for _, raws, labels in spam_sets()]
    found = []
    for history in histories:
        folders, y = encode_target(history.folders)
        found.append(replay(history.mail, y, len(folders)).guesses)
    return found
