"""Examination of a message: its language, phrases, mentions and edits; then the leak check."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs import Frame
from adapter.codecs.nested import folded
from adapter.errors import FieldError
from adapter.languages import spoken
from adapter.leakcheck import check
from adapter.normalize.folding import squeeze
from adapter.normalize.numerals import Numerals
from adapter.phrases.extract import extract
from adapter.phrases.memory import recollect
from adapter.phrases.memory.surnames import with_surnames
from adapter.pipeline.ages import with_ages
from adapter.pipeline.answers import Answers
from adapter.pipeline.beside import ELEMENT, parted
from adapter.pipeline.glued import with_glued
from adapter.pipeline.merges import merges
from adapter.pipeline.opening import opened_frame
from adapter.pipeline.substitution import edits_of, other_people, reaching, real_values
from adapter.pipeline.tagging import Judged, find
from adapter.taggers.trusted.index import PhraseIndex
from adapter.types import Edit, Handling, Label, Merge, Message, Span
from adapter.values.proof.composites import without_split_numbers
from adapter.values.proof.settling import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from regex import Pattern

    from adapter.codecs.protocol import Codec
    from adapter.languages import Spoken
    from adapter.phrases.common_words import WordList
    from adapter.phrases.memory import Memory
    from adapter.pipeline.opening import Opened
    from adapter.pipeline.ruleset import Ruleset
    from adapter.pipeline.tagging import Findings
    from adapter.types import Action, Extraction, SecurityLabel, TextSegment, TrustedPhrase


_NAMES = frozenset(label for label in Label if label.category == "NAME")


@dataclass(frozen=True, slots=True)
class Examined:
    """A message and all decisions about it, before the leak check and encoding.

    ``actions`` are parallel to ``message.segments``; ``spans`` are by path; ``edits`` are in order.
    """

    message: Message = field(repr=False)
    actions: tuple[Action, ...] = field(repr=False)
    extraction: Extraction = field(repr=False)
    spans: Mapping[str, tuple[Span, ...]] = field(repr=False)
    edits: tuple[Edit, ...] = field(repr=False)
    vetoes: Mapping[str, int]
    leaks: tuple[Pattern[str], ...] = field(repr=False)
    """Patterns of what is never released."""
    stays: frozenset[Label] = frozenset()
    """Labels of mentions that the profile leaves unchanged."""
    merges: tuple[Merge, ...] = ()
    security: SecurityLabel | None = None
    """Label that the released message states, or None."""
    discovered: tuple[TrustedPhrase, ...] = field(default=(), repr=False)
    """Phrases found in texts but in no field; none of them may remain."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """Number of values in kept places that were not proved, by "scanned" or "dropped"."""
    numerals: Numerals = field(default_factory=Numerals, repr=False)
    passed_over: tuple[Edit, ...] = field(default=(), repr=False)
    """Extents that the leak check treats as replaced: eponyms that contain somebody's name."""
    unconfigured: bool = False
    """Whether the message's texts are in none of the configured languages."""


def examine(codec: Codec, raw: bytes, ruleset: Ruleset) -> Examined:
    """Decide what to do with each place of one message, without patient memory.

    Raises:
        AdapterError: the message cannot be de-identified safely.
    """
    return examine_opened(opened_frame(codec, Frame(b"", raw, b""), ruleset), ruleset, None)


def examine_opened(opened: Opened, ruleset: Ruleset, memory: Memory | None) -> Examined:
    """Decide what to do with each place, using what ``memory`` recalls about the patients.

    Raises:
        AdapterError: the message cannot be de-identified safely.
    """
    message, actions, subjects = opened.message, opened.proved.actions, opened.subjects
    recalled = recollect(subjects, opened.patient_facts, memory, opened.staff_facts)
    recalled = with_surnames(recalled, subjects.groups, _coded(opened))
    language = _language(opened, ruleset)
    words = ruleset.languages[language.main].words
    extraction = extract(message, actions, words, subjects, recalled)
    findings = _findings(opened, extraction, language, ruleset)
    spans = with_ages(message, actions, findings.spans, ruleset.values)
    phrases = (*extraction.phrases, *findings.discovered)
    spans = with_glued(message, actions, spans, phrases, findings.passed_over)
    proved = settled(ruleset.values, message, opened.proved, spans)
    actions = without_split_numbers(message, proved.actions, phrases)
    real = real_values(message, spans, extraction)
    order = ruleset.recognizer.orders.get(language.main, "")
    others = other_people(message, spans)
    renderer = ruleset.surrogates.renderer(extraction, real, order, language.main, others)
    spans = reaching(message, actions, spans, renderer)
    plain = _plain(extraction, words)
    edits = tuple(edits_of(message, actions, spans, renderer, ruleset.numerals, is_plain=plain))
    merged = merges(message, subjects, recalled, edits, ruleset.surrogates)
    return Examined(
        message,
        actions,
        extraction,
        spans,
        edits,
        findings.vetoes,
        ruleset.leaks,
        ruleset.surrogates.options.stays,
        tuple(merged),
        ruleset.labels.get(message.format),
        findings.discovered,
        proved.counts,
        ruleset.numerals,
        findings.passed_over,
        language.unconfigured,
    )


def _plain(extraction: Extraction, words: WordList) -> Callable[[str], bool]:
    """Return a check whether a folded word is common in the language and no name in the message."""

    def is_name(word: str) -> bool:
        return any(p.label in _NAMES and squeeze(p.text) == word for p in extraction.phrases)

    return lambda word: word in words.ordinary and not is_name(word)


def _language(opened: Opened, ruleset: Ruleset) -> Spoken:
    """Return the languages of a message.

    Raises:
        FieldError: none of them is configured, and the profile holds such messages.
    """
    language = spoken(opened.message.segments, free_text(opened), ruleset.recognizer)
    if language.unconfigured and ruleset.policy.profile.unknown_language is Handling.HOLD:
        raise FieldError("held-by-policy")
    return language


def _findings(
    opened: Opened, extraction: Extraction, language: Spoken, ruleset: Ruleset
) -> Findings:
    """Find the protected text in every place of a message."""
    proved, cues = opened.proved, ruleset.languages[language.main].words.cues
    return find(
        opened.message,
        proved.actions,
        extraction,
        PhraseIndex.build(extraction.phrases, cues),
        languages=ruleset.languages,
        language=language,
        judged=Judged(proved.doubtful, proved.structural, ruleset.values.checks),
        answers=Answers(
            {segment.path: segment.text for segment in opened.message.segments},
            ruleset.values.asked(opened.message, proved.actions),
            ruleset.values.checks,
        ),
        numerals=ruleset.numerals,
    )


def free_text(opened: Opened) -> Iterable[TextSegment]:
    """Return the free text of a message, without values of coded places that were not proved."""
    doubtful = opened.proved.doubtful
    return (
        segment
        for segment, action in zip(opened.message.segments, opened.proved.actions, strict=True)
        if action.handling is Handling.SCAN
        and segment.path not in doubtful
        and segment.element != ELEMENT
    )


def _coded(opened: Opened) -> Iterable[str]:
    """Return the texts of places for coded values, proved or not."""
    proved = opened.proved
    return (
        segment.text
        for segment, action in zip(opened.message.segments, proved.actions, strict=True)
        if action.handling is Handling.KEEP or segment.path in proved.scanned
    )


def written(codec: Codec, examined: Examined) -> bytes:
    """Check a message for leaks, and return it as bytes with its edits and security label applied.

    Raises:
        AdapterError: a known value is left in the kept text, or an edit cannot be written.
    """
    phrases = (*examined.extraction.phrases, *examined.discovered)
    if examined.stays:
        phrases = tuple(phrase for phrase in phrases if phrase.label not in examined.stays)
    replaced = (*examined.edits, *examined.passed_over)
    check(examined.message, replaced, phrases, examined.leaks, examined.numerals)
    message, edits = folded(*parted(examined.message, examined.edits))
    return codec.encode(message, edits, examined.security)
