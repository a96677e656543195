"""The patterns of the leak check: ``rules/leaks/*.toml``, of format "leaks".

Each ``[[pattern]]`` has a name and a regular expression over text as written; ``[[tests]]`` list
texts in which one of the file's patterns is ``found``, and texts that are ``clean``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.fields import Rules


def leak_patterns(tables: Sequence[Rules]) -> tuple[regex.Pattern[str], ...]:
    """Compile the patterns of all files.

    Raises:
        RuleError: there are no patterns, a file is of another format, or a pattern is malformed.
    """
    found = tuple(pattern for rules in tables for pattern in _compiled(rules))
    if not found:
        raise RuleError("leaks", "has no patterns of what must not be released")
    return found


def leak_failures(tables: Sequence[Rules]) -> Iterator[tuple[str, str]]:
    """Yield (file, problem) for each text in which a pattern is found or missing unexpectedly."""
    for rules in tables:
        patterns = list(_compiled(rules))
        for test in rules.table.get("tests", ()):
            for expected, key in ((True, "found"), (False, "clean")):
                for text in test.get(key, ()):
                    if any(pattern.search(text) for pattern in patterns) is not expected:
                        yield rules.name, f"'{text}' is {'not ' if expected else ''}found"


def _compiled(rules: Rules) -> Iterator[regex.Pattern[str]]:
    if rules.kind != "leaks" or rules.table.keys() - {"format", "pattern", "tests"}:
        raise RuleError(rules.name, 'must have format = "leaks", patterns and tests only')
    for pattern in rules.table.get("pattern", ()):
        if not isinstance(pattern, dict) or pattern.keys() != {"name", "regex"}:
            raise RuleError(rules.name, "a pattern must have a name and a regex")
        try:
            yield regex.compile(pattern["regex"])
        except (regex.error, TypeError) as error:
            raise RuleError(rules.name, f"{pattern['name']} does not compile: {error}") from None
