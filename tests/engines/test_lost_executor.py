"""A cluster of two executors, of which one is killed in the middle of a fit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    "LIKELY_EVERY_KILL" not in os.environ or shutil.which("java") is None,
    reason="three Java processes, and a wait for the one that is lost, take minutes: .ci/run sets LIKELY_EVERY_KILL",
)
def test_an_executor_lost_in_the_middle_changes_not_a_bit(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.engines.lost_executor", str(tmp_path / "lost")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.splitlines()[-1:] == ["lost True same True"], done.stderr[-2000:]
