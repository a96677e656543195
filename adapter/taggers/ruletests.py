"""A pattern family's own ``[[tests]]``, run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from adapter.taggers.document import read
from adapter.taggers.patterns import PatternTagger, marked, settle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.taggers.resources import Resources


@dataclass(frozen=True, slots=True)
class Failure:
    """A test of a rule file that fails. Rule tests are invented, so they may be shown."""

    family: str
    about: str
    text: str
    expected: tuple[tuple[str, str], ...]
    actual: tuple[tuple[str, str], ...]


def run_tests(family: Mapping[str, Any], resources: Resources) -> list[Failure]:
    """Return the failed tests of one parsed family, which alone is compiled for them.

    Raises:
        RuleError: where the family cannot be compiled.
    """
    tagger = PatternTagger(replace(resources, patterns=(family,)))
    return [
        failure
        for about, text in _texts(family)
        if (failure := _failure(family, about, text, tagger, resources)) is not None
    ]


def _texts(family: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for test in family.get("tests", ()):
        for text in (*test.get("marked", ()), *test.get("clean", ())):
            yield test.get("about", ""), text


def _failure(
    family: Mapping[str, Any], about: str, text: str, tagger: PatternTagger, resources: Resources
) -> Failure | None:
    plain, expected = marked(text)
    found = list(settle(tagger.find(read(plain, resources.language, resources.sections))))
    if found == expected:
        return None
    return Failure(
        str(family["family"]),
        about,
        text,
        tuple((label, plain[start:end]) for start, end, label in expected),
        tuple((label, plain[start:end]) for start, end, label in found),
    )
