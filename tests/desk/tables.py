"""Rows to label: messages of three kinds, some with labels, and some that attack the page."""

import csv
import random
from pathlib import Path

KINDS = {
    "billing": ["invoice", "refund", "receipt", "charged", "payment", "card"],
    "bug": ["crash", "error", "traceback", "freezes", "blank", "exception"],
    "feature": ["export", "shortcut", "theme", "integration", "plugin", "filter"],
}
NASTY = '<script>document.title="owned"</script><img src=x onerror=alert(1)> \u202etxt.exe \x1b[31m'


def kind_of(text: str) -> str:
    """As a person would say."""
    return max(KINDS, key=lambda kind: sum(word in text for word in KINDS[kind]))


def message(number: int) -> tuple[str, str]:
    rng = random.Random(number)
    kind = rng.choice(list(KINDS))
    return kind, f"{' '.join(rng.choices(KINDS[kind], k=4))} hello number {number} {rng.choice(['thanks', 'please'])}"


def write(path: Path, rows: int = 200, labelled: int = 0, nasty: bool = False) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "message", "kind"])
        for number in range(rows):
            kind, text = message(number)
            writer.writerow([f"t{number}", f"{text} {NASTY if nasty else ''}", kind if number < labelled else ""])
    return path
