"""Reads mutated mail for a while: python -m bench.mail_fuzz [SECONDS]

SpamAssassin's messages with bytes flipped, cut, doubled, moved and spliced with those of other messages. Every one must
be read as far as it goes, in memory within the bound, without a mistake of ours.
"""

import random
import sys
import tracemalloc
from time import monotonic

from bench.data import FOLDER
from likely.mail import messages, parse
from likely.mail.message import MEMORY

MARKS = (
    b"\r\n\r\n",
    b"--",
    b"\0",
    b"=?utf-8?b?",
    b"?=",
    b"Content-Type: multipart/mixed; boundary=",
    b"base64",
    b"\xff",
)


def mutated(raw: bytes, others: list[bytes], draw: random.Random) -> bytes:
    for _ in range(draw.randint(1, 8)):
        at, end = sorted((draw.randint(0, len(raw)), draw.randint(0, len(raw))))
        kind = draw.randrange(6)
        if kind == 0:
            raw = raw[:at] + bytes(draw.randrange(256) for _ in range(draw.randint(1, 9))) + raw[at + 1 :]
        elif kind == 1:
            raw = raw[:at] + raw[end:]
        elif kind == 2:
            raw = raw[:end] + raw[at : at + 4096] * draw.randint(1, 20) + raw[end:]
        elif kind == 3:
            other = draw.choice(others)
            raw = raw[:at] + other[draw.randint(0, len(other)) :][:8192] + raw[end:]
        elif kind == 4:
            raw = raw[:at] + draw.choice(MARKS) + raw[at:]
        else:
            raw = raw[end:] + raw[:at]
    return raw


def main(seconds: float) -> None:
    raws = [item.raw for item in messages(FOLDER / "spamassassin" / "spamassassin.tar.gz")]
    draw, end, read, most = random.Random(0), monotonic() + seconds, 0, 0
    while monotonic() < end:
        raw = mutated(draw.choice(raws), raws, draw)
        tracemalloc.start()
        message = parse(raw)
        most = max(most, tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        mistakes = [problem for problem in message.problems if "a mistake in Likely" in problem]
        if mistakes or most > MEMORY:
            raise SystemExit(f"message {read}: {mistakes or f'{most} bytes were taken'}\n{raw[:2000]!r}")
        read += 1
    print(f"{read:,} mutated messages were read; the most memory that one took was {most / 2**20:.1f} MiB")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
