"""The place to label rows, as a person uses it: by keyboard and mouse, in a real browser, on real files."""

import csv
import io
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from likely.store import load

from .accessibility import faults
from .desks import RunningDesk
from .tables import KINDS, kind_of, write


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[RunningDesk]:
    with RunningDesk(write(tmp_path / "messages.csv"), "--text", "message") as running:
        yield running


def label(page: Page, count: int, keys: dict[str, str]) -> None:
    """As a person who reads each message and presses a key."""
    for _ in range(count):
        heading, text = page.locator("#item h1").inner_text(), page.locator(".item").inner_text()
        page.keyboard.press(keys[kind_of(text)])
        expect(page.locator("#item h1")).not_to_have_text(heading)


def test_a_person_labels_by_keyboard_until_the_model_is_good(desk: RunningDesk, page: Page, tmp_path: Path) -> None:
    page.goto(desk.address)
    assert "token" not in page.url
    expect(page.locator("#item")).to_contain_text("The model makes its first guess once two classes have a row each.")
    keys: dict[str, str] = {}
    while len(keys) < 3:  # the first classes are written
        heading, kind = page.locator("#item h1").inner_text(), kind_of(page.locator(".item").inner_text())
        if kind in keys:
            page.keyboard.press(keys[kind])
        else:
            page.keyboard.press("n")
            page.keyboard.type(kind)
            page.keyboard.press("Enter")
            keys[kind] = str(len(keys) + 1)
        expect(page.locator("#item h1")).not_to_have_text(heading)
    label(page, 40, keys)
    expect(page.locator("#item")).to_contain_text(re.compile("Drawn at random|The model is uncertain"))
    expect(page.locator("#item .guess")).to_contain_text("guess,")
    expect(page.locator("#item")).to_contain_text(re.compile("Why \\w+, and not"))
    expect(page.locator("#figures .figure")).to_have_text(re.compile(r"^\d+\.\d %$"))
    expect(page.locator("#figures svg[role=img]")).to_be_visible()
    expect(page.locator("#figures")).to_contain_text("of 200 rows labelled")
    before = page.locator("#figures h2").nth(1).inner_text()
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("is undone")
    expect(page.locator("#figures h2").nth(1)).not_to_have_text(before)
    row = page.locator("#item h1").inner_text()
    page.keyboard.press("s")
    expect(page.locator("#item h1")).not_to_have_text(row)
    page.keyboard.press("w")
    expect(page.locator("#said")).to_contain_text("messages.likely")
    assert set(load(tmp_path / "messages.likely").model.classes) == set(KINDS)
    with page.expect_download() as found:
        page.get_by_role("link", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(found.value.path().read_text())))
    assert len(rows) >= 40
    assert all(row["label"] == kind_of(row["message"]) for row in rows)


def test_without_a_script_every_form_works(desk: RunningDesk, plain_page: Page) -> None:
    plain_page.goto(desk.address)
    heading = plain_page.locator("#item h1").inner_text()
    plain_page.get_by_label("Name of a class").fill("bug")
    plain_page.get_by_role("button", name="Add").click()
    expect(plain_page.locator("#item h1")).not_to_have_text(heading)
    expect(plain_page.locator("#figures")).to_contain_text("1 of 200 rows labelled")
    plain_page.get_by_role("button", name="Undo").click()
    expect(plain_page.locator("#said")).to_contain_text("is undone")


def test_what_was_labelled_is_found_and_put_right_by_mouse(page: Page, tmp_path: Path) -> None:
    data = write(tmp_path / "messages.csv", 400, 300)
    text = data.read_text().splitlines()
    wrong = next(at for at, line in enumerate(text) if line.endswith("bug"))
    text[wrong] = text[wrong].removesuffix("bug") + "billing"
    data.write_text("\n".join(text))
    with RunningDesk(data, "--text", "message", "--target", "kind") as desk:
        page.goto(desk.address)
        page.get_by_role("link", name="Suspects").click()
        first = page.locator("[data-row]").first
        expect(first).to_contain_text("billing")
        expect(first).to_contain_text(f"number {wrong - 1}")
        first.get_by_role("link").click()
        expect(page.locator("#item h1")).to_contain_text("labelled billing")
        page.locator(".answers button", has_text="bug").click()
        page.get_by_role("link", name="Labelled").click()
        page.locator("#words").fill(f"number {wrong - 1} ")
        expect(page.locator("[data-row]")).to_have_count(1)
        expect(page.locator("[data-row]")).to_contain_text("bug")
        page.locator("#words").fill("")
        expect(page.locator("#rows")).to_contain_text("300 rows")
        assert page.locator("[data-row]").count() < 300
        page.locator("#words").blur()
        for _ in range(120):  # the list grows as one goes down
            page.keyboard.press("j")
        expect(page.locator("[data-row]").nth(110)).to_be_attached()
        page.keyboard.press("o")
        expect(page.locator("#item h1")).to_contain_text("labelled")


def test_a_suspect_is_put_right_and_a_guess_accepted_by_one_key(page: Page, tmp_path: Path) -> None:
    data = write(tmp_path / "messages.csv", 400, 300)
    text = data.read_text().splitlines()
    wrong = [at for at, line in enumerate(text) if line.endswith("bug")][:3]
    for at in wrong:
        text[at] = text[at].removesuffix("bug") + "billing"
    data.write_text("\n".join(text))
    with RunningDesk(data, "--text", "message", "--target", "kind") as desk:
        page.goto(desk.address)
        page.keyboard.press("A")
        expect(page.locator("[data-row]").nth(1)).to_be_visible()
        before = page.locator("[data-row]").count()
        second = page.locator("[data-row]").nth(1).get_attribute("data-row")
        page.keyboard.press("j")
        page.keyboard.press("c")
        expect(page.locator("#said")).to_have_text(re.compile("is labelled"))
        assert page.locator(f'[data-row="{second}"]').count() == 0
        assert page.locator("[data-row]").count() < before
        page.keyboard.press("L")
        guess = page.locator(".guess").get_attribute("value")
        row = page.locator("#item h1").inner_text().removeprefix("Row ")
        page.keyboard.press("g")
        expect(page.locator("#item h1")).not_to_have_text(f"Row {row}")
        page.goto(f"http://{desk.host}/?row={row}")
        expect(page.locator("#item h1")).to_have_text(f"Row {row}: labelled {guess}")


def test_another_desk_on_the_same_labels_is_heard_of(desk: RunningDesk, page: Page, tmp_path: Path) -> None:
    page.goto(desk.address)
    expect(page.locator("#figures")).to_contain_text("0 of 200 rows labelled")
    with RunningDesk(tmp_path / "messages.csv", "--text", "message") as second:
        second.enter()
        assert second.ask("POST", "/answer", {"row": 3, "seen": 0, "label": "bug"}).status == 200
    expect(page.locator("#figures")).to_contain_text("1 of 200 rows labelled")


def test_ten_thousand_rows_are_loaded_as_they_are_scrolled(page: Page, tmp_path: Path) -> None:
    with RunningDesk(write(tmp_path / "m.csv", 10_000, 10_000), "--text", "message", "--target", "kind") as desk:
        page.goto(desk.address)
        page.keyboard.press("B")
        expect(page.locator("#rows")).to_contain_text("10,000 rows")
        assert page.locator("[data-row]").count() <= 150
        for _ in range(6):
            page.mouse.wheel(0, 20_000)
            page.wait_for_timeout(150)
        shown = page.evaluate("[...document.querySelectorAll('[data-row]')].map(row => row.dataset.row)")
        assert 150 < len(shown) < 2_000
        assert len(set(shown)) == len(shown)


def test_many_classes_are_found_as_you_type(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "messages.csv"
    rows = "".join(f"word{at},class {at}\n" for at in range(400))
    path.write_text(f"text,kind\n{rows}word7,\nword8,\n")
    with RunningDesk(path, "--text", "text", "--target", "kind") as desk:
        page.goto(desk.address)
        heading = page.locator("#item h1").inner_text()
        page.keyboard.press("n")
        page.keyboard.type("397")
        expect(page.get_by_role("option")).to_have_text(["class 397"])
        assert faults(page) == []
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#item h1")).not_to_have_text(heading)
        page.goto(f"http://{desk.host}/labelled?label=class+397")
        expect(page.locator("[data-row]")).to_have_count(2)


def test_two_tabs(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    other = page.context.new_page()
    other.goto(f"http://{desk.host}/")
    for tab in (page, other):
        expect(tab.locator("#item h1")).to_be_visible()
    row = page.locator("#item h1").inner_text()
    assert other.locator("#item h1").inner_text() == row
    page.fill("#new", "bug")
    page.locator("#new").press("Enter")
    expect(page.locator("#item h1")).not_to_have_text(row)
    other.fill("#new", "billing")
    other.locator("#new").press("Enter")
    expect(other.locator("#said")).to_contain_text("answered elsewhere since; nothing was changed")
    expect(other.locator("#item h1")).not_to_have_text(row)
    expect(page.locator("#figures")).to_contain_text("1 of 200 rows labelled")
    other.fill("#new", "billing")
    other.locator("#new").press("Enter")
    other.bring_to_front()
    page.bring_to_front()
    expect(page.locator("#figures")).to_contain_text("2 of 200 rows labelled")  # by an event


def test_rows_that_attack_the_page_are_text(page: Page, tmp_path: Path) -> None:
    data = write(tmp_path / "messages.csv", 30, 12, nasty=True)
    with data.open("a") as file:
        file.write(f"big,{'x' * 1_000_000},\n")
    with RunningDesk(data, "--text", "message", "--target", "kind") as desk:
        page.goto(desk.address)
        for path in ("/", "/labelled", "/suspects", "/?row=30"):
            page.goto(f"http://{desk.host}{path}")
            assert "owned" not in page.title()
            assert "\u202e" not in page.content()
            assert "\x1b" not in page.content()
            assert page.locator("img[src=x]").count() == 0
        expect(page.locator(".item")).to_contain_text("980,000 more characters")
        page.goto(f"http://{desk.host}/?row=3")
        expect(page.locator(".item")).to_contain_text("<script>document.title")
        page.fill("#new", '<b onmouseover="alert(1)">')
        page.locator("#new").press("Enter")
        expect(page.locator(".answers")).to_contain_text('<b onmouseover="alert(1)">')
        assert page.locator(".answers b").count() == 0


def test_it_is_usable_by_everyone(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    for label_ in ("bug", "billing"):
        heading = page.locator("#item h1").inner_text()
        page.fill("#new", label_)
        page.locator("#new").press("Enter")
        expect(page.locator("#item h1")).not_to_have_text(heading)
    for path in ("/", "/labelled", "/suspects"):
        page.goto(f"http://{desk.host}{path}")
        assert faults(page) == []
    page.goto(f"http://{desk.host}/")
    reached = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(document.activeElement.textContent || document.activeElement.id).trim()"))
    assert {"Skip s", "Undo u", "new", "Keys on"} <= {" ".join(one.split()) for one in reached}
    page.get_by_role("button", name="Keys on").click()
    page.locator("main").focus()
    heading = page.locator("#item h1").inner_text()
    page.keyboard.press("s")
    page.wait_for_timeout(200)
    expect(page.locator("#item h1")).to_have_text(heading)


def test_without_scripts_forms_still_work(desk: RunningDesk) -> None:
    desk.enter()
    found = re.search(r'name="row" value="(\d+)"', desk.page("/"))
    assert found
    answer = desk.ask("POST", "/answer", {"row": found[1], "seen": 0, "label": "bug"})
    assert "<!doctype html>" in answer.text
    assert "1 of 200 rows labelled" in answer.text
    assert desk.ask("POST", "/answer", {"row": found[1], "seen": 0, "label": " "}).status == 422
    assert desk.ask("POST", "/answer", {"row": found[1], "seen": 0, "label": "bug"}).status == 409


def test_no_answer_that_was_confirmed_is_lost_whenever_the_desk_is_killed(tmp_path: Path) -> None:
    data = write(tmp_path / "messages.csv", 400)
    confirmed: dict[str, str] = {}
    sent: set[str] = set()

    def label_on(desk: RunningDesk) -> None:
        number = 0
        with suppress(OSError, HTTPException):
            while found := re.search(r'name="row" value="(\d+)"', desk.page("/")):
                label_, number = ("bug", "billing")[number % 2], number + 1
                sent.add(f"t{found[1]}")
                if desk.ask("POST", "/answer", {"row": found[1], "seen": 0, "label": label_}).status == 200:
                    confirmed[f"t{found[1]}"] = label_

    for turn in range(4):
        with RunningDesk(data, "--text", "message") as desk:
            desk.enter()
            person = Thread(target=label_on, args=(desk,))
            person.start()
            time.sleep(0.3 + 0.17 * turn)
            desk.kill()
            person.join()
    with RunningDesk(data, "--text", "message") as desk:
        desk.enter()
        rows = list(csv.DictReader(io.StringIO(desk.ask("GET", "/labels.csv").text)))
    kept = {row["id"]: row["label"] for row in rows}
    assert confirmed
    assert confirmed.items() <= kept.items()
    assert set(kept) <= sent


def answered_as(desk: RunningDesk, label: str) -> None:
    """Presses a button whose value is a label, as a browser sends it: with the ends of lines of a form."""
    page = desk.page("/?row=9")
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen
    sent = {"row": 9, "seen": seen[1], "label": re.sub(r"\r\n|\r|\n", "\r\n", label).replace("\0", "\ufffd")}
    assert desk.ask("POST", "/answer", sent).status == 200


@pytest.mark.parametrize("name", ["long " * 60 + "name", "two\r\nlines", "one\rtwo", "zero\0byte", "<b>&amp;\u202e"])
def test_a_class_of_the_data_is_answered_as_it_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / "messages.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [("text", "kind"), *((f"word{at}", name if at % 2 else "other") for at in range(9)), ("word1", "")]
        )
    with RunningDesk(path, "--text", "text", "--target", "kind") as desk:
        desk.enter()
        answered_as(desk, name)
        labels = [row["kind"] for row in csv.DictReader(io.StringIO(desk.page("/labels.csv"), newline=""))]
        assert labels[-1] == name
        assert len(set(labels)) == 2


def test_of_many_classes_some_have_buttons_and_all_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "messages.csv"
    rows = "".join(f"word{at},class {at}\n" for at in range(400))
    path.write_text(f"text,kind\n{rows}word7,\n")
    with RunningDesk(path, "--text", "text", "--target", "kind") as desk:
        desk.enter()
        page = desk.page("/")
        assert 30 <= page.count('<button name="label"') <= 35
        assert "more classes: type to find them" in page
        assert desk.ask("POST", "/answer", {"row": 400, "seen": 0, "label": "class 399"}).status == 200
        assert ">class 399<" in desk.page("/labelled?label=class+399")
