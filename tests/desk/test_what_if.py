from pathlib import Path

import numpy as np
import pytest

from likely.data.schema import Schema
from likely.datasets import ANIMALS
from likely.desk.what_if import WhatIf
from likely.store import load

from ..cli.command import likely, worked


@pytest.fixture(scope="module")
def what_if(tmp_path_factory: pytest.TempPathFactory) -> WhatIf:
    path = tmp_path_factory.mktemp("m") / "a.likely"
    worked(likely("fit", ANIMALS, "--target", "animal", "-o", path))
    stored = load(path)
    assert stored.origin.schema is not None
    return WhatIf(stored, Schema.of_plain(stored.origin.schema))


def test_the_fields_are_the_columns_of_the_model(what_if: WhatIf) -> None:
    fields = {field.name: field for field in what_if.fields}
    assert list(fields) == [str(name) for name in what_if.stored.model.names]
    assert "savanna" in fields["habitat"].choices


def test_a_row_is_read_as_from_a_file(what_if: WhatIf, tmp_path: Path) -> None:
    lines = ANIMALS.read_text().splitlines()
    cells = dict(zip(lines[0].split(","), lines[1].split(","), strict=True))
    one = tmp_path / "one.csv"
    one.write_text("\n".join(lines[:2]))
    reasons, p = what_if.answer(cells)
    assert p.sum() == pytest.approx(1)
    np.testing.assert_allclose(reasons.scores - reasons.scores.max(), np.log(p) - np.log(p).max(), atol=1e-9)
    assert reasons.classes[p.argmax()] == cells["animal"]


def test_what_is_empty_is_missing(what_if: WhatIf) -> None:
    _, p = what_if.answer({})
    np.testing.assert_allclose(p, np.exp(what_if.stored.model.log_prior()))


def test_what_cannot_be_read_is_named(what_if: WhatIf) -> None:
    with pytest.raises(ValueError, match="shoulder_cm"):
        what_if.answer({"shoulder_cm": "tall"})
