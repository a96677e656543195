"""A pattern family's own ``[[tests]]``, run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import regex

from adapter.taggers.document import read
from adapter.taggers.patterns import PatternTagger
from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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


def marked(text: str) -> tuple[str, list[tuple[int, int, Label]]]:
    """Return a test's plain text and its expected mentions from inline ``[[LABEL:text]]`` marks."""
    plain = ""
    expected: list[tuple[int, int, Label]] = []
    last = 0
    for mark in _MARK.finditer(text):
        plain += text[last : mark.start()]
        expected.append((len(plain), len(plain) + len(mark[2]), Label(mark[1])))
        plain += mark[2]
        last = mark.end()
    return plain + text[last:], expected


_MARK = regex.compile(r"\[\[([A-Z-]+):(.*?)\]\]", regex.DOTALL)


def settle(found: Iterable[Span | Veto]) -> Iterator[tuple[int, int, Label]]:
    """Yield what one family's own spans and vetoes come to: unions, type by priority."""
    vetoes = [item for item in found if isinstance(item, Veto)]
    spans = [s for s in found if isinstance(s, Span) and not any(_falls(s, v) for v in vetoes)]
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


def _falls(span: Span, veto: Veto) -> bool:
    return (
        veto.start <= span.start
        and span.end <= veto.end
        and veto.priority > span.priority
        and (not veto.labels or span.label in veto.labels)
    )
