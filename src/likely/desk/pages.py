"""Renders templates and reads forms. All values are escaped: HTML by jinja2, and control characters by `safe`."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse

from likely.desk.guard import LONGEST
from likely.printing import percent, safe, safe_lines

HERE = Path(__file__).parent
SHORT, LONG = 300, 20_000
"""How many characters of a line and of a text are shown: a message can have a subject of a megabyte."""
YEAR = 300 * 86400.0
"""Dates in the last 300 days are shown without the year; in seconds."""


def one_line(value: Any, most: int = SHORT) -> str:
    text = safe(str(value)[: most + 1])
    return text if len(text) <= most else text[:most] + "…"


def lines(value: Any, most: int = LONG) -> str:
    text = str(value)
    rest = f"\n… and {len(text) - most:,} more characters" if len(text) > most else ""
    return safe_lines(text[:most].replace("\r\n", "\n")) + rest


def when(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%d %b %H:%M" if time() - at < YEAR else "%d %b %Y") if at else ""


def signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


class Pages:
    """Renders the templates of one desk. A request from our script gets only the parts of a page that it replaces."""

    def __init__(self, title: str, links: list[tuple[str, str, str]]) -> None:
        """`links` are the address, the name and the key of each page."""
        self.environment = Environment(
            loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip
        self.environment.filters |= {
            "line": one_line, "lines": lines, "when": when, "percent": percent, "signed": signed, "query": urlencode,
            "count": lambda number: f"{number:,}",
        }  # fmt: skip
        self.environment.globals |= {"title": title, "links": links}

    def __call__(
        self,
        request: Request,
        template: str,
        values: Mapping[str, Any] | None = None,
        said: str = "",
        status: int = 200,
        undo: int | None = None,
    ) -> HTMLResponse:
        """`said` is a message about the request, and `undo` the number of a move that it made and that can be
        undone."""
        part = "x-desk" in request.headers
        text = self.environment.get_template(template).render(
            layout="part.html" if part else "page.html", path=request.url.path, said=said, well=status < 400, undo=undo,
            **(values or {}),
        )  # fmt: skip
        return HTMLResponse(text, status)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form. If two have the same name, the last one counts."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST:
            raise HTTPException(413, "This form is too long.")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def number_of(fields: Mapping[str, str], name: str) -> int:
    """The number in a field. Answers with status 400 if it is none: our pages send only numbers."""
    text = fields.get(name, "")
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise HTTPException(400, f"{name} should be a number.")
    return int(text)


def after_of(request: Request) -> int | None:
    """The row after which a list continues; None for its start."""
    return number_of(request.query_params, "after") if request.query_params.get("after") else None
