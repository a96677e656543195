"""Written forms of addresses: a street line, or all lines of an address in one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze
from adapter.phrases.names import NAMES, meaningful, parse
from adapter.phrases.places import (
    distinctive,
    folded_words,
    home,
    postcode,
    town,
    weak_place,
)
from adapter.phrases.streets import street_readings
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.common_words import WordList
    from adapter.phrases.numbers import Form
    from adapter.phrases.streets import Street

_BREAK = regex.compile(r"\s*[,;\r\n]+\s*")
_PIECES = regex.compile(r"[^ -]+(?:-|[ ]+)?|[ -]+")
"""Words of a street line, each with the hyphen or blank behind it ("Saint-", "Jean")."""
_APART = regex.compile(r"['’-]")
"""What joins the words of a compound name: "Côte-aux-Hêtres"."""
_SHORTEST_PART = 4
_ZIP = 5


def address(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield the forms of each part of an address.

    A street line is given as sent, without its unit, its number or its kind of street, and with
    other spellings of the kind; a name that is no common word or name also by itself. A person or
    home before the street, and the town behind it, are looked for too.
    """
    yield from _line(text, f"{{{slot}}}", words)
    form = f"{{{slot}:line}}"
    named = False
    for part in filter(None, _BREAK.split(text.strip())):
        street, person = _after_person(part, words)
        if person:
            yield from _person(person, slot, words)
        street = _without_unit(street, words)
        if not street:
            continue
        readings = _readings(street, words, behind=named)
        for reading in readings:
            yield from _street(reading, form, words)
            yield from _locality(reading.rest, words)
        if not readings and (named or any(c.isdigit() for c in street)):
            yield from _locality(street, words)
        others = _otherwise(street, words.fields) if readings else ()
        for reading in [r for line in others for r in _readings(line, words, behind=named)]:
            yield from _street(reading, form, words)
        for line in dict.fromkeys((street, part, *others)):
            if line != text and len(squeeze(line)) >= _SHORTEST_PART:
                yield from _line(line, form, words)
        if not (readings or named):
            yield from home(street, slot, words)
        named = named or bool(readings)


def _readings(part: str, words: WordList, *, behind: bool) -> list[Street]:
    """Return the readings of a part of an address as a street; none if it is a town.

    Without a kind of street, a part ``behind`` a street or with a postal code at its end is a town.
    """
    return [
        street
        for street in street_readings(part, words.fields)
        if street.kinds
        or not (behind or (len(squeeze(street.number)) >= _ZIP and not street.number_first))
    ]


def _otherwise(street: str, fields: FieldWords) -> list[str]:
    """Return a street line with the words of its name abbreviated, or written out.

    Kinds of street are left alone: their spellings are known with each reading. Before a hyphen no
    word is a kind: "Saint-Isidore" is "St-Isidore".
    """
    tokens = _PIECES.findall(" ".join(street.split()))
    folded = [fold(token).strip("., ") for token in tokens]
    kinds = fields.kinds_of_street
    groups = [*fields.street_written]
    groups += ((word, short) for word, short in fields.short.items() if word not in kinds)
    groups += ((f"{word}-", f"{short}-") for word, short in fields.short.items())
    spelt = {group[0]: group[1:] for group in groups}
    written: dict[str, tuple[str, ...]] = {}
    for group in groups:
        written.update({word: (*written.get(word, ()), group[0]) for word in group[1:]})
    found = []
    for table in (spelt, written):
        most = max((len(table[word]) for word in folded if word in table), default=0)
        for place in range(most):
            other = [
                table[word][min(place, len(table[word]) - 1)] + token[len(token.rstrip()) :]
                if word in table
                else token
                for word, token in zip(folded, tokens, strict=True)
            ]
            found.append("".join(other))
    return found


def _directed(name: tuple[str, ...], fields: FieldWords) -> tuple[str, ...]:
    """Return a street's name with its directions abbreviated ("N Ravine"), or written out."""
    each = [(fold(word).strip("."), word) for word in name]
    return tuple(
        fields.short.get(bare, fields.long.get(bare, word)) if bare in fields.directions else word
        for bare, word in each
    )


def _route(street: Street, form: str, fields: FieldWords) -> Iterator[Form]:
    """Yield "County Road 47" of "1180 County Road 47", and its abbreviations.

    An abbreviation may be anything ("Cr 47"), so that only its place shows that it is a road.
    """
    number = " ".join(street.name) if street.kind_first else street.rest
    if not (street.number_first and number.isdigit() and len(number) < _ZIP):
        return
    name = () if street.kind_first else street.name
    if not fields.street_kept.issuperset(folded_words(" ".join(name))):
        return
    for kind in street.kinds:
        line = fold(" ".join((*name, kind)))
        yield f"{line} {number}", form, None, False
        for group in fields.street_routes:
            if line == group[0]:
                yield from ((f"{short} {number}", form, None, True) for short in group[1:])


def _after_person(part: str, words: WordList) -> tuple[str, str]:
    """Return the street behind "c/o" and a name, and this name; either is "" if it is missing.

    Where only a number follows the name, the part is a street ("Bei der Linde 5").
    """
    found = words.fields.care.match(part)
    if found is None:
        return part, ""
    named = part[found.end() :].split()
    counted = [any(c.isdigit() for c in word) for word in named]
    end = counted.index(True) if True in counted else len(named)
    if not end or len(named) == end + 1:
        return part, ""
    return " ".join(named[end:]), " ".join(named[:end])


def _person(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield the names of the person or home that somebody lives with."""
    form, fields = f"{{{slot}:line}}", words.fields
    if not fields.organisations.isdisjoint(folded_words(text)):
        yield from home(text, slot, words)
        return
    names = [name for part, name in parse(text, fields) if part in NAMES]
    for name in (" ".join(names), *names):
        if len(meaningful(name, fields)) > 1:
            yield name, form, None, all(map(words.weak_name, folded_words(name)))


def _without_unit(part: str, words: WordList) -> str:
    """Return a part of an address without its flat or room; "" for a flat or post box alone."""
    fields = words.fields
    led = fields.unit_led.match(part)
    line: str = fields.unit.sub("", part[led.end() :] if led else part)
    return "" if fields.unit_first.match(line) else line


def _line(text: str, form: str, words: WordList) -> Iterator[Form]:
    """Yield a line as sent, and with its words written out and abbreviated."""
    tokens = text.split()
    if len(tokens) == 1 and text.isdigit():
        return
    weak = not any(c.isdigit() for c in text) and weak_place(text, words)
    yield text, form, None, weak
    folded = [fold(token).strip(".,") for token in tokens]
    for table in (words.fields.long, words.fields.short):
        other = [table.get(word, word) for word in folded]
        if other != folded:
            yield " ".join(other), form, None, weak


def _street(street: Street, form: str, words: WordList) -> Iterator[Form]:
    """Yield a street with and without its number and kind, and its name if that tells enough."""
    if street.number:
        yield from ((line, form, None, False) for line in street.lines(numbered=True))
        yield from _route(street, form, words.fields)
    name = folded_words(" ".join(street.name))
    fields = words.fields
    if not name or any(c.isdigit() for word in name for c in word):
        return
    kinds = fields.street_words
    weak = all(words.weak_name(word) or word in kinds for word in name)
    weak = weak or (street.glued and words.weak(squeeze(street.name[-1] + street.kinds[0])))
    if street.number and street.kinds and not (street.glued or (weak and not street.number_first)):
        for own_name in dict.fromkeys((street.name, _directed(street.name, fields))):
            yield street.written(own_name), form, None, kinds.issuperset(name)
    core = _core(street, fields)
    alone = _alone(core, words)
    for own in dict.fromkeys((street, core)):
        if street.kinds and not fields.street_kept.issuperset(name):
            sure = not street.kind_first and not fields.street_sure.isdisjoint(street.kinds)
            unclear = weak and not sure
            yield from ((line, form, None, unclear) for line in own.lines(numbered=False))
        several = len(folded_words(_APART.sub(" ", " ".join(own.name)))) > 1
        if several and (alone or street.number_first or not street.kinds):
            yield " ".join(own.name), form, None, weak
    for word in alone:
        yield word, form, None, False
        if street.number:
            yield street.written((word,)), form, None, False


def _alone(street: Street, words: WordList) -> list[str]:
    """Return the words of a street's name that tell enough by themselves.

    These are parts of compounds too, and of a name that ends with its kind the last word, with each
    spelling of the kind.
    """
    found = [word for part in street.name for word in _APART.split(part)]
    if not street.glued:
        return [word for word in found if distinctive(word, words)]
    whole = [found[-1] + kind for kind in street.kinds]
    return whole if distinctive(whole[0], words) else []


def _core(street: Street, fields: FieldWords) -> Street:
    """Return a street without a direction or particle before its name, or a direction behind it."""
    name, directions = street.name, fields.directions
    before = directions | (fields.particles if street.kind_first else frozenset())
    while len(name) > 1 and fold(name[0]).strip(".") in before:
        name = name[1:]
    while len(name) > 1 and fold(name[-1]).strip(".") in directions:
        name = name[:-1]
    return street._replace(name=name)


def _locality(text: str, words: WordList) -> Iterator[Form]:
    """Yield town, state and postal code of "Augusta WI 54722" and "94032 Passau"."""
    found = words.fields.locality.fullmatch(_without_unit(text, words).strip())
    if found is None:
        return
    city, state = found["behind"] or found["town"], found["state"]
    code = found["first"] or found["zip"]
    parts = (
        (Label.CITY, town(city, "city", words) if city else ()),
        (Label.STATE, town(state, "state", words) if state else ()),
        (Label.ZIP, postcode(code, "zip") if code else ()),
    )
    for label, forms in parts:
        yield from ((written, form, label, weak) for written, form, _, weak in forms)
