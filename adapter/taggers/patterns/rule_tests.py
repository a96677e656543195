"""Running of a pattern family's own ``[[tests]]``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import regex

from adapter.priorities import covers
from adapter.taggers.document.document import read
from adapter.taggers.patterns.tagger import PatternTagger
from adapter.types import Span, Veto

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adapter.taggers.document.resources import Resources

    Extent = tuple[int, int, str]
    """(start, end, a label or the name of a veto)."""
    Read = Callable[[Iterable[Span | Veto]], Iterator[Extent]]


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed test of a rule file. Tests are invented text, so they may be shown."""

    family: str
    about: str
    text: str
    expected: tuple[tuple[str, str], ...]
    actual: tuple[tuple[str, str], ...]


def run_tests(family: Mapping[str, Any], resources: Resources) -> list[Failure]:
    """Return the failed tests of one parsed family, compiled without other families.

    Raises:
        RuleError: the family cannot be compiled.
    """
    tagger = PatternTagger(replace(resources, patterns=(family,)))
    return [
        failure
        for test in family.get("tests", ())
        for case in _cases(str(family["family"]), test)
        if (failure := _failure(case, tagger, resources)) is not None
    ]


class _Case(NamedTuple):
    """One text of a test, and the function that reads mentions or vetoes from its results."""

    family: str
    about: str
    text: str
    read: Read


def _cases(family: str, test: Mapping[str, Any]) -> Iterator[_Case]:
    about = test.get("about", "")
    for text in (*test.get("marked", ()), *test.get("clean", ())):
        yield _Case(family, about, text, settle)
    for text in test.get("vetoed", ()):
        yield _Case(family, about, text, vetoed)


def _failure(case: _Case, tagger: PatternTagger, resources: Resources) -> Failure | None:
    plain, expected = marked(case.text)
    found = list(case.read(tagger.find(read(plain, resources.language, resources.sections))))
    if found == expected:
        return None
    return Failure(
        case.family,
        case.about,
        case.text,
        tuple((name, plain[start:end]) for start, end, name in expected),
        tuple((name, plain[start:end]) for start, end, name in found),
    )


def marked(text: str) -> tuple[str, list[Extent]]:
    """Return a test's plain text and its expected extents, from inline ``[[NAME:text]]`` marks.

    The name is a label, or the name of a veto.
    """
    plain = ""
    expected: list[Extent] = []
    last = 0
    for mark in _MARK.finditer(text):
        plain += text[last : mark.start()]
        expected.append((len(plain), len(plain) + len(mark[2]), mark[1]))
        plain += mark[2]
        last = mark.end()
    return plain + text[last:], expected


_MARK = regex.compile(r"\[\[([A-Za-z0-9-]+):(.*?)\]\]", regex.DOTALL)


def vetoed(found: Iterable[Span | Veto]) -> Iterator[Extent]:
    """Yield the extents of vetoes with the names of their rules."""
    for item in found:
        if isinstance(item, Veto):
            yield item.start, item.end, item.rule.partition(".")[2]


def settle(found: Iterable[Span | Veto]) -> Iterator[Extent]:
    """Yield the extents of one family's spans after its vetoes, united, with labels by priority."""
    vetoes = [item for item in found if isinstance(item, Veto)]
    spans = [s for s in found if isinstance(s, Span) and not any(_is_vetoed(s, v) for v in vetoes)]
    start = end = -1
    best: Span | None = None
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if best is not None and span.start < end:
            end = max(end, span.end)
            best = max(best, span, key=lambda s: (s.priority, s.score, s.end - s.start))
            continue
        if best is not None:
            yield start, end, best.label
        start, end, best = span.start, span.end, span
    if best is not None:
        yield start, end, best.label


def _is_vetoed(span: Span, veto: Veto) -> bool:
    return covers(veto, span) and veto.priority > span.priority
