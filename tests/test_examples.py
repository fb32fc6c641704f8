"""The examples run, and their own assertions hold."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"


def run(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", *map(str, arguments)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("radio.py", "7 parameters; the full joint distribution has 15"),
        ("lions.py", "likelihood of the table 0.002315 = 1/432"),
        ("lions.py", "m-estimate, m=1, p=1/2    p(lion) = 9/25"),
        ("lions.py", "Laplace                   p(lion) = 16/43"),
        ("poisson_rate.py", "rate 3.5 = 35 arrivals / 10 hours"),
    ],
)
def test_worked_example(name, says):
    assert says in run(EXAMPLES / name)


@pytest.mark.parametrize("name", ["families", "boundaries"])
def test_picture_is_the_one_in_the_docs(name, tmp_path):
    run(EXAMPLES / f"{name}.py", tmp_path / "drawn.svg")
    drawn, shown = texts(tmp_path / "drawn.svg"), texts(ROOT / "docs" / f"{name}.svg")
    assert drawn == shown
    assert sum(text.startswith("leave-one-out error") for text in shown) == 2


def texts(svg: Path) -> list[str]:
    """All that is written in a picture; its lines may differ by a rounding from one machine to the next."""
    return [text for element in ElementTree.parse(svg).iter() if (text := (element.text or "").strip())]


def test_every_example_is_run_here():
    run_here = {"radio.py", "lions.py", "poisson_rate.py", "families.py", "boundaries.py"}
    assert {path.name for path in EXAMPLES.glob("*.py")} == {*run_here, "card.py"}  # on which the last two draw
