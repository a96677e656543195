"""Written forms of towns, postal codes and organisations' names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.common_words import WordList
    from adapter.phrases.numbers import Form

_WORD = regex.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SHORTEST_ACRONYM = 3
_ZIP = 5
_LONG_NAME = 3
_SHORTEST_PLACE = 4
_SHORTEST_TELLING = 5
_SHORTEST_DISTINCTIVE = 6


def _weak(text: str, words: WordList) -> bool:
    return all(words.weak(word) or word in words.fields.placeholders for word in folded_words(text))


def weak_place(text: str, words: WordList) -> bool:
    """Whether a place's name has only common words, short ones and placeholders."""
    return all(
        words.weak_name(word) or word in words.fields.placeholders for word in folded_words(text)
    )


def folded_words(text: str) -> list[str]:
    """Return the folded words of a text."""
    return [word.replace("'", "") for word in _WORD.findall(fold(text)) if word != "s"]


def town(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield a city, county, state or country; codes and common words are marked ordinary.

    A hospital in the place of a town (a birthplace) is looked for by its short names too.
    """
    if fold(text) not in words.fields.placeholders and not text[:1].isdigit():
        yield text, f"{{{slot}}}", None, len(text) < _SHORTEST_PLACE or weak_place(text, words)
        if not words.fields.organisations.isdisjoint(folded_words(text)):
            yield from home(text, slot, words)


def postcode(text: str, slot: str) -> Iterator[Form]:
    """Yield a postal code, and the first five digits of a ZIP+4."""
    key = "".join(c for c in text if c.isalnum())
    if len(set(key)) > 1:
        yield text, f"{{{slot}}}", None, len(key) < _ZIP
        if key.isdigit() and len(key) > _ZIP:
            yield key[:_ZIP], f"{{{slot}:zip5}}", None, False


def home(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield the names of a home or hospital in an address; no acronym, no word that others have."""
    for form in organisation(text, slot, words):
        if ":acronym" not in form[1] and (" " in form[0] or distinctive(form[0], words)):
            yield form


def distinctive(word: str, words: WordList) -> bool:
    """Whether a word of an address may be used for the whole: no common word, no common name."""
    folded, fields = fold(word), words.fields
    if len(word) < _SHORTEST_DISTINCTIVE or not word.isalpha() or words.weak(folded):
        return False
    common = (words.names, fields.street_words, fields.street_kept)
    return not any(folded in known for known in (*common, fields.placeholders, fields.generic))


def organisation(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield an organisation's name: full, without legal form and tail, specific word, acronym."""
    fields = words.fields
    found = [word for word in _WORD.findall(text) if fold(word) not in fields.placeholders]
    if not any(c.isalpha() for word in found for c in word):
        return
    telling = [w for w in found if fold(w) not in fields.generic]
    whole = not telling or (len(found) < _LONG_NAME and _weak(text, words))
    whole = whole or (text.isupper() and fold(text) in words.abbreviations)
    yield text, f"{{{slot}}}", None, whole
    yield from _ampersand(text, f"{{{slot}}}", fields, whole=whole)
    legal = fields.legal.sub("", text)
    short = fields.tail.sub("", legal)
    for shorter in dict.fromkeys((legal, short)):
        if shorter != text and telling:
            weak = _weak(" ".join(telling), words) and len(shorter.split()) < _LONG_NAME
            yield shorter, f"{{{slot}:short}}", None, weak or len(shorter) < _SHORTEST_PLACE
    word = next((word for word in telling if _tells_alone(word, words)), None)
    if word is not None and word not in {text, legal, short}:
        yield word, f"{{{slot}:short}}", None, False
    acronym = _acronym(found, fields)
    if acronym and fold(acronym) != fold(text):
        yield acronym, f"{{{slot}:acronym}}", None, words.weak(fold(acronym))


def _tells_alone(word: str, words: WordList) -> bool:
    """Whether a word of a name may be used for the whole name: "Mungolio", not "Saint"."""
    known = fold(word) in words.fields.streets or words.weak(fold(word))
    return len(word) >= _SHORTEST_TELLING and word[0].isupper() and word.isalpha() and not known


def _ampersand(text: str, form: str, words: FieldWords, *, whole: bool) -> Iterator[Form]:
    """Yield a name without its "and": texts may have "&" instead, which matching ignores."""
    without = words.joint.sub(" ", text)
    if without != text:
        yield without, form, None, whole


def _acronym(name: list[str], words: FieldWords) -> str:
    initials = [word[0] for word in name if fold(word) not in words.small]
    letters = "".join(initials).upper()
    return letters if len(letters) >= _SHORTEST_ACRONYM and letters.isalpha() else ""
