"""Resolution: what all taggers found in one message becomes disjoint, typed spans.

Overlaps are united and typed by priority (trusted phrases over rules over lexicons and models);
types are corrected by context; the same string gets the same type all over the message, and a name
or number found for certain once is also found where it was missed (Lee 2017, section 2.6;
Szarvas 2006, section 3.3). Coverage never shrinks: only a named veto uncovers, and it is counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import regex

from adapter.folding import fold
from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    Found = Sequence[Span | Veto]
    Spans = tuple[Span, ...]

CERTAIN = 60
"""Priority from which a span vouches for the same string elsewhere: rules and trusted phrases."""
TRUSTED = 90
"""Priority of trusted phrases, which the phrase tagger has looked for everywhere already."""
SPREAD = 45
"""Priority of a span found because the same string was certain elsewhere."""

_NAMES = frozenset({Label.PATIENT, Label.DOCTOR})
_PLACES = frozenset({Label.HOSPITAL, Label.ORGANIZATION, Label.CITY, Label.STREET})
_NUMBERS = frozenset(label for label in Label if label.category in ("ID", "CONTACT"))
_RETYPED = _NAMES | _PLACES | {Label.LOCATION_OTHER, Label.STATE, Label.COUNTRY} | _NUMBERS
_GAP = regex.compile(r"[ \t\u00a0]{1,2}|[ ]?[-‐‑–][ ]?")
_WORD = regex.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
_LINE = regex.compile(
    r"(?r)\b(?:(?P<fax>fax(?:ed|ing)?|facsimile|telefax|fx)|(?P<phone>phone|ph|tel|telephone"
    r"|call(?:ed)?|cell|mobile|pager|direct|office|home|work))\b"
)
_FAX_LETTER = regex.compile(r"(?:^|[|/(;\n]\s?|\d\s{1,3})f[:.)]?\s?\Z")
_STUDY = regex.compile(r"\b(?:studied|student|degree|graduated?|senior|junior|freshman)\b")


@dataclass(frozen=True, slots=True)
class Options:
    """What resolution knows of the language.

    ``ordinary``: folded words that are no evidence of a name by themselves. ``states``: folded
    names and codes a STATE must be one of; None switches the test off.
    """

    ordinary: Container[str] = field(default=frozenset(), repr=False)
    states: Container[str] | None = field(default=None, repr=False)
    reconcile: bool = True


def resolve(
    texts: Sequence[str], found: Sequence[Found], options: Options | None = None
) -> tuple[tuple[Spans, ...], dict[str, int]]:
    """Return the disjoint, sorted spans of each text, and how many spans each veto rule removed.

    ``found[i]`` are the spans and vetoes of ``texts[i]``, offsets in its characters.
    """
    options = options or Options()
    counts: Counter[str] = Counter()
    vetoes = [[item for item in items if isinstance(item, Veto)] for items in found]
    spans = [
        unite(text, without_vetoed(_spans(items), vetoed, counts))
        for text, items, vetoed in zip(texts, found, vetoes, strict=True)
    ]
    spans = [correct(text, row, options) for text, row in zip(texts, spans, strict=True)]
    if options.reconcile:
        spans = _reconcile(texts, spans, vetoes, options)
    joined = tuple(tuple(join(text, row)) for text, row in zip(texts, spans, strict=True))
    return joined, dict(counts)


def _spans(items: Found) -> list[Span]:
    return [item for item in items if isinstance(item, Span)]


def without_vetoed(
    spans: Iterable[Span], vetoes: Sequence[Veto], counts: Counter[str]
) -> list[Span]:
    """Return the spans no veto removes; add those removed to counts, by rule."""
    if not vetoes:
        return list(spans)
    kept = []
    for span in spans:
        veto = next((veto for veto in vetoes if _falls(span, veto)), None)
        if veto is None:
            kept.append(span)
        else:
            counts[veto.rule] += 1
    return kept


def _falls(span: Span, veto: Veto) -> bool:
    return (
        veto.start <= span.start
        and span.end <= veto.end
        and veto.priority > span.priority
        and (not veto.labels or span.label in veto.labels)
    )


def unite(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return disjoint sorted spans that cover what spans cover.

    Stronger spans keep their extent. What a weaker one of the same label (or both names) adds is
    united with them; of another label it stays beside them, cut at a border of words.
    """
    united: list[Span] = []
    for span in sorted(spans, key=_strength, reverse=True):
        first = bisect_right(united, span.start, key=_end)
        last = bisect_left(united, span.end, key=_start)
        rivals = united[first:last]
        united[first:last] = _settle(text, span, rivals) if rivals else [span]
    return united


def _strength(span: Span) -> tuple[int, float, int, int, str, str]:
    length = span.end - span.start
    return span.priority, span.score, length, -span.start, span.label, span.source


def _start(span: Span) -> int:
    return span.start


def _end(span: Span) -> int:
    return span.end


def _settle(text: str, weak: Span, rivals: list[Span]) -> list[Span]:
    """The rivals, widened by or standing beside what else the weaker span covers."""
    if all(weak.start >= rival.start and weak.end <= rival.end for rival in rivals):
        return rivals
    alike = all(_same_kind(weak, rival) for rival in rivals)
    if alike or any(_cuts_word(text, weak, rival) for rival in rivals):
        winner = max(rivals, key=_strength)
        start, end = min(weak.start, rivals[0].start), max(weak.end, rivals[-1].end)
        return [replace(winner, start=start, end=end, form=None)]
    return list(_beside(text, weak, rivals))


def _same_kind(a: Span, b: Span) -> bool:
    return a.label == b.label or (a.label in _NAMES and b.label in _NAMES)


def _cuts_word(text: str, weak: Span, rival: Span) -> bool:
    return any(
        weak.start < cut < weak.end and text[cut - 1].isalnum() and text[cut].isalnum()
        for cut in (rival.start, rival.end)
    )


def _beside(text: str, weak: Span, rivals: list[Span]) -> Iterator[Span]:
    """The rivals, and between them what is left of weak; bare marks join the rival before."""
    place = weak.start
    last: Span | None = None
    for rival in rivals:
        rest = _rest(text, weak, place, rival.start)
        if rest is not None and last is not None and not _telling_rest(text, rest):
            last, rest = replace(last, end=rest.end, form=None), None
        elif rest is not None and not _telling_rest(text, rest):
            rival, rest = replace(rival, start=rest.start, form=None), None  # noqa: PLW2901
        yield from (item for item in (last, rest) if item is not None)
        last, place = rival, max(place, rival.end)
    rest = _rest(text, weak, place, weak.end)
    if rest is not None and last is not None and not _telling_rest(text, rest):
        last, rest = replace(last, end=rest.end, form=None), None
    yield from (item for item in (last, rest) if item is not None)


def _rest(text: str, weak: Span, start: int, end: int) -> Span | None:
    """What of weak lies in [start, end), white space at its edges left out."""
    inside = text[start:end]
    if not inside.strip():
        return None
    start += len(inside) - len(inside.lstrip())
    return replace(weak, start=start, end=start + len(inside.strip()), entity=None, form=None)


def _telling_rest(text: str, rest: Span) -> bool:
    return any(map(str.isalnum, text[rest.start : rest.end]))


def correct(text: str, spans: Iterable[Span], options: Options) -> list[Span]:
    """Return the spans with labels corrected by their context; extents stay."""
    return [_corrected(text, span, options) for span in spans]


def _corrected(text: str, span: Span, options: Options) -> Span:
    label = span.label
    if span.priority >= TRUSTED:
        return span
    if label in (Label.PHONE, Label.FAX):
        return replace(
            span, label=_line_kind(fold(text[max(0, span.start - 40) : span.start]), label)
        )
    if label is Label.STATE and options.states is not None:
        known = fold(text[span.start : span.end]).rstrip(".") in options.states
        return span if known else replace(span, label=Label.CITY)
    if label is Label.HOSPITAL and _STUDY.search(fold(text[max(0, span.start - 30) : span.start])):
        return replace(span, label=Label.ORGANIZATION)
    return span


def _line_kind(before: str, label: Label) -> Label:
    """FAX or PHONE by the nearest word before that names one of the two."""
    if _FAX_LETTER.search(before):
        return Label.FAX
    word = _LINE.search(before)
    if word is None or any(map(str.isdigit, before[word.end() :])):
        return label
    return Label.FAX if word["fax"] else Label.PHONE


def join(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans, neighbouring parts of one name as one."""
    last: Span | None = None
    for span in spans:
        if last is not None and _one_name(text, last, span):
            last = replace(
                max(last, span, key=_strength), start=last.start, end=span.end, form=None
            )
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last


def _one_name(text: str, first: Span, second: Span) -> bool:
    return (
        first.label == second.label
        and first.label in _NAMES
        and first.entity == second.entity
        and _GAP.fullmatch(text, first.end, second.start) is not None
    )


def _reconcile(
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    vetoes: Sequence[Sequence[Veto]],
    options: Options,
) -> list[list[Span]]:
    votes = _votes(texts, spans)
    retyped = [
        [_retype(text, span, votes) for span in row] for text, row in zip(texts, spans, strict=True)
    ]
    known = _certain(texts, retyped, options)
    if not known:
        return retyped
    return [
        _spread(text, row, vetoed, known)
        for text, row, vetoed in zip(texts, retyped, vetoes, strict=True)
    ]


def _votes(
    texts: Sequence[str], spans: Sequence[Sequence[Span]]
) -> dict[str, Counter[tuple[bool, Label]]]:
    """How often each string has each label, certain and uncertain votes apart."""
    votes: dict[str, Counter[tuple[bool, Label]]] = {}
    for text, row in zip(texts, spans, strict=True):
        for span in row:
            if span.label in _RETYPED:
                string = fold(text[span.start : span.end])
                votes.setdefault(string, Counter())[span.priority >= CERTAIN, span.label] += 1
    return votes


def _retype(text: str, span: Span, votes: Mapping[str, Counter[tuple[bool, Label]]]) -> Span:
    """The span with the label its string has for certain elsewhere, else most often (twice)."""
    if span.priority >= CERTAIN or span.label not in _RETYPED:
        return span
    counter = votes[fold(text[span.start : span.end])]
    if len(counter) == 1:
        return span
    (certain, label), count = max(
        counter.items(), key=lambda item: (item[0][0], item[1], item[0][1])
    )
    return replace(span, label=label) if certain or count > 1 else span


def _certain(
    texts: Sequence[str], spans: Sequence[Sequence[Span]], options: Options
) -> dict[str, Label]:
    """Strings as they stand in the texts that rules are certain of, worth looking for elsewhere."""
    known: dict[str, tuple[int, Label]] = {}
    for text, row in zip(texts, spans, strict=True):
        for span in row:
            if CERTAIN <= span.priority < TRUSTED:
                for string in _strings(text[span.start : span.end], span.label, options):
                    best = known.get(string)
                    if best is None or span.priority > best[0]:
                        known[string] = (span.priority, span.label)
    return {string: label for string, (_, label) in known.items()}


def _strings(text: str, label: Label, options: Options) -> Iterator[str]:
    if label in _NAMES:
        words = _WORD.findall(text)
        yield from (w for w in words if _telling(w, options.ordinary))
        if len(words) > 1:
            yield text
    elif label in _PLACES:
        words = _WORD.findall(text)
        if len(words) > 1 or (words and _telling(words[0], options.ordinary)):
            yield text
    elif label in _NUMBERS and sum(map(str.isdigit, text)) >= _TELLING_DIGITS:
        yield text


_TELLING_LETTERS = 3
_TELLING_DIGITS = 5


def _telling(word: str, ordinary: Container[str]) -> bool:
    return len(word) >= _TELLING_LETTERS and word[0].isupper() and fold(word) not in ordinary


def _spread(
    text: str, spans: list[Span], vetoes: Sequence[Veto], known: Mapping[str, Label]
) -> list[Span]:
    """The spans and the uncovered occurrences of known strings, each as one whole word."""
    missed = [
        Span(start, start + len(string), label, "resolve.spread", 1.0, SPREAD)
        for string, label in known.items()
        for start in _occurrences(text, string)
        if not _covered(spans, start, start + len(string))
    ]
    if not missed:
        return spans
    return unite(text, [*spans, *without_vetoed(missed, vetoes, Counter())])


def _occurrences(text: str, string: str) -> Iterator[int]:
    for form in {string, string.upper(), string.title() if string.isupper() else string}:
        start = text.find(form)
        while start >= 0:
            end = start + len(form)
            if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
                yield start
            start = text.find(form, end)


def _covered(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(span.start < end and start < span.end for span in spans)
