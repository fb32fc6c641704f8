"""The tests of the scikit-learn that is installed, run on Likely's classifiers; none is copied."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any

import pytest


def borrowed(tests: str, home: str, shims: Mapping[str, Any], skipped: Mapping[str, str]) -> dict[str, Any]:
    """The tests of a module of scikit-learn's, which import classifiers from `home`, with shims in their place.

    `skipped` has the tests that are not run, each with the reason; a name that there is not is refused.
    """
    spec = find_spec(tests)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with _instead(import_module(home), shims):
        spec.loader.exec_module(module)
    found = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    unknown = skipped.keys() - found.keys()
    assert not unknown, f"scikit-learn has no {unknown}"
    for test in found.values():
        for mark in _listed(getattr(module, "pytestmark", [])):
            mark(test)
    return found | {name: _skipped(reason) for name, reason in skipped.items()}


def _skipped(reason: str) -> Any:
    """A test in the place of another, with its cases or without."""

    @pytest.mark.skip(reason=reason)
    def test() -> None: ...

    return test


def _listed(marks: Any) -> list[Any]:
    return marks if isinstance(marks, list) else [marks]


@contextmanager
def _instead(home: Any, shims: Mapping[str, Any]) -> Iterator[None]:
    before = {name: getattr(home, name) for name in shims}
    vars(home).update(shims)
    try:
        yield
    finally:
        vars(home).update(before)
