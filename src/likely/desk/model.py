"""The place to ask a model why: what-if, its columns and words, and the rows that it finds hardest."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from likely.desk.events import Events
from likely.desk.evidence import evidence, probabilities
from likely.desk.pages import Pages, form_of, number_of
from likely.desk.what_if import WhatIf
from likely.desk.worker import Worker
from likely.report.columns import draw_column
from likely.report.findings import Findings
from likely.report.page import page
from likely.report.words import words_like
from likely.store import Stored

AT_ONCE = 50
"""Rows, and words, that a page lists."""
ALONE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""The policy of pictures and of the report: what they hold draws, and runs nothing."""


class ModelPlace:
    def __init__(
        self,
        name: str,
        stored: Stored,
        what_if: WhatIf,
        rows: pa.Table | None,
        findings: Callable[[], Findings] | None,
        worker: Worker,
    ) -> None:
        """`rows` and `findings` are those of the data, where there are any."""
        links = [("/", "What if", "W")]
        if what_if.texts:
            links.append(("/words", "Words", "O"))
        if findings is not None:
            links += [("/columns", "Columns", "C"), ("/rows", "Rows", "R"), ("/report", "Report", "P")]
        self.pages, self.events, self.worker = Pages(name, links), Events(), worker
        self.name, self.stored, self.what_if, self.rows, self._find = name, stored, what_if, rows, findings
        self._findings: Findings | None = None

    def routes(self) -> list[Route]:
        routes = [Route("/", self.ask, methods=["GET", "POST"]), Route("/words", self.words)]
        if self._find is not None:
            routes += [
                Route("/columns", self.columns),
                Route("/columns/{number:int}.svg", self.column),
                Route("/rows", self.hardest),
                Route("/report", self.report),
            ]
        return routes

    def close(self) -> None:
        self.worker.close()

    @property
    def findings(self) -> Findings:
        if self._findings is None:
            assert self._find is not None
            self._findings = self._find()
        return self._findings

    # What if

    async def ask(self, request: Request) -> Response:
        """By POST where a column holds texts: these are too long for an address, and don't belong into one."""
        fields = {field.name: f"c{at}" for at, field in enumerate(self.what_if.fields)}
        asked = await form_of(request) if request.method == "POST" else request.query_params
        row = number_of(asked, "row") if "row" in asked else None
        cells = {name: asked[key] for name, key in fields.items() if key in asked}
        shown, said = await self.worker.call(self._answered, cells or self._cells(row))
        return self.pages(request, "what_if.html", shown, said)

    def _cells(self, row: int | None) -> dict[str, str]:
        """Of a row of the data: by default the first."""
        if self.rows is None:
            return {}
        if (row or 0) >= self.rows.num_rows:
            raise HTTPException(404, f"There is no row {row:,}; the last is {self.rows.num_rows - 1:,}.")
        found = self.rows.slice(row or 0, 1).to_pydict()
        return {name: "" if values[0] is None else str(values[0]) for name, values in found.items()}

    def _answered(self, cells: dict[str, str]) -> tuple[dict[str, Any], str]:
        said, reasons, p = "", None, None
        try:
            reasons, p = self.what_if.answer(cells)
        except ValueError as error:
            said = str(error)
        shown = {
            "has_texts": bool(self.what_if.texts),
            "fields": [(at, field, cells.get(field.name, "")) for at, field in enumerate(self.what_if.fields)],
            "chances": [] if reasons is None else probabilities(reasons, p, 12),
            "evidence": [] if reasons is None else evidence(reasons, 20),
            "first": "" if reasons is None else reasons.classes[reasons.first_two[0]],
            "second": "" if reasons is None else reasons.classes[reasons.first_two[1]],
        }
        return shown, said

    # What it knows

    async def words(self, request: Request) -> Response:
        asked = request.query_params
        search = asked.get("words", "")[:100]
        model, texts = self.what_if.counted, self.what_if.texts
        classes = [str(name) for name in model.classes]
        label = asked.get("class", classes[0])
        if label not in classes:
            raise HTTPException(404, "There is no such class.")
        k = classes.index(label)
        found = await self.worker.call(lambda: [(name, words_like(model, name, k, search)[:AT_ONCE]) for name in texts])
        return self.pages(request, "words.html", {"found": found, "classes": classes, "label": label, "words": search})

    async def columns(self, request: Request) -> Response:
        def work() -> list[tuple[int, str, str]]:
            counted = self.findings.counted
            chosen = counted.chosen_families
            names = [name for name in self.findings.relevance.columns if name in chosen]
            every = list(chosen)
            return [
                (every.index(name), str(name), repr(chosen[name])) for name in names if chosen[name].reads != "text"
            ]

        return self.pages(request, "columns.html", {"columns": await self.worker.call(work)})

    async def column(self, request: Request) -> Response:
        def work() -> str:
            found = self.findings
            names = list(found.counted.chosen_families)
            if request.path_params["number"] >= len(names):
                raise HTTPException(404, "There is no such column.")
            return draw_column(found.counted, found.sample, names[request.path_params["number"]])._repr_html_()

        drawn = await self.worker.call(work)
        return Response(drawn, media_type="image/svg+xml", headers={"content-security-policy": ALONE})

    async def hardest(self, request: Request) -> Response:
        """The rows with the largest loss."""

        def work() -> dict[str, Any]:
            result = self.findings.result
            own = result.probabilities[np.arange(len(result.y)), result.y]
            worst = np.argsort(own, kind="stable")[:AT_ONCE]
            lines = [
                (int(result.rows[at]), result.classes[result.y[at]], result.classes[result.answers[at]], float(own[at]))
                for at in worst
            ]
            return {"rows": lines, "how": result.how}

        return self.pages(request, "rows.html", await self.worker.call(work))

    async def report(self, request: Request) -> Response:
        text = await self.worker.call(lambda: page(self.findings, f"Report on {self.name}"))
        return HTMLResponse(text, headers={"content-security-policy": ALONE})
