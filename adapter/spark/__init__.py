"""De-identification of archives too large for one machine: `sanitize` on Apache Spark.

It needs the extra 'spark'. Driver and executors need this package, the rules and the mounted key
files. Spark is imported on use, so that settings and commands work without it.
"""

from __future__ import annotations

from adapter.spark.sanitize import sanitize
from adapter.spark.shared import shared_memory

__all__ = ["sanitize", "shared_memory"]
