"""Where each unit stands: gap, line, section, attribute, quotes, place in the text; as features."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from adapter.taggers.units import BREAK

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from adapter.taggers.document import Document
    from adapter.taggers.units import Units

_FIFTHS = 5
_QUOTES = frozenset('"“”«»„')
_BULLETS = frozenset("-*•·+>")
_LENGTHS = (3, 8, 16, 40)


def layout(document: Document, sequence: Units, groups: Collection[str]) -> list[list[str]]:
    """Return the atoms of each unit, a new list for each."""
    count = len(sequence)
    found = [[f"g={gap}"] for gap in sequence.gaps]
    for place in range(count - 1):
        found[place].append(f"g+={sequence.gaps[place + 1]}")
    if "line" in groups:
        _lines(sequence, found)
    if "section" in groups:
        _sections(document, sequence, found)
    if "attribute" in groups:
        _attributes(document, sequence, found)
    if "place" in groups:
        for place in range(count):
            found[place].append(f"d={place * _FIFTHS // count}")
    if "quotes" in groups:
        _quotes(sequence, found)
    return found


def _lines(sequence: Units, found: list[list[str]]) -> None:
    forms = sequence.forms
    breaks = [place for place, form in enumerate(forms) if form in BREAK]
    first = 0
    for last in (*breaks, len(forms)):
        atoms = _line(forms[first:last])
        for place in range(first, last):
            found[place] += atoms
            found[place].append(f"lp={min(place - first, 4)}")
            found[place].append(f"le={min(last - 1 - place, 3)}")
        first = last + 1


def _line(forms: Sequence[str]) -> list[str]:
    if not forms:
        return []
    atoms = [f"ll={bisect_left(_LENGTHS, len(forms))}", f"l0={forms[0].lower()[:12]}"]
    if forms[-1] == ":":
        atoms.append("colon")
    if forms[0] in _BULLETS or (len(forms) > 1 and forms[0].isdigit() and forms[1] in ".)"):
        atoms.append("item")
    letters = "".join(form for form in forms if form.isalpha())
    if letters.isupper():
        atoms.append("shout")
    elif letters.islower():
        atoms.append("quiet")
    return atoms


def _sections(document: Document, sequence: Units, found: list[list[str]]) -> None:
    sections = document.sections
    starts = [section.start for section in sections]
    for place, start in enumerate(sequence.starts):
        at = bisect_right(starts, start) - 1
        found[place].append(f"h={sections[at].name if at >= 0 else ''}")


def _attributes(document: Document, sequence: Units, found: list[list[str]]) -> None:
    for attribute in document.attributes:
        key = bisect_left(sequence.starts, attribute.key_start)
        first = bisect_left(sequence.starts, attribute.start)
        last = bisect_left(sequence.starts, attribute.end)
        for place in range(key, first):
            found[place].append("akey")
        for place in range(first, last):
            found[place].append(f"a={attribute.name}")
            found[place].append(f"ap={min(place - first, 3)}")


def _quotes(sequence: Units, found: list[list[str]]) -> None:
    inside = False
    for place, form in enumerate(sequence.forms):
        if form in _QUOTES:
            inside = not inside
        elif form in BREAK:
            inside = False
        elif inside:
            found[place].append("quoted")
