"""Reads mutated mail for a while: python -m bench.mail_fuzz [SECONDS]

SpamAssassin's messages with bytes flipped, cut, doubled, moved and spliced with those of other messages. Every one must
be read as far as it goes, in memory within the bound, without a mistake of ours.
"""

import random
import resource
import sys
from pathlib import Path
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
    draw, end, read = random.Random(0), monotonic() + seconds, 0
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    bound = pages * resource.getpagesize() + MEMORY + 2**25  # for the mutated messages themselves
    resource.setrlimit(resource.RLIMIT_AS, (bound, resource.RLIM_INFINITY))
    while monotonic() < end:
        raw = mutated(draw.choice(raws), raws, draw)
        message = parse(raw)
        mistakes = [problem for problem in message.problems if "a mistake in Likely" in problem]
        if mistakes:
            raise SystemExit(f"message {read}: {mistakes}\n{raw[:2000]!r}")
        read += 1
    print(f"{read:,} mutated messages were read within the bound of memory")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
