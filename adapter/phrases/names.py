"""Parsing of people's names: parts of a whole name, pieces of compound names, placeholders."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze, unspaced

if TYPE_CHECKING:
    from collections.abc import Container

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.common_words import WordList

Parts = tuple[tuple[str, str], ...]
"""(part, text) pairs; parts are family, given, middle, suffix, prefix and degree."""

NAMES = frozenset({"family", "given", "middle"})
"""The parts of a name that identify its bearer."""
_WORD = regex.compile(r"[^\s,;]+")
_PIECE = regex.compile(r"[^\W\d_][^\s\-\u2010-\u2015/()\"“”,;]*")
_ASIDE = regex.compile(r"[(\"“]\s*([^()\"“”]{2,40}?)\s*[)\"”]")
_NAME_IN_ID = regex.compile(r"(?:\S*\d\S*\s+)?([\p{L}\p{M}.'’\-_ ]+)")
"""Letters that stand by themselves or behind a number."""
_LEAST_BEHIND_NUMBER = 4
"""Minimum number of letters of a single name behind a number; shorter words are codes."""
_MARKS = "._*"
_FILE = regex.compile(r"([^\s@]+)\.\p{L}[\p{L}\d]{1,3}")
_GAPS = regex.compile(r"[\s_.\-]+")
_NAMED = regex.compile(r"\p{L}[\p{L}\p{M}.'’\-]*(?:,? \p{L}[\p{L}\p{M}.'’\-]*){1,4}")
"""Two to five words, perhaps with a comma, and nothing else."""
_SHORTEST_IN_FILE = 3
_LEAST_OF_NAME = 4
"""Minimum number of letters of one word of a name in a place for numbers."""
_LETTERS_WITH_DIGITS = 4


def meaningful(text: str, words: FieldWords) -> str:
    """Remove placeholder words from a name ("BABY BOY SMITH" -> "SMITH"); "" if nothing is left.

    Single letters stay: they are initials.
    """
    stripped = text.strip(" .,;-_*\"'")
    folded = fold(stripped)
    letters = sum(c.isalpha() for c in folded)
    if folded in words.placeholders or not letters:
        return ""
    if letters < _LETTERS_WITH_DIGITS and any(c.isdigit() for c in folded):
        return ""
    if " " not in folded:
        return stripped
    each = (word for word in stripped.split() if fold(word).strip(".,") not in words.placeholders)
    return " ".join(each)


def family_name(text: str, given: str, words: FieldWords) -> str:
    """Remove placeholder words from a family name, unless it is a real name beside a given name.

    "Child^Robert" is Mr. Child; "CHILD^BOY" and "Unknown^Robert" name no family.
    """
    name = meaningful(text, words)
    named = not name and fold(text.strip()) in words.namesakes and len(meaningful(given, words)) > 1
    return text.strip() if named else name


def pieces(text: str) -> tuple[str, ...]:
    """Split a compound name at blanks and hyphens; () if it is one word."""
    if text.isalpha():
        return ()
    found = _PIECE.findall(text)
    return tuple(found) if len(found) > 1 else ()


@lru_cache(maxsize=8192)
def parse(text: str, words: FieldWords) -> Parts:
    """Return the parts of a whole name written as one string.

    Reads "Smith, John A", "Dr. John A. Smith MD", "JOHN SMITH", "van der Berg, Anna", nicknames
    in brackets or quotes (as a second given name), suffixes and degrees. A single word is a family
    name.
    """
    asides = tuple(("given", aside) for aside in _ASIDE.findall(text) if meaningful(aside, words))
    head, _, tail = _ASIDE.sub(" ", text).replace("^", ",", 1).replace("^", " ").partition(",")
    first, first_rest = _sorted_words(head, words)
    second, second_rest = _sorted_words(tail, words)
    if second and not first:
        first, first_rest = _listed(first_rest, words)
    rest = first_rest + second_rest
    if first and second:
        return (("family", " ".join(first)), *_given(second), *asides, *rest)
    return (*_western(first or second, words), *asides, *rest)


def initials_apart(parts: Parts, givens: Container[str]) -> Parts:
    """Return the parts of a whole name whose last word is an initial, which is no family name.

    The word before it is the family name ("Quistgaard S."), unless ``givens``, the squeezed given
    names of the message, have it ("Kitty O.").
    """
    family, given = (next((t for p, t in parts if p == part), "") for part in ("family", "given"))
    if len(squeeze(family)) != 1 or unspaced(family) or len(squeeze(given)) < 2:  # noqa: PLR2004
        return parts
    middle = [word for part, text in parts if part == "middle" for word in text.split()]
    if squeeze(given) in givens or any(len(squeeze(word)) > 1 for word in middle):
        return tuple(part for part in parts if part[0] != "family")
    rest = tuple(part for part in parts[1:] if part[0] not in ("family", "middle"))
    return (("family", given), *_given([*middle, family]), *rest)


@lru_cache(maxsize=8192)
def name_in_id(text: str, words: FieldWords) -> Parts:
    """Return the parts of a person's name sent in the place of the person's id; () if it is an id.

    Reads what `parse` does if there is a comma, "HAVERKAMP W", "DR HAVERKAMP", "W.HAVERKAMP",
    "HAVERKAMP_W" and "H1234 HAVERKAMP". One word may be a user name, and is an id.
    """
    if "," in text:
        return parse(text, words)
    spaced = _name_beside_number(text.strip())
    if not spaced or not words.organisations.isdisjoint(map(squeeze, spaced.split())):
        return ()
    parts = parse(spaced, words)
    names = " ".join(name for part, name in parts if part in NAMES).split()
    if max(map(len, names), default=0) == 1:
        return ()
    if len(names) > 1 and len(names[-1]) == 1:
        rest = tuple(part for part in parts if part[0] not in NAMES)
        small = (fold(name) in words.particles for name in names[:-1])
        end = 1 + next((at for at, is_small in enumerate(small) if not is_small), 0)
        return (("family", " ".join(names[:end])), *_given(names[end:]), *rest)
    return parts if names else ()


def _name_beside_number(text: str) -> str:
    """Return the words of an id that may be a name, with blanks between; "" if it has none."""
    found = _NAME_IN_ID.fullmatch(text)
    if found is None:
        return ""
    written = found[1].strip()
    spaced = written if " " in written else written.replace("_", " ").replace(".", " ").strip()
    alone = " " not in spaced
    behind = found.start(1) > 0
    return "" if alone and not (behind and len(spaced) >= _LEAST_BEHIND_NUMBER) else spaced


def _sorted_words(text: str, words: FieldWords) -> tuple[list[str], Parts]:
    """Return the words of the name itself, and (part, word) for titles, suffixes and degrees."""
    names: list[str] = []
    rest: list[tuple[str, str]] = []
    titles = words.titles
    before = ""
    for word in _WORD.findall(text):
        bare, last = squeeze(word), before
        before = bare
        leads = (bare[1:] and bare in titles.prefixes) or titles.is_field(bare, word, last)
        if bare in titles.aliases or (not names and leads):
            rest.append(("prefix", word))
        elif names and bare in titles.suffixes:
            rest.append(("suffix", word))
        elif _is_degree(bare, words) and (len(names) > 1 or not word[1:].islower()):
            rest.append(("degree", word))
        elif any(c.isalpha() for c in bare):
            names.append(word.strip(_MARKS) or word)
    return names, tuple(rest)


def _is_degree(bare: str, words: FieldWords) -> bool:
    """Whether a squeezed word is a degree; a single letter is an initial."""
    return bool(bare[1:]) and bare in words.titles.degrees


def _listed(rest: Parts, words: FieldWords) -> tuple[list[str], Parts]:
    """Return a family name before a comma that is also a title ("PASTOR, MARIA"), and the rest."""
    named = [word for _, word in rest if squeeze(word) not in words.titles.staff]
    return named, tuple(part for part in rest if part[1] not in named)


def _western(names: list[str], words: FieldWords) -> Parts:
    """Parse a name with given names first; particles belong to the family name after them."""
    if len(names) < 2:  # noqa: PLR2004 - one word
        return tuple(("family", name) for name in names)
    start = len(names) - 1
    while start > 1 and len(names[start - 1]) > 1 and fold(names[start - 1]) in words.particles:
        start -= 1
    return (*_given(names[:start]), ("family", " ".join(names[start:])))


def _given(names: list[str]) -> Parts:
    given: Parts = (("given", names[0]),)
    return (*given, ("middle", " ".join(names[1:]))) if names[1:] else given


def is_file(text: str) -> bool:
    """Whether a text looks like the name of a file."""
    return _FILE.fullmatch(text) is not None


@lru_cache(maxsize=8192)
def misplaced_name(text: str, words: WordList) -> Parts:
    """Return the parts of a person's name sent in the place of a number; () if there is none.

    Reads "PEMBERWICK INGRID", "C ZIMMERLICH", "Trevanion, Percival" and the names in the name of a
    file, one of which must be known. Every word must be a name or unknown, and one unknown to the
    dictionary; in the name of a file, other words are left out.
    """
    file = _FILE.fullmatch(text.strip())
    written = _GAPS.sub(" ", file[1]) if file else text.strip()
    if file:
        each = (w for w in written.split() if w.isalpha() and _is_nameable(w, words))
        written = " ".join(word for word in each if len(word) >= _SHORTEST_IN_FILE)
    if _NAMED.fullmatch(written) is None:
        return ()
    if not (_has_name(written, words) if file else _is_written_as_name(written, words)):
        return ()
    parts = name_in_id(written, words.fields)
    names = [name for part, text in parts if part in NAMES for name in text.split()]
    telling = any(
        len(bare) >= _LEAST_OF_NAME and bare not in words.ordinary and bare not in words.medical
        for bare in map(squeeze, names)
    )
    titled = any(part == "prefix" for part, _ in parts)
    if not telling or len(names) + titled < 2:  # noqa: PLR2004 - a lone word may be anything
        return ()
    every = all(len(name) == 1 or _is_nameable(name, words) for name in names)
    return parts if every else ()


def _has_name(text: str, words: WordList) -> bool:
    return any(fold(word) in words.names for word in text.split())


def _is_written_as_name(text: str, words: WordList) -> bool:
    """Whether no word belongs to an organisation, and words in lower case are names."""
    each = [word.strip(",.") for word in text.split()]
    if not words.fields.organisations.isdisjoint(map(squeeze, each)):
        return False
    lower = [fold(word) for word in each if word[:1].islower()]
    return all(word in words.names or word in words.fields.particles for word in lower)


def _is_nameable(word: str, words: WordList) -> bool:
    """Whether a word of a name is a particle, or no common or medical word of the language."""
    bare = fold(word.strip(".,"))
    if bare in words.fields.particles:
        return True
    name = bare in words.dictionary and bare in words.names
    common = bare in words.ordinary and not name
    placeholder = bare in words.fields.placeholders
    return not (common or placeholder or bare in words.medical)
