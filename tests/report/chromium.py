"""A real browser, to look at pages with."""

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")

LOOK = """
window.onload = () => {
  const looks = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, root = page.documentElement;
    const pictures = [...page.querySelectorAll("figure svg")];
    const sizes = [], outside = [], over = [];
    for (const svg of pictures) {
      const edge = svg.getBoundingClientRect(), scale = edge.width / svg.viewBox.baseVal.width;
      const level = [];
      for (const text of svg.querySelectorAll("text")) {
        const box = text.getBoundingClientRect();
        sizes.push(parseFloat(text.getAttribute("font-size")) * scale);
        const beside = box.left < edge.left - 2 || box.right > edge.right + 2;
        if (beside || box.top < edge.top - 2 || box.bottom > edge.bottom + 2) outside.push(text.textContent);
        if (!/rotate\\((?!-?0 )/.test(text.getAttribute("transform") || "")) level.push([text.textContent, box]);
      }
      level.forEach(([one, a], i) => level.slice(i + 1).forEach(([other, b]) => {
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) over.push(`${one} | ${other}`);
      }));
    }
    const cut = [...page.querySelectorAll(".wide")].filter(table => table.scrollWidth > table.clientWidth + 1);
    return { cut: cut.map(table => table.getAttribute("aria-label")),
      width: root.scrollWidth, room: root.clientWidth, title: page.title, outside, over,
      smallest: Math.min(...sizes), pictures: pictures.filter(svg => svg.getBoundingClientRect().height > 40).length,
      words: page.body.innerText.length, scripts: page.scripts.length,
      background: getComputedStyle(page.body).backgroundColor,
      asked: frame.contentWindow.performance.getEntriesByType("resource").map(entry => entry.name) };
  });
  document.getElementById("looks").textContent = JSON.stringify(looks);
};
"""


def look(pages: list[str], width: int, folder: Path, dark: bool = False) -> list[dict[str, Any]]:
    """What each page is like in a window of this width, without scripts of its own."""
    frames = "".join(
        f'<iframe style="width: {width}px; height: 800px; border: 0" srcdoc="{html.escape(page)}"></iframe>'
        for page in pages
    )
    (folder / "looks.html").write_text(
        f'<!doctype html><meta charset="utf-8">{frames}<pre id="looks"></pre><script>{LOOK}</script>', "utf-8"
    )
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    shown = run("--dump-dom", "--virtual-time-budget=20000", *scheme, (folder / "looks.html").as_uri()).decode()
    found = re.search(r'<pre id="looks">(.+?)</pre>', shown, re.DOTALL)
    assert found, shown[-500:]
    return json.loads(html.unescape(found[1]))


def printed(page: Path, folder: Path) -> bytes:
    run(f"--print-to-pdf={folder / 'page.pdf'}", "--no-pdf-header-footer", page.as_uri())
    return (folder / "page.pdf").read_bytes()


def run(*arguments: str) -> bytes:
    if PROGRAM is None:
        why = "Chromium is not installed: on Debian, apt-get install chromium"
        pytest.fail(why) if "LIKELY_SKIP_NOTHING" in os.environ else pytest.skip(why)
    command = [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions", *arguments]
    return subprocess.run(command, capture_output=True, timeout=120, check=True).stdout
