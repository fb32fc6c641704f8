from pathlib import Path

from likely.labelling.review import found, suspects

from .sessions import session, truth


def test_rows_are_found_by_words_and_by_label_the_last_answer_first(tmp_path: Path) -> None:
    made = session(tmp_path, 60, given=30)
    made.say(40, "spam", 0)
    made.say(50, "spam", 0)
    assert found(made)[:2].tolist() == [50, 40]
    assert found(made, "N40").tolist() == [40]
    assert found(made, ".*").tolist() == []
    ham = found(made, label="ham").tolist()
    assert sorted(ham) == [row for row in range(30) if truth(60)[row] == "ham"]
    assert found(made, label="nothing").tolist() == []


def test_a_wrong_label_is_suspected(tmp_path: Path) -> None:
    made = session(tmp_path, 200, given=150)
    wrong = "spam" if truth()[7] == "ham" else "ham"
    made.say(7, wrong, 0)
    first = suspects(made)[0]
    assert (first.row, first.label, first.looks_like) == (7, wrong, truth()[7])
    assert first.probability < 0.5


def test_of_few_labels_none_is_suspected(tmp_path: Path) -> None:
    assert suspects(session(tmp_path, 30, given=10)) == []


def test_a_mistake_that_was_made_again_and_again_is_shown_too(tmp_path: Path) -> None:
    """The audit alone can't distinguish it from classes that overlap."""
    made = session(tmp_path, 200, given=150)
    wrong = [row for row in range(150) if truth()[row] == "ham"][:8]
    for row in wrong:
        made.say(row, "spam", 0)
    shown = suspects(made)
    assert set(wrong) <= {one.row for one in shown}
    assert [one.probability for one in shown] == sorted(one.probability for one in shown)
    assert all(one.looks_like == "ham" for one in shown if one.row in wrong)
