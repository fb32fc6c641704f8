import re
import xml.etree.ElementTree as ElementTree

import pytest

from likely.report.picture import KINDS, Picture, kind_of, sheet, style

from .conftest import EVIL

NAMES = [EVIL, "a & b", "$x^2$", "列の名前", "عمود", "😀"]


@style()
def drawn(says=EVIL):
    figure = sheet(200)
    axes = figure.subplots()
    axes.plot(range(len(NAMES)), range(len(NAMES)), color="#0969da", marker="o")
    axes.set_xticks(range(len(NAMES)), NAMES)
    return Picture(figure, says)


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def test_names_are_text_as_they_are():
    svg = drawn().svg()
    assert set(NAMES) <= set(texts(svg))
    assert "<script" not in svg
    root = ElementTree.fromstring(svg)
    assert root.get("aria-label") == EVIL
    assert root.get("role") == "img"


@pytest.mark.parametrize("ending", KINDS)
def test_the_same_picture_is_the_same_bytes(ending, tmp_path):
    paths = [tmp_path / f"{name}{ending}" for name in "ab"]
    for path in paths:
        drawn().save(path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert re.search(rb"20\d\d-\d\d-\d\d|D:20\d\d", first) is None


def test_pictures_in_one_page_have_names_of_their_own():
    first, second = drawn().svg("p1"), drawn().svg("p2")
    assert not set(re.findall(r' id="(.*?)"', first)) & set(re.findall(r' id="(.*?)"', second))
    for svg, own in ((first, "p1-"), (second, "p2-")):
        ids = re.findall(r' id="(.*?)"', svg)
        assert len(ids) == len(set(ids)) > 0
        assert {*re.findall(r'href="#(.*?)"', svg), *re.findall(r"url\(#(.*?)\)", svg)} <= set(ids)
        assert all(name.startswith(own) for name in ids)


def test_a_page_can_change_the_colours_and_a_file_changes_its_own():
    assert 'style="' not in drawn().svg()
    assert 'fill="#ffffff"' not in drawn().svg()
    assert 'stroke="#0969da"' in drawn().svg()
    in_file = drawn()._repr_html_()
    assert "prefers-color-scheme: dark" in in_file
    assert 'fill="#ffffff"' in in_file


def test_a_picture_is_written_whole_or_not_at_all(tmp_path):
    (tmp_path / "a.svg").write_text("before")
    with pytest.raises(ValueError, match=r"a figure is written to .svg, .png or .pdf, not to .gif"):
        drawn().save(tmp_path / "a.gif")
    with pytest.raises(OSError, match="nowhere"):
        drawn().save(tmp_path / "nowhere" / "a.svg")
    assert (tmp_path / "a.svg").read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
    assert kind_of("A.PDF") == "pdf"
