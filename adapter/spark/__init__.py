"""Archives that one machine is too small for: `sanitize` on Apache Spark, needs the extra 'spark'.

Driver and executors need this package, the rules and the mounted key files; Spark is imported when
it is used, so that settings and commands do without it.
"""

from __future__ import annotations

from adapter.spark.sanitize import sanitize

__all__ = ["sanitize"]
