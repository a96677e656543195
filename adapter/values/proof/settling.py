"""Values that still look personal after tagging: they are dropped.

In a place for a code, a name that no field has and no tagger knows has no context by which it could
be found; what is left of such a value outside its mentions must consist of words of care.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.types import Handling
from adapter.values.checks import SHORT
from adapter.values.proof.proved import DROP, SCAN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.types import Message, Span, TextSegment
    from adapter.values.proof.judging import Values
    from adapter.values.proof.proved import Proved
    from adapter.values.vocabulary import Vocabulary

STRINGS = frozenset({"ST", "string"})
"""Datatypes of strings of HL7 v2 and FHIR, which are often codes of a sender."""
RESULT, VALUE = "OBX-5", "value"
FHIR_DISPLAY, BESIDE, MADE = "Coding.display", "person-code", "make"
"""Datatype of FHIR's displays, and grammars of places beside people's fields and of makes."""
BRIEF, WORDS = 60, 3
"""Maximum number of characters and of words of a string that is a code rather than a sentence."""
_HYPHENS = frozenset("-\u2010\u2011")
_NEIGHBOUR = regex.compile(
    r"(?P<lead>(?:, ?| )?)(?P<word>\p{Lu}[\p{L}\p{M}'\u2019]+)(?P<space>(?:, ?| )?)"
)


def settled(
    values: Values, message: Message, proved: Proved, spans: Mapping[str, tuple[Span, ...]]
) -> Proved:
    """Return the actions, in which values that still look personal after tagging are dropped.

    This applies to values that were not proved, to scanned displays of FHIR, and to scanned strings
    that are not free text (ST outside OBX-5), in which a lone unknown word has no context.
    """
    judged = list(proved.actions)
    dropped = proved.dropped
    scan = Handling.SCAN  # looked up once: reading a member of an enum is slow
    texts: dict[str, str] = {}
    for number, segment in enumerate(message.segments):
        own = spans.get(segment.path, ())
        doubted = len(segment.text) <= SHORT and (
            segment.path in proved.scanned
            or (judged[number] == SCAN and segment.datatype == FHIR_DISPLAY)
        )
        if doubted or segment.path in proved.strict:
            texts = texts or {other.path: other.text for other in message.segments}
            personal = _is_personal(values, message.format, segment, own, texts)
            if segment.path in proved.strict:
                left = _left(segment.text, own)
                personal = personal or not values.checks.vocabulary.listed(left)
        else:
            action = judged[number]
            personal = (
                action.handling is scan
                and action == SCAN
                and _is_stray(values, message.format, segment, own)
            )
        if personal:
            judged[number] = DROP
            dropped += 1
    return replace(proved, actions=tuple(judged), dropped=dropped)


def _is_personal(
    values: Values, form: str, segment: TextSegment, own: Sequence[Span], texts: Mapping[str, str]
) -> bool:
    place = values.place(form, segment)
    left = _left(segment.text, own)
    near = place.near(segment.path, texts)
    named = _torn(segment.text, own) or _has_unknown_neighbour(
        segment.text, own, values.checks.vocabulary
    )
    return named or values.checks.looks(place, left, near)


def _is_stray(values: Values, form: str, segment: TextSegment, own: Sequence[Span]) -> bool:
    """Whether a short string that is not free text contains an unexplained name or number.

    Beside people's fields, such as the ward of a patient, only a likely name or number goes.
    """
    checks, left = values.checks, _left(segment.text, own)
    known = form in values.places
    grammar = values.place(form, segment).grammar.name if known else ""
    if segment.datatype not in STRINGS:
        return grammar == BESIDE and checks.personal.looks(left)
    if len(segment.text) > BRIEF or grammar == MADE or _is_result(segment.element):
        return False
    if segment.text.count(" ") >= WORDS:
        return False
    torn = _torn(segment.text, own)
    return torn or checks.personal.looks(left) or not checks.vocabulary.names_nobody(left)


def _is_result(element: str) -> bool:
    """Whether an element is for a result: OBX-5, ``value[x]``."""
    return element.startswith(RESULT) or element.rpartition(".")[2].startswith(VALUE)


def _left(text: str, spans: Sequence[Span]) -> str:
    """Return the text outside the spans, with a blank in place of each span."""
    parts, at = [], 0
    for span in sorted(spans, key=lambda span: span.start):
        parts.append(text[at : span.start])
        at = max(at, span.end)
    parts.append(text[at:])
    return " ".join(parts)


def _has_unknown_neighbour(text: str, spans: Sequence[Span], vocabulary: Vocabulary) -> bool:
    """Whether an unknown word beside a name is not covered by a span ("Oduya, Ann")."""
    edges = {at for span in spans if span.label.category == "NAME" for at in (span.start, span.end)}
    return any(
        (word.end("space") in edges or word.start("lead") in edges)
        and vocabulary.unknown(word["word"])
        and not any(s.start < word.end("word") and word.start("word") < s.end for s in spans)
        for word in _NEIGHBOUR.finditer(text)
    )


def _torn(text: str, spans: Sequence[Span]) -> bool:
    """Whether letters that no span covers hang at a name, by a hyphen or directly.

    "Smith-Oduya", "ElspethSmithScore" with spans of "Smith".
    """
    covered = {at for span in spans for at in range(span.start, span.end)}
    return any(
        (beyond == nearest or text[nearest : nearest + 1] in _HYPHENS)
        and text[beyond : beyond + 1].isalpha()
        and beyond not in covered
        for span in spans
        if span.label.category == "NAME"
        for nearest, beyond in _beside(span)
        if beyond >= 0
    )


def _beside(span: Span) -> Iterator[tuple[int, int]]:
    """Yield the character next to a span and where letters that hang at it may begin, or end."""
    before, after = span.start - 1, span.end
    yield from ((before, before), (before, before - 1), (after, after), (after, after + 1))
