"""Records of folders, counted again by hand."""

import numpy as np
import pytest

from likely.mail.folder_records import FADING, FolderRecord, FolderRecords

NAMED = ["a", "b", "a", "a", "b"]
PUT = ["a", "a", "a", "c", "b"]
RIGHT = np.array([True, False, True, False, True])


def test_a_record_is_of_the_guesses_before():
    standing, after = FolderRecords().following(NAMED, PUT, RIGHT)
    right, wrong = FADING + 1, 0.0
    assert standing.record == pytest.approx([0.0, 0.0, np.log(2), np.log((right + 1) / (wrong + 1)), np.log(1 / 2)])
    assert after.each["a"] == pytest.approx(FolderRecord(FADING * right, 1.0, 2))
    assert after.each["b"] == pytest.approx(FolderRecord(1.0, FADING, 4))
    assert after.messages == 5


def test_a_folder_is_idle_from_its_last_message_on():
    standing, after = FolderRecords().following(NAMED, PUT, RIGHT)
    assert standing.idle.tolist() == [0, 1, 0, 0, 4]  # "b" had none by then
    assert after.of(["a", "b", "c", "new"]).idle.tolist() == [2, 0, 1, 5]


def test_in_parts_as_at_once():
    first, half = FolderRecords().following(NAMED[:2], PUT[:2], RIGHT[:2])
    second, whole = half.following(NAMED[2:], PUT[2:], RIGHT[2:])
    at_once, after = FolderRecords().following(NAMED, PUT, RIGHT)
    assert whole == after
    assert np.concatenate([first.record, second.record]).tolist() == at_once.record.tolist()
    assert FolderRecords().of([]).record.shape == (0,)


def test_codes_get_names():
    _, after = FolderRecords().following([-1, 0, 1], [0, 1, 1], RIGHT[:3])
    assert set(after.renamed(["x", "y"]).each) == {"x", "y"}
