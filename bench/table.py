"""Rows of figures as a table on the screen and as JSON."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass
class Row:
    """One measurement. `ratio` is how many times the peer's figure ours goes into: higher is better."""

    name: str
    ours: str
    peer: str
    theirs: str
    ratio: float
    target: float | None = None
    """None for what is shown without being promised."""
    limit: str = ""
    """The best that could be: for passes over data, the time of one read of it."""

    @property
    def met(self) -> bool:
        return self.target is None or bool(self.ratio >= self.target)


def show(rows: list[Row], file: Path | None) -> None:
    head = ("work", "ours", "peer", "peer's", "ratio", "target", "", "limit")
    lines = [head]
    for row in rows:
        promised = ("", "") if row.target is None else (f"{row.target:g}x", "met" if row.met else "MISSED")
        figures = (f"{row.ratio:.2f}x", *promised, row.limit)
        lines.append((row.name, row.ours, row.peer, row.theirs, *figures))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    if file:
        file.write_text(json.dumps([asdict(row) | {"met": row.met} for row in rows], indent=2) + "\n")


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
