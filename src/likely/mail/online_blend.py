"""The blend of naive Bayes and logistic regression, learned online: one gradient step for each message.

The scores are those of naive Bayes plus W T(x). W starts at 0, which is naive Bayes. Once the folder of a message is
known, W takes a step down the gradient of -log p(folder | message), by AdaGrad: the steps of a weight get shorter as
the squares of its gradients add up. The learning rate sets how far the blend moves from naive Bayes to logistic
regression. Replay chooses it by the log loss of messages not yet learned; it is 0 if no other rate helps. `python -m
bench filing --only blend` compares it with naive Bayes alone, and with the blend refitted from time to time
(`shrink_to="naive_bayes"`), which is too slow for people who change how they file.
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
"""The learning rates to choose from; 0.1 was chosen for none of seven people."""

BUCKETS = 2**13
"""How many hash buckets the tokens of each of the two texts share, so that memory is bounded. On four users as good as
a weight for each token: accuracy 0.869 and 0.869, log loss 0.485 and 0.484."""

LEAST = 0.01
"""Gradients below it are skipped: these are nearly all folders of nearly all messages, and it adds 0.003 to the log
loss."""


class Features(NamedTuple):
    """T(x) of messages, as a sparse matrix in CSR form."""

    starts: NDArray[np.int64]
    """Where the tokens of each message start, and where the last ones end."""
    buckets: NDArray[np.int32]
    times: Array
    """How much each token counts."""


def features(mail: pa.Table, pairs: bool) -> Features:
    parts = [how.rows(texts_of(mail, column), None)[1:] for column, how in _hashed(pairs).items()]
    message = np.concatenate([np.repeat(np.arange(mail.num_rows), np.diff(starts)) for starts, _, _ in parts])
    order = np.argsort(message, kind="stable")
    buckets = np.concatenate([at * BUCKETS + columns for at, (_, columns, _) in enumerate(parts)])
    times = np.concatenate([times for _, _, times in parts])
    starts = np.sum([starts for starts, _, _ in parts], axis=0)
    return Features(starts.astype(np.int64), buckets[order].astype(np.int32), times[order])


def _hashed(pairs: bool) -> dict[str, Tokens]:
    return {column: replace(how, hashing=BUCKETS) for column, how in tokens(pairs).items()}


def no_weights(folders: int) -> Weights:
    """Weights of 0, with which the blend is naive Bayes."""
    return np.zeros((len(COLUMNS) * BUCKETS, 2, folders), np.float32)


def step(rows: Features, y: Codes, rate: float, weights: Weights, scores: Array) -> None:
    """Changes `scores` and `weights` in place, message by message: adds W T(x) to the scores of the message, then takes
    a gradient step with its folder `y`. With a `rate` of 0, the weights stay as they are."""
    _native.step_texts(*rows, y, rate, LEAST, weights, scores)


@dataclass(frozen=True)
class OnlineBlend:
    """Immutable: `stepped` returns a new one."""

    folders: tuple[str, ...]
    weights: Weights
    """Of shape (buckets of the first text and then of the second, 2, folders): [:, 0] are the weights, [:, 1] the sums
    of their squared gradients."""
    rate: float
    """The learning rate."""

    def among(self, folders: Sequence[str]) -> Self:
        """The blend with a column for each of these folders; the weights of new folders are 0."""
        if tuple(folders) == self.folders:
            return self
        at = {name: column for column, name in enumerate(self.folders)}
        weights = no_weights(len(folders))
        for column, name in enumerate(folders):
            if name in at:
                weights[:, :, column] = self.weights[:, :, at[name]]
        return replace(self, folders=tuple(folders), weights=weights)

    def added(self, mail: pa.Table, pairs: bool, scores: Array) -> Array:
        """The scores of the blend, from the scores of naive Bayes."""
        scores = scores.copy()
        step(features(mail, pairs), np.zeros(len(scores), np.int32), 0.0, self.weights, scores)
        return scores

    def stepped(self, mail: pa.Table, pairs: bool, y: Codes, scores: Array) -> Self:
        """The blend after a step for each message. `scores` are those of naive Bayes before it learned them."""
        weights = self.weights.copy()
        step(features(mail, pairs), y, self.rate, weights, scores.copy())
        return replace(self, weights=weights)

    def reasons(self, mail: pa.Table, pairs: bool, of: Reasons) -> Reasons:
        """The reasons of naive Bayes for one message, with what the weights add for each token. They sum to the scores
        of the blend."""
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
    """The bucket of each token. A pair of words is hashed as one token."""
    buckets = []
    for name in names:
        size = 1 if how.whole else name.count(" ") + 1
        alone = replace(how, ngrams=(size, size), hashing=BUCKETS)
        buckets.append(int(alone.rows(Texts.of((name,)), None)[2][0]))
    return buckets
