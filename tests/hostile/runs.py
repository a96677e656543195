"""Runs every hostile case in every profile, over all cores."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from tests.corpus.runs import ruleset
from tests.hostile.cases import FOLDER, Case, load
from tests.hostile.verdicts import outcomes, problems

if TYPE_CHECKING:
    from adapter.pipeline.ruleset import Ruleset

KNOWN = Path(__file__).resolve().parent / "known_failures.txt"


@cache
def rules(profile: str) -> Ruleset:
    """Return the shipped rules of a profile, under the tests' key."""
    return ruleset(profile)


def judged(work: tuple[Case, str]) -> tuple[str, str, str, list[str]]:
    """Return (id, class, profile, problems) of a case in a profile."""
    case, profile = work
    return case.id, case.kind, profile, problems(case, outcomes(case, rules(profile)))


def run(folder: Path = FOLDER) -> list[tuple[str, str, str, list[str]]]:
    """Run every case in every profile it names, over all cores."""
    work = sorted(
        ((case, profile) for case in load(folder) for profile in case.profiles),
        key=lambda pair: pair[1],
    )
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return list(pool.map(judged, work, chunksize=64))


def table(rows: list[tuple[str, str, str, list[str]]]) -> str:
    """Return a table of the cases of each class that hold, and that leak."""
    done: Counter[str] = Counter(kind for _, kind, _, _ in rows)
    held = Counter(kind for _, kind, _, wrong in rows if not wrong)
    leaks = Counter(kind for _, kind, _, wrong in rows if "leak" in wrong)
    lines = [
        f"{kind:32} {held[kind]:5} of {done[kind]:5} hold ({held[kind] / done[kind]:6.1%}), "
        f"{leaks[kind]:4} leak"
        for kind in sorted(done)
    ]
    total, good = len(rows), sum(held.values())
    share = good / total if total else 1.0
    return "\n".join(
        [
            *lines,
            f"{'all':32} {good:5} of {total:5} hold ({share:6.1%}), {sum(leaks.values()):4} leak",
        ]
    )


def failures(rows: list[tuple[str, str, str, list[str]]]) -> list[str]:
    """Return a line of id, profile and problems for every case that fails, sorted."""
    return sorted(
        f"{name} {profile} {','.join(wrong)}" for name, _, profile, wrong in rows if wrong
    )
