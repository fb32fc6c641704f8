"""What WCAG asks of a page and a program can see: the rules of axe-core, and that nothing is wider than the window."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def faults(page: Page) -> list[str]:
    """In light and in dark, on a large screen and on a phone."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width, height in ((360, 740), (3840, 2160), (1200, 800)):
            page.set_viewport_size({"width": width, "height": height})
            if page.evaluate(WIDER):
                found.append(f"{scheme}, {width}: wider than the window")
        for fault in Axe().run(page, options=RULES).response["violations"]:
            found += [f"{scheme}: {fault['id']}: {node['html'][:120]}" for node in fault["nodes"]]
    page.emulate_media(color_scheme="light")
    return found
