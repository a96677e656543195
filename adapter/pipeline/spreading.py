"""What is found once is found everywhere: discovered phrases in all other places of a message."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.canonical import displayed
from adapter.folding import squeeze
from adapter.taggers.phrases import PhraseIndex, sweep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.numerals import Numerals
    from adapter.types import Message, Span, TextSegment, TrustedPhrase, Veto

    Spans = dict[str, tuple[Span, ...]]

DISCOVERED = "discovered"
"""Source of spans that are where they are because a text elsewhere has the same."""

_PUBLIC = regex.compile(
    r"(?i)(?:https?://(?:\w+\.)*(?:hl7|loinc|snomed|unitsofmeasure|nih|cdc|ihtsdo|who|fda|iso"
    r"|ama-assn|cms|dicom|nema|ietf|w3|whocc)\.(?:org|info|gov|int|no)\b.*"
    r"|urn:(?:oid:(?:2\.16\.840\.1\.113883|1\.2\.840\.10008)\..*|ietf:.*|iso:.*)"
    r"|LN|LOINC|SCT2?|SNM3?|SNOMED(?:-?CT)?|ICD.*|I9C?\w*|I10\w*|C4|C5|CPT.*|NDC|RXNORM|UCUM|CVX"
    r"|MVX|HL7\d*|HCPCS|DCM|ISO\w*|ATC|NUBC|UB\d+|PH_\w+|CDCREC|NCI\w*)"
)
"""Names of code systems that everybody has, as FHIR and as HL7 table 0396 write them."""
_CODED = regex.compile(r"(?P<holder>.*?)(?:(?P<hl7>\.[1-9])(?:\.1)?|/(?:code|display))")
_SYSTEM_BESIDE = {".1": ".3", ".2": ".3", ".4": ".6", ".5": ".6"}


def spread(
    message: Message,
    segments: Sequence[TextSegment],
    discovered: Sequence[TrustedPhrase],
    found: Spans,
    *,
    barred: Mapping[str, Sequence[Veto]],
    numerals: Numerals,
) -> tuple[TrustedPhrase, ...]:
    """Add to ``found`` where discovered phrases stand; return those that are to stand nowhere.

    Codes of public code systems and their meanings stay, for what a text has in common with them
    proves nothing; so does what a veto covers (``barred``, by text).
    """
    index = PhraseIndex.build(discovered)
    texts: dict[str, str] = {}
    public: set[str] = set()
    for place, span in sweep([segment.text for segment in segments], index, numerals):
        segment = segments[place]
        own = found.get(segment.path, ())
        if any(span.start < other.end and other.start < span.end for other in own):
            continue
        texts = texts or {other.path: other.text for other in message.segments}
        barring = (veto for veto in barred.get(segment.text, ()) if _covers(veto, span))
        if is_public(segment.path, texts) or any(barring):
            public.add(squeeze(displayed(segment.text[span.start : span.end])))
        else:
            found[segment.path] = (*own, _discovered(span))
    return tuple(phrase for phrase in discovered if squeeze(phrase.text) not in public)


def _discovered(span: Span) -> Span:
    if span.entity:
        return replace(span, source=DISCOVERED)
    return replace(span, source=DISCOVERED, entity=None, form=None)


def _covers(veto: Veto, span: Span) -> bool:
    labelled = not veto.labels or span.label in veto.labels
    return labelled and veto.start <= span.start and span.end <= veto.end


def is_public(path: str, texts: Mapping[str, str]) -> bool:
    """Whether a place names a public code system, or is its code or what it calls that."""
    if _PUBLIC.fullmatch(texts.get(path, "")):
        return True
    match = _CODED.fullmatch(path)
    if match is None:
        return False
    if match["hl7"] is None:
        return _PUBLIC.fullmatch(texts.get(f"{match['holder']}/system", "")) is not None
    beside = _SYSTEM_BESIDE.get(match["hl7"])
    if beside is None:
        return False
    return _PUBLIC.fullmatch(texts.get(match["holder"] + beside, "")) is not None
