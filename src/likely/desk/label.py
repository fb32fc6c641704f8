"""The pages to label rows: each view calls `likely.labelling`, and shows the result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from likely.desk.curve import curve
from likely.desk.events import Events
from likely.desk.evidence import evidence, probabilities
from likely.desk.pages import Pages, after_of, form_of, number_of
from likely.desk.worker import Worker
from likely.labelling.export import exported, save_model
from likely.labelling.review import FEW, found, suspects
from likely.labelling.session import RANDOM_SHARE, Session, Stale

AT_ONCE = 50
"""How many rows a list loads at a time."""
KEYS = "1234567890"
LONGEST = 200
"""The longest name of a new class, in characters."""
CLASSES = 30
"""How many classes have a button. You find the others by typing: more buttons would fill the page."""
NAMES = 2000
"""How many names of classes a page has for completion."""

Done = tuple[str, dict[str, Any]]
"""The result of some work: a message, and the values for the template."""

LINKS = [("/", "Label", "L"), ("/labelled", "Labelled", "B"), ("/suspects", "Suspects", "A")]


@dataclass(frozen=True)
class Export:
    """Where labels and model are saved. No path in it comes from the browser."""

    name: str
    """The title of the page."""
    target: str
    """The name of the column with the labels."""
    model: Path
    source: str
    """The name of the data, which the model file stores."""
    schema: dict[str, Any] | None


class LabelPlace:
    def __init__(self, session: Session, export: Export, texts: Sequence[str], worker: Worker) -> None:
        """`texts` are the columns to show as texts. The session may only be used in the thread of the worker."""
        self.session, self.export, self.texts, self.worker = session, export, texts, worker
        self.pages, self.events = Pages(export.name, LINKS), Events(lambda: worker.call(session.refresh))

    def routes(self) -> list[Route]:
        return [
            Route("/", self.label),
            Route("/answer", self.answer, methods=["POST"]),
            Route("/undo", self.undo, methods=["POST"]),
            Route("/labelled", self.labelled),
            Route("/suspects", self.suspects),
            Route("/relabel", self.relabel, methods=["POST"]),
            Route("/save", self.save, methods=["POST"]),
            Route("/labels.{kind}", self.download),
        ]

    def close(self) -> None:
        self.worker.now(self.session.labels.close)
        self.worker.close()

    # Labelling

    async def label(self, request: Request) -> Response:
        """The next row to label, or the row in the address."""
        row = number_of(request.query_params, "row") if "row" in request.query_params else None
        return self.pages(request, "label.html", await self.worker.call(self._shown, row))

    async def answer(self, request: Request) -> Response:
        fields = await form_of(request)
        row, seen = number_of(fields, "row"), number_of(fields, "seen")
        label = None if "skip" in fields else self._class(fields.get("label", ""))
        if label == "":
            shown = await self.worker.call(self._shown, row)
            return self.pages(request, "label.html", shown, "Write the name of the class first.", 422)
        return await self._done(request, lambda: self._answered(row, label, seen))

    def _class(self, label: str) -> str:
        """The existing class with this name, even if the browser has changed its line breaks; or a new class."""
        known = {as_sent(name): name for name in self.session.classes}
        return known.get(as_sent(label), as_sent(label)[:LONGEST])

    async def undo(self, request: Request) -> Response:
        return await self._done(request, self._undone)

    async def _done(self, request: Request, work: Callable[[], Done]) -> Response:
        message, shown, status = await self._tried(work, lambda: self._shown(None))
        return self.pages(request, "label.html", shown, message, status)

    async def _tried(self, work: Callable[[], Done], otherwise: Callable[[], Any]) -> tuple[str, Any, int]:
        """The message, the values for the template and the HTTP status after some work; 409 and the values of
        `otherwise` if the page was stale."""
        try:
            message, shown = await self.worker.call(work)
            return message, shown, 200
        except Stale as stale:
            return str(stale), await self.worker.call(otherwise), 409
        finally:
            self.events.changed()

    def _answered(self, row: int, label: str | None, seen: int) -> Done:
        self.session.say(row, label, seen)
        return "", self._shown(None)

    def _undone(self) -> Done:
        row = self.session.undo()
        message = "There is no answer to undo." if row is None else f"The answer on row {row:,} is undone."
        return message, self._shown(None)

    def _shown(self, row: int | None) -> dict[str, Any]:
        session = self.session
        session.refresh()
        offer = session.offer
        if row is None:
            row = None if offer is None else offer.row
        elif row >= session.rows:
            raise HTTPException(404, f"There is no row {row:,}; the last is {session.rows - 1:,}.")
        chosen = "sought" if offer is None or offer.row != row else offer.chosen
        item = None if row is None else self._item(row, chosen)
        guesses = [] if item is None else [str(guess.label) for guess in item["guesses"]]
        shown = list(dict.fromkeys([*session.classes[:CLASSES], *guesses]))
        counts = session.counts()
        return {
            "item": item,
            "classes": list(zip_longest(shown, KEYS[: len(shown)], fillvalue="")),
            "names": session.classes[:NAMES],
            "counts": {name: counts[name] for name in shown},
            "others": len(session.classes) - len(shown),
            "labelled": len(session.labelled),
            "rows": session.rows,
            "error": session.error,
            "curve": curve(session.labels.curve()),
            "unmatched": session.unmatched,
            "random_share": RANDOM_SHARE,
            "model_path": self.export.model.name,
            "has_model": session.model.model is not None,
        }

    def _item(self, row: int, chosen: str) -> dict[str, Any]:
        label = self.session.label_of(row)
        cells = self.session.cells(row)
        why = self.session.model.reasons(row, label)
        return {
            "row": row,
            "chosen": chosen,
            "label": label,
            "seen": int(self.session.answer[row]),
            "texts": [(name, value) for name, value in cells.items() if name in self.texts],
            "cells": [(name, value) for name, value in cells.items() if name not in self.texts],
            "guesses": [] if why is None else probabilities(*why, 5),
            "evidence": [] if why is None else evidence(why[0]),
        }

    # Labelled rows

    async def labelled(self, request: Request) -> Response:
        asked = request.query_params
        words, label = asked.get("words", "")[:LONGEST], self._class(asked.get("label", ""))
        shown = await self.worker.call(self._found, words, label, after_of(request))
        return self.pages(request, "labelled.html", shown)

    def _found(self, words: str, label: str, after: int | None) -> dict[str, Any]:
        self.session.refresh()
        rows = found(self.session, words, label)
        start = 0 if after is None else int(np.flatnonzero(rows == after)[0]) + 1 if after in rows else 0
        page = rows[start : start + AT_ONCE]
        more = start + AT_ONCE < len(rows)
        return {
            "words": words,
            "label": label,
            "total": len(rows),
            "counts": self.session.counts(),
            "more": {"words": words, "label": label, "after": int(page[-1])} if more else None,
            "found": [self._line(int(row)) for row in page],
        }

    def _line(self, row: int) -> dict[str, Any]:
        cells = self.session.cells(row)
        shown = [str(cells[name]) for name in self.texts if name in cells] or [f"{k}: {v}" for k, v in cells.items()]
        seen = int(self.session.answer[row])
        return {"row": row, "seen": seen, "label": self.session.label_of(row), "text": " · ".join(shown)}

    async def suspects(self, request: Request) -> Response:
        return self.pages(request, "suspects.html", await self.worker.call(self._suspects))

    def _suspects(self) -> dict[str, Any]:
        self.session.refresh()
        suspicions = suspects(self.session)
        lines = [{"about": suspicion, **self._line(suspicion.row)} for suspicion in suspicions[: 4 * AT_ONCE]]
        enough = self.session.model.model is not None and len(self.session.labelled) >= FEW
        return {"suspects": lines, "total": len(suspicions), "enough": enough}

    async def relabel(self, request: Request) -> Response:
        """Corrects the label of a suspect, and shows the remaining suspects."""
        fields = await form_of(request)
        row, seen, label = number_of(fields, "row"), number_of(fields, "seen"), self._class(fields.get("label", ""))

        def work() -> Done:
            self.session.say(row, label, seen)
            return f"Row {row:,} is labelled {label}.", self._suspects()

        message, shown, status = await self._tried(work, self._suspects)
        return self.pages(request, "suspects.html", shown, message, status)

    # Export

    async def save(self, request: Request) -> Response:
        def work() -> str:
            export = self.export
            try:
                save_model(self.session, export.model, export.target, export.source, export.schema)
            except (ValueError, OSError) as error:
                return f"Not saved: {error}"
            return f"Saved as {export.model}"

        message = await self.worker.call(work)
        return self.pages(request, "label.html", await self.worker.call(self._shown, None), message)

    async def download(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in ("csv", "parquet"):
            raise HTTPException(404, "Labels are exported as csv or parquet.")
        body = await self.worker.call(exported, self.session, self.export.target, kind)
        return Response(
            body,
            media_type="application/octet-stream",
            headers={"content-disposition": f"attachment; filename=labels.{kind}"},
        )


def as_sent(label: str) -> str:
    """A name in the form in which a browser sends it back: HTML and forms change line breaks, and have no null byte."""
    return label.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").strip()
