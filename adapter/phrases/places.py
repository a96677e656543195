"""Written forms of addresses and of organisations' names."""

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


def _weak(text: str, words: WordList) -> bool:
    return all(words.weak(word) or word in words.fields.placeholders for word in _words(text))


def _weak_place(text: str, words: WordList) -> bool:
    return all(words.weak_name(word) or word in words.fields.placeholders for word in _words(text))


def _words(text: str) -> list[str]:
    return [word.replace("'", "") for word in _WORD.findall(fold(text)) if word != "s"]


def street(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield forms of a street line: as sent, without unit, with long, short or no suffix."""
    yield from _line(text, f"{{{slot}}}", words)
    parts = [part.strip() for part in text.split(",") if part.strip()]
    bare = words.fields.unit.sub("", text)
    lines = dict.fromkeys([bare, *(parts if len(parts) > 1 else ())])
    for line in lines:
        if line != text:
            yield from _line(line, f"{{{slot}:line}}", words)


def _line(text: str, form: str, words: WordList) -> Iterator[Form]:
    tokens = text.split()
    numbered = any(c.isdigit() for c in text)
    if len(tokens) == 1 and text.isdigit():
        return
    yield text, form, None, not numbered and _weak_place(text, words)
    folded = [fold(token).strip(".,") for token in tokens]
    fields = words.fields
    for table in (fields.long, fields.short):
        other = [table.get(word, word) for word in folded]
        if other != folded:
            yield " ".join(other), form, None, not numbered and _weak_place(text, words)
    if numbered and len(folded) >= _LONG_NAME and folded[-1] in fields.streets:
        yield " ".join(tokens[:-1]), form, None, folded[-2] in fields.streets
        yield from _without_number(tokens, folded, form, words)


def _without_number(
    tokens: list[str], folded: list[str], form: str, words: WordList
) -> Iterator[Form]:
    """Yield the street without its number, with each suffix: "Ravine Lane" of "2207 Ravine Ln".

    A name of several words is also known without a suffix: "Cherry Hill" of "14 Cherry Hill Dr".
    """
    if not any(c.isdigit() for c in folded[0]) or any(c.isdigit() for c in "".join(folded[1:])):
        return
    fields = words.fields
    weak = all(words.weak_name(word) or word in fields.streets for word in folded[1:])
    for last in dict.fromkeys(
        (tokens[-1], fields.long.get(folded[-1]), fields.short.get(folded[-1]))
    ):
        if last is not None:
            yield " ".join((*tokens[1:-1], last)), form, None, weak
    if len(tokens) > _LONG_NAME:
        yield " ".join(tokens[1:-1]), form, None, weak


def town(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield a city, county, state or country; codes and common words are marked ordinary."""
    if fold(text) not in words.fields.placeholders and not text[:1].isdigit():
        yield text, f"{{{slot}}}", None, len(text) < _SHORTEST_PLACE or _weak_place(text, words)


def postcode(text: str, slot: str) -> Iterator[Form]:
    """Yield a postal code, and the first five digits of a ZIP+4."""
    key = "".join(c for c in text if c.isalnum())
    if len(set(key)) > 1:
        yield text, f"{{{slot}}}", None, len(key) < _ZIP
        if key.isdigit() and len(key) > _ZIP:
            yield key[:_ZIP], f"{{{slot}:zip5}}", None, False


def organisation(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield an organisation's name: full, without legal form and tail, specific word, acronym."""
    fields = words.fields
    found = [word for word in _WORD.findall(text) if fold(word) not in fields.placeholders]
    if not any(c.isalpha() for word in found for c in word):
        return
    telling = [w for w in found if fold(w) not in fields.generic]
    whole = not telling or (len(found) < _LONG_NAME and _weak(text, words))
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
