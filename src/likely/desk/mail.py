"""The place to file mail: each view calls `likely.mail`, whose journal has every move, and shows what came of it."""

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
        self.pages = Pages(self.filer.account.address, LINKS)
        self.events = Events(lambda: worker.call(self._changed_elsewhere))
        self._version = 0
        self._keys: list[str] = []
        """The keys of messages by the numbers that pages know them by: a key may be the name of a file."""
        self._numbers: dict[str, int] = {}
        self._proposal: tuple[int, list[str]] = (0, [])
        """What a page has last asked you to confirm: its number, and the keys of the messages."""
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
        """Whether another process, such as a watcher, has written to what is known of the account."""
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
        """A page after some work, with what is said of it; `moved` is the number of a move that can be undone."""
        try:
            said, status = await self.worker.call(work), 200
        except MISTAKES as error:
            said, status = str(error), 409
        self.events.changed()
        return await self._shown(request, template, shown, said, status, moved() if status == 200 else None)

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
        """The messages after one, or the first; and the one that was acted on, if it is still there but not among
        them."""
        keys = self.filer.account.keys(self.filer.rules.source)[::-1]
        start = 0 if after is None or after >= len(self._keys) else _position(keys, self._keys[after]) + 1
        some = keys[start : start + AT_ONCE]
        beyond = [key for key in self._keys_of(acted) if key in keys and key not in some]
        decided = {one.entry.key: one for one in self.filer.file(self.precision, keys=[*some, *beyond])}
        return {
            "messages": [
                {**self._line(decided[key]), "beyond": key in beyond} for key in [*some, *beyond] if key in decided
            ],
            "total": len(keys),
            "more": {"after": self._number(some[-1])} if start + AT_ONCE < len(keys) else None,
            **self._where(),
            "precision": self.precision,
            "learned": round(self.filer.model.messages),
        }

    def _keys_of(self, number: int | None) -> list[str]:
        return [] if number is None or number >= len(self._keys) else [self._keys[number]]

    def _where(self) -> dict[str, Any]:
        """The folders that a message can go to, and why it may not."""
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
        """What is above the threshold, by folder, for you to confirm."""
        found: list[Decision] = []
        keys = await self._in_chunks(
            self._source_keys, lambda keys: found.extend(self.filer.file(self.precision, keys=keys))
        )
        above = [one for one in found if one.action == "would move"]
        self._proposal = (self._proposal[0] + 1, [one.entry.key for one in above])
        shown = {
            "count": len(above),
            "total": len(keys),
            "folders": Counter(one.suggestions[0][0] for one in above).most_common(),
            "precision": self.precision,
            "proposal": self._proposal[0],
        }
        return self.pages(request, "accept.html", shown)

    async def accept(self, request: Request) -> Response:
        """Files what you have confirmed, as far as it is still above the threshold that the page shows."""
        fields = await form_of(request)
        number, keys = self._proposal
        if (number_of(fields, "percent"), number_of(fields, "proposal")) != (round(1000 * self.precision), number):
            why = "this page is stale: look again at what would be filed, now at a precision of "
            why += f"{percent(self.precision)}; nothing was filed"
            return await self._done(request, "inbox.html", lambda: _refuse(why), self._inbox)
        done: list[Decision] = []

        def some(keys: list[str]) -> None:
            done.extend(
                one for one in self.filer.file(self.precision, True, keys) if one.action in ("moved", "refused")
            )

        try:
            await self._in_chunks(lambda: keys, some)
        except HTTPException as error:
            why = f"stopped after {len(done):,} messages: {error.detail}"
            return await self._done(request, "inbox.html", lambda: _refuse(why), self._inbox)
        moved = sum(one.action == "moved" for one in done)
        refused = f"; {len(done) - moved:,} refused" if moved < len(done) else ""
        said = f"{moved:,} {'message' if moved == 1 else 'messages'} filed{refused}."
        return await self._done(request, "inbox.html", lambda: said, self._inbox)

    def _source_keys(self) -> list[str]:
        return self.filer.account.keys(self.filer.rules.source)

    async def _in_chunks(self, which: Callable[[], list[str]], work: Callable[[list[str]], None]) -> list[str]:
        """Other requests are answered between two chunks."""
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
        """Its text, and why it looks as it does. HTML is shown as the text in it."""
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
        """The moves before one, the newest first; and the one that was acted on, if it is not among them."""
        journal = self.filer.journal
        total, oldest = journal.database.execute("SELECT count(*), min(id) FROM moves").fetchone()
        before = "WHERE id < ?" if after is not None else "WHERE ? IS NULL"
        some = journal.of(f"id IN (SELECT id FROM moves {before} ORDER BY id DESC LIMIT ?)", after, AT_ONCE)[::-1]
        beyond = [] if acted is None or acted in {move.id for move in some} else journal.of("id = ?", acted)
        why, undoable = by_hand.grounds(self.filer, [*some, *beyond]), {move.id for move in journal.undoable()}
        return {
            "moves": [(move, why.get(move.id, ""), move.id in undoable, move in beyond) for move in [*some, *beyond]],
            "undone": dict(
                journal.database.execute("SELECT undoes, id FROM moves WHERE undoes IS NOT NULL AND state = 'moved'")
            ),
            "total": total,
            "more": {"after": some[-1].id} if some and some[-1].id > oldest else None,
            "folders": [folder.name for folder in self.filer.account.folders()],
        }

    async def undo(self, request: Request) -> Response:
        fields = await form_of(request)
        number = number_of(fields, "number")

        def work() -> str:
            return "; ".join(map(outcome, self.filer.undo(numbers=[number])))

        if fields.get("page", "/history") != "/history":  # from what a page has said of a move just made
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
    """What became of a move, as a sentence; raises Refused where the message has not moved."""
    if move.state != "moved":
        raise Refused(f"This was not moved: {move.why}")
    return f"Moved to {move.target}: {move.subject}"
