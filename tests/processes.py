"""Python programs of the tests in processes of their own.

`Started` and `run` fork them from a server that has imported the adapter and compiled English
(`tests.compiled`), which saves the seconds that an interpreter takes to do so. They are used as
`subprocess.Popen` and `subprocess.run`, without the interpreter: ``["-m", "adapter", "check"]`` or
``["script.py", "argument"]``. `printed` starts an interpreter.
"""

from __future__ import annotations

import io
import os
import runpy
import signal
import subprocess
import sys
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from tests.compiled import CONTEXT, ROOT, share_server

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Stream = IO[bytes] | int | None

STANDARD_ERROR = 2
PIPE, DEVNULL = subprocess.PIPE, subprocess.DEVNULL


class Started:
    """A running program; its ``stdout`` is a binary file if it is a pipe."""

    def __init__(
        self,
        command: Sequence[object],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdin: Stream = None,
        stdout: Stream = None,
        stderr: Stream = None,
    ) -> None:
        """Start it with the environment, folder and standard streams of this process by default."""
        self.stdout, output = _written(stdout, 1)
        _, errors = _written(stderr, STANDARD_ERROR)
        streams = [Connection(each) for each in (_read(stdin), output, errors)]
        words = [str(word) for word in command]
        environment = dict(os.environ if env is None else env)
        self._process = CONTEXT.Process(
            target=_begin, args=(words, environment, str(cwd or Path.cwd()), streams)
        )
        self._process.start()
        self.pid = self._process.pid
        for stream in streams:
            stream.close()

    @property
    def returncode(self) -> int | None:
        """The status it has ended with, or minus the number of the signal; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Return `returncode`."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return `returncode`."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("a program of the tests", timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


def run(
    command: Sequence[object], *, stdin: bytes = b"", timeout: float = 300, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end; return its status and what it wrote, as bytes.

    Raises:
        subprocess.TimeoutExpired: it took longer; it is killed.
    """
    with TemporaryFile() as given, TemporaryFile() as output, TemporaryFile() as errors:
        given.write(stdin)
        given.seek(0)
        process = Started(command, stdin=given, stdout=output, stderr=errors, **more)
        try:
            status = process.wait(timeout)
        finally:
            process.kill()
        for each in (output, errors):
            each.seek(0)
        return subprocess.CompletedProcess(command, status, output.read(), errors.read())


def _read(stream: Stream) -> int:
    if stream is None:
        return os.dup(0)
    return os.open(os.devnull, os.O_RDONLY) if stream == DEVNULL else os.dup(_number(stream))


def _written(stream: Stream, number: int) -> tuple[IO[bytes] | None, int]:
    """Return the file to read from, of a pipe, and a new descriptor to write to."""
    if stream == PIPE:
        ours, theirs = os.pipe()
        return os.fdopen(ours, "rb"), theirs
    if stream == DEVNULL:
        return None, os.open(os.devnull, os.O_WRONLY)
    return None, os.dup(number if stream is None else _number(stream))


def _number(stream: IO[bytes] | int) -> int:
    return stream if isinstance(stream, int) else stream.fileno()


def _begin(
    words: list[str], environment: dict[str, str], folder: str, streams: list[Connection]
) -> None:
    """Run the program in the forked process."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin, sys.stdout, sys.stderr = _text(0, "r"), _text(1, "w"), _text(2, "w")
    sys.path[:0] = [*filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)), str(ROOT)]
    forkserver._forkserver.ensure_running = lambda: None
    share_server()
    _run(words)


def _text(number: int, mode: str) -> IO[str]:
    binary = os.fdopen(number, mode + "b", closefd=False)
    return io.TextIOWrapper(binary, encoding="utf-8", line_buffering=number == STANDARD_ERROR)


def _run(words: list[str]) -> None:
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def printed(program: str) -> str:
    """The standard output of a Python program that sees this tree, with another hash seed."""
    environment = os.environ | {"PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
