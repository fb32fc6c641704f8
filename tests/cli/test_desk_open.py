from pathlib import Path

from likely.cli.desk_open import label_place
from likely.cli.options import Reading

from .command import likely, worked


def test_labels_and_model_lie_next_to_the_data_unless_named(tmp_path: Path) -> None:
    data = tmp_path / "x.csv"
    data.write_text("note,kind\none two,a\nthree four,b\nfive,\n")
    place = label_place((str(data),), "kind", None, None, Reading(texts=("note",)))
    assert place.session.labels.path == tmp_path / "x.csv.labels.sqlite"
    assert place.export.model == tmp_path / "x.likely"
    place.close()
    place = label_place((str(data),), "kind", tmp_path / "y.sqlite", tmp_path / "y.likely", Reading(texts=("note",)))
    assert place.session.labels.path == tmp_path / "y.sqlite"
    assert place.export.model == tmp_path / "y.likely"
    place.close()


def test_the_model_that_is_saved_is_read_by_other_commands(tmp_path: Path) -> None:
    data = tmp_path / "x.csv"
    data.write_text("note,kind\n" + "red blue,a\none two,b\n" * 10)
    place = label_place((str(data),), "kind", None, None, Reading(texts=("note",)))
    export = place.export
    from likely.labelling.export import save_model

    save_model(place.session, export.model, export.target, export.source, export.schema)
    place.close()
    assert "a" in worked(likely("predict", export.model, data))
    assert "20" in worked(likely("evaluate", export.model, data))
