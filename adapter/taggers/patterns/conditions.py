"""What must hold for a pattern besides its regex: in the text, and for each match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.document.tokens import tokenize

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    import regex

    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import WordSet
    from adapter.taggers.patterns.families import Pattern, Probe

    Match = regex.Match[str] | re.Match[str]

LIMIT = 2.0
"""Maximum time in seconds that one regex may take on one text."""


class Screen:
    """Tells which patterns may match in a document; each probe is asked once."""

    def __init__(self, document: Document) -> None:
        """Take the document whose text is probed."""
        self._words = document.index.keys()
        self._texts = document.text, document.folded
        self._plain = document.text.isascii() and document.folded.isascii()
        self._found: dict[tuple[str, bool], bool] = {}

    def passes(self, pattern: Pattern) -> bool:
        """Whether the text has one of the words that the pattern needs, and what it probes for."""
        if pattern.needs and self._words.isdisjoint(pattern.needs):
            return False
        if pattern.probe is None:
            return True
        key = pattern.probe.source, pattern.folded
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._has(pattern.probe, self._texts[pattern.folded])
        return known

    def _has(self, probe: Probe, text: str) -> bool:
        search = (probe.plain if self._plain else probe.matcher).search
        return search(text) is not None


def holds(pattern: Pattern, match: Match, document: Document) -> bool:
    """Whether a match meets all conditions of its pattern.

    Raises:
        TimeoutError: an echo was looked for longer than `LIMIT`.
    """
    return (
        not 0 < pattern.within <= match.start()
        and (not (pattern.inside or pattern.outside) or _is_listed(pattern, match, document))
        and (pattern.lead is None or pattern.lead.match(document.folded, match.start()) is not None)
        and all(check(match[group]) for group, check in pattern.checks if match[group])
        and (not (pattern.sections or pattern.not_sections) or _is_placed(pattern, match, document))
        and all(_is_echoed(document, match, echo) for echo in pattern.echoes)
    )


def _is_listed(pattern: Pattern, match: Match, document: Document) -> bool:
    """Whether the groups of a match are items of the pattern's lexicons, and of none excluded."""
    return all(
        _is_member(word := _word(document, match, group), lexicons)
        or (not _is_token(word) and _is_member(" ".join(tokenize(word).words), lexicons))
        for group, lexicons in pattern.inside
    ) and not any(
        _is_member(_word(document, match, group), lexicons) for group, lexicons in pattern.outside
    )


def _word(document: Document, match: Match, group: int) -> str:
    """Return the folded text of a group; nothing if it did not match."""
    start, end = match.span(group)
    return document.folded[start:end]


def _is_token(word: str) -> bool:
    """Whether a folded word is surely one token, so that parting it need not be tried."""
    return word.isascii() and word.isalpha()


def _is_member(word: str, lexicons: Iterable[WordSet]) -> bool:
    return any(word in lexicon for lexicon in lexicons)


def _is_placed(pattern: Pattern, match: Match, document: Document) -> bool:
    """Whether the section of a match is one of the pattern's, and none that it excludes."""
    section = document.section_at(match.start(pattern.extent))
    wanted = not pattern.sections or section in pattern.sections
    return wanted and section not in pattern.not_sections


def _is_echoed(document: Document, match: Match, echo: tuple[int, regex.Pattern[str]]) -> bool:
    group, other = echo
    return match[group] in other.findall(document.folded, timeout=LIMIT)
