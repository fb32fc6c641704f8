"""The place to ask a model why, as a person uses it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from likely.datasets import ANIMALS

from ..cli.command import likely, worked
from .accessibility import faults
from .desks import RunningDesk
from .tables import write


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDesk]:
    folder = tmp_path_factory.mktemp("model")
    shutil.copy(ANIMALS, folder / "animals.csv")
    worked(likely("fit", folder / "animals.csv", "--target", "animal", "-o", folder / "animals.likely"))
    with RunningDesk(folder / "animals.likely", folder / "animals.csv") as running:
        yield running


def test_a_value_is_changed_and_the_probabilities_move(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    expect(page.locator("#answer h1")).to_have_text(re.compile(r"^lion, \d+\.\d %$"))
    before = page.locator("#answer h1").inner_text()
    page.get_by_label("shoulder_cm", exact=True).fill("70")
    expect(page.locator("#answer h1")).not_to_have_text(before)
    expect(page.locator("#answer")).to_contain_text("shoulder_cm 70")
    slider = page.get_by_role("slider", name="shoulder_cm")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("shoulder_cm", exact=True)).to_have_value("70.1")  # from what was written
    expect(page.locator("#answer")).to_contain_text("shoulder_cm 70.1")
    page.get_by_label("shoulder_cm", exact=True).fill("tall")
    expect(page.locator("#said")).to_contain_text("shoulder_cm")
    page.get_by_label("shoulder_cm", exact=True).fill("")
    expect(page.locator("#said")).to_have_text("")
    expect(page.locator("#answer")).to_contain_text("%")
    page.locator("#row").fill("14")
    page.locator("#row").press("Enter")
    expect(page.locator("#answer h1")).to_contain_text("hyena")
    page.keyboard.press("j")
    expect(page.locator("#row")).to_have_value("15")


def test_columns_rows_and_the_report(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    page.keyboard.press("C")
    expect(page.locator("figure")).to_have_count(6)
    for picture in page.locator("figure img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("one => one.naturalWidth") > 100
    page.keyboard.press("R")
    expect(page.locator("[data-row]").first).to_be_visible()
    losses = [float(text.split()[0]) for text in page.locator("[data-row] td:nth-child(4)").all_inner_texts()]
    assert losses == sorted(losses)
    page.locator("[data-row] a").first.click()
    expect(page.locator("#answer h1")).to_contain_text("%")
    page.keyboard.press("P")
    expect(page.locator("h1")).to_have_text("Which animal is it?")
    seen = []
    while page.get_by_role("link", name="Next").count():  # section by section
        page.keyboard.press("j")
        seen.append(page.locator("main section section h2").inner_text())
    assert {"What drives it", "Calibration", "Confusion", "Appendix"} <= set(seen)
    page.get_by_role("link", name="What drives it").click()
    expect(page.locator("figure svg").first).to_be_visible()
    for path in ("/", "/columns", "/rows", "/words", "/report", "/report/drivers", "/report/confusion"):
        page.goto(f"http://{desk.host}{path}")
        assert faults(page) == []
    desk.enter()
    page.goto("about:blank")
    page.set_content(desk.page("/report.html"))  # where it is served no script runs, not even that of the check
    assert faults(page) == []


def test_words_are_searched(page: Page, tmp_path: Path) -> None:
    data = write(tmp_path / "messages.csv", 200, 200)
    model = tmp_path / "messages.likely"
    worked(likely("fit", data, "--target", "kind", "--text", "message", "--ignore", "id", "-o", model))
    with RunningDesk(model) as desk:
        page.goto(desk.address)
        page.locator("textarea").fill("invoice refund")
        expect(page.locator("#answer h1")).to_contain_text("billing")
        assert "refund" not in page.url  # what you paste stays out of addresses and of the browser's history
        page.locator("textarea").fill("crash traceback " * 8_000)
        expect(page.locator("#answer h1")).to_contain_text("bug")
        page.goto(f"http://{desk.host}/words?class=bug")
        expect(page.locator("#found")).to_contain_text("traceback")
        page.locator("#words").fill("CRA")
        expect(page.locator("#found tbody tr")).to_have_count(1)
        expect(page.locator("#found")).to_contain_text("crash")
        page.locator("#class").select_option("billing")
        expect(page.locator("#found")).to_contain_text("The model has learned no such word for this class")
        desk.enter()
        assert desk.ask("GET", "/words?class=nothing").status == 404
        assert desk.ask("GET", "/columns").status == 404


def test_rows_that_are_not_there(desk: RunningDesk) -> None:
    desk.enter()
    assert desk.ask("GET", "/?row=99999").status == 404
    assert desk.ask("GET", "/columns/99.svg").status == 404
    assert desk.ask("GET", "/report/nothing").status == 404


def test_names_that_attack_the_pages_of_a_model_are_text(page: Page, tmp_path: Path) -> None:
    name = "</style></template></section><script>document.title='owned'</script><b>bold</b>"
    lines = [f"{at % 5},{name} {at % 3},{name if at % 2 else 'other'}" for at in range(60)]
    (tmp_path / "t.csv").write_text("\n".join([f"x{name},colour,kind", *lines]))
    worked(likely("fit", tmp_path / "t.csv", "--target", "kind", "-o", tmp_path / "m.likely"))
    with RunningDesk(tmp_path / "m.likely", tmp_path / "t.csv") as desk:
        page.goto(desk.address)
        sections = [f"/report/{one}" for one in ("summary", "drivers", "confusion", "mistakes", "checks", "appendix")]
        for path in ("/", "/columns", "/rows", "/columns/0.svg", "/report.html", *sections):
            page.goto(f"http://{desk.host}{path}")
            assert "owned" not in page.title(), path
            assert page.locator("b, main script").count() == 0, path
        expect(page.locator("main section section")).to_have_count(1)
        desk.enter()
        policy = desk.ask("GET", "/report").headers["content-security-policy"]
        assert "script-src 'self';" in policy
