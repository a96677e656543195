"""Runs the tests that rules carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.languages import UNCONFIGURED
from adapter.rules.compile import values_of
from adapter.rules.families import families
from adapter.rules.folder import rules_folder
from adapter.rules.leaks import leak_failures
from adapter.taggers.patterns.families import ANY
from adapter.taggers.patterns.rule_tests import run_tests
from adapter.values.rule_tests import run_tests as run_value_tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.config.settings import Settings
    from adapter.fields import Rules
    from adapter.rules.folder import Folder
    from adapter.taggers.document.resources import Resources


def rule_failures(settings: Settings) -> tuple[int, list[tuple[str, str]]]:
    """Run the rules' own tests; return the number of files, and (place, problem) of failures.

    Raises:
        RuleError: a family of patterns cannot be compiled.
    """
    folder = rules_folder(settings)
    families = list(_families(folder, settings))
    failures = [
        (rules.name, f"test '{failure.about}' finds {failure.actual}, not {failure.expected}")
        for rules, resources in families
        for failure in run_tests(rules.table, resources)
    ]
    values = folder.rules("values/*.toml")
    judged = values_of(folder, settings, [], frozenset())
    failures += [
        (rules.name, problem)
        for rules in values
        for problem in run_value_tests(judged, rules.table.get("tests", ()))
    ]
    leaks = folder.rules("leaks/*.toml")
    failures += leak_failures(leaks)
    return len(families) + len(values) + len(leaks), failures


def _families(folder: Folder, settings: Settings) -> Iterator[tuple[Rules, Resources]]:
    for code in settings.rules.languages:
        resources = folder.resources(code)
        for rules in families(folder.rules, code):
            yield rules, resources
    plain = folder.unconfigured()
    for code in (ANY, UNCONFIGURED):
        for rules in families(folder.rules, code):
            yield rules, plain
