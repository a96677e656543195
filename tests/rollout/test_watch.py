"""A change of rule files is seen once it is whole."""

from __future__ import annotations

import asyncio
import os
from itertools import chain, repeat

from adapter.config.settings import load_settings
from adapter.rollout.watch import changed, files_of


def looked(*seen):
    """How often a change was announced while these were seen, one after the other."""
    states, count = chain(seen, repeat(seen[-1])), 0

    async def go():
        nonlocal count
        wanted = asyncio.Event()
        task = asyncio.create_task(changed(lambda: next(states), wanted, 0.001))
        for _ in range(60):
            await asyncio.sleep(0.002)
            count += wanted.is_set()
            wanted.clear()
        task.cancel()

    asyncio.run(go())
    return count


def test_nothing_changed_is_no_change():
    """A folder that stays as it is asks for nothing."""
    assert 0 == looked("a")


def test_a_change_counts_once_and_when_it_is_done():
    """Files that are still being copied are waited for."""
    assert 1 == looked("a", "b", "c", "d", "d")
    assert 2 == looked("a", "b", "b", "c", "c")


def test_what_is_undone_at_once_is_no_change():
    """An editor's write and take-back in a second asks for nothing."""
    assert 0 == looked("a", "b", "a", "a")


def test_a_folder_that_is_away_for_a_moment_ends_nothing():
    """Whoever replaces a folder removes it first; what comes then is seen."""
    states, seen = iter(["a", None, "b", "b"]), []

    def look():
        state = next(states, "b")
        if state is None:
            raise FileNotFoundError
        return state

    async def go():
        wanted = asyncio.Event()
        task = asyncio.create_task(changed(look, wanted, 0.001))
        await asyncio.wait_for(wanted.wait(), 20)
        seen.append(task.done())
        task.cancel()

    asyncio.run(go())
    assert [False] == seen


def test_rules_sites_names_and_settings_are_looked_at(tmp_path):
    """Each file that a ruleset is made of counts, by content, time and presence."""
    config, site, names = tmp_path / "adapter.toml", tmp_path / "site.toml", tmp_path / "names"
    names.mkdir()
    for file in (config, site, names / "family.txt"):
        file.write_text("x")
    (tmp_path / "rules/fields").mkdir(parents=True)
    settings = load_settings(
        rules={"folder": tmp_path / "rules", "names": names, "site": [site], "models": names}
    )
    seen = [files_of(settings, config)]
    (tmp_path / "rules/fields/new.toml").write_text("y")
    seen.append(files_of(settings, config))
    for file in (config, site, names / "family.txt"):
        os.utime(file, ns=(1, 1))
        seen.append(files_of(settings, config))
    site.unlink()
    seen.append(files_of(settings, config))
    assert 6 == len(set(seen))
