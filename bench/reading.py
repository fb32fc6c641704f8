"""How much there is to read: `python -m bench.reading` counts lines, and the functions that a fit passes through."""

import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd

import likely

SOURCE = Path(likely.__file__).parent
CORE = ("statistics", "families", "models", "optimize", "validation", "estimators")
"""The rooms whose size has a limit: 12,000 lines."""

FAMILY_TEST = re.compile(r"isinstance\([\w.\[\]]*family\b|type\([\w.]*family\)|isinstance\([\w.]*statistics\b")
BARE_WEIGHT = re.compile(r"\bweight: Array \| None")


def lines() -> dict[str, int]:
    """Of Python in each room."""
    found: Counter[str] = Counter()
    for path in SOURCE.rglob("*.py"):
        inside = path.relative_to(SOURCE)
        found[inside.parts[0] if len(inside.parts) > 1 else "."] += len(path.read_text().splitlines())
    return dict(sorted(found.items()))


def matches(pattern: re.Pattern[str], without: str = "") -> int:
    """How often a pattern occurs outside a room."""
    paths = (path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != without)
    return sum(len(pattern.findall(path.read_text())) for path in paths)


def longest(room: str) -> tuple[int, str]:
    return max((len(path.read_text().splitlines()), path.name) for path in (SOURCE / room).glob("*.py"))


def passed(work: Callable[[], Any]) -> tuple[int, int]:
    """The functions of ours that are called, and the files that they are in: on all threads, not counting lambdas,
    comprehensions and what is defined within another function."""
    import threading

    work()  # what is imported or made once
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(SOURCE)) and "<" not in code.co_qualname:
            seen.add((code.co_filename, code.co_qualname))

    threading.setprofile_all_threads(note) if hasattr(threading, "setprofile_all_threads") else None
    sys.setprofile(note)
    threading.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return len(seen), len({path for path, _ in seen})


def table() -> tuple[pd.DataFrame, Any]:
    """Two kinds of numbers, a category and a yes-or-no."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 600)
    columns = {
        "height": rng.normal(y, 1.0),
        "wait": rng.exponential(1.0 + y),
        "colour": np.array(["red", "green", "blue"], object)[(y + rng.integers(0, 2, 600)) % 3],
        "tame": rng.random(600) < 0.2 + 0.3 * y,
    }
    return pd.DataFrame(columns), y


def main() -> None:
    rooms = lines()
    for room, size in rooms.items():
        print(f"{room:12} {size:7,}")
    print(f"{'core':12} {sum(rooms[room] for room in CORE):7,}")
    x, y = table()
    models = {
        "NaiveBayes().fit(df, y)": lambda: likely.NaiveBayes().fit(x, y),
        "the blend's fit": lambda: likely.LogisticRegression(C="auto", shrink_to="naive_bayes").fit(x, y),
    }
    for name, fit in models.items():
        functions, files = passed(fit)
        print(f"{name} passes {functions} functions in {files} files")
    print(f"type tests on families outside families/: {matches(FAMILY_TEST, 'families')}")
    print(f"signatures with a bare weight: {matches(BARE_WEIGHT)}")
    print("longest family file: {0[1]}, {0[0]} lines".format(longest("families")))


if __name__ == "__main__":
    main()
