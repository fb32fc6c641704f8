import numpy as np
from sklearn.metrics import confusion_matrix

from likely.report.confusion import SHOWN, draw_confusion, shown
from likely.validation import Result


def result(y, answers, classes):
    return Result("drawn", np.array([f"c{k}" for k in range(classes)]), np.arange(len(y)), y, answers)


def counts(picture, side):
    table = np.zeros((side, side))
    for text in picture.figure.axes[0].texts:
        j, i = text.get_position()
        table[i, j] = float(text.get_text().split("\n")[0].replace(",", ""))
    return table


def test_the_numbers_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y, answers = (rng.integers(0, 4, 300).astype(np.int32) for _ in range(2))
    picture = draw_confusion(result(y, answers, 4))
    assert (counts(picture, 4) == confusion_matrix(y, answers)).all()
    assert f"c0 {confusion_matrix(y, answers)[0, 0]} of {(y == 0).sum()}" in picture.says


def test_of_many_classes_those_with_most_mistakes_and_the_others_as_one():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 200, 4000).astype(np.int32)
    answers = np.where(rng.random(4000) < 0.95, y, (y + 1) % 200).astype(np.int32)
    answers[y < 4] = 5
    found = result(y, answers, 200)
    kept = shown(found)
    assert len(kept) == SHOWN
    assert {0, 1, 2, 3, 5} <= set(kept)
    drawn = counts(draw_confusion(found), SHOWN + 1)
    assert drawn.sum() == 4000
    assert (drawn[:SHOWN, :SHOWN] == confusion_matrix(y, answers)[np.ix_(kept, kept)]).all()
    labels = [label.get_text() for label in draw_confusion(found).figure.axes[0].get_yticklabels()]
    assert labels[-1] == "192 others"


def test_a_class_that_nothing_is_said_of_is_not_drawn():
    y = np.zeros(5, np.int32)
    assert shown(result(y, y, 3)) == [0]
    assert draw_confusion(result(y, y, 3)).says.endswith("c0 5 of 5")
