"""The package as a whole: its names, the cost of importing it, and that every file has its tests."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import likely

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "likely"
FILES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
NATIVE = sorted(path.relative_to(ROOT) for path in (ROOT / "native").glob("*.?pp"))


def run_python(script):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_all_is_exact():
    assert likely.__all__ == [
        "BayesNetwork",
        "GaussianClassifier",
        "LogisticRegression",
        "NaiveBayes",
        "__version__",
        "load",
        "merge",
    ]
    assert dir(likely) == sorted(likely.__all__)


@pytest.mark.parametrize("name", likely.__all__)
def test_every_name_loads(name):
    assert getattr(likely, name) is not None


def test_a_star_import_brings_all_and_nothing_else():
    script = "before = set(globals()); from likely import *; print(*sorted(set(globals()) - before - {'before'}))"
    assert run_python(script) == "BayesNetwork GaussianClassifier LogisticRegression NaiveBayes __version__ load merge"


def test_names_are_what_they_are_in_their_homes():
    from likely.estimators.classifier import merge
    from likely.estimators.gaussian import GaussianClassifier
    from likely.estimators.naive_bayes import NaiveBayes

    assert likely.GaussianClassifier is GaussianClassifier
    assert likely.NaiveBayes is NaiveBayes
    assert likely.merge is merge


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match=r"^module 'likely' has no attribute 'Nothing'$"):
        likely.Nothing  # noqa: B018


def test_the_version_is_that_of_the_project():
    text = (ROOT / "pyproject.toml").read_text()
    assert likely.__version__ == re.search(r'^version = "(.+)"$', text, re.MULTILINE).group(1)


def test_importing_loads_nothing_large():
    loaded = run_python("import sys, likely; print(*sys.modules)").split()
    assert "likely" in loaded
    assert not {"numpy", "scipy", "sklearn", "pyarrow", "pandas", "click", "likely._native"} & set(loaded)


def test_importing_takes_less_than_30_ms():
    script = "import time; t = time.process_time(); import likely; print(time.process_time() - t)"
    assert min(float(run_python(script)) for _ in range(5)) < 0.030


def test_the_model_needs_no_scikit_learn():
    script = "import sys, likely.models.naive_bayes, likely.data; print('sklearn' in sys.modules)"
    assert run_python(script) == "False"


@pytest.mark.parametrize("path", [path for path in FILES if path.name != "__init__.py"], ids=os.fspath)
def test_every_source_file_has_a_test_file_in_its_place(path):
    assert (ROOT / "tests" / path.parent / f"test_{path.name}").is_file()


@pytest.mark.parametrize("path", [path for path in NATIVE if path.suffix == ".hpp"], ids=os.fspath)
def test_every_file_of_kernels_has_a_test_file_in_its_place(path):
    assert (ROOT / "tests" / path.parent / f"test_{path.stem}.py").is_file()


def test_the_native_core_has_tests_of_its_arguments():
    assert Path("native/module.cpp") in NATIVE
    assert (ROOT / "tests" / "native" / "test_arguments.py").is_file()


@pytest.mark.parametrize("path", [Path("src/likely") / path for path in FILES] + NATIVE, ids=os.fspath)
def test_nothing_is_left_to_do(path):
    assert not re.search(r"\b(TODO|FIXME|XXX)\b", (ROOT / path).read_text())


def test_there_are_no_utils():
    assert not [path for path in FILES if path.stem in ("utils", "util", "helpers", "common")]
    assert not [path for path in SOURCE.rglob("*") if path.is_dir() and path.name in ("utils", "util", "helpers")]


def test_types_are_shipped():
    assert (SOURCE / "py.typed").is_file()


def test_the_types_of_the_native_core_name_all_that_it_has():
    from likely import _native

    declared = re.findall(r"^(?:def |class )?([A-Za-z]\w*)[:(]", (SOURCE / "_native.pyi").read_text(), re.MULTILINE)
    assert sorted(set(declared)) == sorted(name for name in dir(_native) if not name.startswith("_"))
