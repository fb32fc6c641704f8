"""Steps beside naive Bayes: features in buckets, folders that come, and reasons."""

from dataclasses import replace

import numpy as np
import pytest

from likely.mail.account import Letter
from likely.mail.history import History
from likely.mail.model import MailModel
from likely.mail.online_blend import BUCKETS, OnlineBlend, features, no_weights
from likely.mail.reading import COLUMNS, texts_of, tokens

from .letters import mixed

HISTORY = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(60)))
MAIL = HISTORY.mail[:20]


def blended(pairs):
    """With a weight of its own for each bucket and folder."""
    model = MailModel(pairs=pairs).with_learned(HISTORY)
    weights = np.random.default_rng(0).normal(size=no_weights(3).shape).astype(np.float32)
    return replace(model, blend=OnlineBlend(tuple(model.folders), weights, 0.3))


@pytest.mark.parametrize("pairs", [False, True])
def test_features_are_the_tokens_of_both_texts(pairs):
    rows = features(MAIL, pairs)
    dense = np.zeros((len(MAIL), len(COLUMNS) * BUCKETS))
    for row in range(len(MAIL)):
        cells = slice(rows.starts[row], rows.starts[row + 1])
        np.add.at(dense[row], rows.buckets[cells], rows.times[cells])
    for at, (column, how) in enumerate(tokens(pairs).items()):
        expected = replace(how, hashing=BUCKETS).matrix(texts_of(MAIL, column))[0].toarray()
        np.testing.assert_allclose(dense[:, at * BUCKETS : (at + 1) * BUCKETS], expected, rtol=1e-6, atol=1e-12)


def test_folders_keep_their_weights_as_others_come():
    blend = blended(False).blend
    wider = blend.among(["Boats", *blend.folders[::-1]])
    assert not wider.weights[..., 0].any()
    assert (wider.weights[..., :0:-1] == blend.weights).all()
    assert blend.among(blend.folders) is blend


@pytest.mark.parametrize("pairs", [False, True])
def test_reasons_sum_to_the_scores(pairs):
    """And each word has what its own bucket adds."""
    model = blended(pairs)
    reasons = model.reasons(MAIL)
    assert reasons.scores == pytest.approx(model.scores(MAIL)[0])
    plain = {reason.column: reason.contributions for reason in replace(model, blend=None).reasons(MAIL).reasons}
    changed = [r.column for r in reasons.reasons if r.column in plain and (r.contributions != plain[r.column]).all()]
    words = sum(len(how.of(MAIL[column][0].as_py())) for column, how in tokens(pairs).items())
    assert len(changed) == words
    assert abs(reasons.reasons[-1].contributions).max() < 1e-5  # all words are known: what is left is rounding
