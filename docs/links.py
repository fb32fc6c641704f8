"""Whether links inside the built site lead somewhere, files and anchors. `make docs` runs it; it needs no network."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page, and the anchors that others can link to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "form":
                self.links.append(value)


def broken(site: Path) -> list[str]:
    """Each link that leads nowhere, with its page."""
    files = (path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts)  # the theme's own templates
    pages = {path.resolve(): Page(path) for path in files}
    found = []
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment)
            if not target.exists():
                found.append(f"{path.relative_to(site.resolve())}: {link} does not exist")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                found.append(f"{path.relative_to(site.resolve())}: {link} has no such anchor")
    return found


if __name__ == "__main__":
    faults = broken(Path(sys.argv[1]))
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(bool(faults))
