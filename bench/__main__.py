"""python -m bench [speed|accuracy|filing] [--only NAME] [--json FILE] [--rows N], and options for sizes"""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from bench.sizes import SIZES
from bench.table import show


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Compare Likely with its peers.")
    parser.add_argument("kind", nargs="?", default="speed", choices=["speed", "accuracy", "filing"])
    parser.add_argument("--only", metavar="NAME", help="run only the benches whose name starts with this")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to a file")
    parser.add_argument("--minutes", type=float, default=SIZES.minutes, help="length of the soak test; %(default)g")
    parser.add_argument("--messages", type=int, default=SIZES.messages, help="of mail at a server; %(default)s")
    parser.add_argument("--folders", type=int, default=SIZES.folders, help="of mail at a server; %(default)s")
    parser.add_argument("--rows", type=int, default=SIZES.rows, help="of engines and clusters; %(default)s")
    options = parser.parse_args()
    SIZES.minutes, SIZES.messages, SIZES.folders = options.minutes, options.messages, options.folders
    SIZES.rows = options.rows
    benches = import_module(f"bench.{options.kind}").BENCHES
    begins = options.only or ""
    chosen = (
        {begins: benches[begins]} if begins in benches else {n: b for n, b in benches.items() if n.startswith(begins)}
    )
    if not chosen:
        parser.error(f"there is no bench {options.only!r}; there are {', '.join(benches)}")
    rows = []
    for name, bench in chosen.items():
        print(f"{name}: {(bench.__doc__ or '').splitlines()[0]}", flush=True)
        for row in bench():
            rows.append(row)
            print(f"  {row.name}: {row.ours}; {row.peer} {row.theirs}", file=sys.stderr, flush=True)
    print()
    show(rows, options.json)


if __name__ == "__main__":
    main()
