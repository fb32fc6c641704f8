"""What someone has altered, checksums and all, is refused in one sentence, or it is a model that scores finitely."""

import json
import os
import tracemalloc
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from likely import __version__
from likely.data import read
from likely.families import FAMILIES, Categorical, Histogram, Text, TextMultinomial
from likely.limits import Rising
from likely.models.calibration import Calibration, Steps
from likely.models.gaussian import GaussianModel
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.network.model import NetworkModel
from likely.store import BadModelFile, Origin, container, save
from likely.store.model import made
from likely.text import Tokens

from ..samples import sample_of
from .mutations import VALUES, mutated

MUTATIONS = int(os.environ.get("LIKELY_MUTATIONS", "2000"))
"""Of all models together; CI has these few, and whoever has the time 20,000 or more."""
SHARDS = 3

RNG = np.random.default_rng(11)
ROWS = 40
Y = np.array(["x", "y", "z"])[np.arange(ROWS) % 3]
NUMBERS = RNG.normal(np.arange(ROWS)[:, None] % 3, size=(ROWS, 3))
COUNTS = RNG.poisson(2, (ROWS, 3))
MIXED = pa.table(
    {
        "yes": pa.array(RNG.random(ROWS) < 0.5),
        "count": pa.array(RNG.poisson(3, ROWS)),
        "size": pa.array(RNG.normal(size=ROWS), mask=RNG.random(ROWS) < 0.2),
        "skewed": pa.array(RNG.exponential(size=ROWS) ** 3),
        "kind": pa.array(RNG.choice(["a", "b", "\N{SNOWMAN}"], ROWS).tolist()),
        "said": pa.array(
            [" ".join(RNG.choice(["hay", "oats", "corn", "rye", "to"], 6)) + f" {i}" for i in range(ROWS)]
        ),
    }
)
CALIBRATION = Calibration(
    np.array(["x", "y", "z"]), 0.7, np.zeros(3), (Steps(np.array([0.0, 1.0]), np.array([0.1, 0.9])),) * 3
)
MODELS: dict[str, tuple[Any, Any]] = {
    "mixed": (NaiveBayesModel(missing="value"), MIXED),
    "poisson": (NaiveBayesModel("poisson", class_prior={"x": 0.5, "y": 0.25, "z": 0.25}), COUNTS),
    "multinomial": (NaiveBayesModel("multinomial", smoothing="auto"), COUNTS),
    "complement": (NaiveBayesModel("complement"), COUNTS),
    "categorical": (NaiveBayesModel(Categorical()), COUNTS),
    "histogram": (NaiveBayesModel(Histogram(bins=3)), NUMBERS),
    "words": (NaiveBayesModel(Text()), MIXED.column("said").to_pylist()),
    "hashed": (NaiveBayesModel(TextMultinomial(Tokens(hashing=16))), MIXED.column("said").to_pylist()),
    "full": (GaussianModel(FAMILIES["multivariate_gaussian"]("full")), NUMBERS),
    "tied": (GaussianModel(FAMILIES["multivariate_gaussian"]("tied")), NUMBERS),
    "logistic": (LogisticModel(1.0, limits=[Rising(0, of="y")]), NUMBERS),
    "network": (NetworkModel(), MIXED.select(["yes", "count", "kind"])),
    "blend": (LogisticModel(0.1, shrink_to="naive_bayes"), MIXED),
    "margins": (LogisticModel(None, shrink_to="naive_bayes"), MIXED.column("said").to_pylist()),
}


@cache
def learned(name: str, tmp: Any) -> tuple[bytes, Any]:
    """The file of a model, and its table."""
    model, x = MODELS[name]
    table = read(x)
    save(tmp / name, model.learn(sample_of(table, Y)), Origin(), CALIBRATION if name in ("mixed", "tied") else None)
    return (tmp / name).read_bytes(), table


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("name", MODELS)
def test_an_altered_model_is_refused_or_scores_finitely(
    name: str, shard: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file, table = learned(name, tmp_path_factory.mktemp("models"))
    rng = np.random.default_rng([shard, *name.encode()])
    for _ in range(-(-MUTATIONS // (SHARDS * len(MODELS)))):
        altered, how = mutated(file, rng)
        problem = trouble(altered, table)
        assert problem is None, f"{name}: {problem}: {how}"


def trouble(file: bytes, table: Any) -> str | None:
    """What is wrong with how a file is dealt with, if anything is."""
    try:
        stored = made(container.unpacked(file, "'it'"), "'it'")
    except BadModelFile as error:
        sentence = str(error)
        return None if sentence.startswith("'it'") and "\n" not in sentence and len(sentence) < 300 else sentence
    except Exception as error:
        return f"{type(error).__name__} when it was read: {error}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            p = stored.predict_proba(table)
    except (TypeError, ValueError) as error:  # as a table that is not as the model has it now
        return None if str(error) and "\n" not in str(error) else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__} when it scored: {error}"
    finite = np.isfinite(p).all() and p.shape == (table.rows, len(stored.model.classes)) and (p >= 0).all()
    return None if finite and np.allclose(p.sum(axis=1), 1) else f"it scored {p[:3].tolist()}"


@pytest.fixture
def parts(tmp_path: Path) -> Callable[..., bytes]:
    """The file of a small model in which one place of what describes it is another."""
    model, x = MODELS["poisson"]
    save(tmp_path / "model", model.learn(sample_of(read(x), Y)), Origin())

    def with_other(path: str, value: Any, **arrays: Any) -> bytes:
        contents = container.unpacked((tmp_path / "model").read_bytes(), "'it'")
        tree = json.loads(contents.text)
        *way, last = (int(step) if step.isdigit() else step for step in path.split("/"))
        reduce(lambda node, step: node[step], way, tree)[last] = value
        return container.packed(contents.version, json.dumps(tree), {**contents.arrays, **arrays})

    return with_other


def refused(file: bytes) -> tuple[str, int]:
    """Why a file is refused, and how much memory that took."""
    tracemalloc.start()
    try:
        with pytest.raises(BadModelFile) as caught:
            made(container.unpacked(file, "'it'"), "'it'")
        return str(caught.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


LONG = {"range": [0, 10**10, 1]}
BOMBS: dict[str, tuple[str, Any]] = {
    "names": ("parts/names", LONG),
    "run of a kind": ("parts/kinds", [["int", 10**10]]),
    "runs that cancel": ("parts/kinds", [["int", 10**10], ["int", 3 - 10**10]]),
    "columns of a block": ("parts/blocks/0/named/columns", LONG),
    "names of a block": ("parts/blocks/0/named/names", LONG),
    "many blocks": ("parts/blocks", [{"named": {"columns": {"range": [0, 1000, 1]}}}] * 200),
    "class prior": ("parts/class_prior", {"tuple": LONG}),
    "a set": ("parts/select", {"set": LONG}),
    "a tuple of tuples": ("parts/missing", {"tuple": {"tuple": {"tuple": LONG}}}),
    "an array named often": ("parts/select", [{"array": "rows.table"}] * 2000),
    "texts of one length": ("parts/select", [{"fixed": [{"texts": "classes"}, 10**8]}] * 100),
    "an option": ("calibrate", LONG),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_short_file_takes_little_memory(bomb: str, parts: Callable[..., bytes]) -> None:
    file = parts(*BOMBS[bomb])
    sentence, memory = refused(file)
    assert sentence.startswith("'it', written by Likely ")
    assert memory < 100 * len(file)


def test_a_large_array_named_often_takes_it_once(parts: Callable[..., bytes]) -> None:
    file = parts("parts/select", [{"long": {"array": "large"}}] * 20_000, large=np.zeros(100_000, np.uint8))
    assert refused(file)[1] < 100 * len(file)


def test_an_older_file_is_refused_with_what_is_missing(parts: Callable[..., bytes]) -> None:
    file = parts("parts", {"columns": ["a", "b"]})
    assert refused(file)[0] == (
        f"'it', written by Likely {__version__}, holds no model that Likely {__version__} can read: it has no 'classes'"
    )


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("parts/blocks/0/named/family/Poisson/prior", 3, "the 'prior' of a Poisson can't be a int like this"),
        ("parts/blocks/0/named/family/Poisson", {"rate": 1}, "a Poisson has no 'rate'"),
        ("parts/rows/Counts", {}, "a Counts needs 'table'"),
        ("parts/blocks/0/named/family/Poisson/prior", {"Laplace": {"strength": 1e300}}, "1e+150 or less"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: Any, why: str, parts: Callable[..., bytes]) -> None:
    assert why in refused(parts(path, value))[0]


LEARNED = {"names", "kinds", "classes", "rows", "counts", "blocks", "solution", "multipliers", "kkt", "generative"}


@pytest.mark.parametrize("name", ["mixed", "full", "logistic", "network"])
def test_an_option_that_is_none_is_refused_when_the_file_is_read(name: str, tmp_path: Path) -> None:
    """And not later, in whatever learns or scores: what can be read goes on learning, or says in a sentence why not."""
    model, x = MODELS[name]
    sample = sample_of(read(x), Y)
    save(tmp_path / "model", model.learn(sample), Origin())
    contents = container.unpacked((tmp_path / "model").read_bytes(), "'it'")
    tree = json.loads(contents.text)
    for option in tree["parts"].keys() - LEARNED:
        for value in (3, *VALUES):
            parts = {**tree["parts"], option: value}
            file = container.packed(contents.version, json.dumps({**tree, "parts": parts}), contents.arrays)
            try:
                found = made(container.unpacked(file, "'it'"), "'it'").model
            except BadModelFile:
                continue
            if name != "logistic":
                found.learn(sample)
            elif option in ("families", "smoothing", "class_prior"):
                with suppress(ValueError):  # as of a family that reads no such column
                    found.learn(sample)
