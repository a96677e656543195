"""Words that whole names of staff have, but nobody is called: "Float Pool", "EMS, Medic 7".

A display is written by hand, and may name a function or a device. Its own value is replaced, but
the message is not searched for its ordinary and medical words, and not for its abbreviations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze
from adapter.phrases.names import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.phrases.common_words import WordList
    from adapter.phrases.groups import Group
    from adapter.types import TrustedPhrase

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_ABBREVIATION = regex.compile(r"\p{Lu}{2,4}")


def without_words(
    phrases: Sequence[TrustedPhrase], group: Group, words: WordList
) -> Sequence[TrustedPhrase]:
    """Return the phrases of a member of staff without those of words that are no names.

    Names that came in a field of their own or behind a title are names, whatever they mean.
    """
    if group.first("prefix"):
        return phrases
    names = [word for part, text in group.pairs() if part in NAMES for word in _WORD.findall(text)]
    plain = {
        squeeze(word)
        for word in names
        if squeeze(word) not in group.parted and _is_plain(word, names, words)
    }
    if not plain:
        return phrases
    unnamed = all(squeeze(word) in plain or len(word) == 1 for word in names)
    return [phrase for phrase in phrases if not _is_of(phrase, plain, unnamed=unnamed)]


def _is_of(phrase: TrustedPhrase, plain: set[str], *, unnamed: bool) -> bool:
    """Whether a phrase is made of plain words, or of the initials of nobody."""
    if phrase.label.category != "NAME":
        return False
    initials = "[0]" in phrase.form
    return (unnamed and initials) or all(squeeze(w) in plain for w in _WORD.findall(phrase.text))


def _is_plain(word: str, names: Iterable[str], words: WordList) -> bool:
    """Whether a word of a name is an ordinary or medical word, or an abbreviation in capitals."""
    folded, fields = fold(word), words.fields
    if folded in fields.departments or folded in fields.functions:
        return folded not in fields.namesakes
    if folded in words.names:
        return False
    if folded in words.ordinary or folded in words.medical or folded in fields.qualifiers:
        return True
    others = [name for name in names if name != word and len(name) > 1]
    return _ABBREVIATION.fullmatch(word) is not None and not any(map(str.isupper, others))
