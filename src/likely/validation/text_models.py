"""Compares naive Bayes and the blend on the same held-out texts, with one fit of each.

The blend of texts holds out rows for its calibration anyway, and has the leave-one-out scores of naive Bayes for them,
so the comparison needs no further fit. For 4 MB of texts it takes 0.1 to 2 s of processor time; Reuters R52 with its 52
classes takes the most.
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
"""The most texts, and the most bytes of texts, to compare on."""
NAIVE_BAYES, BLEND = "naive Bayes", "blend"


def text_models(model: NaiveBayesModel, sample: Sample) -> dict[str, Result]:
    """The results of naive Bayes (leave-one-out) and of the blend, on texts that were used neither to learn its margins
    nor to choose its scales. All columns are texts. Empty if there is only one class.
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
    """Sentences that recommend the blend, if it is right more often than naive Bayes by more than chance; else
    empty."""
    if not results:
        return ""
    counted, blend = results[NAIVE_BAYES], results[BLEND]
    more, half = ahead(~counted.right, ~blend.right, blend.weight)
    if not more > half:
        return ""
    how = blend.how.removeprefix(f"{BLEND}, ")
    return (
        f"The blend is right {100 * more:.1f} ± {100 * half:.1f} points more often: it predicts "
        f"{percent(1 - blend.error)} of {how} right, naive Bayes {percent(1 - counted.error)}. Fit it with "
        "`--model blend`; unlike naive Bayes, it can't learn, forget or merge rows later."
    )
