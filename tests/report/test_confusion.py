import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from likely.report.confusion import SHOWN, _number, draw_confusion, shown
from likely.validation import Result


def result(y, answers, classes):
    return Result("drawn", np.array([f"c{k}" for k in range(classes)]), np.arange(len(y)), y, answers)


def counts(picture, side):
    table = np.zeros((side, side))
    for text in picture.figure.axes[0].texts:
        j, i = text.get_position()
        said = text.get_text().split("\n")[0].replace(",", "")
        table[i, j] = float(said.removesuffix("k")) * (1000 if said.endswith("k") else 1)
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
    assert drawn.sum() == pytest.approx(4000, abs=50)  # thousands are rounded
    assert (drawn[:SHOWN, :SHOWN] == confusion_matrix(y, answers)[np.ix_(kept, kept)]).all()
    labels = [label.get_text() for label in draw_confusion(found).figure.axes[0].get_yticklabels()]
    assert labels[-1] == "192 others  9"


def test_long_names_are_numbered_across_and_can_be_told_apart():
    y = np.arange(3, dtype=np.int32)
    names = np.array([f"Department of Customer Relations no. {k}" for k in range(3)])
    axes = draw_confusion(Result("drawn", names, y, y, y)).figure.axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "3"]
    down = [label.get_text() for label in axes.get_yticklabels()]
    assert len({label.rsplit("  ")[0] for label in down}) == 3
    assert all(label.endswith(f"no. {k}  {k + 1}") for k, label in enumerate(down))


@pytest.mark.parametrize(
    ("count", "shown"), [(7, "7"), (999, "999"), (1096, "1.1k"), (12_214, "12k"), (999_900, "1.0M"), (34e6, "34M")]
)
def test_counts_fit_their_cells(count, shown):
    assert _number(count) == shown


def test_a_class_that_nothing_is_said_of_is_not_drawn():
    y = np.zeros(5, np.int32)
    assert shown(result(y, y, 3)) == [0]
    assert draw_confusion(result(y, y, 3)).says.endswith("c0 5 of 5")
