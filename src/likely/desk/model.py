"""The pages to ask a model why: what-if, its columns and words, and the rows with the largest loss."""

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
from likely.desk.pages import Pages, after_of, form_of, number_of
from likely.desk.report_pages import INLINE_STYLES, ReportPages
from likely.desk.what_if import WhatIf
from likely.desk.worker import Worker
from likely.report.columns import draw_column
from likely.report.findings import Findings
from likely.report.page import page
from likely.report.words import words_like
from likely.store import Stored

AT_ONCE = 50
"""How many rows or words a page lists."""
ALONE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""The content security policy of figures and of the report: they have styles, and run no scripts."""


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
        """`rows` and `findings` are None if the desk was opened without data, or without classes in the data."""
        links = [("/", "What if", "W")]
        if what_if.texts:
            links.append(("/words", "Words", "O"))
        if findings is not None:
            links += [("/columns", "Columns", "C"), ("/rows", "Rows", "R"), ("/report", "Report", "P")]
        self.pages, self.events, self.worker = Pages(name, links), Events(), worker
        self.name, self.stored, self.what_if, self.rows, self._find = name, stored, what_if, rows, findings
        self._findings: Findings | None = None
        self._pictures: dict[int, str] = {}
        self._report: ReportPages | None = None

    def routes(self) -> list[Route]:
        routes = [Route("/", self.ask, methods=["GET", "POST"]), Route("/words", self.words)]
        if self._find is not None:
            routes += [
                Route("/columns", self.columns),
                Route("/columns/{number:int}.svg", self.column),
                Route("/rows", self.hardest),
                Route("/report", self.report),
                Route("/report/{section}", self.report),
                Route("/report.html", self.whole_report),
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
        """The prediction for the values in the form. It is sent by POST if a column has texts: these are too long for
        an address, and private."""
        fields = {field.name: f"c{at}" for at, field in enumerate(self.what_if.fields)}
        asked = await form_of(request) if request.method == "POST" else request.query_params
        row = number_of(asked, "row") if "row" in asked else None
        cells = {name: asked[key] for name, key in fields.items() if key in asked}
        if not cells and self.rows is not None:
            row = row or 0
        shown, said = await self.worker.call(self._answered, cells or self._cells(row))
        of_rows = {"row": None if cells else row, "rows": 0 if self.rows is None else self.rows.num_rows}
        return self.pages(request, "what_if.html", {**shown, **of_rows}, said, 422 if said else 200)

    def _cells(self, row: int | None) -> dict[str, str]:
        """The cells of a row of the data, by default of the first; empty if there is no data."""
        if self.rows is None:
            return {}
        if (row or 0) >= self.rows.num_rows:
            raise HTTPException(404, f"There is no row {row:,}; the last is {self.rows.num_rows - 1:,}.")
        found = self.rows.slice(row or 0, 1).to_pydict()
        return {name: "" if values[0] is None else str(values[0]) for name, values in found.items()}

    def _known(self, row: int) -> list[str]:
        """The cells of a row that are not missing, without its class."""
        target = self.stored.origin.target
        return [value for name, value in self._cells(row).items() if value and name != target]

    def _answered(self, cells: dict[str, str]) -> tuple[dict[str, Any], str]:
        said, reasons, p = "", None, None
        try:
            reasons, p = self.what_if.answer(cells)
        except ValueError as error:
            said = str(error)
        shown = {
            "has_texts": bool(self.what_if.texts),
            "fields": [(at, field, cells.get(field.name, "")) for at, field in enumerate(self.what_if.fields)],
            "classes": len(self.stored.model.classes),
            "chances": [] if reasons is None else probabilities(reasons, p, 12),
            "evidence": [] if reasons is None else evidence(reasons, 20),
            "first": "" if reasons is None else reasons.classes[reasons.first_two[0]],
            "second": "" if reasons is None else reasons.classes[reasons.first_two[1]],
        }
        return shown, said

    # Columns, words and rows

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
        number = request.path_params["number"]

        def work() -> str:
            if number not in self._pictures:
                found = self.findings
                names = list(found.counted.chosen_families)
                if number >= len(names):
                    raise HTTPException(404, "There is no such column.")
                self._pictures[number] = draw_column(found.counted, found.sample, names[number])._repr_html_()
            return self._pictures[number]

        drawn = await self.worker.call(work)
        return Response(drawn, media_type="image/svg+xml", headers={"content-security-policy": ALONE})

    async def hardest(self, request: Request) -> Response:
        """The rows with the largest loss."""
        after = after_of(request)

        def work() -> dict[str, Any]:
            result = self.findings.result
            own = result.probabilities[np.arange(len(result.y)), result.y]
            order = np.argsort(own, kind="stable")
            known = np.flatnonzero(result.rows[order] == after)
            start = int(known[0]) + 1 if len(known) else 0
            some = order[start : start + AT_ONCE]
            return {
                "rows": [
                    {
                        "row": int(result.rows[at]),
                        "label": result.classes[result.y[at]],
                        "predicted": result.classes[result.answers[at]],
                        "p": float(own[at]),
                        "cells": " · ".join(self._known(int(result.rows[at]))),
                    }
                    for at in some
                ],
                "total": len(order),
                "more": {"after": int(result.rows[some[-1]])} if start + AT_ONCE < len(order) else None,
                "how": result.how,
            }

        return self.pages(request, "rows.html", await self.worker.call(work))

    # The report

    def _reported(self) -> ReportPages:
        if self._report is None:
            self._report = ReportPages(page(self.findings, f"Report on {self.name}"))
        return self._report

    async def report(self, request: Request) -> Response:
        """One section of the report."""
        found = await self.worker.call(self._reported)
        names = list(found.titles)
        name = request.path_params.get("section", names[0])
        if name not in names:
            raise HTTPException(404, "The report has no such section.")
        at = names.index(name)
        shown = {
            "titles": found.titles,
            "shown": name,
            "heading": found.titles[name],
            "style": found.style,
            "section": found.section(name),
            "before": names[at - 1] if at else None,
            "after": names[at + 1] if at + 1 < len(names) else None,
        }
        answer = self.pages(request, "report.html", shown)
        answer.headers["content-security-policy"] = INLINE_STYLES
        return answer

    async def whole_report(self, request: Request) -> Response:
        found = await self.worker.call(self._reported)
        return HTMLResponse(found.report, headers={"content-security-policy": ALONE})
