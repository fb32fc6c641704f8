"""The pseudo-count and the scale of texts: chosen by leave-one-out log loss, against a search through all
that refits without each text."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from likely import NaiveBayes, merge
from likely.families import Text
from likely.families.text import TUNING_ROWS
from likely.families.text_tuning import COUNTS, UNTUNED, TextTuning
from likely.priors import Laplace
from likely.statistics import Frame
from likely.text import Tokens

from ..threads import printed
from .blocks import counted
from .test_text import plain
from .texts import SOME, USUAL, WEIGHT, X, Y, as_said, at, each_kind, fitted, read_as

SCALES = np.arange(-5, 5.001, 0.01)


def drawn(seed, texts, classes=3, words=60, telling=0.5, burst=1.0, length=15):
    """Texts that share a topic with their class in part; with little `burst` the words of one come again in it."""
    rng = np.random.default_rng(seed)
    usual = rng.dirichlet(np.full(words, 0.5))
    of_class = (1 - telling) * usual + telling * rng.dirichlet(np.full(words, 0.5), classes)
    y = rng.choice(classes, texts, p=rng.dirichlet(np.full(classes, 5.0)))
    shares = [rng.dirichlet(burst * words * of_class[k] + 1e-3) for k in y]
    x = [" ".join(f"w{i}" for i in rng.choice(words, rng.poisson(length), p=share)) for share in shares]
    return x, y.astype(np.int32)


def tuned(x, y, classes, weight=None, family=None):
    family = Text() if family is None else family
    seen = read_as(x, y, classes, weight)
    return family.tuned(counted(family, seen), seen).tuned_to


def losses(x, y, classes, count, weight=None, known=None):
    """Of each scale: the mean leave-one-out log loss, one text of n + 2 being of another class; and what holds
    the two where they stood."""
    w = np.ones(len(x)) if weight is None else weight
    there = np.array([text is not None for text in x])
    rows = [i for i in range(len(x)) if w[(y == y[i]) & there].sum() > w[i] * (1 + 1e-9)]
    evidence = np.zeros((len(rows), classes))
    for row, i in enumerate(rows):
        others = np.arange(len(x)) != i
        part = at(x, others), y[others], classes, [x[i]], w[others]
        evidence[row] = plain(*part, known=known, tuning=TextTuning(count, 1.0), of=np.inf)[0]
    scores = np.exp(SCALES)[:, None, None] * evidence
    scores -= scores.max(axis=2, keepdims=True)
    scores -= np.log(np.exp(scores).sum(axis=2, keepdims=True))
    share = np.full((len(rows), classes), 1 / (len(rows) + 2) / (classes - 1))
    share[np.arange(len(rows)), y[rows]] = 1 - 1 / (len(rows) + 2)
    mean = -(scores * share).sum(axis=2) @ (w[rows] / w[rows].sum())
    return mean + 0.5 * (SCALES**2 + np.log(count / UNTUNED.pseudocount) ** 2) / len(rows)


CORPORA = {
    "three classes": (*drawn(1, 40), 3, None),
    "two classes": (*drawn(2, 30, 2, telling=0.8), 2, None),
    "weights": (*drawn(3, 40), 3, np.random.default_rng(3).choice([0.2, 1.0, 4.0], 40)),
    "bursts": (*drawn(4, 40, burst=0.05, length=40), 3, None),
    "little told": (*drawn(5, 40, telling=0.05), 3, None),
    "five classes, long": (*drawn(6, 50, 5, words=300, length=60), 5, None),
    "holes": (X, Y, 3, None),
    "holes and weights": (X, Y, 3, WEIGHT + 0.25),
}


@pytest.mark.parametrize(("x", "y", "classes", "weight"), CORPORA.values(), ids=CORPORA)
def test_what_is_chosen_has_the_least_leave_one_out_log_loss(x, y, classes, weight):
    """Of all: downhill there is one valley here."""
    by_count = np.array([losses(x, y, classes, count, weight) for count in COUNTS])
    least = by_count.min(axis=1)
    assert (np.diff(np.sign(np.diff(least))) >= 0).all()
    found = tuned(x, y, classes, weight)
    assert found.pseudocount == COUNTS[least.argmin()]
    assert abs(np.log(found.scale) - SCALES[by_count[least.argmin()].argmin()]) < 0.03


@pytest.mark.parametrize("strength", [0.02, 1.0])
def test_with_a_prior_given_only_the_scale_is_chosen(strength):
    x, y, classes, _ = CORPORA["three classes"]
    found = tuned(x, y, classes, family=Text(prior=Laplace(strength)))
    assert abs(np.log(found.scale) - SCALES[losses(x, y, classes, strength).argmin()]) < 0.03
    assert Text(prior=Laplace(strength), tuned_to=found).pseudocount == strength


def rare_and_common(rare, texts=200, classes=10):
    """Texts of common words that say little, by chance, and of one word that the class alone has, if it is rare; else
    of a common word that each class has more or less often."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, classes, texts).astype(np.int32)
    usual = rng.dirichlet(np.full(20, 1.0), classes)
    words = [[f"common{i}" for i in rng.choice(20, 30, p=usual[k] if not rare else usual[0])] for k in y]
    return [
        " ".join([*some, f"own{k}x{rng.integers(3)}"] if rare else some) for some, k in zip(words, y, strict=True)
    ], y


@pytest.mark.parametrize("rare", [True, False])
def test_idf_is_chosen_where_rare_words_tell_more(rare):
    x, y = rare_and_common(rare)
    found = tuned(x, y, 10)
    assert found.idf == rare
    assert not tuned(x[:99], y[:99], 10).idf  # so few decide nothing
    assert not tuned(
        x, y, 10, family=Text(tokens=Tokens())
    ).idf  # texts that are not rooted stay as they were asked for
    model = fitted(Text(tokens=USUAL), x, y)
    assert model.families_[0].tuned_to == found
    assert model.forget(x[:50], y[:50]).families_[0].tuned_to == found


def test_with_a_fixed_vocabulary_only_its_words_are_gone_by():
    by_count = np.array([losses(X, Y, 3, count, known=SOME) for count in COUNTS])
    count, scale = np.unravel_index(by_count.argmin(), by_count.shape)
    found = tuned(X, Y, 3, family=Text(vocabulary=SOME))
    assert found.pseudocount == COUNTS[count]
    assert abs(np.log(found.scale) - SCALES[scale]) < 0.03


def test_where_the_search_starts_does_not_matter():
    x, y, classes, _ = CORPORA["bursts"]
    assert tuned(x, y, classes) == tuned(x, y, classes, family=Text(tuned_to=TextTuning(1.0, 7.0)))


@each_kind
def test_other_families_of_words_choose_nothing_by_rows(kind):
    assert kind().tuning_rows(Frame([0])) == 0
    assert kind().chosen_by_rows(Frame([0])) == []
    assert fitted(kind()).families_[0] == kind()


# Few texts

FEW = {
    "one text": (["good day"], [0]),
    "one class": (["good day", "bad night", "good"], [0, 0, 0]),
    "each class once": (["good day", "bad night", "rain"], [0, 1, 2]),
    "two of one class": (["good day", "good night"], [0, 0]),
    "two and one": (["good day", "good sun", "bad night"], [0, 0, 1]),
    "six told apart": (["good day", "good sun", "good", "bad night", "bad rain", "bad"], [0, 0, 0, 1, 1, 1]),
    "six the wrong way round": (["aa", "bb", "cc", "aa", "bb", "cc"], [0, 0, 0, 1, 1, 1]),
    "all alike": (["good"] * 6, [0, 0, 0, 1, 1, 1]),
    "no word": (["", "a", "!", ""], [0, 0, 1, 1]),
    "nothing but holes": ([None, None, "good", None], [0, 0, 1, 1]),
    "no word comes again": (["aa", "bb", "cc", "dd"], [0, 0, 1, 1]),
}


@pytest.mark.parametrize(("x", "y"), FEW.values(), ids=FEW)
@pytest.mark.parametrize("weight", [None, 0.1, 10.0], ids=["rows", "light", "heavy"])
def test_few_texts_leave_both_about_where_they_stood(x, y, weight):
    weight = None if weight is None else np.full(len(x), weight)
    found = tuned(x, y, max(y) + 1, weight)
    assert COUNTS[0] <= found.pseudocount <= COUNTS[-1]
    assert np.exp(-4.9) < found.scale < np.exp(4.9)
    model = fitted(Text(tokens=USUAL), x, y, weight)
    assert np.isfinite(model.predict_proba([*x, "zebra", None])).all()
    assert model.families_[0].tuned_to == found


@pytest.mark.parametrize("name", ["one text", "one class", "each class once", "two of one class"])
def test_where_no_class_can_be_told_both_stay(name):
    x, y = FEW[name]
    assert tuned(x, y, max(y) + 1) == UNTUNED


def test_one_text_is_enough():
    model = NaiveBayes().fit(["good day"], ["a"])
    assert_array_equal(model.predict_proba(["good", "zebra", None]), np.ones((3, 1)))


def test_texts_that_are_all_empty_leave_the_class_prior():
    model = NaiveBayes().fit(["", "a", "!"], [0, 1, 1])
    assert_allclose(model.predict_proba(["", "good", None]), [[1 / 3, 2 / 3]] * 3)


@pytest.mark.filterwarnings("ignore::likely.errors.EmptyColumns")
def test_texts_that_are_all_missing_are_refused():
    for model in (NaiveBayes(), NaiveBayes(Text())):
        with pytest.raises(ValueError, match=r"no text|^no column has a value"):
            model.fit([None, None], [0, 1])


# Models


def test_they_are_chosen_by_texts_evenly_spaced():
    x, y = drawn(7, 2 * TUNING_ROWS + 1, length=6)
    family = Text()
    block = counted(family, read_as(x, y, 3))
    expected = family.tuned(block, read_as(x[::3], y[::3], 3))
    assert NaiveBayes(Text(tokens=USUAL)).fit(x, y).families_[0].tuned_to == expected.tuned_to


def test_what_was_chosen_stays_until_it_is_chosen_again():
    """Whatever is learned or forgotten; `retune` goes by the rows that it is given, which must have been learned."""
    x, y = drawn(8, 60)
    model = NaiveBayes().fit(x[:20], y[:20])
    first = model.families_[0].tuned_to
    assert model.partial_fit(x[20:30], y[20:30]).families_[0].tuned_to == first
    assert model.forget(x[20:30], y[20:30]).families_[0].tuned_to == first
    assert model.partial_fit(x[20:], y[20:]).families_[0].tuned_to == first
    again = model.retune(x[20:], y[20:]).families_[0].tuned_to
    assert again != first
    expected = Text().tuned(counted(Text(), read_as(x, y, 3)), read_as(x[20:], y[20:], 3)).tuned_to
    assert again.pseudocount == expected.pseudocount
    assert_allclose(again.scale, expected.scale, rtol=1e-6)


def test_merged_models_have_the_tuning_of_the_first():
    x, y = drawn(9, 60)
    models = [fitted(Text(tokens=USUAL), at(x, rows), y[rows]) for rows in (slice(20), slice(20, None))]
    tuning = [model.families_[0].tuned_to for model in models]
    assert tuning[0] != tuning[1]
    for order in (models, models[::-1]):
        assert merge(order).families_[0].tuned_to == order[0].families_[0].tuned_to


@pytest.mark.parametrize("seed", range(20))
def test_models_of_parts_merge_though_nothing_was_said_of_their_tokens(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 80)
    x = [" ".join(f"w{i}" for i in (rng.zipf(1.5, 15) + 2 * k) % 50) for k in y]
    merged = merge([NaiveBayes().fit(x[:30], y[:30]), NaiveBayes().fit(x[30:], y[30:])])
    assert merged.class_count_.sum() == 80


def test_pairs_of_neighbours_are_read_where_they_tell():
    x, y = ["not good at all", "good not at all"] * 500, ["a", "b"] * 500
    assert NaiveBayes().fit(x[:-1], y[:-1]).families_[0].reading == USUAL  # of fewer than a thousand
    model = NaiveBayes().fit(x, y)
    assert model.families_[0].reading == Tokens(ngrams=(1, 2), sublinear=True, root=True)
    assert model.predict(["not good", "good not"]).tolist() == ["a", "b"]
    assert fitted(Text(tokens=USUAL), x, y).families_[0].reading == USUAL
    x, y = drawn(16, 1200, length=30)
    assert NaiveBayes().fit(x, y).families_[0].reading == USUAL


@pytest.mark.parametrize("texts", [20, 1200])
def test_of_a_vocabulary_pairs_are_read_that_are_in_it(texts):
    x, y = drawn(17, texts)
    for vocabulary, longest in ((("w1", "w2"), 1), (("w1", "w2", "w1 w2"), 2)):
        family = NaiveBayes(Text(vocabulary=vocabulary)).fit(x, y).families_[0]
        assert family.reading == Tokens(ngrams=(1, longest), sublinear=True, root=True)


def test_a_pickled_model_has_its_tuning_and_a_clone_chooses_its_own():
    x, y = drawn(10, 50)
    model = NaiveBayes().fit(x, y)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.families_[0].tuned_to == model.families_[0].tuned_to != UNTUNED
    assert_array_equal(copy.predict_proba(x), model.predict_proba(x))
    assert clone(model).get_params() == model.get_params() == NaiveBayes().get_params()
    assert clone(model).fit(x[:20], y[:20]).families_[0].tuned_to != model.families_[0].tuned_to


def test_what_was_chosen_is_no_part_of_what_the_family_is():
    x, y = drawn(10, 50)
    family = Text()
    model = NaiveBayes(family).fit(x, y)
    assert family.tuned_to == UNTUNED
    assert as_said(model.families_[0]) == family
    assert hash(as_said(model.families_[0])) == hash(family)
    assert model.families is family


def test_texts_in_a_pipeline():
    x, y = drawn(11, 200)
    lines = FunctionTransformer(lambda texts: [f"{text} more" for text in texts])
    model = make_pipeline(lines, NaiveBayes())
    found = model.fit(x, y).predict_proba(x)
    assert_array_equal(
        found, NaiveBayes().fit([f"{text} more" for text in x], y).predict_proba([f"{t} more" for t in x])
    )
    folds = cross_val_predict(model, x, y, cv=4, method="predict_proba")
    assert (folds.argmax(axis=1) == y).mean() > np.bincount(y).max() / len(y) + 0.1


def log_loss(model, x, y):
    return -model.predict_log_proba(x)[np.arange(len(y)), y].mean()


@pytest.mark.parametrize("burst", [0.05, 0.3, 5.0])
@pytest.mark.parametrize("classes", [2, 5])
def test_probabilities_mean_what_they_say(burst, classes):
    """The winner is right as often as it is said to be, within 5 standard errors; by single tokens it is not."""
    x, y = drawn(12, 3000, classes, words=200, telling=0.3, burst=burst, length=40)
    odds, tokens = (NaiveBayes(family).fit(x[:1000], y[:1000]) for family in (None, "multinomial"))
    new, truth = x[1000:], y[1000:]
    slack = 0.0 if burst < 1 else 0.01  # each token is then nearly drawn by itself
    assert log_loss(odds, new, truth) < log_loss(tokens, new, truth) + slack
    sure = odds.predict_proba(new).max(axis=1)
    gap = (odds.predict(new) == truth) - sure
    assert abs(gap.mean()) < 5 * gap.std() / np.sqrt(len(gap)) + 0.02
    for low, high in ((0, 0.6), (0.6, 0.8), (0.8, 0.95), (0.95, 1)):
        some = gap[(low < sure) & (sure <= high)]
        assert len(some) < 50 or abs(some.mean()) < 5 * some.std() / np.sqrt(len(some)) + 0.03


def test_leave_one_out_log_loss_is_that_of_texts_never_seen():
    """What is chosen by it: within 5 standard errors of the log loss of as many others."""
    x, y = drawn(13, 4000, 3, words=200, telling=0.3, burst=0.3, length=30)
    model = NaiveBayes().fit(x[:2000], y[:2000])
    scores = model.loo_scores(x[:2000], y[:2000])
    own = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    left, new = -own[np.arange(2000), y[:2000]], -model.predict_log_proba(x[2000:])[np.arange(2000), y[2000:]]
    assert abs(left.mean() - new.mean()) < 5 * np.hypot(left.std(), new.std()) / np.sqrt(2000)


def test_the_number_of_threads_makes_no_difference():
    script = """
import numpy as np
from likely import NaiveBayes
rng = np.random.default_rng(1)
y = rng.integers(0, 3, 701)
x = [" ".join(f"w{i}" for i in (rng.zipf(1.4, 20) + 3 * k) % 90) for k in y]
model = NaiveBayes().fit(x, y, sample_weight=rng.random(701))
print(model.families_[0].tuned_to, model.predict_log_proba(x).tolist())
"""
    found = printed(script)
    assert "TextTuning" in found[0]
    assert found[0] == found[1] == found[2]


def test_of_several_texts_each_has_a_tuning_of_its_own():
    x, y = drawn(14, 80)
    other, _ = drawn(15, 80, length=80)
    table = np.array([[a, b] for a, b in zip(x, other, strict=True)], object)
    model = NaiveBayes({0: Text(tokens=USUAL), 1: Text(tokens=USUAL)}).fit(table, y)
    assert model.families_ == dict.fromkeys(range(2), Text(tokens=USUAL, of=2))
    for column, texts in enumerate((x, other)):
        alone = fitted(Text(tokens=USUAL), texts, y).families_[0].tuned_to
        assert model.families_[column].tuned_to == alone
