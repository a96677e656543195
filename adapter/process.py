"""The product on one page: decode, fields, phrases, tag, resolve, substitute, check, encode."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.codecs import detect
from adapter.errors import AdapterError, DecodeError, FieldError
from adapter.folding import squeeze
from adapter.languages import Spoken, spoken
from adapter.leakcheck import check
from adapter.phrases.extract import extract
from adapter.resolve import Options, resolve
from adapter.taggers.document import read
from adapter.taggers.phrases import PhraseIndex, sweep
from adapter.taggers.weighing import weighed
from adapter.types import Edit, Handling, Hold, Label, Message, Release, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.codecs.protocol import Codec
    from adapter.fields import FieldPolicy
    from adapter.languages import Recognizer
    from adapter.phrases.words import WordList
    from adapter.surrogates import Cast, Surrogates
    from adapter.taggers.crf import CrfTagger
    from adapter.taggers.document import Document
    from adapter.taggers.protocol import Tagger
    from adapter.taggers.sections import SectionRules
    from adapter.types import Action, Extraction, Outcome, Record, TextSegment, TrustedPhrase

FIELD = "field"
"""Source of the spans that the field policy gives."""
SHORT = 4
"""Digits of a number that is looked for as a whole place only."""
MEASURED = frozenset({"NM", "SN.2", "SN.4", "decimal", "integer", "Quantity.value"})
"""Datatypes whose numbers are values."""
SHORTEST_REAL = 3
"""Real values shorter than this, in letters and digits, may come again by chance."""

BRIEF, BRIEF_TEXTS = 120, 4096
"""Characters of a text that is likely to come again (a code's display), and how many are kept."""

CONTEXT = 8
"""Tokens of a text from which a learned tagger reads it: a lone word has no context to learn from.

Displays of codes ("Penicillin", "4 North") are left to rules, lexicons and trusted phrases.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What reads the free text of one language; compared by identity, to key a memo."""

    code: str
    sections: SectionRules = field(repr=False)
    taggers: tuple[Tagger, ...] = field(repr=False)
    options: Options = field(repr=False)
    words: WordList = field(repr=False)
    learned: CrfTagger | None = field(default=None, repr=False)
    sure: int = 0
    """Where something was learned, rules of less priority are evidence for it only."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything `process` goes by, compiled once; ``digest`` names it, keys left out."""

    codecs: Mapping[str, Codec] = field(repr=False)
    policy: FieldPolicy = field(repr=False)
    languages: Mapping[str, Language] = field(repr=False)
    recognizer: Recognizer = field(repr=False)
    surrogates: Surrogates = field(repr=False)
    headers: frozenset[str] = frozenset()
    """Names of record headers that may pass, in lower case."""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """One message and all that was decided about it, before it is checked and written.

    ``actions`` go with ``message.segments``; ``spans`` are by path; ``edits`` in order.
    """

    message: Message = field(repr=False)
    actions: tuple[Action, ...] = field(repr=False)
    extraction: Extraction = field(repr=False)
    spans: Mapping[str, tuple[Span, ...]] = field(repr=False)
    edits: tuple[Edit, ...] = field(repr=False)
    vetoes: Mapping[str, int]
    stays: frozenset[Label] = frozenset()
    """Labels of what the profile leaves as it is."""


def process(record: Record, ruleset: Ruleset, known: tuple[TrustedPhrase, ...] = ()) -> Outcome:
    """De-identify one record; whatever cannot be done safely is a Hold, never a pass-through.

    ``known`` are phrases that earlier messages taught about the same patient. Pure: the same
    record, ruleset and phrases give the same outcome, byte for byte.
    """
    try:
        return _released(record, ruleset, known)
    except AdapterError as error:
        return Hold(error.stage, error.code)
    except Exception:  # noqa: BLE001 - fail closed; the text of an exception may quote the message
        return Hold("bug", "unexpected")


def _released(record: Record, ruleset: Ruleset, known: tuple[TrustedPhrase, ...]) -> Release:
    key, headers = _envelope(record, ruleset)
    if record.value is None:
        return Release(None, key, headers, ruleset_digest=ruleset.digest)
    codec = codec_for(record.value, ruleset)
    parts: list[bytes] = []
    done: list[Examined] = []
    for frame in codec.split(record.value):
        examined = examine(codec, frame.value, ruleset, known)
        parts += frame.prefix, written(codec, examined, known), frame.suffix
        done.append(examined)
    return Release(
        b"".join(parts),
        key,
        headers,
        tuple(edit for result in done for edit in result.edits),
        counts(done),
        done[0].message.format,
        done[0].message.kind,
        ruleset.digest,
    )


def codec_for(raw: bytes, ruleset: Ruleset) -> Codec:
    """The codec of the only configured format, else of the detected one.

    Raises:
        DecodeError: empty, or in no configured format.
    """
    if not raw.strip():
        raise DecodeError("empty")
    only = len(ruleset.codecs) == 1
    name = next(iter(ruleset.codecs)) if only else detect(raw)
    if name is None or name not in ruleset.codecs:
        raise DecodeError("unknown-format")
    return ruleset.codecs[name]


def examine(
    codec: Codec, raw: bytes, ruleset: Ruleset, known: tuple[TrustedPhrase, ...] = ()
) -> Examined:
    """Decide what to do with every place of one message.

    Raises:
        AdapterError: it cannot be done safely.
    """
    message = codec.decode(raw)
    actions = tuple(ruleset.policy.action(message.format, s) for s in message.segments)
    language = spoken(message.segments, _free_text(message, actions), ruleset.recognizer)
    extraction = extract(message, actions, ruleset.languages[language.main].words)
    index = PhraseIndex.build(extraction.phrases + known)
    spans, vetoes = find(
        message, actions, extraction, index, languages=ruleset.languages, language=language
    )
    real = _real_values(message, spans, extraction)
    order = ruleset.recognizer.orders.get(language.main, "")
    cast = ruleset.surrogates.cast(extraction, real, order, language.main)
    edits = tuple(_edits(message, actions, spans, cast))
    stays = ruleset.surrogates.options.stays
    return Examined(message, actions, extraction, spans, edits, vetoes, stays)


def _free_text(message: Message, actions: Sequence[Action]) -> Iterable[TextSegment]:
    return (
        segment
        for segment, action in zip(message.segments, actions, strict=True)
        if action.handling is Handling.SCAN
    )


def written(codec: Codec, examined: Examined, known: tuple[TrustedPhrase, ...] = ()) -> bytes:
    """The message with its edits, if no known value is left in what it keeps.

    Raises:
        AdapterError: something would leak, or cannot be written.
    """
    phrases = examined.extraction.phrases + known
    if examined.stays:
        phrases = tuple(phrase for phrase in phrases if phrase.label not in examined.stays)
    check(examined.message, examined.edits, phrases)
    return codec.encode(examined.message, examined.edits)


def find(
    message: Message,
    actions: Sequence[Action],
    extraction: Extraction,
    index: PhraseIndex,
    *,
    languages: Mapping[str, Language],
    language: Spoken,
) -> tuple[dict[str, tuple[Span, ...]], Mapping[str, int]]:
    """Spans of every segment that has some, by path; and how often each veto held.

    Raises:
        FieldError: a place is held by policy.
    """
    owners = extraction.owners
    found: dict[str, tuple[Span, ...]] = {}
    kept: list[TextSegment] = []
    scanned: list[TextSegment] = []
    for segment, action in zip(message.segments, actions, strict=True):
        match action.handling:
            case Handling.KEEP:
                kept.append(segment)
            case Handling.SCAN:
                scanned.append(segment)
            case Handling.SURROGATE | Handling.SHIFT:
                path, length = segment.path, len(segment.text)
                found[path] = (_field_span(length, action.label, action.part, owners.get(path)),)
            case Handling.HOLD:
                raise FieldError("held-by-policy")
    short = _short_numbers(index.phrases)
    for segment in kept:
        if segment.text in short and segment.datatype not in MEASURED:
            found[segment.path] = (short[segment.text],)
    for place, span in sweep([segment.text for segment in kept], index):
        path = kept[place].path
        found[path] = (*found.get(path, ()), span)
    vetoes: Counter[str] = Counter()
    for code, segments in _by_language(scanned, language).items():
        vetoes.update(_scan(segments, index, languages[code], found))
    return found, vetoes


def _by_language(
    segments: Iterable[TextSegment], language: Spoken
) -> Mapping[str, Sequence[TextSegment]]:
    parted: dict[str, list[TextSegment]] = {}
    for segment in segments:
        parted.setdefault(language.at(segment.path), []).append(segment)
    return parted


def _short_numbers(phrases: Iterable[TrustedPhrase]) -> dict[str, Span]:
    """Four-digit numbers of the message's people, as spans of whole places that hold nothing else.

    Within a text, or as a measured value, so short a number proves nothing.
    """
    return {
        phrase.text: Span(0, SHORT, phrase.label, "phrase", 1.0, 100, phrase.entity, phrase.form)
        for phrase in phrases
        if len(phrase.text) == SHORT and phrase.label.category == "ID" and phrase.text.isdigit()
    }


@lru_cache(maxsize=16384)
def _field_span(length: int, label: Label | None, part: str | None, entity: str | None) -> Span:
    """The span of a whole field; a memo, for fields are many and their spans few."""
    form = f"{{{part}}}" if part else None
    return Span(0, length, label or Label.DATE, FIELD, 1.0, 100, entity, form)


def _scan(
    segments: Sequence[TextSegment],
    index: PhraseIndex,
    language: Language,
    found: dict[str, tuple[Span, ...]],
) -> Mapping[str, int]:
    """Tag and resolve free texts, each distinct one once; add what is found by path."""
    texts = list(dict.fromkeys(segment.text for segment in segments))
    if not texts:
        return {}
    index = index.within(texts)
    tagged = [tag(text, index, language) for text in texts]
    if not any(tagged):
        return {}
    spans, vetoes = resolve(texts, tagged, language.options)
    by_text = dict(zip(texts, spans, strict=True))
    for segment in segments:
        if by_text[segment.text]:
            found[segment.path] = by_text[segment.text]
    return vetoes


def find_in(text: str, index: PhraseIndex, language: Language) -> tuple[Span, ...]:
    """Resolved spans of one text alone.

    Raises:
        TagError: a tagger could not finish.
    """
    spans, _ = resolve([text], [tag(text, index, language)], language.options)
    return spans[0]


def tag(text: str, index: PhraseIndex, language: Language) -> list[Span | Veto]:
    """What all taggers of a language say of one text, unresolved.

    Raises:
        TagError: a tagger could not finish.
    """
    document, told = (_told if len(text) > BRIEF else _told_again)(text, language)
    found: list[Span | Veto] = []
    for tagger, items in zip(language.taggers, told, strict=True):
        found += tagger.tag(document, index) if tagger.trusting else items
    if language.learned is None or len(document.tokens) < CONTEXT:
        return found
    brief = len(text) <= BRIEF
    learned = (_learned_again if brief else _learned)(document, tuple(found), language.learned)
    return weighed(text, found, learned, language.sure)


def _learned(document: Document, found: tuple[Span | Veto, ...], tagger: CrfTagger) -> list[Span]:
    return tagger.tag(document, found)


_learned_again = lru_cache(maxsize=4096)(_learned)


def _told(text: str, language: Language) -> tuple[Document, tuple[tuple[Span | Veto, ...], ...]]:
    """The text read, and by tagger what it says whatever the message's trusted phrases are."""
    document = read(text, language.code, language.sections)
    return document, tuple(
        () if tagger.trusting else tuple(tagger.tag(document, _NO_PHRASES))
        for tagger in language.taggers
    )


_NO_PHRASES = PhraseIndex.build(())
_told_again = lru_cache(maxsize=BRIEF_TEXTS)(_told)
"""A bounded memo of a pure function: coded displays and short results come in every message."""


def _real_values(
    message: Message, spans: Mapping[str, tuple[Span, ...]], extraction: Extraction
) -> frozenset[str]:
    """What no surrogate of this message may equal, in letters and digits only."""
    values = {text for entity in extraction.entities for _, text in entity.parts}
    for segment in message.segments:
        for span in spans.get(segment.path, ()):
            values.add(segment.text[span.start : span.end])
    squeezed = {squeeze(value) for value in values}
    return frozenset(value for value in squeezed if len(value) >= SHORTEST_REAL)


def _edits(
    message: Message,
    actions: Sequence[Action],
    spans: Mapping[str, tuple[Span, ...]],
    cast: Cast,
) -> Iterable[Edit]:
    for segment, action in zip(message.segments, actions, strict=True):
        if action.handling is Handling.DROP:
            yield Edit(segment.path, 0, len(segment.text), None)
            continue
        for span in spans.get(segment.path, ()):
            text = segment.text[span.start : span.end]
            surrogate = cast.render(text, span, segment)
            if surrogate != text:
                yield Edit(segment.path, span.start, span.end, surrogate)


def counts(results: Iterable[Examined]) -> tuple[tuple[str, int], ...]:
    """("LABEL/source", n) of all spans and ("veto/rule", n), sorted."""
    counter: Counter[tuple[str, str]] = Counter()
    for result in results:
        counter.update((s.label, s.source) for spans in result.spans.values() for s in spans)
        counter.update({("veto", rule): n for rule, n in result.vetoes.items()})
    return tuple(sorted((f"{kind}/{source}", n) for (kind, source), n in counter.items()))


def _envelope(
    record: Record, ruleset: Ruleset
) -> tuple[bytes | None, tuple[tuple[str, bytes], ...]]:
    """The record's key as a surrogate, and the headers that may pass."""
    headers = tuple(item for item in record.headers if item[0].lower() in ruleset.headers)
    if record.key is None:
        return None, headers
    try:
        text = record.key.decode("utf-8")
    except UnicodeDecodeError:
        text = record.key.hex()
    return ruleset.surrogates.identifier(text).encode("utf-8"), headers
