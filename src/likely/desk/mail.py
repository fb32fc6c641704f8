"""The place to file mail: each view calls `likely.mail`, whose journal has every move, and shows what came of it."""

import sqlite3
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from likely.desk.events import Events
from likely.desk.evidence import evidence
from likely.desk.pages import Pages, form_of, number_of
from likely.desk.worker import Worker
from likely.mail import by_hand, watcher
from likely.mail.account import Gone, Refused, Unreachable
from likely.mail.database import Busy
from likely.mail.filer import Decision, Filer
from likely.mail.journal import Move
from likely.mail.promise import NEVER
from likely.mail.trial import Trial
from likely.printing import percent

AT_ONCE = 30
"""Messages that a list loads at a time."""
CHUNK = 100
"""Messages of the inbox that are filed before other requests are answered."""
LINKS = [("/", "Inbox", "I"), ("/history", "History", "H"), ("/folders", "Folders", "F")]
MISTAKES = (Gone, Refused, Unreachable, Busy, ValueError, sqlite3.Error)


class MailPlace:
    """The filer belongs to the worker's thread."""

    def __init__(
        self, open_filer: Callable[[], Filer], precision: float, worker: Worker, closed: Callable[[], None]
    ) -> None:
        self.filer, self.precision, self.worker, self._closed = worker.now(open_filer), precision, worker, closed
        self.pages, self.events = Pages(self.filer.account.address, LINKS), Events()
        self._keys: list[str] = []
        """The keys of messages by the numbers that pages know them by: a key may be the name of a file."""
        self._numbers: dict[str, int] = {}
        self._trial = Trial(self.filer.model)

    def routes(self) -> list[Route]:
        return [
            Route("/", self.inbox),
            Route("/move", self.move, methods=["POST"]),
            Route("/leave", self.leave, methods=["POST"]),
            Route("/accept", self.accept, methods=["POST"]),
            Route("/message", self.message),
            Route("/history", self.history),
            Route("/undo", self.undo, methods=["POST"]),
            Route("/refile", self.refile, methods=["POST"]),
            Route("/folders", self.folders),
            Route("/watcher", self.watcher, methods=["POST"]),
            Route("/learn", self.learn, methods=["POST"]),
        ]

    def close(self) -> None:
        self.worker.now(self._closed)
        self.worker.close()

    async def _done(
        self, request: Request, template: str, work: Callable[[], str], shown: Callable[[], Any]
    ) -> Response:
        """A page after some work, with what is said of it."""
        try:
            said, status = await self.worker.call(work), 200
        except MISTAKES as error:
            said, status = str(error), 409
        self.events.changed()
        return await self._shown(request, template, shown, said, status)

    # The inbox

    async def inbox(self, request: Request) -> Response:
        start = number_of(request.query_params, "from") if "from" in request.query_params else 0
        return await self._shown(request, "inbox.html", lambda: self._inbox(start))

    async def _shown(
        self, request: Request, template: str, work: Callable[[], dict[str, Any]], said: str = "", status: int = 200
    ) -> Response:
        try:
            return self.pages(request, template, await self.worker.call(work), said, status)
        except MISTAKES as error:
            raise HTTPException(503, f"{said}; {error}" if said else str(error)) from None

    def _inbox(self, start: int = 0) -> dict[str, Any]:
        keys = self.filer.account.keys(self.filer.rules.source)[::-1]
        some = keys[start : start + AT_ONCE]
        decided = {one.entry.key: one for one in self.filer.file(self.precision, keys=some)}
        return {
            "messages": [self._line(decided[key]) for key in some if key in decided],
            "total": len(keys),
            "more": {"from": start + AT_ONCE} if start + AT_ONCE < len(keys) else None,
            "folders": [
                folder.name for folder in self.filer.account.folders() if folder.name != self.filer.rules.source
            ],
            "only_read": self.filer.account.only_read,
            "precision": self.precision,
            "learned": round(self.filer.model.messages),
        }

    def _number(self, key: str) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return self._numbers[key]

    def _line(self, decided: Decision) -> dict[str, Any]:
        return {"number": self._number(decided.entry.key), "decided": decided, "entry": decided.entry}

    def _decision(self, number: int) -> Decision:
        """Of a message that is still in the inbox."""
        if number >= len(self._keys):
            raise Gone("this message is not known to the desk; load the page again")
        found = self.filer.file(self.precision, keys=[self._keys[number]])
        if not found:
            raise Gone("this page is stale: the message is not in the inbox any more, and nothing was moved")
        return found[0]

    async def move(self, request: Request) -> Response:
        """Where the page says: what the model says may have changed since it was shown."""
        fields = await form_of(request)
        number, folder = number_of(fields, "number"), fields.get("folder", "")

        def work() -> str:
            return outcome(by_hand.put(self.filer, self._decision(number).entry, folder))

        return await self._done(request, "inbox.html", work, self._inbox)

    async def leave(self, request: Request) -> Response:
        number = number_of(await form_of(request), "number")

        def work() -> str:
            entry = self._decision(number).entry
            by_hand.leave(self.filer, entry)
            return f"Left in the inbox: {entry.subject}"

        return await self._done(request, "inbox.html", work, self._inbox)

    async def accept(self, request: Request) -> Response:
        """Files all that is above the threshold, if that is still the one that the page shows."""
        if number_of(await form_of(request), "percent") != round(1000 * self.precision):
            return await self._done(request, "inbox.html", self._stale_precision, self._inbox)
        done: list[Decision] = []

        def some(keys: list[str]) -> None:
            done.extend(
                one for one in self.filer.file(self.precision, True, keys) if one.action in ("moved", "refused")
            )

        try:
            keys = await self.worker.call(lambda: self.filer.account.keys(self.filer.rules.source))
            for start in range(0, len(keys), CHUNK):
                await self.worker.call(some, keys[start : start + CHUNK])
        except MISTAKES as error:
            said = f"Stopped after {len(done):,}: {error}"
            return await self._done(request, "inbox.html", lambda: said, self._inbox)
        moved = sum(one.action == "moved" for one in done)
        refused = f"; {len(done) - moved:,} refused" if moved < len(done) else ""
        return await self._done(request, "inbox.html", lambda: f"{moved:,} filed{refused}.", self._inbox)

    def _stale_precision(self) -> str:
        raise Refused(
            f"this page is stale: {percent(self.precision)} precision is asked for now, and nothing was filed"
        )

    async def message(self, request: Request) -> Response:
        number = number_of(request.query_params, "number")
        return await self._shown(request, "message.html", lambda: self._message(number))

    def _message(self, number: int) -> dict[str, Any]:
        """Its text, and why it looks as it does. HTML is shown as the text in it."""
        decided = self._decision(number)
        text, reasons = self.filer.text_and_reasons(decided.entry)
        return {
            "one": self._line(decided),
            "text": text,
            "evidence": [] if reasons is None else evidence(reasons, 12),
            "first": "" if reasons is None else reasons.classes[reasons.first_two[0]],
            "second": "" if reasons is None else reasons.classes[reasons.first_two[1]],
        }

    # History

    async def history(self, request: Request) -> Response:
        start = number_of(request.query_params, "from") if "from" in request.query_params else 0
        return await self._shown(request, "history.html", lambda: self._history(start))

    def _history(self, start: int = 0) -> dict[str, Any]:
        journal = self.filer.journal
        total = journal.database.execute("SELECT count(*) FROM moves").fetchone()[0]
        moves = journal.of("id IN (SELECT id FROM moves ORDER BY id DESC LIMIT ? OFFSET ?)", AT_ONCE, start)[::-1]
        why, undoable = by_hand.grounds(self.filer, moves), {move.id for move in journal.undoable()}
        return {
            "moves": [(move, why.get(move.id, ""), move.id in undoable) for move in moves],
            "total": total,
            "more": {"from": start + AT_ONCE} if start + AT_ONCE < total else None,
            "folders": [folder.name for folder in self.filer.account.folders()],
        }

    async def undo(self, request: Request) -> Response:
        number = number_of(await form_of(request), "number")

        def work() -> str:
            return "; ".join(map(outcome, self.filer.undo(numbers=[number])))

        return await self._done(request, "history.html", work, self._history)

    async def refile(self, request: Request) -> Response:
        fields = await form_of(request)
        number, folder = number_of(fields, "number"), fields.get("folder", "")

        def work() -> str:
            return outcome(by_hand.refile(self.filer, number, folder))

        return await self._done(request, "history.html", work, self._history)

    # Folders

    async def folders(self, request: Request) -> Response:
        asked = request.query_params
        if "percent" in asked:
            self.precision = min(max(number_of(asked, "percent"), 500), 999) / 1000
            self.events.changed()
        return await self._shown(request, "folders.html", self._folders)

    def _folders(self) -> dict[str, Any]:
        filer = self.filer
        if self._trial.model is not filer.model:
            self._trial = Trial(filer.model)
        counts = (
            {}
            if filer.model.learned is None
            else dict(zip(map(str, filer.model.learned.classes), filer.model.counts, strict=True))
        )
        needed, least = self._trial.needed(self.precision), filer.model.threshold(self.precision)
        filed = by_hand.tally(filer)
        return {
            "folders": [
                {
                    "name": folder.name,
                    "role": filer.rules.role(folder),
                    "learned": round(counts.get(folder.name, 0)),
                    "filed": filed.get(folder.name, (0, 0))[0],
                    "corrected": filed.get(folder.name, (0, 0))[1],
                    "needed": needed.get(folder.name),
                }
                for folder in filer.account.folders()
            ],
            "precision": self.precision,
            "least": None if least == NEVER else least,
            "trade": self._trial.at(self.precision) if self._trial.messages else None,
            "messages": self._trial.messages,
            "watcher": watcher.status(filer.database, filer.path),
        }

    async def watcher(self, request: Request) -> Response:
        pauses = (await form_of(request)).get("do") == "pause"

        def work() -> str:
            watcher.pause(self.filer.database, pauses)
            return "The watcher is paused: it files nothing." if pauses else "The watcher is resumed."

        return await self._done(request, "folders.html", work, self._folders)

    async def learn(self, request: Request) -> Response:
        def work() -> str:
            lesson = self.filer.learn()
            return f"{lesson.learned:,} messages learned, {lesson.corrected:,} of them corrected."

        return await self._done(request, "folders.html", work, self._folders)


def outcome(move: Move) -> str:
    """What became of a move, as a sentence; raises Refused where the message has not moved."""
    if move.state != "moved":
        raise Refused(f"This was not moved: {move.why}")
    return f"Moved to {move.target}: {move.subject}"
