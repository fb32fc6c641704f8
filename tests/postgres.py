"""A real PostgreSQL for the tests: on a socket in a temporary folder, unprivileged, without a disk to wait for."""

import getpass
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

VERSIONS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
FOUND = shutil.which("initdb") or (str(VERSIONS[-1]) if VERSIONS else None)
PROGRAMS = None if FOUND is None else Path(FOUND).parent
NO_DISK = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off"


@contextmanager
def running():
    """Where its socket is, and whom it knows. Who is root may not run it, and hands it to nobody."""
    user = "nobody" if os.geteuid() == 0 else getpass.getuser()
    with tempfile.TemporaryDirectory(prefix="likely-pg-") as name:  # a socket's path has 107 bytes at the most
        place = Path(name)
        place.chmod(0o755)
        data = place / "data"
        data.mkdir()
        if os.geteuid() == 0:
            for folder in (place, data):
                shutil.chown(folder, user)
        _run(user, place, "initdb", "-D", data, "-U", "ann", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-k {place} -c listen_addresses='' {NO_DISK}"
        _run(user, place, "pg_ctl", "-D", data, "-w", "-o", options, "-l", place / "log", "start")
        try:
            yield {"host": name, "user": "ann", "dbname": "postgres"}
        finally:
            _run(user, place, "pg_ctl", "-D", data, "-m", "immediate", "stop")


def _run(user, place, program, *arguments):
    command = [str(PROGRAMS / program), *map(str, arguments)]
    as_user = {"user": user} if os.geteuid() == 0 else {}
    with (place / "output").open("ab") as output:
        done = subprocess.run(command, cwd=place, stdout=output, stderr=output, check=False, timeout=60, **as_user)
    if done.returncode:
        raise RuntimeError((place / "output").read_text(errors="replace"))
