r"""Trusted phrases of an entity: the written forms of its parts.

A form is the written text with placeholders for the entity's parts::

    \{part(#n)?(:view)?(\[0\])?\}

``part`` names a part of `adapter.types.Entity`; ``#n`` its n-th further value (an alias, a second
number; the first has none); ``[0]`` its initial. Views: ``nickname`` of a given name, ``pieceN`` of
a compound name, ``acronym`` and ``short`` of an organisation, ``line`` of a street without unit,
``zip5``, ``last4``, ``last7``, ``last10`` digits, ``local`` part of an e-mail address. Text outside
the braces is literal: "Smith, J." is ``{family}, {given[0]}.``

Phrases are the parts; the tagger joins neighbours ("Smith, John A."), and matching ignores case,
accents and punctuation, so there is one phrase for many spellings.

A display of staff is written by hand, and may name a function or a device ("Float Pool", "EMS,
Medic 7"). Its own value is replaced, but the message is not searched for its ordinary and medical
words, nor for its abbreviations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze, unspaced
from adapter.normalize.notation import LOST
from adapter.phrases.addresses import address
from adapter.phrases.groups import PRIVATE, STAFF, referred
from adapter.phrases.names import NAMES, family_name, meaningful, pieces
from adapter.phrases.numbers import date, email, number, phone, plain, telling
from adapter.phrases.places import organisation, postcode, town
from adapter.types import Label, TrustedPhrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.common_words import WordList
    from adapter.phrases.groups import Group, Value
    from adapter.phrases.numbers import Form

_NUMBERS = frozenset({"id", "reference"})
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_ABBREVIATION = regex.compile(r"\p{Lu}{2,4}")
_LONGEST_NAME = 3
"""Maximum number of words in a display that is a name rather than a note."""
_SHORTEST_PIECE = 3
_FEWEST_KEPT = 3
"""Minimum number of letters that are left of a word whose accented letters are lost."""
_ALIASES = 3


@lru_cache(maxsize=16384)
def phrases_of(
    entity: str, role: str, values: tuple[Value, ...], words: WordList
) -> tuple[TrustedPhrase, ...]:
    """Return the trusted phrases of an entity; each text occurs once per label."""
    found: dict[tuple[str, Label], TrustedPhrase] = {}
    seen: dict[str, int] = {}
    slots: list[tuple[str, Value]] = []
    for value in values:
        nth = seen.get(value[0], 0)
        seen[value[0]] = nth + 1
        slots.append((f"{value[0]}#{nth}" if nth else value[0], value))
    personal = role in STAFF or role in PRIVATE or role == "patient"
    names = _names_of(slots, role, words.fields)
    for slot, (part, text, label) in slots:
        if part in _NUMBERS and not (personal or telling(text)):
            continue
        for written, form, own, weak in _forms(part, names.get(slot, text), slot, label, words):
            actual = own or label
            if actual is None:
                continue
            for spelled in (*_cases(written), *_damaged(written), *_digraphs(part, written)):
                phrase = TrustedPhrase(spelled, actual, entity, form, weak)
                found.setdefault((spelled, actual), phrase)
    for phrase in _whole_names(entity, slots, names, words):
        found.setdefault((phrase.text, phrase.label), phrase)
    return tuple(found.values())


def _names_of(slots: list[tuple[str, Value]], role: str, words: FieldWords) -> dict[str, str]:
    """Return the names by slot, "" for a placeholder; `family_name`'s exception omits staff."""
    given = next((text for _, (part, text, _) in slots if part == "given"), "")
    beside = "" if role in STAFF else given
    return {
        slot: (family_name(text, beside, words) if part == "family" else meaningful(text, words))
        for slot, (part, text, _) in slots
        if part in NAMES
    }


def _cases(text: str) -> tuple[str, ...]:
    """Return the text, and its capitals if these fold differently (Greek, sharp s)."""
    capitals = text if text.isascii() else text.upper()
    return (text,) if squeeze(capitals) == squeeze(text) else (text, capitals)


def _damaged(text: str) -> tuple[str, ...]:
    """Return a word as systems without its accented letters write it: "M?ller" for "Müller".

    Nothing for a word of few other letters, and for words of other scripts.
    """
    kept = sum(map(str.isascii, text))
    if kept < _FEWEST_KEPT or kept == len(text) or not all(map(str.isalpha, text)):
        return ()
    return ("".join(letter if letter.isascii() else LOST for letter in text),)


def _digraphs(part: str, text: str) -> tuple[str, ...]:
    """Return a street or town as keyboards without its letters write it: "Gruenaeckerweg".

    Also a street that was sent so, as it is in full.
    """
    if part not in _PLACES:
        return ()
    if not text.isascii():
        written = text.lower().translate(_TWO_LETTERS)
        return (written,) if written != text.lower() else ()
    full = _TWO_FOR_ONE.sub(lambda found: found[0][0], text.lower())
    return (full,) if part in _STREETS and len(full) in range(_LONG, len(text)) else ()


_TWO_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "œ": "oe"}
)
_TWO_FOR_ONE = regex.compile(r"[aou]e|aa|ss")
_STREETS = frozenset({"street", "address"})
_PLACES = _STREETS | {"city", "county"}
_LONG = 8
"""Minimum number of letters in a street that is read as written without its letters."""


def _forms(part: str, text: str, slot: str, label: Label | None, words: WordList) -> Iterable[Form]:
    make = _MAKERS.get(part)
    return make(part, text, slot, label, words) if make else ()


def _name(part: str, name: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield a name, the pieces of a compound name, and nicknames of a given name."""
    if not name:
        return
    folded = fold(name)
    split = pieces(name)
    yield name, f"{{{slot}}}", None, all(map(words.weak_name, _plain(split or (name,))))
    for place, piece in enumerate(split):
        bare = squeeze(piece)
        if len(bare) >= _SHORTEST_PIECE and not _is_small(bare, words.fields):
            yield piece, f"{{{slot}:piece{place}}}", None, words.weak_name(bare)
    if part in _WITH_NICKNAMES:
        for nickname in _nicknames(folded, split, words):
            yield nickname, f"{{{slot}:nickname}}", None, words.weak_name(nickname)


_WITH_NICKNAMES = frozenset({"given", "middle"})


def _is_small(word: str, words: FieldWords) -> bool:
    """Whether a squeezed word of a name is a particle, title or placeholder, and not a name."""
    return word in words.particles or word in words.titles.prefixes or word in words.placeholders


def _plain(names: Iterable[str]) -> Iterator[str]:
    return (squeeze(name) for name in names)


def _nicknames(folded: str, split: tuple[str, ...], words: WordList) -> Iterable[str]:
    """Return short forms of a given name, or the full name and other short forms of a short one.

    A short form of several names ("al") gives only the full names: their other short forms may
    belong to anybody.
    """
    keys = (folded, *map(fold, split[:1]))
    near = dict.fromkeys(chain.from_iterable(words.nicknames.get(key, ()) for key in keys))
    only = next(iter(near), "") if len(near) == 1 else ""
    if len(only) > len(folded):
        near |= dict.fromkeys(words.nicknames.get(only, ()))
    return [name for name in near if name not in keys]


def _whole_names(
    entity: str, slots: list[tuple[str, Value]], by_slot: dict[str, str], words: WordList
) -> Iterator[TrustedPhrase]:
    """Yield given and family name together in both orders, and the initials of staff."""
    names = [(slot, by_slot[slot], value) for slot, value in slots if value[0] in NAMES]
    families = [name for name in names if name[2][0] == "family" and _written_out(name[1])]
    givens = [name for name in names if name[2][0] == "given" and _written_out(name[1])]
    for family_slot, family, value in families[:_ALIASES]:
        label = value[2]
        for given_slot, given, _ in givens[:_ALIASES]:
            if label is None:
                continue
            weak = all(map(words.weak_name, _plain((family, given)))) and not unspaced(
                family + given
            )
            western, listed = (
                f"{{{given_slot}}} {{{family_slot}}}",
                f"{{{family_slot}}}, {{{given_slot}}}",
            )
            yield TrustedPhrase(f"{given} {family}", label, entity, western, weak)
            yield TrustedPhrase(f"{family}, {given}", label, entity, listed, weak)
        if givens and label is Label.DOCTOR:
            letters = givens[0][1][0] + family[0]
            form = f"{{{givens[0][0]}[0]}}{{{family_slot}[0]}}"
            yield TrustedPhrase(letters, label, entity, form, ordinary=True)


def _written_out(name: str) -> bool:
    """Whether a name is more than an initial."""
    return len(name) > 1 or unspaced(name)


_Maker = Callable[[str, str, str, "Label | None", "WordList"], "Iterable[Form]"]
_MAKERS: dict[str, _Maker] = {
    **dict.fromkeys(NAMES, lambda part, text, slot, _, words: _name(part, text, slot, words)),
    "id": lambda _, text, slot, label, words: number(text, slot, label, words),
    "reference": lambda _, text, slot, label, words: number(referred(text), slot, label, words),
    **dict.fromkeys(("phone", "fax"), lambda _, text, slot, __, words: phone(text, slot, words)),
    "email": lambda _, text, slot, __, words: email(text, slot, words),
    **dict.fromkeys(
        ("birthdate", "deathdate"), lambda _, text, slot, __, words: date(text, slot, words)
    ),
    **dict.fromkeys(
        ("street", "address"), lambda _, text, slot, __, words: address(text, slot, words)
    ),
    **dict.fromkeys(
        ("city", "county", "state", "country"),
        lambda _, text, slot, __, words: town(text, slot, words),
    ),
    "zip": lambda _, text, slot, *__: postcode(text, slot),
    "org": lambda _, text, slot, __, words: organisation(text, slot, words),
    **dict.fromkeys(
        ("url", "ip", "username"),
        lambda _, text, slot, label, words: plain(text, slot, label, words),
    ),
}
"""The function that makes the forms of each part; parts without an entry give none."""


def without_words(
    phrases: Sequence[TrustedPhrase], group: Group, words: WordList
) -> Sequence[TrustedPhrase]:
    """Return the phrases of a member of staff without those of words that are no names.

    Names that came in a field of their own or behind a title are names, whatever they mean, and so
    is an ordinary word beside a name in a short display ("Baltasar Nuncio").
    """
    if group.first("prefix"):
        return phrases
    names = [word for part, text in group.pairs() if part in NAMES for word in _WORD.findall(text)]
    free = [word for word in names if squeeze(word) not in group.parted]
    roles = {squeeze(word) for word in free if _is_role(word, names, words)}
    plain = roles | {squeeze(word) for word in free if _is_ordinary(word, words)}
    if not plain:
        return phrases
    unnamed = all(squeeze(word) in plain or len(word) == 1 for word in names)
    plain = plain if unnamed or len(names) > _LONGEST_NAME else roles
    return [phrase for phrase in phrases if not _is_of(phrase, plain, unnamed=unnamed)]


def _is_of(phrase: TrustedPhrase, plain: set[str], *, unnamed: bool) -> bool:
    """Whether a phrase is made of plain words, or of the initials of nobody."""
    if phrase.label.category != "NAME":
        return False
    initials = "[0]" in phrase.form
    return (unnamed and initials) or all(squeeze(w) in plain for w in _WORD.findall(phrase.text))


def _is_role(word: str, names: Iterable[str], words: WordList) -> bool:
    """Whether a word of a name is a function, a department, a medical word or an abbreviation."""
    folded, fields = fold(word), words.fields
    if folded in fields.departments or folded in fields.functions:
        return folded not in fields.namesakes
    if folded in words.names:
        return False
    others = [name for name in names if name != word and len(name) > 1]
    abbreviated = _ABBREVIATION.fullmatch(word) and not any(map(str.isupper, others))
    return folded in fields.qualifiers or folded in words.medical or bool(abbreviated)


def _is_ordinary(word: str, words: WordList) -> bool:
    """Whether a word of a name is an ordinary word, and nobody's name in the lists."""
    folded = fold(word)
    return folded not in words.names and folded in words.ordinary
