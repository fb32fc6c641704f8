"""Makes the pictures of the README and of docs/desk.md anew, with made data and Chromium: `make pictures`."""

import csv
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

DOCS = Path(__file__).parent
LIKELY = str(Path(sys.executable).with_name("likely"))
SIZE = {"width": 1200, "height": 760}
LABELS = 110

TICKETS = {
    "bug": ["the page stays blank", "an error appears when I save", "the app crashes after the update"],
    "billing": ["I was charged twice", "please send the invoice again", "the refund has not arrived"],
    "feature": ["a dark theme would help", "a keyboard shortcut would be great", "please add export to Excel"],
    "account": ["I cannot sign in", "please change my address", "my password reset does not arrive"],
}
MAIL = {
    "python-dev": ("guido@python.example", "Release candidate|PEP draft|Pull request|Build farm"),
    "Family": ("ben@home.example", "School play|Sunday lunch|Photos of the garden|Grandma's birthday"),
    "Bank": ("service@bank.example", "Account statement|Card payment|Standing order|Interest rates"),
    "Travel": ("news@air.example", "Train ticket|Boarding pass|Hotel booking|Seat reservation"),
}


@contextmanager
def desk(page: Page, *arguments: object) -> Iterator[str]:
    """A desk that the page is open at, by its address."""
    command = [LIKELY, "desk", *map(str, arguments), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        page.goto(address[0])
        yield address[0].partition("?")[0]
        process.terminate()


def label(page: Page, place: Path) -> None:
    """A table of tickets, some of them labelled as they come."""
    rng, classes = random.Random(0), dict[str, str]()
    with (place / "tickets.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["ticket", "channel", "message"])
        for number in range(1000, 2500):
            kind, other = rng.choice(list(TICKETS)), rng.choice(list(TICKETS))
            parts = [rng.choice(TICKETS[kind]), rng.choice(TICKETS[other if rng.random() < 0.3 else kind])]
            text = f"{rng.choice(['Hi', 'Hello', 'Good morning'])}, {' and '.join(parts)}, ticket {number}."
            classes[text] = kind
            rows.writerow([number, rng.choice(["mail", "phone", "web"]), text])
    with desk(page, place / "tickets.csv", "--text", "message"):
        for count in range(LABELS):
            kind = classes[page.locator(".item").inner_text().strip()]
            button = page.locator(f".answers button[value={kind}]")
            if button.count():
                button.click()
            else:
                page.keyboard.press("n")
                page.keyboard.type(kind)
                page.keyboard.press("Enter")
            expect(page.locator("body")).to_contain_text(f"{count + 1} of 1,500 rows labelled")
        page.mouse.move(0, 0)
        page.screenshot(path=DOCS / "desk-label.png")


def mail(page: Page, place: Path) -> None:
    """A Maildir with four folders and an inbox, of which one message has just been moved."""
    rng, now = random.Random(0), datetime(2026, 11, 18, 12, tzinfo=UTC)
    root = place / "ann"
    for folder in ("", *(f".{name}" for name in MAIL)):
        for part in ("cur", "new", "tmp"):
            (root / folder / part).mkdir(parents=True)
    for number in range(425):
        name = rng.choice(list(MAIL))
        sender, subjects = MAIL[name]
        message = EmailMessage()
        message["From"], message["Subject"] = sender, rng.choice(subjects.split("|"))
        message["Date"] = now - timedelta(hours=4 * (425 - number))
        message["Message-ID"] = f"<{number}@made.example>"
        words = " ".join(rng.choices(subjects.replace("|", " ").split(), k=12))
        message.set_content(f"{words} and see you soon\n")
        where = root / ("" if number >= 400 else f".{name}") / "cur" / f"{number}.made:2,S"
        where.write_bytes(message.as_bytes())
    with desk(page, "mail", root, "--home", place / "home", "--precision", "0.95") as address:
        page.goto(f"{address}folders")
        page.keyboard.press("n")
        expect(page.locator("#said")).to_contain_text("learned")
        page.goto(address)
        page.locator("[data-row]").first.focus()
        page.keyboard.press("m")
        expect(page.locator("#said")).to_contain_text("Moved")
        expect(page.locator("[data-row]")).to_have_count(24)
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.screenshot(path=DOCS / "desk-mail.png")


def model_and_report(browser: Browser, place: Path) -> None:
    """The model of the invented animals: asked what if, in a dark window, and its report."""
    subprocess.run([LIKELY, "demo", "--files", str(place)], check=True, capture_output=True)
    files = [str(place / name) for name in ("animals.likely", "animals.csv")]
    subprocess.run([LIKELY, "fit", files[1], "--target", "animal", "-o", files[0]], check=True, capture_output=True)
    page = browser.new_page(viewport=SIZE, color_scheme="dark")
    with desk(page, *files) as address:
        page.goto(f"{address}?row=14")
        page.screenshot(path=DOCS / "desk-model.png")
    subprocess.run([LIKELY, "report", *files, "-o", str(place / "report.html")], check=True, capture_output=True)
    page = browser.new_page(viewport=SIZE)
    page.goto((place / "report.html").as_uri())
    page.screenshot(path=DOCS / "report.png")


if __name__ == "__main__":
    place = Path(tempfile.gettempdir(), "mail")  # the desk shows it
    place.mkdir()
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for picture in (label, mail):
            picture(browser.new_page(viewport=SIZE), place)
        model_and_report(browser, place)
        browser.close()
    shutil.rmtree(place)
