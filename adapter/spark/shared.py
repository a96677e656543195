"""The ruleset that Spark's daemon compiles before it forks the workers, which share its memory.

Spark passes the settings to the daemon as an environment variable; they are those of a job, which
name the files of the keys and contain no secret.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from adapter.rules.compile import load_ruleset
from adapter.spark.job import Job, job

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.pipeline.ruleset import Ruleset

DAEMON = "spark.python.daemon.module"
VARIABLE = "SPARK_DEID_SETTINGS"
"""Environment variable of the daemon, not of `Settings`: the settings of a job as JSON."""

_COMPILED: list[Ruleset] = []
"""The ruleset compiled by the daemon; empty in a worker of another daemon."""


def shared_memory(settings: Settings) -> dict[str, str]:
    """Return the options of a Spark session whose workers share the memory of one ruleset.

    They must be set before the session is created: Spark reads them once.

    Raises:
        RuleError: a key is not in a file, or a setting cannot be applied on Spark.
    """
    told = job(settings, "lane", "none").settings
    return {DAEMON: "adapter.spark.daemon", f"spark.executorEnv.{VARIABLE}": told}


def compile_shared(text: str) -> None:
    """Compile the ruleset of a job's settings, and exempt it from garbage collection.

    Raises:
        RuleError: a rule, key or setting cannot be applied.
    """
    _COMPILED[:] = [load_ruleset(Job(text, digest="").loaded())]
    gc.collect()
    gc.freeze()


def shared(digest: str, key: tuple[str, bytes]) -> Ruleset | None:
    """Return the daemon's ruleset if it has this digest and key (id and secret), else None.

    The digest covers everything that changes results, except keys.
    """
    for ruleset in _COMPILED:
        own = ruleset.surrogates.key
        if (ruleset.digest, own.id, own.secret) == (digest, *key):
            return ruleset
    return None
