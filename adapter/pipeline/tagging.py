"""The spans of protected text in each place, from the field policy, trusted phrases and taggers.

Phrases that taggers find in one text are then searched for in all other places of the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from adapter.errors import FieldError
from adapter.languages.functions import name_extent
from adapter.pipeline import exemptions
from adapter.pipeline.language import read_text
from adapter.pipeline.scanning import Scanner
from adapter.pipeline.spreading import spread
from adapter.pipeline.spreading.word_names import spread_words
from adapter.pipeline.sweeping import Terms, sweep_days, sweep_kept, sweep_short
from adapter.priorities import PHRASE
from adapter.taggers.trusted.discoveries import confirmed, discoveries
from adapter.taggers.trusted.full_names import Evidence
from adapter.taggers.trusted.index import NOBODY, PhraseIndex
from adapter.types import (
    FIELD_SOURCE,
    Edit,
    Handling,
    Label,
    Span,
    TrustedPhrase,
    Veto,
)

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from adapter.languages import Spoken
    from adapter.languages.cues import Cues
    from adapter.languages.field_words import FieldWords
    from adapter.normalize.numerals import Numerals
    from adapter.pipeline.answers import Answers
    from adapter.pipeline.language import Language
    from adapter.types import Action, Extraction, Message, TextSegment
    from adapter.values.checks import Checks

_REPLACED = frozenset({Handling.SURROGATE, Handling.SHIFT})
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d(?:[-./]?\d){3,}")
"""A number beside a name that may be somebody's, though no rule finds it."""
_WHOLE_NAME = "full"
"""Part of an entity that is a whole name."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The spans of each segment that has any, by path, and the number of uses of each veto rule.

    ``discovered`` are the phrases found in texts but in no field.
    """

    spans: Mapping[str, tuple[Span, ...]] = field(repr=False)
    vetoes: Mapping[str, int]
    discovered: tuple[TrustedPhrase, ...] = field(default=(), repr=False)
    passed_over: tuple[Edit, ...] = field(default=(), repr=False)
    """Extents that the leak check treats as replaced: eponyms that contain somebody's name."""


def find(
    message: Message,
    actions: Sequence[Action],
    extraction: Extraction,
    index: PhraseIndex,
    *,
    languages: Mapping[str, Language],
    language: Spoken,
    judged: Judged,
    answers: Answers,
    numerals: Numerals,
) -> Findings:
    """Find the protected text in every segment.

    Raises:
        FieldError: a place is held by policy.
        TagError: a tagger could not finish.
        ResolveError: the taggers' results cannot be reconciled.
    """
    found: dict[str, tuple[Span, ...]] = {}
    main = languages[language.main]
    kept, scanned, beside = _sorted(message, actions, extraction, found, main.words.fields)
    scanned, doubted = _parted(scanned, judged.doubtful)
    kept, structure = _parted(kept, judged.structural)
    kept, told = _parted(kept, answers.telling(kept, languages, language))
    scanned += told
    sweep_short((*kept, *doubted), index.phrases, found)
    swept = sweep_kept(
        message,
        kept,
        index,
        found,
        vetoes_of=partial(_sure, main),
        terms=Terms(judged.checks, main.words),
        numerals=numerals,
    )
    scanner = Scanner(index, languages, language, numerals)
    scanner.scan(scanned, found, swept, answers.mentions)
    scanner.scan_alone(doubted, found, swept, answers.coded, judged.checks)
    sweep_days((*scanned, *doubted), extraction.days, found, swept.barred)
    looked = scanner.found(beside, swept, answers.mentions)
    _add_beside(beside, looked, extraction.days, swept.barred, found)
    evidence, places = _evidence(main, index.cues, judged.checks), (*kept, *doubted, *scanned)
    if discovered := _discovered(scanned, doubted, found, index.texts, evidence):
        discovered = spread(
            message,
            places,
            discovered,
            found,
            cues=index.cues,
            barred=swept.barred,
            checks=judged.checks,
            numerals=numerals,
        )
    spread_words(scanned, found, evidence, swept.barred)
    passed = exemptions.passed_over(places, swept.barred, swept.measured, structure)
    return Findings(found, swept.vetoes, discovered, passed)


def _parted(
    segments: list[TextSegment], paths: frozenset[str]
) -> tuple[list[TextSegment], list[TextSegment]]:
    """Return the segments at paths outside ``paths``, and those at paths inside."""
    inside = [segment for segment in segments if segment.path in paths]
    if not inside:
        return segments, inside
    return [segment for segment in segments if segment.path not in paths], inside


def _discovered(
    scanned: Sequence[TextSegment],
    doubted: Sequence[TextSegment],
    found: Mapping[str, tuple[Span, ...]],
    known: Container[str],
    evidence: Evidence,
) -> tuple[TrustedPhrase, ...]:
    """Return phrases found in texts but in no field; from doubtful places, only confirmed ones."""
    texts = [(s.text, found[s.path]) for s in scanned if s.path in found]
    texts += [
        (s.text, confirmed(s.text, found[s.path], evidence)) for s in doubted if s.path in found
    ]
    return discoveries(texts, known, evidence)


def _evidence(language: Language, cues: Cues, checks: Checks) -> Evidence:
    """Return what the words of a language and the vocabularies of codes say of names."""
    personal = checks.personal
    return Evidence(
        language.options.ordinary, cues, personal.is_given, checks.stray, personal.is_free
    )


def _sure(language: Language, text: str) -> Sequence[Veto]:
    return exemptions.sure(read_text(text, NOBODY, language))


@dataclass(frozen=True, slots=True)
class Judged:
    """Paths of doubtful and structural kept places, and the checks that judged their values.

    Doubtful values are codes and displays that were not proved. They give a learned tagger no
    context, and only mentions that a rule or a title confirms are searched for in other texts.
    Structural values are codes that determine how the message is read; they are not searched.
    """

    doubtful: frozenset[str] = field(repr=False)
    structural: frozenset[str] = field(repr=False)
    checks: Checks = field(repr=False)


def _sorted(
    message: Message,
    actions: Sequence[Action],
    extraction: Extraction,
    found: dict[str, tuple[Span, ...]],
    words: FieldWords,
) -> tuple[list[TextSegment], list[TextSegment], list[TextSegment]]:
    """Return the kept segments, the scanned ones, and those with numbers beside a name.

    The spans of fields are added to ``found``.

    Raises:
        FieldError: a place is held by policy.
    """
    kept: list[TextSegment] = []
    scanned: list[TextSegment] = []
    beside: list[TextSegment] = []
    listed = {Handling.KEEP: kept, Handling.SCAN: scanned}
    for segment, action in zip(message.segments, actions, strict=True):
        handling = action.handling
        if handling in listed:
            listed[handling].append(segment)
        elif handling in _REPLACED:
            path, text = segment.path, segment.text
            label, part = extraction.labels.get(path), None
            if label is None:
                label, part = action.label, action.part
            owner = extraction.owners.get(path)
            extent = name_extent(text, words) if part == _WHOLE_NAME else (0, len(text))
            found[path] = (_field_span(extent, label, part, owner),)
            if _DIGIT.search(text[: extent[0]] + text[extent[1] :]):
                beside.append(segment)
        elif handling is Handling.HOLD:
            raise FieldError("held-by-policy")
    return kept, scanned, beside


def _add_beside(
    beside: Sequence[TextSegment],
    looked: dict[str, tuple[Span, ...]],
    days: Container[str],
    barred: Mapping[str, Sequence[Veto]],
    found: dict[str, tuple[Span, ...]],
) -> None:
    """Add to the names in ``found`` the mentions beside them, which are in ``looked``, and days.

    A value with a further long number is replaced as a whole.
    """
    sweep_days(beside, days, looked, barred)
    for path, text in ((segment.path, segment.text) for segment in beside):
        (name,) = found[path]
        spans = looked.get(path, ())
        outside = [span for span in spans if span.end <= name.start or span.start >= name.end]
        covered = sorted((name, *outside), key=lambda span: span.start)
        if all(
            any(s.start < n.end() and n.start() < s.end for s in covered)
            for n in _NUMBER.finditer(text)
        ):
            found[path] = tuple(covered)
        else:
            found[path] = (replace(name, start=0, end=len(text)),)


@lru_cache(maxsize=16384)
def _field_span(
    extent: tuple[int, int], label: Label | None, part: str | None, entity: str | None
) -> Span:
    """Return the span of a field's value; memoised, because many fields share few spans."""
    form = f"{{{part}}}" if part else None
    return Span(*extent, label or Label.DATE, FIELD_SOURCE, 1.0, PHRASE, entity, form)
