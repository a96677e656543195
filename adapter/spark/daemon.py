"""PySpark's daemon (``spark.python.daemon.module``) with the ruleset compiled before it forks.

Workers share its memory until they write to it, and start without compiling. The daemon has no
threads when it forks but those of numpy's OpenBLAS, which stops them before a fork; it imports
neither PyArrow nor ``pyspark.worker``, which start threads.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout

from adapter.spark.shared import VARIABLE, compile_shared


def prepare() -> None:
    """Compile the ruleset of the environment variable; standard output is kept for Spark.

    A failure does not end the daemon: each worker then compiles on its own, and the job ends with
    a code if that fails too.
    """
    text = os.environ.get(VARIABLE)
    if not text:
        return
    try:
        with redirect_stdout(sys.stderr):
            compile_shared(text)
    except Exception as error:  # noqa: BLE001 - its text may quote a file, its type cannot
        told = f"adapter.spark.daemon: no shared ruleset ({type(error).__name__})"
        print(told, file=sys.stderr, flush=True)  # noqa: T201 - Spark logs the daemon's stderr


if __name__ == "__main__":
    from pyspark.daemon import manager

    prepare()
    manager()
