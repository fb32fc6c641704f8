"""The pages to file mail: each view calls `likely.mail`, which writes every move to its journal, and shows the
result."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from likely.desk.events import Events
from likely.desk.evidence import evidence
from likely.desk.pages import Pages, after_of, form_of, number_of
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
"""How many messages a list loads at a time."""
CHUNK = 100
"""How many messages of the inbox are filed before other requests are answered."""
LINKS = [("/", "Inbox", "I"), ("/history", "History", "H"), ("/folders", "Folders", "F")]
MISTAKES = (Gone, Refused, Unreachable, Busy, ValueError, sqlite3.Error)


class MailPlace:
    """The pages of one account. The filer may only be used in the thread of the worker."""

    def __init__(
        self, open_filer: Callable[[], Filer], precision: float, worker: Worker, closed: Callable[[], None]
    ) -> None:
        self.filer, self.precision, self.worker, self._closed = worker.now(open_filer), precision, worker, closed
        self.pages = Pages(self.filer.account.address, LINKS)
        self.events = Events(lambda: worker.call(self._changed_elsewhere))
        self._version = 0
        self._keys: list[str] = []
        """The key of each message, by its number on the pages: a key may be a file name, which pages must not have."""
        self._numbers: dict[str, int] = {}
        self._proposal: tuple[int, list[str]] = (0, [])
        """The last list of messages that a page asked you to confirm: its number, and the keys of the messages."""
        self._trial = Trial(self.filer.model)

    def routes(self) -> list[Route]:
        return [
            Route("/", self.inbox),
            Route("/move", self.move, methods=["POST"]),
            Route("/leave", self.leave, methods=["POST"]),
            Route("/accept", self.proposed),
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

    def _changed_elsewhere(self) -> bool:
        """Whether another process, such as a watcher, has written to the database of the account."""
        before = self._version
        self._version = int(self.filer.database.execute("PRAGMA data_version").fetchone()[0])
        return before != self._version

    async def _done(
        self,
        request: Request,
        template: str,
        work: Callable[[], str],
        shown: Callable[[], Any],
        moved: Callable[[], int | None] = lambda: None,
    ) -> Response:
        """Does some work, and answers with a page and the message that `work` returns. `moved` returns the number of a
        move that can be undone, if there is one."""
        try:
            message, status = await self.worker.call(work), 200
        except MISTAKES as error:
            message, status = str(error), 409
        self.events.changed()
        return await self._shown(request, template, shown, message, status, moved() if status == 200 else None)

    # The inbox

    async def inbox(self, request: Request) -> Response:
        after = after_of(request)
        return await self._shown(request, "inbox.html", lambda: self._inbox(after))

    async def _shown(
        self,
        request: Request,
        template: str,
        work: Callable[[], dict[str, Any]],
        said: str = "",
        status: int = 200,
        undo: int | None = None,
    ) -> Response:
        try:
            return self.pages(request, template, await self.worker.call(work), said, status, undo)
        except MISTAKES as error:
            raise HTTPException(503, f"{said}; {error}" if said else str(error)) from None

    def _inbox(self, after: int | None = None, acted: int | None = None) -> dict[str, Any]:
        """The first messages, or those `after` one. Also the message that was `acted` on, if it is still in the inbox
        but not among these."""
        keys = self.filer.account.keys(self.filer.rules.source)[::-1]
        start = 0 if after is None or after >= len(self._keys) else _position(keys, self._keys[after]) + 1
        page = keys[start : start + AT_ONCE]
        beyond = [key for key in self._keys_of(acted) if key in keys and key not in page]
        decided = {each.entry.key: each for each in self.filer.file(self.precision, keys=[*page, *beyond])}
        return {
            "messages": [
                {**self._line(decided[key]), "beyond": key in beyond} for key in [*page, *beyond] if key in decided
            ],
            "total": len(keys),
            "more": {"after": self._number(page[-1])} if start + AT_ONCE < len(keys) else None,
            **self._where(),
            "precision": self.precision,
            "learned": round(self.filer.model.messages),
        }

    def _keys_of(self, number: int | None) -> list[str]:
        return [] if number is None or number >= len(self._keys) else [self._keys[number]]

    def _where(self) -> dict[str, Any]:
        """The folders that a message can be moved to, and why none can be moved, if so."""
        source = self.filer.rules.source
        return {
            "folders": [folder.name for folder in self.filer.account.folders() if folder.name != source],
            "only_read": self.filer.account.only_read,
        }

    def _number(self, key: str) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return self._numbers[key]

    def _line(self, decided: Decision) -> dict[str, Any]:
        above = decided.action == "would move"
        return {"number": self._number(decided.entry.key), "decided": decided, "entry": decided.entry, "above": above}

    def _decision(self, number: int) -> Decision:
        """The decision on a message; raises Gone if it is not in the inbox any more."""
        if number >= len(self._keys):
            raise Gone("the desk does not know this message; load the page again")
        decisions = self.filer.file(self.precision, keys=[self._keys[number]])
        if not decisions:
            raise Gone("this page is out of date: the message is not in the inbox any more, and nothing was moved")
        return decisions[0]

    async def move(self, request: Request) -> Response:
        """Moves a message to the folder that the page shows: the prediction may have changed since."""
        fields = await form_of(request)
        number, folder = number_of(fields, "number"), fields.get("folder", "")

        done: list[Move] = []

        def work() -> str:
            done.append(by_hand.put(self.filer, self._decision(number).entry, folder))
            return outcome(done[0])

        return await self._done(
            request, "inbox.html", work, lambda: self._inbox(acted=number), lambda: done[0].id if done else None
        )

    async def leave(self, request: Request) -> Response:
        number = number_of(await form_of(request), "number")

        def work() -> str:
            entry = self._decision(number).entry
            by_hand.leave(self.filer, entry)
            return f"Left in the inbox: {entry.subject}"

        return await self._done(request, "inbox.html", work, lambda: self._inbox(acted=number))

    async def proposed(self, request: Request) -> Response:
        """How many messages are above the threshold, by folder, for you to confirm."""
        decisions: list[Decision] = []
        keys = await self._in_chunks(
            self._source_keys, lambda keys: decisions.extend(self.filer.file(self.precision, keys=keys))
        )
        above = [decision for decision in decisions if decision.action == "would move"]
        self._proposal = (self._proposal[0] + 1, [decision.entry.key for decision in above])
        shown = {
            "count": len(above),
            "total": len(keys),
            "folders": Counter(decision.suggestions[0][0] for decision in above).most_common(),
            "precision": self.precision,
            "proposal": self._proposal[0],
        }
        return self.pages(request, "accept.html", shown)

    async def accept(self, request: Request) -> Response:
        """Files the messages that you have confirmed, if they are still above the threshold that the page shows."""
        fields = await form_of(request)
        number, keys = self._proposal
        if (number_of(fields, "percent"), number_of(fields, "proposal")) != (round(1000 * self.precision), number):
            why = "this page is out of date: check again what would be filed, now at a precision of "
            why += f"{percent(self.precision)}; nothing was filed"
            return await self._done(request, "inbox.html", lambda: _refuse(why), self._inbox)
        done: list[Decision] = []

        def file(keys: list[str]) -> None:
            decisions = self.filer.file(self.precision, True, keys)
            done.extend(decision for decision in decisions if decision.action in ("moved", "refused"))

        try:
            await self._in_chunks(lambda: keys, file)
        except HTTPException as error:
            why = f"stopped after {len(done):,} messages: {error.detail}"
            return await self._done(request, "inbox.html", lambda: _refuse(why), self._inbox)
        moved = sum(decision.action == "moved" for decision in done)
        refused = f"; {len(done) - moved:,} refused" if moved < len(done) else ""
        message = f"{moved:,} {'message' if moved == 1 else 'messages'} filed{refused}."
        return await self._done(request, "inbox.html", lambda: message, self._inbox)

    def _source_keys(self) -> list[str]:
        return self.filer.account.keys(self.filer.rules.source)

    async def _in_chunks(self, which: Callable[[], list[str]], work: Callable[[list[str]], None]) -> list[str]:
        """Works on the keys in chunks, so that other requests are answered in between. Returns all keys."""
        try:
            keys = await self.worker.call(which)
            for start in range(0, len(keys), CHUNK):
                await self.worker.call(work, keys[start : start + CHUNK])
        except MISTAKES as error:
            raise HTTPException(503, str(error)) from None
        return keys

    async def message(self, request: Request) -> Response:
        number = number_of(request.query_params, "number")
        return await self._shown(request, "message.html", lambda: self._message(number))

    def _message(self, number: int) -> dict[str, Any]:
        """The text of a message (HTML as plain text), and the evidence for its predicted folder."""
        decided = self._decision(number)
        text, reasons = self.filer.text_and_reasons(decided.entry)
        return {
            "one": self._line(decided),
            **self._where(),
            "text": text,
            "evidence": [] if reasons is None else evidence(reasons, 12),
            "first": "" if reasons is None else reasons.classes[reasons.first_two[0]],
            "second": "" if reasons is None else reasons.classes[reasons.first_two[1]],
        }

    # History

    async def history(self, request: Request) -> Response:
        after = after_of(request)
        return await self._shown(request, "history.html", lambda: self._history(after))

    def _history(self, after: int | None = None, acted: int | None = None) -> dict[str, Any]:
        """The moves, the newest first; with `after`, those older than that move. Also the move that was `acted` on, if
        it is not among these."""
        journal = self.filer.journal
        total, oldest = journal.database.execute("SELECT count(*), min(id) FROM moves").fetchone()
        before = "WHERE id < ?" if after is not None else "WHERE ? IS NULL"
        page = journal.of(f"id IN (SELECT id FROM moves {before} ORDER BY id DESC LIMIT ?)", after, AT_ONCE)[::-1]
        beyond = [] if acted is None or acted in {move.id for move in page} else journal.of("id = ?", acted)
        why, undoable = by_hand.grounds(self.filer, [*page, *beyond]), {move.id for move in journal.undoable()}
        return {
            "moves": [(move, why.get(move.id, ""), move.id in undoable, move in beyond) for move in [*page, *beyond]],
            "undone": dict(
                journal.database.execute("SELECT undoes, id FROM moves WHERE undoes IS NOT NULL AND state = 'moved'")
            ),
            "total": total,
            "more": {"after": page[-1].id} if page and page[-1].id > oldest else None,
            "folders": [folder.name for folder in self.filer.account.folders()],
        }

    async def undo(self, request: Request) -> Response:
        fields = await form_of(request)
        number = number_of(fields, "number")

        def work() -> str:
            return "; ".join(map(outcome, self.filer.undo(numbers=[number])))

        if fields.get("page", "/history") != "/history":  # the button in the message after a move
            return await self._done(request, "inbox.html", work, self._inbox)
        return await self._done(request, "history.html", work, lambda: self._history(acted=number))

    async def refile(self, request: Request) -> Response:
        fields = await form_of(request)
        number, folder = number_of(fields, "number"), fields.get("folder", "")

        def work() -> str:
            return outcome(by_hand.refile(self.filer, number, folder))

        return await self._done(request, "history.html", work, lambda: self._history(acted=number))

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


def _refuse(why: str) -> NoReturn:
    raise Refused(why)


def _position(keys: list[str], key: str) -> int:
    return keys.index(key) if key in keys else -1


def outcome(move: Move) -> str:
    """A sentence about a move that was made; raises Refused if the message was not moved."""
    if move.state != "moved":
        raise Refused(f"This was not moved: {move.why}")
    return f"Moved to {move.target}: {move.subject}"
