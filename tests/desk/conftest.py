import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

expect.set_options(timeout=20_000)  # of a machine that is busy with other tests


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        why = "Chromium is not installed: on Debian, apt-get install chromium"
        pytest.fail(why) if "LIKELY_SKIP_NOTHING" in os.environ else pytest.skip(why)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window of a new visitor. What the browser complains of fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console",
        lambda said: complaints.append(said.text) if "Content Security" in said.text or "script" in said.text else None,
    )
    yield opened
    context.close()
    assert not complaints


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A window of a visitor whose browser runs no scripts: every form is sent by the browser itself."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()
