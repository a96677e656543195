"""Union of overlapping spans into disjoint ones, vetoes, and joining of the parts of a name."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.priorities import PHRASE, concerns, outranks
from adapter.types import OTHER_PERSON, PHRASE_SOURCE, Label, Span

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from adapter.languages.context import Context
    from adapter.types import Veto

NAMES = frozenset({Label.PATIENT, Label.DOCTOR})
"""Labels of people, whose overlapping spans become one."""

ADDRESSES = frozenset({Label.URL, Label.EMAIL})
"""Labels of addresses, which stay whole even if a name is found within them."""

INSTITUTIONS = frozenset({Label.HOSPITAL, Label.ORGANIZATION})
"""Labels of institutions, often named after a place ("University of Rochester")."""

_WHOLES = INSTITUTIONS | {Label.STREET}
WORDED = frozenset(("NAME", "LOCATION", "PROFESSION"))
"""Categories that streets and institutions are named after: no numbers, no dates."""
_EPONYM = "eponym.thing"
"""Rule of vetoes over an eponym with its thing, or over a listed eponym of several names."""
_FIRST = ".first-word"
"""The end of the name of vetoes of a word that begins a sentence before a blank and a name."""
_PLACES = frozenset({Label.CITY, Label.COUNTRY, Label.LOCATION_OTHER})
_OWNED = regex.compile(r"(?P<mark>['’]s\b)(?P<thing>[ ]\p{Ll}+\Z)?")
"""The ending of an owner, and a thing in small letters that may follow as the only word."""
_NUMBERED = frozenset(("ID", "CONTACT"))
_PART = regex.compile(r"[ -]\p{L}")
_WORD_BEFORE = regex.compile(r"\p{L}[\p{L}'’-]*\Z")
_LONGEST_WORD = 40
_GAP = regex.compile(r"[ \u00a0]{1,2}|[ ]?[-‐‑–][ ]?")
"""Text that may stand between parts of one name; not a tab, which separates columns."""


def without_vetoed(
    spans: Iterable[Span],
    vetoes: Sequence[Veto],
    counts: Counter[str],
    lead: Callable[[int, int], bool] | None = None,
) -> list[Span]:
    """Return the spans that no veto removes; count the removed spans by the veto's rule.

    ``lead`` tells whether an extent is a word that is nobody's name. A sure veto also removes a
    span that begins with such a word before it ("Has Austin" of "Has Austin Moore prosthesis").
    """
    if not vetoes:
        return list(spans)
    cutting = [v for v in vetoes if v.priority > PHRASE or v.rule.endswith(_FIRST)] if lead else ()
    spans = [_within(span, cutting, lead) for span in spans] if lead and cutting else list(spans)
    sure = any(veto.priority > PHRASE for veto in vetoes)
    beside = [span for span in spans if span.label.category == "LOCATION"] if sure else []
    kept = []
    for span in spans:
        over = (v for v in vetoes if v.start < span.end and span.start < v.end)
        veto = next((veto for veto in over if _is_vetoed(span, veto, beside)), None)
        if veto is None:
            kept.append(span)
        else:
            counts[veto.rule] += 1
    return kept


def _within(span: Span, vetoes: Sequence[Veto], lead: Callable[[int, int], bool]) -> Span:
    """Return the span without a leading word that a veto shows to be none of its name.

    That is a nameless word before a sure veto, or a word that begins the sentence ("Saw Smith").
    """
    if span.priority >= PHRASE:
        return span
    for veto in vetoes:
        if veto.rule.endswith(_FIRST) and veto.start == span.start and veto.end < span.end - 1:
            return replace(span, start=veto.end + 1)
        sure = veto.priority > PHRASE and concerns(veto, span)
        reaches = span.start < veto.start < span.end <= veto.end
        if sure and reaches and lead(span.start, veto.start):
            return replace(span, start=veto.start)
    return span


def _is_vetoed(span: Span, veto: Veto, places: Sequence[Span]) -> bool:
    """Whether a veto removes a span: inside the veto, or reaching into it from a place before."""
    if not outranks(veto, span):
        return False
    if veto.rule == _EPONYM and span.priority >= PHRASE and _extent(span) == _extent(veto):
        return False  # the whole eponym is also the name of a person in the message
    if veto.start <= span.start:
        return span.end <= veto.end
    return (
        veto.priority > PHRASE
        and veto.start < span.end <= veto.end
        and any(
            place.start <= span.start and span.end > place.end and veto.start - place.end == 1
            for place in places
        )
    )


def _extent(found: Span | Veto) -> tuple[int, int]:
    return found.start, found.end


def unite(text: str, spans: Iterable[Span], context: Context) -> list[Span]:
    """Return disjoint sorted spans that cover the same characters as the given spans.

    Stronger spans keep their extent. The rest of a weaker span is united with them if it has the
    same label (or both are names) or is cut within a word; otherwise it stays beside them. An
    address stays whole around spans within it, an institution around the place in its name.
    """
    united: list[Span] = []
    for span in sorted(spans, key=strength, reverse=True):
        first = bisect_right(united, span.start, key=end_of)
        last = bisect_left(united, span.end, key=start_of)
        rivals = united[first:last]
        united[first:last] = _settle(text, span, rivals, context) if rivals else [span]
    return united


def strength(span: Span) -> tuple[int, float, int, int, str, str]:
    """Return the sort key of spans: priority, then score, length and position."""
    length = span.end - span.start
    return span.priority, span.score, length, -span.start, span.label, span.source


def start_of(span: Span) -> int:
    """Return the start of a span, as a sort key."""
    return span.start


def end_of(span: Span) -> int:
    """Return the end of a span, as a sort key."""
    return span.end


def _settle(text: str, weak: Span, rivals: list[Span], context: Context) -> list[Span]:
    """Return the rivals, widened over or followed by the rest of the weaker span."""
    if all(weak.start >= rival.start and weak.end <= rival.end for rival in rivals):
        return rivals
    if _encloses(text, weak, rivals, context):
        return [weak]
    alike = all(_same_kind(weak, rival) for rival in rivals)
    if alike and (bare := _bare(text, weak, rivals)):
        return list(_beside(text, bare, rivals))
    if alike or any(_cuts_word(text, weak, rival) for rival in rivals):
        winner = max(rivals, key=strength)
        start, end = min(weak.start, rivals[0].start), max(weak.end, rivals[-1].end)
        return [replace(winner, start=start, end=end, form=_other((weak, *rivals)))]
    return list(_beside(text, weak, rivals))


def _other(spans: Iterable[Span]) -> str | None:
    """Return the form of a mention made of several: none, or that one is of nobody known."""
    return OTHER_PERSON if any(span.form == OTHER_PERSON for span in spans) else None


def _bare(text: str, weak: Span, rivals: Sequence[Span]) -> Span | None:
    """Return the weaker span if it adds only marks to known numbers, without the letter of a part.

    A letter behind a blank or hyphen tells a part of what the number belongs to: "S24 10877 A".
    """
    known = all(
        rival.source == PHRASE_SOURCE and rival.form and rival.label.category in _NUMBERED
        for rival in rivals
    )
    if not known:
        return None
    if _PART.fullmatch(text, rivals[-1].end, weak.end):
        weak = replace(weak, end=rivals[-1].end)
    rests, place = "", weak.start
    for rival in rivals:
        rests += text[place : rival.start]
        place = rival.end
    rests += text[place : weak.end]
    return None if any(map(str.isalnum, rests)) else weak


def _encloses(text: str, weak: Span, rivals: Sequence[Span], context: Context) -> bool:
    """Whether the weaker span is a whole (address, institution, street) with the rivals inside."""
    start, end = rivals[0].start, rivals[-1].end
    if start < weak.start or weak.end < end:
        return False
    if weak.label in ADDRESSES:
        return True
    worded = all(rival.label.category in WORDED for rival in rivals)
    if weak.label in _WHOLES and worded and start > weak.start and weak.end > end:
        return True
    if weak.label not in INSTITUTIONS or any(rival.label not in _PLACES for rival in rivals):
        return False
    leads = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha() and weak.end > end
    of = context.of.match(text, weak.start, start) if start > weak.start else None
    return leads or of is not None


def _same_kind(a: Span, b: Span) -> bool:
    return a.label == b.label or (a.label in NAMES and b.label in NAMES)


def _cuts_word(text: str, weak: Span, rival: Span) -> bool:
    return any(
        weak.start < cut < weak.end and text[cut - 1].isalnum() and text[cut].isalnum()
        for cut in (rival.start, rival.end)
    )


def _beside(text: str, weak: Span, rivals: list[Span]) -> Iterator[Span]:
    """Yield the rivals and the rests of ``weak`` between them; bare punctuation joins a rival."""
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
    """Return the part of ``weak`` in [start, end) without white space at its edges, or None.

    The ending of an owner is no part of it, nor is the one word for a thing behind a name with a
    capital: "Smith's pharmacy".
    """
    if start > weak.start and (owned := _OWNED.match(text, start, end)):
        start = end if owned["thing"] and _capital_before(text, start) else owned.end("mark")
    inside = text[start:end]
    if not inside.strip():
        return None
    start += len(inside) - len(inside.lstrip())
    return replace(weak, start=start, end=start + len(inside.strip()), entity=None, form=None)


def _capital_before(text: str, place: int) -> bool:
    word = _WORD_BEFORE.search(text, max(0, place - _LONGEST_WORD), place)
    return word is not None and word[0][0].isupper() and not word[0].isupper()


def _telling_rest(text: str, rest: Span) -> bool:
    return any(map(str.isalnum, text[rest.start : rest.end]))


def join(text: str, spans: Sequence[Span], context: Context) -> Iterator[Span]:
    """Yield the spans, with neighbouring parts of one name joined."""
    last: Span | None = None
    for span in spans:
        if last is not None and _one_name(text, last, span):
            winner, form = max(last, span, key=strength), _other((last, span))
            last = replace(winner, start=last.start, end=span.end, form=form)
            continue
        if last is not None:
            yield _dotted(text, last, context)
        last = span
    if last is not None:
        yield _dotted(text, last, context)


def _dotted(text: str, span: Span, context: Context) -> Span:
    """Return a name extended over the point of its "Jr." or "Sr."; other spans unchanged."""
    point = text[span.end : span.end + 1] == "."
    if not point or span.label not in NAMES:
        return span
    if context.dotted.match(text, span.start, span.end) is None:
        return span
    return replace(span, end=span.end + 1, form=span.form and f"{span.form}.")


def _one_name(text: str, first: Span, second: Span) -> bool:
    return (
        first.label == second.label
        and first.label in NAMES
        and first.entity == second.entity
        and _GAP.fullmatch(text, first.end, second.start) is not None
    )
