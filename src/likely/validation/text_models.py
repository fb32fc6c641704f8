"""Naive Bayes and the blend on texts, judged by the same held-out texts in one fit of each.

The blend of texts already holds rows out to be calibrated by, and has the leave-one-out scores of naive Bayes for
them: to compare both costs no further fit. Of 4 MB of texts that takes 0.1 to 2 s of processor time, the most on
Reuters R52 with its 52 classes.
"""

import numpy as np

from likely import _native
from likely.data import Sample
from likely.models.logistic.stacking import stacked
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import percent
from likely.validation.recommended import ahead
from likely.validation.result import Result

ROWS, BYTES = 10_000, 4 << 20
"""The most texts, and the most bytes of them, to compare by."""
NAIVE_BAYES, BLEND = "naive Bayes", "blend"


def text_models(model: NaiveBayesModel, sample: Sample) -> dict[str, Result]:
    """The results of naive Bayes, leave-one-out, and of the blend, for texts that its margins have not learned and that
    had no part in its scales. All columns are texts; empty if they are of one class.
    """
    most = min(ROWS, BYTES // max(sample.table.row_bytes, 1))
    some = sample.take(np.sort(np.random.default_rng(0).permutation(len(sample))[:most])).known()
    if len(some.classes) < 2:
        return {}
    generative = model.fit(some)
    kept = stacked(some, generative, None, "indicate", None).held_out
    scores = np.zeros((len(kept.rows), len(some.classes)))
    scores[:, -kept.margins.shape[1] :] = kept.scores()
    _native.normalise(scores, np.zeros(len(some.classes)), True)
    counted = generative.loo_proba(some, generative.loo_scores(some), log=True)[kept.rows]
    how = f"{len(kept.rows):,} held-out texts"
    weight = None if some.weight is None else kept.weight

    def result(name: str, log_p: np.ndarray) -> Result:
        answers = log_p.argmax(axis=1).astype(np.int32)
        return Result(f"{name}, {how}", some.classes, kept.rows, kept.y, answers, log_p, weight)

    return {NAIVE_BAYES: result(NAIVE_BAYES, counted), BLEND: result(BLEND, scores)}


def advice(results: dict[str, Result]) -> str:
    """What to know where naive Bayes was fitted and the blend is right more often, by more than chance; else empty."""
    if not results:
        return ""
    counted, blend = results[NAIVE_BAYES], results[BLEND]
    more, half = ahead(~counted.right, ~blend.right, blend.weight)
    if not more > half:
        return ""
    how = blend.how.removeprefix(f"{BLEND}, ")
    return (
        f"The blend is right {100 * more:.1f} ± {100 * half:.1f} points more often: it predicts "
        f"{percent(1 - blend.error)} of {how} right, naive Bayes {percent(1 - counted.error)}. `--model blend` fits "
        "it; it can't learn, forget or merge rows later, as naive Bayes can."
    )
