"""From naive Bayes on to logistic regression, a step for each message.

Scores are those of naive Bayes plus W T(x). W starts at 0, which is naive Bayes. Once a message was predicted and its
folder is known, W takes a step down the gradient of -log p(folder | message), by AdaGrad: the steps of a weight shrink
as the squares of its gradients add up. The length of the first step blends naive Bayes and logistic regression:
replay chooses it by the log loss of messages not yet learned, and 0 where none pays. `python -m bench filing --only
blend` compares it with naive Bayes alone, and with the same blend refitted now and then
(`shrink_to="naive_bayes"`), which people outrun as they change how they file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely import _native
from likely.families.family import Reason
from likely.mail.reading import COLUMNS, texts_of, tokens
from likely.models.explain import Reasons
from likely.optimize.softmax.problem import Array
from likely.text import Texts, Tokens

Codes = NDArray[np.int32]
Weights = NDArray[np.float32]

RATES = (0.0, 0.3, 1.0)
"""Lengths of steps to choose from; 0.1 was chosen for none of seven people."""

BUCKETS = 2**13
"""Places that the tokens of each of the two texts share, so that memory is bounded, whatever words come. On those four
users as good as a place for each: accuracy 0.869 and 0.869, log loss 0.485 and 0.484."""

LEAST = 0.01
"""Slopes below it are passed over: nearly all folders of nearly all messages, for 0.003 more of log loss."""


class Features(NamedTuple):
    """T(x) of messages: where the tokens of each start, their buckets, and how much each counts."""

    starts: NDArray[np.int64]
    buckets: NDArray[np.int32]
    times: Array


def features(mail: pa.Table, pairs: bool) -> Features:
    parts = [how.rows(texts_of(mail, column), None)[1:] for column, how in _hashed(pairs).items()]
    owners = np.concatenate([np.repeat(np.arange(mail.num_rows), np.diff(starts)) for starts, _, _ in parts])
    order = np.argsort(owners, kind="stable")
    buckets = np.concatenate([at * BUCKETS + columns for at, (_, columns, _) in enumerate(parts)])
    times = np.concatenate([times for _, _, times in parts])
    starts = np.sum([starts for starts, _, _ in parts], axis=0)
    return Features(starts.astype(np.int64), buckets[order].astype(np.int32), times[order])


def _hashed(pairs: bool) -> dict[str, Tokens]:
    return {column: replace(how, hashing=BUCKETS) for column, how in tokens(pairs).items()}


def no_weights(folders: int) -> Weights:
    """The weights that are naive Bayes."""
    return np.zeros((len(COLUMNS) * BUCKETS, 2, folders), np.float32)


def step(rows: Features, y: Codes, rate: float, weights: Weights, scores: Array) -> None:
    """Adds to the scores what the weights add, each message in turn; and steps with the weights after each."""
    _native.step_texts(*rows, y, rate, LEAST, weights, scores)


@dataclass(frozen=True)
class OnlineBlend:
    """A value: what steps gives another."""

    folders: tuple[str, ...]
    weights: Weights
    """A row for each bucket of the first text, then of the second; in it the weight of each folder, and then the sum of
    squares of its slopes."""
    rate: float

    def among(self, folders: Sequence[str]) -> Self:
        """With a column for each of these; those of new folders are 0."""
        if tuple(folders) == self.folders:
            return self
        at = {name: column for column, name in enumerate(self.folders)}
        weights = no_weights(len(folders))
        for column, name in enumerate(folders):
            if name in at:
                weights[:, :, column] = self.weights[:, :, at[name]]
        return replace(self, folders=tuple(folders), weights=weights)

    def added(self, mail: pa.Table, pairs: bool, scores: Array) -> Array:
        """Scores of messages with what the weights add to naive Bayes."""
        scores = scores.copy()
        step(features(mail, pairs), np.zeros(len(scores), np.int32), 0.0, self.weights, scores)
        return scores

    def stepped(self, mail: pa.Table, pairs: bool, y: Codes, scores: Array) -> Self:
        """After a step for each message, with the scores that naive Bayes had before it learned them."""
        weights = self.weights.copy()
        step(features(mail, pairs), y, self.rate, weights, scores.copy())
        return replace(self, weights=weights)

    def reasons(self, mail: pa.Table, pairs: bool, of: Reasons) -> Reasons:
        """The reasons of naive Bayes for one message, each token with what its weights add; they sum to its scores."""
        added: dict[str, Array] = {}
        for at, (column, how) in enumerate(tokens(pairs).items()):
            words, _, numbers, times = how.rows(texts_of(mail, column), None)
            names = [words[number] for number in numbers]
            for name, bucket, x in zip(names, _buckets(names, how), times, strict=True):
                added[f"{column}: {name}"] = x * self.weights[at * BUCKETS + bucket, 0]
        listed = [
            Reason(reason.column, reason.value, reason.contributions + added.get(reason.column, 0.0))
            for reason in of.reasons
        ]
        scores = self.added(mail, pairs, of.scores[None])[0]
        rest = scores - np.sum([of.prior, *(reason.contributions for reason in listed)], axis=0)
        return replace(of, reasons=[*listed, Reason("words not counted yet", "", rest)])


def _buckets(names: list[str], how: Tokens) -> list[int]:
    """Of each token by itself: a pair is read as one."""
    found = []
    for name in names:
        size = 1 if how.whole else name.count(" ") + 1
        alone = replace(how, ngrams=(size, size), hashing=BUCKETS)
        found.append(int(alone.rows(Texts.of((name,)), None)[2][0]))
    return found
