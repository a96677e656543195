"""New names for the people of one text: each word has one new word, in all its forms."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from adapter.normalize.folding import squeeze
from adapter.surrogates.case import like
from adapter.surrogates.names.persons import WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from adapter.train.augment.tables import Tables

GIVEN, FAMILY = "given", "family"
NAME_TYPES = frozenset({"PATIENT", "DOCTOR", "NAME"})
"""Types of mentions that name people."""
ROLES = ("patient", "kin", "attending", "referring")
_POSSESSIVE = re.compile(r"['’ʼ`´][sS]$")
_STAY = frozenset({"bte", "binte"})
"""Particles inside names that are kept, as titles are."""
_TRAP, _COMPOUND, _LOOSE = 0.1, 0.05, 0.04
_INITIALS, _KNOWN = 3, 3


def new_name(kind: str, tables: Tables, rng: Random) -> str:
    """Return a random name as written: common or rare, at times an ordinary word or double."""
    if rng.random() < _TRAP and tables.traps[kind]:
        return tables.write(rng.choice(tables.traps[kind]))
    pool = tables.pools[kind]
    name = tables.write(pool.draw(rng, 0.6 if kind == GIVEN else 0.5), rng)
    if rng.random() >= _COMPOUND:
        return name
    if rng.random() < 0.6 or kind == GIVEN:  # noqa: PLR2004 (hyphens are more usual)
        return f"{name}-{tables.write(pool.draw(rng), rng)}"
    particle = rng.choice(tables.habits.particles)
    return f"{particle}{name}" if particle[-1] in "' -c" else f"{particle} {name}"


def misspelt(word: str, rng: Random) -> str:
    """Return the word with one letter dropped, doubled, swapped with the next, or replaced."""
    if len(word) < _KNOWN:
        return word
    at = rng.randrange(1, len(word) - 1)
    slip = rng.randrange(4)
    if slip == 0:
        return word[:at] + word[at + 1 :]
    if slip == 1:
        return word[:at] + word[at] + word[at:]
    if slip == 2 and word[at] != word[at + 1]:  # noqa: PLR2004
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + rng.choice("aeiou" if word[at] in "aeiou" else "nrstlm") + word[at + 1 :]


class Renaming:
    """The new names of the people of one text and its header."""

    def __init__(self, tables: Tables, rng: Random) -> None:
        self._tables, self._rng = tables, rng
        self._stay = _STAY | tables.habits.words.titles.no_names
        self._new: dict[str, str] = {}
        self._people: list[list[tuple[str, str]]] = []
        """The names of each person as (old squeezed word, new word), given names first."""

    def learn(self, header: Mapping[str, object], mentions: Iterable[str]) -> None:
        """Assign new names to the people of the header, then to the words of the mentions.

        The most frequent words come first, so that rare words near them count as misspellings.
        """
        for role in ROLES:
            parts = {p: str(header.get(f"{role}_{p}") or "") for p in ("given", "middle", "family")}
            names = [
                (word, FAMILY if part == "family" else GIVEN)
                for part, text in parts.items()
                for word in _words(text, self._stay)
                if len(word) > 1
            ]
            self._person(names)
        read = [list(self._kinds(text)) for text in mentions]
        counts = Counter(word for names in read for word, _ in names)
        for names in sorted(read, key=lambda n: -max((counts[w] for w, _ in n), default=0)):
            self._person(names)

    def _person(self, names: list[tuple[str, str]]) -> None:
        pairs = [(word, self._word(word, kind)) for word, kind in names]
        if len(pairs) > 1:
            self._people.append(pairs)

    def _kinds(self, text: str) -> Iterable[tuple[str, str]]:
        """Return (squeezed name, kind) of the names of a mention, given names first."""
        comma = text.find(",")
        found: list[tuple[str, str]] = []
        places = [(m.start(), squeeze(_POSSESSIVE.sub("", m[0]))) for m in WORD.finditer(text)]
        names = [(at, w) for at, w in places if w not in self._stay and len(w) > 1 and w.isalpha()]
        for place, (at, word) in enumerate(names):
            lean = self._leaning(word)
            if comma > 0 and at < comma:
                kind = FAMILY
            elif comma > 0:
                kind = GIVEN
            elif abs(lean) > _KNOWN or len(names) == 1:
                kind = GIVEN if lean > 0 else FAMILY
            else:
                kind = FAMILY if place >= self._first_family(len(names)) else GIVEN
            found.append((word, kind))
        return sorted(found, key=lambda pair: pair[1] == FAMILY)

    def _first_family(self, count: int) -> int:
        return max(1, count - self._tables.habits.family_names)

    def _leaning(self, word: str) -> float:
        """Return how likely a word is a given name (10) rather than a family name (-10)."""
        shares = (
            10 * self._tables.pools[kind].strengths.get(word, 0) / self._tables.strongest[kind]
            for kind in (GIVEN, FAMILY)
        )
        return next(shares) - next(shares)

    def _word(self, word: str, kind: str) -> str:
        """Return the new word for a squeezed old word, always the same."""
        if word not in self._new:
            self._new[word] = self._short(word) or self._near(word) or self._drawn(word, kind)
        return self._new[word]

    def _drawn(self, word: str, kind: str) -> str:
        tables = self._tables
        if kind == GIVEN and word in tables.nicknames and self._rng.random() < 0.5:  # noqa: PLR2004
            return tables.write(self._rng.choice(tables.formals))
        return new_name(kind, tables, self._rng)

    def _short(self, word: str) -> str | None:
        """Return the new short form if the word is a short form of an old name, else None."""
        for old, new in self._new.items():
            formal = word in self._tables.nicknames.get(old, ())
            cut = len(word) >= _KNOWN and len(old) > len(word) + 1 and old.startswith(word)
            if formal or cut:
                shorts = self._tables.nicknames.get(squeeze(new), ())
                return self._tables.write(self._rng.choice(shorts)) if shorts else _cut(new)
        return None

    def _near(self, word: str) -> str | None:
        """Return a misspelt new name if the word is a misspelling of the old one, else None."""
        most = 2 if len(word) > 6 else 1 if len(word) > 4 else 0  # noqa: PLR2004
        for old, new in self._new.items():
            if most and abs(len(old) - len(word)) <= most and OSA.distance(old, word) <= most:
                return misspelt(new, self._rng)
        return None

    def render(self, text: str) -> str:
        """Return the mention with every name replaced; titles, degrees and marks are kept."""
        found = list(WORD.finditer(text))
        single = len(found) == 1
        pieces: list[str] = []
        place = 0
        for match in found:
            old = _POSSESSIVE.sub("", match[0])
            end = match.start() + len(old)
            new = self._rendered(old, text, single=single)
            cut = text[end : end + 1] == "." and len(old) <= _INITIALS and end + 1 < len(text)
            pieces += text[place : match.start()], new[: len(old)] if cut else new
            place = end
        return "".join((*pieces, text[place:]))

    def _rendered(self, old: str, within: str, *, single: bool) -> str:
        value = squeeze(old)
        if old.isdecimal():
            return "".join(str(self._rng.randrange(10)) for _ in old)
        if value in self._stay and not single:
            return old
        if len(value) == 1:
            return like(self._initial(value, within), old)
        brief = _INITIALS if old.isupper() else _INITIALS - 1 if old.islower() else 0
        if single and len(value) <= brief and value not in self._names_of_people():
            return self._initials(value, old)
        return like(self._word(value, FAMILY), old)

    def _names_of_people(self) -> set[str]:
        return {old for person in self._people for old, _ in person}

    def _initial(self, letter: str, within: str) -> str:
        """Return the new initial of the person who shares the other words of the mention."""
        words = {w for w in _words(within, self._stay) if len(w) > 1}
        for sharing in (True, False):
            for person in self._people:
                if sharing and not words & {old for old, _ in person}:
                    continue
                for old, new in person:
                    if old[0] == letter and old not in words:
                        return new[:1].upper()
        return self._letters(letter, 1)

    def _initials(self, value: str, old: str) -> str:
        for person in self._people:
            if "".join(o[0] for o, _ in person) == value:
                return like("".join(new[:1] for _, new in person), old)
        return like(self._letters(value, len(value)), old)

    def _letters(self, value: str, count: int) -> str:
        key = f"initials {value}"
        if key not in self._new:
            drawn = self._rng.choices("ABCDEFGHIJKLMNOPRSTVWYZ", k=count)
            self._new[key] = "".join(drawn)
        return self._new[key]

    def handle(self, run: str) -> str | None:
        """Return the new letters for letters of a user name or address, or None if no name."""
        low = squeeze(run)
        if low in self._new and len(low) > 2:  # noqa: PLR2004
            return squeeze(self._new[low])
        for person in self._people:
            (given, new_given), (family, new_family) = person[0], person[-1]
            for old, new in (
                (given[:1] + family, new_given[:1] + new_family),
                (family + given[:1], new_family + new_given[:1]),
                (given + family, new_given + new_family),
                (family + given, new_family + new_given),
            ):
                if low == old or (len(low) > 4 and old.startswith(low)):  # noqa: PLR2004
                    return squeeze(new)[: len(low) + 3]
        return None


def _cut(name: str) -> str:
    return name[:1].upper() + squeeze(name)[1:4]


def _words(text: str, stay: frozenset[str]) -> list[str]:
    found = (squeeze(_POSSESSIVE.sub("", w)) for w in WORD.findall(text))
    return [word for word in found if word not in stay and word.isalpha()]
