"""A script run with different numbers of threads."""

import os
import subprocess
import sys


def printed(script: str) -> list[str]:
    """What it prints with one thread, two and five."""
    return [
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"LIKELY_THREADS": number},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for number in ("1", "2", "5")
    ]
