"""User names made of the beginnings of a person's names: "whaverk" of Wendeline Haverkamp.

Systems cut such names to a fixed length, so that no whole name is in them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.types import TrustedPhrase

    _Name = tuple[str, TrustedPhrase]
    _Pair = tuple[str, TrustedPhrase, str, TrustedPhrase]

_SHORTEST = 6
"""Minimum number of letters in a user name; fewer may be any abbreviation."""
_SHORTEST_ANNOUNCED = 4
"""The same for one that words such as "login" announce."""
_SHORTEST_PART = 4
"""Minimum number of letters that one of the names gives to a user name."""
_HALF = 3
"""Number of letters that each name gives to an announced user name of two such halves."""


class Logins:
    """The user names that the names of a message's people can make."""

    def __init__(self, names: Mapping[str, Sequence[TrustedPhrase]]) -> None:
        """Take single names, letters only, with their phrases."""
        self._pairs: dict[str, list[_Pair]] = defaultdict(list)
        families = _by_entity(names, ("{family",))
        givens = _by_entity(names, ("{given", "{middle"))
        for entity in families.keys() & givens.keys():
            for family in families[entity]:
                for given in (*givens[entity], *_initials(givens[entity])):
                    self._pairs[given[0][0]].append((*given, *family))
                    self._pairs[family[0][0]].append((*family, *given))

    def find(self, word: str, *, announced: bool) -> TrustedPhrase | None:
        """Return the phrase of the user name that a folded word is, or None.

        Fewer letters, and names that are common words, need an announcement ("login", "signed").
        """
        if len(word) < (_SHORTEST_ANNOUNCED if announced else _SHORTEST):
            return None
        for pair in self._pairs.get(word[0], ()):
            for cut in _cuts(word, pair):
                phrase = _login(word, cut, pair, announced=announced)
                if phrase is not None:
                    return replace(phrase, label=Label.USERNAME, form=_form(word, cut, pair))
        return None


def _by_entity(
    names: Mapping[str, Sequence[TrustedPhrase]], parts: tuple[str, ...]
) -> dict[str, list[_Name]]:
    """Return the names of some parts, by the entity that they name."""
    found: dict[str, list[_Name]] = defaultdict(list)
    for text, phrases in names.items():
        for phrase in phrases:
            if phrase.form.startswith(parts):
                found[phrase.entity].append((text, phrase))
    return found


def _initials(givens: Sequence[_Name]) -> Iterator[_Name]:
    """Yield the initials of a first and a middle name."""
    first = next((given for given in givens if given[1].form == "{given}"), None)
    middle = next((text for text, phrase in givens if phrase.form == "{middle}"), "")
    if first is not None and middle:
        yield first[0][0] + middle[0], replace(first[1], form="{given[0]}{middle[0]}")


def _cuts(word: str, pair: _Pair) -> Iterator[int]:
    """Yield each number of letters that the first name gives if the second gives the others."""
    first, _, second, _ = pair
    for cut in range(1, min(len(first), len(word) - 1) + 1):
        if word[cut - 1] != first[cut - 1]:
            return
        if second.startswith(word[cut:]):
            yield cut


def _login(word: str, cut: int, pair: _Pair, *, announced: bool) -> TrustedPhrase | None:
    """Return the phrase of the name that gives most of a user name, if it gives enough."""
    first, one, second, other = pair
    name, phrase, length = first, one, cut
    if cut * 2 <= len(word):
        name, phrase, length = second, other, len(word) - cut
    if announced and (length == len(name) or len(word) == _HALF * 2 == cut * 2):
        return phrase
    if length < _SHORTEST_PART or len(word) < _SHORTEST:
        return None
    return phrase if announced or not phrase.ordinary else None


def _form(word: str, cut: int, pair: _Pair) -> str:
    """Return the form of a user name made of whole names and initials; "" for any other."""
    first, one, second, other = pair
    forms = _part(first, one, cut), _part(second, other, len(word) - cut)
    return "".join(forms) if all(forms) else ""


def _part(name: str, phrase: TrustedPhrase, length: int) -> str:
    """Return the form of a name's first letters; "" unless they are all of it or its initial."""
    if length == len(name):
        return phrase.form
    return f"{phrase.form[:-1]}[0]}}" if length == 1 else ""
