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
from adapter.leakcheck import Known
from adapter.normalize.numerals import Numerals, readings
from adapter.pipeline import exemptions
from adapter.pipeline.language import read_text, resolved, tag_forms
from adapter.pipeline.spreading import spread
from adapter.pipeline.spreading.word_names import spread_words
from adapter.pipeline.sweeping import Terms, sweep_days, sweep_kept, sweep_short
from adapter.priorities import PHRASE
from adapter.taggers.trusted.discoveries import confirmed, discoveries
from adapter.taggers.trusted.full_names import Evidence
from adapter.taggers.trusted.index import NOBODY, PhraseIndex
from adapter.types import (
    FIELD_SOURCE,
    PHRASE_SOURCE,
    Edit,
    Handling,
    Label,
    Span,
    TrustedPhrase,
    Veto,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from adapter.languages import Spoken
    from adapter.languages.cues import Cues
    from adapter.languages.field_words import FieldWords
    from adapter.pipeline.answers import Answers
    from adapter.pipeline.language import Language
    from adapter.pipeline.sweeping import Swept
    from adapter.types import Action, Extraction, Message, TextSegment
    from adapter.values.checks import Checks

    Answering = Callable[[TextSegment, Language], tuple[Span | Veto, ...]]


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
    scan = partial(_scan_all, languages=languages, language=language, numerals=numerals)
    scan(scanned, index, found, swept, answering=answers.mentions)
    scan(doubted, index, found, swept, answering=answers.coded, alone=judged.checks)
    sweep_days((*scanned, *doubted), extraction.days, found, swept.barred)
    within = partial(scan, beside, index, answering=answers.mentions)
    _add_beside(within, beside, extraction.days, found, swept)
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


def _scan_all(
    segments: Sequence[TextSegment],
    index: PhraseIndex,
    found: dict[str, tuple[Span, ...]],
    swept: Swept,
    *,
    languages: Mapping[str, Language],
    language: Spoken,
    answering: Answering,
    numerals: Numerals,
    alone: Checks | None = None,
) -> None:
    """Add the spans of texts to ``found``, and their vetoes to ``swept``.

    ``alone`` are the checks of mentions in texts without context, whose vetoes are not counted.
    """
    for code, own in _by_language(segments, language).items():
        spoken = languages[code]
        if alone is None:
            counts, barring = _scan(
                own, index, spoken, found, answering=answering, numerals=numerals
            )
            swept.vetoes.update(counts)
        else:
            accepted, barring = _found_alone(
                own, index, spoken, alone, answering=answering, numerals=numerals
            )
            found |= accepted
        swept.barred.update(barring)


def _parted(
    segments: list[TextSegment], paths: frozenset[str]
) -> tuple[list[TextSegment], list[TextSegment]]:
    """Return the segments at paths outside ``paths``, and those at paths inside."""
    inside = [segment for segment in segments if segment.path in paths]
    if not inside:
        return segments, inside
    return [segment for segment in segments if segment.path not in paths], inside


def _accepted(accepts: Callable[[str, Span], bool], known: Known, text: str, span: Span) -> bool:
    """Whether a mention in a doubtful value counts; always if the leak check would search for it.

    A word may be known as an organisation and as a name, but only one of them labels the span.
    """
    if accepts(text, span):
        return True
    return span.source == PHRASE_SOURCE and text[span.start : span.end] in known


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


def _found_alone(
    segments: Sequence[TextSegment],
    index: PhraseIndex,
    language: Language,
    checks: Checks,
    *,
    answering: Answering,
    numerals: Numerals,
) -> tuple[dict[str, tuple[Span, ...]], Mapping[str, Sequence[Veto]]]:
    """Return accepted mentions in texts without context, by path, and each text's vetoes.

    Learned taggers are not used.
    """
    looked: dict[str, tuple[Span, ...]] = {}
    _, barred = _scan(
        segments, index, language.by_rules, looked, answering=answering, numerals=numerals
    )
    accepts = partial(_accepted, checks.personal.accepts, Known(index.phrases))
    texts = {segment.path: segment.text for segment in segments}
    found = {
        path: tuple(span for span in spans if accepts(texts[path], span))
        for path, spans in looked.items()
    }
    return {path: spans for path, spans in found.items() if spans}, barred


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
    scan: Callable[[dict[str, tuple[Span, ...]], Swept], None],
    beside: Sequence[TextSegment],
    days: Container[str],
    found: dict[str, tuple[Span, ...]],
    swept: Swept,
) -> None:
    """Add to the names in ``found`` the mentions beside them, which ``scan`` finds.

    A value with a further long number is replaced as a whole.
    """
    looked: dict[str, tuple[Span, ...]] = {}
    scan(looked, swept)
    sweep_days(beside, days, looked, swept.barred)
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


def _by_language(
    segments: Iterable[TextSegment], language: Spoken
) -> Mapping[str, Sequence[TextSegment]]:
    parted: dict[str, list[TextSegment]] = {}
    for segment in segments:
        parted.setdefault(language.at(segment.path), []).append(segment)
    return parted


@lru_cache(maxsize=16384)
def _field_span(
    extent: tuple[int, int], label: Label | None, part: str | None, entity: str | None
) -> Span:
    """Return the span of a field's value; memoised, because many fields share few spans."""
    form = f"{{{part}}}" if part else None
    return Span(*extent, label or Label.DATE, FIELD_SOURCE, 1.0, PHRASE, entity, form)


def _scan(
    segments: Sequence[TextSegment],
    index: PhraseIndex,
    language: Language,
    found: dict[str, tuple[Span, ...]],
    *,
    answering: Answering,
    numerals: Numerals,
) -> tuple[Mapping[str, int], Mapping[str, Sequence[Veto]]]:
    """Tag and resolve free texts, each distinct text once; add the spans to ``found`` by path.

    ``answering`` gives the mentions that a text's question shows in it; texts with different ones
    are distinct. Return the number of uses of each veto rule, and the vetoes of each text.
    """
    asked = [(segment.text, answering(segment, language)) for segment in segments]
    distinct = list(dict.fromkeys(asked))
    if not distinct:
        return {}, {}
    texts = [text for text, _ in distinct]
    forms = {text: readings(text, numerals) for text in texts}
    index = index.within([*texts, *(form.text for some in forms.values() for form in some)])
    tagged = [[*tag_forms(text, forms[text], index, language), *shown] for text, shown in distinct]
    if not any(tagged):
        return {}, {}
    spans, vetoes = resolved(texts, tagged, language.options, index.words)
    by_text = dict(zip(distinct, spans, strict=True))
    for segment, key in zip(segments, asked, strict=True):
        if by_text[key]:
            found[segment.path] = by_text[key]
    barred = {
        text: [item for item in items if isinstance(item, Veto)]
        for text, items in zip(texts, tagged, strict=True)
    }
    return vetoes, barred
