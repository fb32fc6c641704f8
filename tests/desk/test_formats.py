"""All that can be labelled: tables in every format and folders of texts, unlabelled or partly labelled."""

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from ..cli.command import likely, worked
from .desks import RunningDesk
from .tables import message

ROWS = 40


def written(folder: Path, kind: str, labelled: int) -> Path:
    """The same messages in one format; the first ones have a label."""
    rows = [message(number) for number in range(ROWS)]
    labels = [label if at < labelled else None for at, (label, _) in enumerate(rows)]
    if kind == "folder":
        for at, (label, text) in enumerate(rows):
            place = folder / "texts" / (label if labelled else "")
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{at}.txt").write_text(text)
        return folder / "texts"
    table = pa.table({"message": [text for _, text in rows], "kind": pa.array(labels, pa.string())})
    path = folder / f"messages.{kind}"
    if kind == "parquet":
        pyarrow.parquet.write_table(table, path)
    elif kind == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in table.to_pylist()))
    else:
        pyarrow.csv.write_csv(table, path)
    return path


@pytest.mark.parametrize("labelled", [0, 15])
@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "folder"])
def test_it_is_labelled_and_the_model_is_read_by_other_commands(tmp_path: Path, kind: str, labelled: int) -> None:
    data = written(tmp_path, kind, labelled)
    options = [] if kind == "folder" else ["--text", "message", *(["--target", "kind"] if labelled else [])]
    given = ROWS if kind == "folder" and labelled else labelled
    with RunningDesk(data, *options, "--output", tmp_path / "m.likely", "--labels", tmp_path / "l.sqlite") as desk:
        desk.enter()
        assert f"{given} of {ROWS} rows labelled" in desk.page("/")
        for at in range(20 if given < ROWS else 0):
            found = re.search(r'name="row" value="(\d+)"', desk.page("/"))
            assert found
            label = message(int(found[1]))[0] if kind != "folder" else ("bug", "billing")[at % 2]
            assert desk.ask("POST", "/answer", {"row": found[1], "seen": 0, "label": label}).status == 200
        count = min(given + 20, ROWS)
        assert f"{count} of {ROWS} rows labelled" in desk.page("/")
        assert "Saved as" in desk.ask("POST", "/save").text
        assert len(desk.page("/labels.csv").splitlines()) == count + 1
    worked(likely("predict", tmp_path / "m.likely", data, "-o", tmp_path / "answers.csv"))
    assert len((tmp_path / "answers.csv").read_text().splitlines()) == ROWS + 1
