"""What `help` shows of every public name: types, and a docstring with its sections and examples that run."""

import ast
import doctest
import importlib
import inspect
import re
import textwrap
from pathlib import Path

import pytest

import likely.typing
from likely.data import Dataset, Sample, Schema
from likely.optimize import Bounds, Function, Linear

MODULES = ("likely", "likely.families", "likely.priors", "likely.limits", "likely.validation", "likely.datasets",
           "likely.data", "likely.optimize", "likely.report", "likely.sql", "likely.mail")  # fmt: skip
LIMITS = ("Between", "Equal", "Falling", "Rising", "Within")
INTERNAL = {"BadCell", "Block", "Dialect", "Estimate", "Family", "Plan", "Prior", "Table", "short"}
"""For those who add a family, a prior or a database: CONTRIBUTING describes them."""
MADE_BY_MODELS = {"Missing", "Network", "Number", "SparseNumber", "TfIdf"}
CONSTRUCTED = ("likely", "likely.families", "likely.priors", "likely.limits")
CONSTRUCTED_TOO = (Dataset, Sample, Schema, Bounds, Function, Linear)
"""Modules whose classes users call, and more such classes; others are what functions return."""


def public():
    return list(_public())


def _public():
    for module in MODULES:
        found = importlib.import_module(module)
        for name in LIMITS if module == "likely.limits" else found.__all__:
            value = getattr(found, name)
            if name not in INTERNAL and (inspect.isclass(value) or inspect.isfunction(value)):
                yield pytest.param(module, value, id=f"{module}.{name}")


def functions(value):
    """A function, or what a class has of its own: methods, properties and how it is made."""
    if not inspect.isclass(value):
        yield value
        return
    contract = value.__module__.startswith("likely.families")  # methods are for models; CONTRIBUTING describes them
    for owner in value.__mro__:
        if not owner.__module__.startswith("likely.") or issubclass(owner, ast.AST):
            continue
        for name, member in vars(owner).items():
            if name != "__init__" and (name.startswith("_") or contract):
                continue
            member = getattr(member, "__func__", member)
            member = member.fget if isinstance(member, property) else member
            if inspect.isfunction(member) and Path(member.__code__.co_filename).exists():
                yield member


def vague(function):
    """Parameters, and what is returned, of type Any or of none."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg]
    declared = {one.arg: one.annotation for one in arguments if one is not None and one.arg not in ("self", "cls")}
    declared["return"] = node.returns
    for name, annotation in declared.items():
        if annotation is None:
            yield f"{function.__qualname__}: {name} has no type"
        elif any(isinstance(part, ast.Name) and part.id == "Any" for part in ast.walk(annotation)):
            yield f"{function.__qualname__}: {name} is {ast.unparse(annotation)}"


@pytest.mark.parametrize(("module", "value"), public())
def test_types_are_types(module, value):
    assert [found for function in functions(value) for found in vague(function)] == []


@pytest.mark.parametrize(("module", "value"), public())
def test_docstrings_have_their_sections(module, value):
    summary, *sections = re.split(r"\n\n(\w[\w ]*)\n---+\n", inspect.getdoc(value))
    doc = dict(zip(sections[::2], sections[1::2], strict=True))
    assert summary
    assert "See Also" in doc
    made = module not in CONSTRUCTED and value not in CONSTRUCTED_TOO
    if inspect.isclass(value) and (made or value.__name__ in MADE_BY_MODELS):
        return
    described = re.findall(r"^(\S.*?) : ", doc.get("Parameters", ""), re.MULTILINE)
    assert list(inspect.signature(value).parameters) == [
        name.strip().lstrip("*") for names in described for name in names.split(",")
    ]
    assert "Examples" in doc
    if inspect.isfunction(value):
        assert "Returns" in doc


@pytest.mark.parametrize(("module", "value"), public())
def test_examples_run(module, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(value), {}, value.__name__, None, None)
    assert doctest.DocTestRunner().run(example).failed == 0


def test_every_alias_is_explained():
    lines = Path(likely.typing.__file__).read_text().splitlines()
    starts = [at for at, line in enumerate(lines) if ": TypeAlias" in line and not line.startswith("ConstraintLike")]
    for at in starts:
        end = next(k for k in range(at, len(lines)) if not lines[k] or lines[k].startswith('"""'))
        assert lines[end].startswith('"""'), lines[at]


FOR_ENGINES = {"as_model", "fit_parts", "fitted_by", "loo_totals", "sample_of", "get_params", "set_params"}
"""Methods that the engines, the databases and scikit-learn call."""


def methods():
    classes = [value for name in likely.__all__ if inspect.isclass(value := getattr(likely, name))]
    return [
        pytest.param(member, id=f"{value.__name__}.{name}")
        for value in classes
        for name, member in inspect.getmembers(value, inspect.isfunction)
        if member.__module__.startswith("likely.") and name not in FOR_ENGINES and not name.startswith("_")
    ]


@pytest.mark.parametrize("method", methods())
def test_methods_have_their_sections(method):
    _, *sections = re.split(r"\n\n(\w[\w ]*)\n---+\n", inspect.getdoc(method))
    doc = dict(zip(sections[::2], sections[1::2], strict=True))
    described = re.findall(r"^(\S.*?) : ", doc.get("Parameters", ""), re.MULTILINE)
    assert described == list(inspect.signature(method).parameters)[1:]
    assert "Returns" in doc or method.__name__ == "save"
