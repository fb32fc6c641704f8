"""A model with its origin in a file, and files that were tampered with."""

import contextlib
import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likely import __version__, store
from likely.data.row_digest import RowDigest
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.store import BadModelFile, Origin, container
from likely.store.model import made

MUTATED = {NaiveBayesModel: 10_000, LogisticModel: 3_000}
RESEALED = {NaiveBayesModel: 2_000, LogisticModel: 500}


def test_the_origin_comes_back(small: Any, file: Path) -> None:
    model, _ = small()
    origin = Origin(40, source="table", target="y", missing="?", wrong=3, left_out=40)
    store.save(file, model, origin)
    found = store.load(file)
    assert (found.origin, found.version) == (origin, __version__)


def test_the_digest_comes_back_and_an_altered_one_is_refused(small: Any, file: Path) -> None:
    model, _ = small()
    digest = RowDigest.of(np.arange(500, dtype=np.uint32))
    store.save(file, model, Origin(), digest=digest)
    found = store.load(file).digest
    assert found is not None
    assert (found.level, found.marks.tolist(), found.times.tolist()) == (0, list(range(500)), [1] * 500)
    store.save(file, model, Origin())
    assert store.load(file).digest is None
    contents = container.read(file)
    for digest_of in (
        '{"tuple":[]}',
        "7",
        '{"RowDigest":{"level":0}}',
        '{"RowDigest":{"level":0,"marks":1,"times":1}}',
    ):
        altered = contents._replace(text=contents.text.replace('"digest":null', f'"digest":{digest_of}'))
        assert altered.text != contents.text
        with pytest.raises(BadModelFile, match="holds no model"):
            made(altered, "it")


def test_after_more_rows_the_error_is_not_known() -> None:
    origin = Origin(40, "2026-01-01T00:00:00+00:00", target="y", wrong=3, left_out=40).later(-5)
    assert (origin.rows, origin.target, origin.wrong, origin.left_out) == (35, "y", None, None)
    assert origin.date > "2026-01-02"


def test_a_file_of_no_model_that_is_known(file: Path) -> None:
    for text in ("{}", "[", "3", '{"kind":"tree"}', '{"kind":"naive_bayes","origin":{"named":{}},"parts":{}}'):
        container.write(file, "9", text, {})
        with pytest.raises(BadModelFile, match=f"holds no model that Likely {__version__} can read: "):
            store.load(file)


def test_only_a_model_is_saved(file: Path) -> None:
    with pytest.raises(TypeError, match="a model file does not hold a dict"):
        store.save(file, {}, Origin())


def test_loading_takes_no_scikit_learn(small: Any, file: Path) -> None:
    store.save(file, small()[0], Origin())
    code = "import sys; from likely import store; store.load(sys.argv[1]); print('sklearn' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True).stdout
    assert told == "False\n"


def mutations(data: bytes, rng: np.random.Generator, count: int) -> Any:
    """The bytes with some changed, taken out, put in, exchanged or cut off."""
    for _ in range(count):
        altered = bytearray(data)
        # The first kilobytes are the header, in which a change does most.
        start = int(rng.integers(min(6000, len(data)) if rng.random() < 0.7 else len(data)))
        some = int(rng.integers(1, 9))
        match rng.integers(5):
            case 0:
                altered[start] ^= 1 << rng.integers(8)
            case 1:
                altered[start : start + some] = rng.bytes(some)
            case 2:
                del altered[start : start + some]
            case 3:
                altered[start:start] = rng.bytes(some)
            case 4:
                del altered[start:]
        yield bytes(altered)


@pytest.mark.parametrize("kind", MUTATED)
def test_thousands_of_mutated_files_are_refused(kind: Any, small: Any, file: Path) -> None:
    model, table = small(kind)
    store.save(file, model, Origin(40, target="y"))
    data, scores = file.read_bytes(), model.score(table)
    refused = 0
    for altered in mutations(data, np.random.default_rng(0), MUTATED[kind]):
        try:
            found = made(container.unpacked(altered, "it"), "it").model
        except BadModelFile as error:
            refused += "\n" not in str(error)
        else:
            assert altered == data
            np.testing.assert_array_equal(found.score(table), scores)
    assert refused > 0.9 * MUTATED[kind]


@pytest.mark.parametrize("kind", RESEALED)
def test_files_that_were_tampered_with_and_sealed_again_do_no_harm(kind: Any, small: Any, file: Path) -> None:
    """Whoever means harm sets the checksums right: then the numbers are theirs, but nothing breaks."""
    model, table = small(kind)
    store.save(file, model, Origin(40, target="y"))
    contents = container.read(file)
    rng, loaded = np.random.default_rng(1), 0
    for turn in range(RESEALED[kind]):
        text, arrays = contents.text, dict(contents.arrays)
        if turn % 2:
            text = next(mutations(text.encode(), rng, 1)).decode("utf-8", "replace")
        else:
            name = list(arrays)[rng.integers(len(arrays))]
            array = arrays[name].copy().reshape(-1)
            if array.size and rng.random() < 0.8:
                array[rng.integers(array.size)] = rng.choice(np.array([0, 1, 255, 2**31, -1, -(2**62)])).astype(
                    array.dtype
                )
                arrays[name] = array.reshape(arrays[name].shape)
            else:
                arrays[name] = array[: rng.integers(array.size + 1)]
        sealed = container.packed(contents.version, text, arrays)
        try:
            found = made(container.unpacked(sealed, "it"), "it").model
        except BadModelFile:
            continue
        loaded += 1
        with contextlib.suppress(ValueError, TypeError), warnings.catch_warnings(action="ignore"):
            found.score(table)
    assert loaded


def test_a_file_can_be_described_without_likely(small: Any, file: Path) -> None:
    from safetensors import safe_open

    store.save(file, small()[0], Origin(40))
    with safe_open(file, framework="np") as opened:
        told = json.loads(opened.metadata()["model"])
        assert told["parts"]["names"]["tuple"] == ["yes", "count", "size", "skewed", "kind", "said"]
        assert opened.get_tensor("rows.table").sum() == 40
