"""The place to file mail, as a person uses it, on a Maildir and on a real Dovecot."""

import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from html import unescape
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ..mail.conftest import server
from ..mail.letters import WORDS, message
from ..mail.places import MaildirPlace
from .accessibility import faults
from .desks import COMMAND, RunningDesk
from .tables import NASTY

HTML = (
    b"From: a@b.example\nSubject: =?utf-8?q?=3Cscript=3Ealert=281=29=3C/script=3E_=E2=80=AEtxt?=\n"
    b"Content-Type: text/html\n\n<p>hello <script>alert(1)</script><img src=http://evil.example/x.png> knight</p>\n"
)


@pytest.fixture(params=["maildir", "imap"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "")
    made = MaildirPlace(tmp_path / "mail") if request.param == "maildir" else server()
    for number, folder in enumerate(WORDS):
        made.create(folder)
        made.put(folder, *(message(folder, at) for at in range(number, 360, 3)))
    made.put("INBOX", *(message("Chess", at) for at in range(500, 504)), message("garden", 600), HTML)
    yield made
    made.close()


def desk_of(place: Any, tmp_path: Path, *arguments: str) -> RunningDesk:
    address = place.server.address if hasattr(place, "server") else place.root
    home = ("--home", str(tmp_path / "home"), "--precision", "0.9")
    return RunningDesk(
        "mail", address, *home, *arguments, LIKELY_MAIL_PASSWORD=os.environ.get("LIKELY_MAIL_PASSWORD", "")
    )


def learned(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    page.goto(f"http://{desk.host}/folders")
    page.keyboard.press("n")
    expect(page.locator("#said")).to_contain_text("360 messages learned")
    page.goto(f"http://{desk.host}/")


def count(place: Any, folder: str) -> int:
    return len(place.contents(folder))


def test_a_person_files_mail(place: Any, page: Page, tmp_path: Path) -> None:
    with desk_of(place, tmp_path) as desk:
        learned(desk, page)
        expect(page.locator("h1")).to_have_text("Inbox: 6 messages")
        rows = page.locator("[data-row]")
        garden = rows.filter(has_text=re.compile(r"\b600\b"))
        expect(garden).to_contain_text("garden")
        assert count(place, "garden") == 120  # nothing moves by looking
        garden.focus()
        page.keyboard.press("m")
        expect(page.locator("#said")).to_contain_text("Moved to garden")
        expect(rows).to_have_count(5)
        assert count(place, "garden") == 121
        other = rows.filter(has_text="500")
        other.get_by_label("Other folder", exact=True).fill("Arbeit/Pläne")
        other.get_by_label("Other folder", exact=True).press("Enter")
        expect(page.locator("#said")).to_contain_text("Moved to Arbeit/Pläne")
        left = rows.filter(has_text="501")
        left.focus()
        page.keyboard.press("l")
        expect(page.locator("#said")).to_contain_text("Left in the inbox")
        page.keyboard.press("A")
        expect(page.locator("h1")).to_contain_text(re.compile("^File \\d of 4 messages"))
        expect(page.locator("button.main")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_contain_text("filed")
        assert any(b" 501\n" in raw.replace(b"\r", b"") for raw in place.contents("INBOX"))
        page.keyboard.press("H")
        expect(page.locator("h1")).to_contain_text("History")
        moved = page.locator("[data-row]").filter(has_text=re.compile(r"\b600\b"))
        expect(moved).to_contain_text("by you")
        expect(moved).to_contain_text(re.compile("‘|garden.example"))  # the reasons, as words
        wrong = page.locator("[data-row]").filter(has_text="500")
        wrong.get_by_label("Other folder", exact=True).fill("Chess")
        wrong.get_by_label("Other folder", exact=True).press("Enter")
        expect(page.locator("#said")).to_contain_text("Moved to Chess")
        expect(page.locator("[data-row]").filter(has_text="corrected: you put it into Chess")).to_have_count(1)
        moved.focus()
        page.keyboard.press("u")
        expect(page.locator("#said")).to_contain_text("Moved to INBOX")
        assert count(place, "garden") == 120
        page.keyboard.press("F")
        expect(page.locator("#folders")).to_contain_text("mail comes in")
        before = page.locator("#trade").inner_text()
        page.locator("#percent").focus()
        for _ in range(12):
            page.keyboard.press("ArrowLeft")
        expect(page.locator("#trade")).not_to_have_text(before)
        expect(page.locator("#trade")).to_contain_text("would have been filed")
        for path in ("/", "/history", "/folders"):
            page.goto(f"http://{desk.host}{path}")
            assert faults(page) == []


def shown(page: Page) -> list[str]:
    return page.evaluate("[...document.querySelectorAll('[data-row]')].map(row => row.dataset.row)")  # type: ignore[no-any-return]


def test_a_list_keeps_its_place(page: Page, tmp_path: Path) -> None:
    """A key acts on the row that is marked, also after the one before it has gone, and however far down."""
    made = MaildirPlace(tmp_path / "mail")
    for number, folder in enumerate(WORDS):
        made.create(folder)
        made.put(folder, *(message(folder, at) for at in range(number, 360, 3)))
    made.put("INBOX", *(message("Chess", at) for at in range(500, 600)))
    with desk_of(made, tmp_path) as desk:
        learned(desk, page)
        expect(page.locator("h1")).to_have_text("Inbox: 100 messages")
        assert page.locator("[data-row][aria-current]").count() == 1  # what a key would act on is seen from the start
        for _ in range(300):  # more rows come as one goes down, and a key that is pressed before they are there is lost
            page.keyboard.press("j")
            if page.locator("[data-row]").count() > 60:
                break
        for _ in range(5):
            page.keyboard.press("j")
        before = shown(page)
        at = before.index(str(page.locator("[data-row][aria-current]").get_attribute("data-row")))
        assert at > 30
        page.keyboard.press("m")
        expect(page.locator("h1")).to_have_text("Inbox: 99 messages")
        expect(page.locator("[data-row][aria-current]")).to_have_attribute("data-row", before[at + 1])
        assert shown(page)[: len(before) - 1] == [row for row in before if row != before[at]]
        page.keyboard.press("l")
        expect(page.locator(f'[data-row="{before[at + 1]}"]')).to_contain_text("you left it in the inbox")
        expect(page.locator("[data-row][aria-current]")).to_have_attribute("data-row", before[at + 1])
        page.keyboard.press("f")
        page.keyboard.type("GARD")
        expect(page.get_by_role("option")).to_have_text(["garden"])
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_contain_text("Moved to garden")
        expect(page.locator("[data-row][aria-current]")).to_have_attribute("data-row", before[at + 2])
        page.keyboard.press("u")  # what the page has just said
        expect(page.locator("#said")).to_contain_text("Moved to INBOX")
        expect(page.locator("h1")).to_have_text("Inbox: 99 messages")
        assert count(made, "garden") == 120
        page.keyboard.press("o")
        expect(page.locator(".item")).to_be_visible()
        page.keyboard.press("m")
        expect(page.locator("h1")).to_have_text("Inbox: 98 messages")
        assert page.url == f"http://{desk.host}/"
        page.keyboard.press("H")
        page.locator("[data-row]").filter(has_text="→ Chess").first.focus()
        page.keyboard.press("u")
        expect(page.locator("[data-row]").filter(has_text="undone by")).to_have_count(2)


def test_two_desks_move_nothing_twice_and_a_stale_page_says_so(place: Any, page: Page, tmp_path: Path) -> None:
    with desk_of(place, tmp_path) as desk, desk_of(place, tmp_path) as second:
        learned(desk, page)
        other = page.context.new_page()
        other.goto(second.address)
        for tab in (page, other):
            expect(tab.locator("[data-row]").filter(has_text="500")).to_be_visible()
        page.locator("[data-row]").filter(has_text="500").focus()
        page.keyboard.press("m")
        expect(page.locator("#said")).to_contain_text("Moved to")
        number = other.locator("[data-row]").filter(has_text="500").locator("input[name=number]").first.input_value()
        answer = other.evaluate(
            "n => fetch('/move', {method: 'POST', body: new URLSearchParams({number: n, folder: 'garden'})})"
            ".then(a => a.status)",
            number,
        )
        assert answer == 409
        everywhere = [raw for folder in ("INBOX", *WORDS) for raw in place.contents(folder)]
        assert sum(b" 500\n" in raw.replace(b"\r", b"") for raw in everywhere) == 1


def test_the_watcher_files_and_pauses(tmp_path: Path, page: Page) -> None:
    place = MaildirPlace(tmp_path / "mail")
    for number, folder in enumerate(WORDS):
        place.create(folder)
        place.put(folder, *(message(folder, at) for at in range(number, 360, 3)))
    place.create("INBOX")
    with desk_of(place, tmp_path, "--move") as desk:
        page.goto(desk.address)
        page.goto(f"http://{desk.host}/folders")
        expect(page.locator("#watcher h2")).to_have_text("Watcher: running", timeout=20_000)
        page.keyboard.press("r")
        expect(page.locator("#watcher h2")).to_have_text("Watcher: paused")
        time.sleep(1)
        place.put("INBOX", message("Chess", 700))
        time.sleep(1.5)
        assert count(place, "INBOX") == 1
        page.keyboard.press("r")
        expect(page.locator("#watcher h2")).to_have_text("Watcher: running")
        end = time.monotonic() + 60  # of a machine that is busy with other tests
        while count(place, "INBOX") and time.monotonic() < end:
            time.sleep(0.1)
        assert count(place, "INBOX") == 0
        by_likely = page.locator("[data-row]").filter(has_text="by Likely, confidence")
        page.goto(f"http://{desk.host}/history")
        while not by_likely.count() and time.monotonic() < end:  # the journal is written after the message has moved
            page.goto(f"http://{desk.host}/history")
        expect(by_likely).to_have_count(1)


def everywhere(place: MaildirPlace) -> Counter[bytes]:
    """How often each message is there, by its Message-ID."""
    raws = (raw for folder in ("INBOX", *WORDS) for raw in place.contents(folder))
    return Counter(re.findall(rb"Message-ID: (\S+)", raw)[0] for raw in raws)


def filed_place(root: Path, inbox: int) -> MaildirPlace:
    place = MaildirPlace(root)
    for number, folder in enumerate(WORDS):
        place.create(folder)
        place.put(folder, *(message(folder, at) for at in range(number, 360, 3)))
    place.put("INBOX", *(message(list(WORDS)[at % 3], at) for at in range(500, 500 + inbox)))
    return place


def move_on(desk: RunningDesk, turns: int = 1000) -> int:
    """Moves what the page shows first, as fast as it can, until the desk is gone or the inbox empty."""
    done = 0
    with suppress(OSError, HTTPException):
        for _ in range(turns):
            shown = re.search(
                r'name="number" value="(\d+)"><input type="hidden" name="folder" value="([^"]+)"', desk.page("/")
            )
            if shown is None:
                break
            done += desk.ask("POST", "/move", {"number": shown[1], "folder": unescape(shown[2])}).status == 200
    return done


def test_no_message_is_lost_or_doubled_whenever_the_desk_is_killed(tmp_path: Path) -> None:
    place = filed_place(tmp_path / "mail", 40)
    before, confirmed = everywhere(place), 0
    with desk_of(place, tmp_path) as desk:
        desk.enter()
        assert desk.ask("POST", "/learn").status == 200
    for turn in range(3):
        with desk_of(place, tmp_path) as desk, ThreadPoolExecutor(1) as person:
            desk.enter()
            moves = person.submit(move_on, desk)
            time.sleep(0.2 + 0.13 * turn)
            desk.kill()
            confirmed += moves.result()
    assert everywhere(place) == before
    with desk_of(place, tmp_path) as desk:
        desk.enter()
        desk.page("/")  # what was cut short is settled, and what was confirmed is in the history
        moves_there = int(re.findall(r"History: (\d+) move", desk.page("/history"))[0])
        assert moves_there >= confirmed
        assert 40 - count(place, "INBOX") >= confirmed
        move_on(desk)
    assert everywhere(place) == before
    assert count(place, "INBOX") == 0


@contextmanager
def watch_of(place: Any, tmp_path: Path) -> Iterator[None]:
    """`likely mail watch` as a process of its own."""
    options = ["--home", tmp_path / "home", "--precision", "0.9", "--every", "0.5", "--move"]
    command = [COMMAND, "mail", "watch", place.root, *options]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL) as process:
        yield
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


@pytest.mark.parametrize("own_process", [False, True])
def test_a_watcher_and_two_desks_at_once_move_nothing_twice(own_process: bool, tmp_path: Path) -> None:
    place = filed_place(tmp_path / "mail", 60)
    before = everywhere(place)
    with desk_of(place, tmp_path) as desk:
        desk.enter()
        assert desk.ask("POST", "/learn").status == 200
    with (
        desk_of(place, tmp_path, *([] if own_process else ["--move"])) as watching,
        desk_of(place, tmp_path) as second,
        watch_of(place, tmp_path) if own_process else nullcontext(),
        ThreadPoolExecutor(2) as two,
    ):
        for desk in (watching, second):
            desk.enter()
        done = list(two.map(move_on, (watching, second)))
        end = time.monotonic() + 60
        while count(place, "INBOX") and time.monotonic() < end:
            time.sleep(0.1)
        history = int(re.findall(r"History: (\d+) move", second.page("/history"))[0])
    assert everywhere(place) == before
    assert count(place, "INBOX") == 0
    assert sum(done) <= 60 <= history


def test_mail_that_attacks_the_page_is_text(tmp_path: Path, page: Page) -> None:
    place = MaildirPlace(tmp_path / "mail")
    for number, folder in enumerate(WORDS):
        place.create(folder)
        place.put(folder, *(message(folder, at) for at in range(number, 60, 3)))
    long = b"From: x@y.example\nSubject: " + b"A" * 1_000_000 + b"\n\nhello\n"
    place.put("INBOX", HTML, long, f"Subject: {NASTY}\n\n{NASTY}\n".encode())
    place.create("<b>bold</b>")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with desk_of(place, tmp_path) as desk:
        page.goto(desk.address)
        page.goto(f"http://{desk.host}/folders")
        page.keyboard.press("n")
        expect(page.locator("#said")).to_contain_text("messages learned")
        page.goto(f"http://{desk.host}/")
        expect(page.locator("[data-row]")).to_have_count(3)
        for path in ("/", "/message?number=0", "/message?number=1", "/message?number=2", "/folders", "/history"):
            page.goto(f"http://{desk.host}{path}")
            content = page.content()
            assert len(content) < 60_000
            assert "\u202e" not in content
            assert page.locator("main script, main img").count() == 0
            assert page.locator("main b").count() == 0
        assert all(url.startswith(f"http://{desk.host}/") for url in asked)
        assert desk.ask("GET", "/message?number=99").status == 403
        desk.enter()
        assert desk.ask("GET", "/message?number=99").status == 503
        assert desk.ask("POST", "/move", {"number": 0, "folder": "../../x"}).status == 409
        assert desk.ask("POST", "/move", {"number": "../x", "folder": "Chess"}).status == 400


def test_an_mbox_is_only_read(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "INBOX").write_bytes(b"From x Mon Jan  1 10:00:00 2024\nSubject: one\n\nhello\n")
    with RunningDesk("mail", tmp_path / "mail", "--home", tmp_path / "home") as desk:
        desk.enter()
        assert "is read-only" in desk.page("/")
        assert "No message is above the threshold" in desk.page("/accept")


def test_without_a_script_mail_is_filed_and_put_back(quiet: tuple[MaildirPlace, RunningDesk], plain_page: Page) -> None:
    made, desk = quiet
    plain_page.goto(desk.address)
    plain_page.locator("[data-row]").get_by_role("button", name="Move").first.click()
    expect(plain_page.locator("#said")).to_contain_text("Moved to Chess")
    plain_page.goto(f"http://{desk.host}/history")
    plain_page.get_by_label("Other folder", exact=True).fill("garden")
    plain_page.get_by_label("Other folder", exact=True).press("Enter")
    expect(plain_page.locator("#said")).to_contain_text("Moved to garden")
    assert count(made, "garden") == 121
    plain_page.get_by_role("button", name="Undo").first.click()
    expect(plain_page.locator("#said")).to_contain_text("Moved to")
    assert count(made, "garden") == 120


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[tuple[MaildirPlace, RunningDesk]]:
    """A Maildir and its desk, without a browser."""
    made = MaildirPlace(tmp_path / "mail")
    for number, folder in enumerate(WORDS):
        made.create(folder)
        made.put(folder, *(message(folder, at) for at in range(number, 360, 3)))
    made.put("INBOX", message("Chess", 500))
    with desk_of(made, tmp_path) as desk:
        desk.enter()
        assert desk.ask("POST", "/learn").status == 200
        yield made, desk
    made.close()


def test_a_message_moves_where_the_page_said_and_nowhere_else(quiet: tuple[MaildirPlace, RunningDesk]) -> None:
    made, desk = quiet
    assert '<input type="hidden" name="folder" value="Chess">' in desk.page("/")
    assert desk.ask("POST", "/move", {"number": 0}).status == 409  # no page of ours asks for "where the model says"
    assert count(made, "INBOX") == 1
    assert desk.ask("POST", "/move", {"number": 0, "folder": "garden "}).status == 200
    assert count(made, "garden") == 121


def test_only_what_a_page_has_shown_is_filed_all_at_once(quiet: tuple[MaildirPlace, RunningDesk]) -> None:
    made, desk = quiet
    assert desk.ask("POST", "/accept", {"percent": 900, "proposal": 0}).status == 200  # nothing was shown
    assert count(made, "INBOX") == 1
    assert "File 1 of 1 messages?" in desk.page("/accept")
    desk.page("/folders?percent=800")  # another tab
    answer = desk.ask("POST", "/accept", {"percent": 900, "proposal": 1})
    assert answer.status == 409
    assert "now at a precision of 80.0 %" in answer.text
    assert count(made, "INBOX") == 1
    desk.page("/accept")
    made.put("INBOX", message("Chess", 501))  # not among those that you have confirmed
    assert desk.ask("POST", "/accept", {"percent": 800, "proposal": 1}).status == 409
    assert desk.ask("POST", "/accept", {"percent": 800, "proposal": 2}).status == 200
    assert [b" 501\n" in raw for raw in made.contents("INBOX")] == [True]


def test_an_account_that_is_gone_is_said(quiet: tuple[MaildirPlace, RunningDesk]) -> None:
    made, desk = quiet
    desk.page("/")
    made.root.rename(made.root.with_name("renamed"))
    answer = desk.ask("POST", "/move", {"number": 0, "folder": "Chess"})
    assert answer.status == 503
    assert desk.ask("GET", "/accept").status == 503
    assert "Traceback" not in desk.interrupt()
