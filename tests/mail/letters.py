"""Mail made up for the tests: three folders that a reader tells apart, and messages that look alike."""

import random
from pathlib import Path

WORDS = {
    "Arbeit/Pläne": ["budget", "figures", "quarter", "report", "meeting", "deadline", "forecast", "contract", "margin"],
    "Chess": ["knight", "gambit", "opening", "endgame", "bishop", "tournament", "rating", "castle", "blunder", "clock"],
    "garden": ["tomato", "soil", "compost", "seedling", "pruning", "frost", "trowel", "blossom", "watering", "slug"],
}
SENDERS = {"Arbeit/Pläne": "boss@work.example", "Chess": "club@chess.example", "garden": "lily@garden.example"}
START = 1_700_000_000


def message(folder: str, number: int, message_id: bool = True) -> bytes:
    """The same for the same folder and number."""
    rng = random.Random(f"{folder}{number}")
    words = rng.choices(WORDS[folder], k=12) + rng.choices([word for some in WORDS.values() for word in some], k=4)
    hour, minute = divmod(number % 1440, 60)
    lines = [
        f"From: {SENDERS[folder]}",
        "To: ann@example.org",
        f"Subject: {words[0]} {words[1]} {number}",
        f"Date: {1 + number // 1440 % 28} Jan 2024 {hour:02}:{minute:02}:00 +0000",
        *([f"Message-ID: <{number}.{len(folder)}@example.org>"] if message_id else []),
        "Content-Type: text/plain; charset=utf-8",
        "",
        " ".join(words),
        "",
    ]
    return "\n".join(lines).encode()


def mixed(count: int) -> list[tuple[str, bytes]]:
    """So many messages of all folders in turn, one minute after the other."""
    names = list(WORDS)
    return [(names[number % 3], message(names[number % 3], number)) for number in range(count)]


def directory_name(folder: str) -> str:
    """As a Maildir of the layout "fs" has it."""
    return "" if folder == "INBOX" else folder.encode("utf-7").decode().replace("+", "&")


def deliver(maildir: Path, raw: bytes, unique: str, part: str = "cur", flags: str = ":2,") -> Path:
    """A message in a Maildir, which is made if it is not there."""
    for name in ("cur", "new", "tmp"):
        (maildir / name).mkdir(parents=True, exist_ok=True)
    path = maildir / part / (unique + (flags if part == "cur" else ""))
    whole = maildir / "tmp" / unique
    whole.write_bytes(raw)
    whole.rename(path)  # as every delivery to a Maildir does: nobody sees half of it
    return path


def boxed(raws: list[bytes]) -> bytes:
    return b"".join(b"From ann@example.org Mon Jan  1 10:00:00 2024\n" + raw + b"\n" for raw in raws)
