from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from likely.labelling import session as module
from likely.labelling.labels import Labels
from likely.labelling.session import HOW, JUDGED, RANDOM_SHARE, Session, Stale, labels_path

from .sessions import answer, session, truth


def test_labelling_to_the_end(tmp_path: Path) -> None:
    made = session(tmp_path, 120)
    answer(made, 120)
    assert made.offer is None
    assert len(made.labelled) == 120
    assert made.error is not None
    assert made.error.share < 0.1
    assert made.labels_of(np.arange(120)).tolist() == truth(120)
    curve = made.labels.curve()
    assert [point[0] for point in curve] == sorted(point[0] for point in curve)
    assert curve[-1] == (120, made.error.wrong, made.error.judged)


def test_only_rows_that_were_not_chosen_for_being_hard_judge_the_error(tmp_path: Path) -> None:
    made = session(tmp_path, 200, given=10)
    answer(made, 60)
    how = made.how[made.labelled]
    random, given = int((how == HOW.index("random")).sum()), int((how == HOW.index("given")).sum())
    assert given == 10
    assert made.error is not None
    assert made.error.judged == random + given == len(made.judges())
    assert abs(random / 60 - RANDOM_SHARE) < 0.2
    assert (how == HOW.index("uncertain")).sum() == 60 - random


def test_the_model_is_uncertain_of_what_it_offers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RANDOM_SHARE", 0.0)
    made = session(tmp_path, 200, given=50)
    assert made.offer is not None
    assert made.offer.chosen == "uncertain"
    left = np.flatnonzero(made.code < 0)
    best = np.sort(made.model.probabilities(left), axis=1)
    margin = dict(zip(left.tolist(), (best[:, -1] - best[:, -2]).tolist(), strict=True))
    assert margin[made.offer.row] == min(margin.values())


def test_after_a_restart_all_is_as_it_was(tmp_path: Path) -> None:
    made = session(tmp_path, 150)
    answer(made, 130)
    again = session(tmp_path, 150)
    np.testing.assert_array_equal(again.code, made.code)
    np.testing.assert_array_equal(again.answer, made.answer)
    assert again.classes == made.classes
    assert again.error is not None
    assert made.error is not None
    assert again.error.judged == made.error.judged


def test_undo_goes_back_answer_by_answer_to_the_label_that_was_given(tmp_path: Path) -> None:
    made = session(tmp_path, 50, given=20)
    first = truth(50)[0]
    made.say(0, "else", 0)
    assert made.label_of(0) == "else"
    assert HOW[made.how[0]] == "given"  # a label put right still judges
    made.say(0, "third", int(made.answer[0]))
    assert made.undo() == 0
    assert made.label_of(0) == "else"
    made.undo()
    assert made.label_of(0) == first
    assert made.offer is not None
    assert made.offer.row == 0
    assert made.undo() is None


def test_what_is_skipped_comes_last(tmp_path: Path) -> None:
    made = session(tmp_path, 12)
    skipped = set()
    for _ in range(3):
        assert made.offer is not None
        skipped.add(made.offer.row)
        made.say(made.offer.row, None, 0)
    answer(made, 9)
    assert made.offer is not None
    assert made.offer.row in skipped
    assert len(made.labelled) == 9


def test_a_stale_page_changes_nothing(tmp_path: Path) -> None:
    made = session(tmp_path, 30)
    made.say(3, "ham", 0)
    with pytest.raises(Stale, match="Row 3 was answered elsewhere"):
        made.say(3, "spam", 0)
    with pytest.raises(Stale, match="no row 30"):
        made.say(30, "spam", 0)
    assert made.label_of(3) == "ham"


def test_two_processes_see_each_others_answers(tmp_path: Path) -> None:
    one, other = session(tmp_path, 30), session(tmp_path, 30)
    one.say(3, "ham", 0)
    with pytest.raises(Stale):
        other.say(3, "spam", 0)
    assert other.label_of(3) == "ham"
    other.say(4, "spam", 0)
    one.refresh()
    assert one.label_of(4) == "spam"
    assert one.classes == other.classes


def test_rows_that_have_changed_keep_their_labels_unused(tmp_path: Path) -> None:
    labels = Labels(tmp_path / "x.sqlite")
    Session(pa.table({"text": ["a b", "c d"]}), labels).say(1, "x", 0)
    changed = Session(pa.table({"text": ["a b", "c e"]}), labels)
    assert changed.unmatched == 1
    assert changed.label_of(1) is None
    shorter = Session(pa.table({"text": ["a b"]}), labels)
    assert shorter.unmatched == 1


def test_a_row_that_has_changed_is_labelled_anew(tmp_path: Path) -> None:
    labels = Labels(tmp_path / "x.sqlite")
    Session(pa.table({"text": ["a b", "c d"]}), labels).say(1, "x", 0)
    changed = Session(pa.table({"text": ["a b", "c e"]}), labels)
    changed.say(1, "y", 0)
    assert changed.label_of(1) == "y"
    assert changed.undo() == 1
    assert changed.label_of(1) is None


def test_an_answer_on_a_row_that_is_gone_is_undone(tmp_path: Path) -> None:
    labels = Labels(tmp_path / "x.sqlite")
    Session(pa.table({"text": ["a b", "c d"]}), labels).say(1, "x", 0)
    shorter = Session(pa.table({"text": ["a b"]}), labels)
    assert shorter.undo() == 1
    assert shorter.unmatched == 0
    assert shorter.undo() is None


def test_what_goes_wrong_half_way_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = session(tmp_path, 30)
    monkeypatch.setattr(made, "_learned", lambda row, old: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        made.say(3, "ham", 0)
    assert made.label_of(3) is None
    assert list(made.labels.answers()) == []


def test_of_many_rows_a_fixed_few_judge(tmp_path: Path) -> None:
    rows = 3 * JUDGED
    data = pa.table({"x": np.arange(rows) % 7})
    made = Session(data, Labels(tmp_path / "x.sqlite"), ["ab"[row % 2] for row in range(rows)])
    judges = made.judges()
    assert len(set(judges.tolist())) == JUDGED
    np.testing.assert_array_equal(judges, made.judges())


def test_labels_lie_next_to_their_data() -> None:
    assert labels_path(Path("/a/b.csv")) == Path("/a/b.csv.labels.sqlite")
