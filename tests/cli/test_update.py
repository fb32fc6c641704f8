"""What learning more and forgetting share: nothing is half done, and what is kept still holds."""

import threading
from pathlib import Path

import pytest

from likely import store
from likely.cli.update import counting, updated

from .animals import ANIMALS, fit
from .command import likely, worked


def test_two_writers_at_once_leave_one_whole_model(parts: tuple[Path, Path], tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely")
    writers = [
        threading.Thread(target=updated, args=(str(path), (str(part),), None, None, str(path), False)) for part in parts
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert store.load(path).origin.rows in (122 + 60, 122 + 62, 2 * 122)
    assert {entry.suffix for entry in tmp_path.iterdir()} == {".likely", ".csv"}


def test_calibration_is_kept_until_a_class_is_new(tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely", "--calibrate")
    worked(likely("learn", path, ANIMALS))
    assert store.load(path).calibration is not None
    (tmp_path / "new.csv").write_text(ANIMALS.read_text().replace("warthog", "boar"))
    worked(likely("learn", path, tmp_path / "new.csv"))
    assert store.load(path).calibration is None


def test_a_model_that_counts_is_taken(fitted: Path, logistic: Path) -> None:
    assert counting(str(fitted)).model.class_counts.sum() == 122
    with pytest.raises(ValueError, match="is a logistic regression"):
        counting(str(logistic))
