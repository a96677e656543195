r"""Patterns: regular expressions with a label, conditions, vetoes and their own tests.

One family of rules is one TOML file, ``rules/patterns/<language>/<family>.toml``::

    family = "dates"

    [fragments]                      # used in any regex of the file as {{month}}
    month = '''jan(?:uary)?|feb(?:ruary)?'''

    [[pattern]]
    name   = "month-day"             # source of its spans: "dates.month-day"
    label  = "DATE"                  # a `adapter.types.Label`
    starts = ["jan", "january"]      # tokens at which the regex is tried
    regex  = '''(?:{{month}}) \.? \s{1,2} (?P<phi>\d{1,2}) \b'''

    [[veto]]                         # its extent is not a mention
    name   = "blood-pressure"
    labels = ["DATE", "PHONE"]       # vetoed labels; all if absent
    needs  = ["bp", "mmhg"]
    regex  = '''bp \s* \d{2,3}/\d{2,3}'''

    [[tests]]                        # run by `deid-adapter check` and by pytest
    about  = "days without a year"
    marked = ["seen [[DATE:3/14]] by"]   # exactly these mentions
    clean  = ["strength 5/5"]            # none
    vetoed = ["[[blood-pressure:BP 120/80]] today"]   # exactly these vetoes

``regex``: syntax of the `regex` package, always verbose (white space and ``#...`` are ignored:
write ``\s``, ``[ ]`` and ``\#``). It is matched against the *folded* text (lower case, accents,
dashes and apostrophes folded, same length: write patterns in lower case and with ``-`` and ``'``)
unless ``case = true``, which matches the text itself. The mention is the named group
``phi``, else the whole match. ``labels = {city = "CITY", zip = "ZIP"}`` instead of ``label`` makes
one mention of each named group that matched. ``{{name}}`` is a fragment of the file, else one of
those that the language's families share (`adapter.rules.families`),
``{{lexicon:NAME}}`` the alternation of a small lexicon (at most 1,000 items);
white space inside an item matches any white space.

Where the regex is tried (give one of the two if possible; a pattern with neither scans all text):

- ``starts``: folded tokens (`adapter.taggers.document.tokens`); the regex is matched only at their
  beginnings. "<number>" means every run of digits, "<number/>" runs before a slash (or any other
  mark or space), "<number+letter>" runs before a letter, "<4 digits>" runs of four digits (or any
  other count), "<code>" every word of letters followed by digits ("S23", "AB-12"), "<capital>"
  every word with a capital first letter (of which only those are tried that begin as the regex
  does, see `adapter.taggers.patterns.beginnings`), "<last>" the last three tokens,
  ``"{{lexicon:NAME}}"`` all one-token items of a lexicon (of any size), ``"{{first:NAME}}"`` the
  first tokens of all its items. An anchored regex sees `WINDOW` characters.
- ``needs``: folded tokens or single marks of which at least one must occur somewhere in the text;
  otherwise the pattern is skipped. It may be combined with ``starts``.
- ``probe``: a short regex that must match somewhere in the text, otherwise the pattern is skipped:
  for patterns that are slow where there is nothing to find. It is fast if few characters can begin
  it; patterns with the same probe share its result.

Conditions, all optional:

- ``before``, ``not_before``: regexes that must (not) end where the whole match begins; ``after``,
  ``not_after``: regexes that must (not) begin where it ends. They are look-arounds of any width;
  ``before`` and ``not_before`` read the folded text.
- ``inside = {group = "NAME"}``: the folded text of that group, or its tokens parted by blanks,
  must be an item of the lexicon, of any size (with several names, of one of them); ``outside``: the
  folded text must not. ``phi`` is a group too.
  In families for every language, ``any-given`` is the lexicon ``given`` of the text's language.
- ``validator = "npi"``: a function of `adapter.taggers.patterns.checks.common` on the mention's
  text, or the table that `adapter.taggers.patterns.checks.common.validator_of` describes. A
  validated mention has priority 70 instead of 60. ``validators = {group = "npi"}`` checks other
  groups, if they matched, and does not change the priority.
- ``echo = {month = "..."}``: the text of that group must also be matched by the first group of
  this regex somewhere in the (folded) text.
- ``within = 300``: the match must begin within that many first characters of the text.
- ``sections``, ``not_sections``: sections of `rules/sections/<language>.toml` in which the match
  must (not) be.
- ``priority`` (0 to 100) and ``score`` (0 to 1): by default 60 (veto: 65) and 1. Even trusted
  phrases yield to a veto of 101.
- ``sure = true``: the regex includes a title, kinship or the name of a number, which makes the
  mention certain; it stays covered under any learned model.
- ``cuts = true``, of a veto: a mention that was guessed and reaches into the veto ends before
  it, or begins behind it ("Smith ambulated x2"); what is left of the mention stays covered.
- ``exact = true``: text joined to the end of the mention is no part of it (the ending of a file's
  name), under any learned model.

Free regexes and echoes run with a time limit; if it is reached, TagError("timeout") is raised.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from itertools import chain, repeat
from typing import TYPE_CHECKING

from adapter.errors import TagError
from adapter.taggers.document.document import CAPITAL, beginning
from adapter.taggers.patterns.beginnings import beginnings
from adapter.taggers.patterns.conditions import LIMIT, Screen, holds
from adapter.taggers.patterns.families import Pattern, compile_family
from adapter.types import Span, Veto

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    import regex

    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.trusted.index import PhraseIndex

    Match = regex.Match[str] | re.Match[str]

WINDOW = 400
"""Maximum number of characters that an anchored regex may read."""


class PatternTagger:
    """Finds mentions and vetoes by all pattern families of one language."""

    trusting = False

    def __init__(self, resources: Resources) -> None:
        """Compile the families.

        Raises:
            RuleError: a rule cannot be compiled; the error names family and rule.
        """
        anchored: defaultdict[str, list[Pattern]] = defaultdict(list)
        free: list[Pattern] = []
        for family in resources.patterns:
            compiled = compile_family(family, resources.lexicons, resources.compile_regex)
            for pattern, starts in compiled:
                for start in _keys(pattern, starts):
                    anchored[start].append(pattern)
                if not starts:
                    free.append(pattern)
        self.anchored = {start: tuple(patterns) for start, patterns in anchored.items()}
        """Token or key of `Document.index` -> the patterns tried at its occurrences."""
        self._free = tuple(free)

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return the spans and vetoes of all patterns; trusted phrases play no part.

        Raises:
            TagError: "timeout", a regex reached its time limit.
        """
        del phrases
        return self.find(document)

    def find(self, document: Document) -> list[Span | Veto]:
        """Return the spans and vetoes of all patterns in a document."""
        found: list[Span | Veto] = []
        screen = Screen(document)
        try:
            self._find_anchored(document, screen, found)
            self._find_free(document, screen, found)
        except TimeoutError:
            raise TagError("timeout") from None
        return found

    def _find_anchored(self, document: Document, screen: Screen, found: list[Span | Veto]) -> None:
        anchored = self.anchored
        plain_folded, plain_text = document.folded.isascii(), document.text.isascii()
        for word, starts in document.index.items():  # in text order, the same in every process
            ends = [start + WINDOW for start in starts]
            for pattern in anchored.get(word, ()):
                if pattern.screened and not screen.passes(pattern):
                    continue
                text = document.folded if pattern.folded else document.text
                plain = plain_folded if pattern.folded else plain_text
                match_at = (pattern.plain if plain else pattern.matcher).match
                places = starts
                if pattern.within:
                    places = starts[: bisect_left(starts, pattern.within)]
                # Most of the time goes into these calls, of which most find nothing.
                matches: Iterator[Match] = filter(None, map(match_at, repeat(text), places, ends))
                for match in matches:
                    _collect(pattern, match, document, found)

    def _find_free(self, document: Document, screen: Screen, found: list[Span | Veto]) -> None:
        for pattern in self._free:
            if screen.passes(pattern):
                text = document.folded if pattern.folded else document.text
                for match in pattern.matcher.finditer(text, timeout=LIMIT):
                    _collect(pattern, match, document, found)


def _keys(pattern: Pattern, starts: frozenset[str]) -> Iterable[str]:
    """Return the keys of `Document.index` at whose places a pattern is tried.

    At a capital it is tried only if its matches can begin as the word does.
    """
    known = beginnings(pattern.matcher.pattern) if CAPITAL in starts else None
    if known is None:
        return starts
    return chain(starts - {CAPITAL}, map(beginning, sorted(known)))


def _collect(pattern: Pattern, match: Match, document: Document, found: list[Span | Veto]) -> None:
    if pattern.conditional and not holds(pattern, match, document):
        return
    if not pattern.labels:
        start, end = match.span(pattern.extent)
        labels, priority = pattern.vetoed, pattern.priority
        found.append(Veto(start, end, pattern.source, labels, priority, pattern.cuts))
        return
    for group, label in pattern.labels:
        start, end = match.span(group)
        if start < end:
            found.append(
                Span(
                    start, end, label, pattern.source, pattern.score, pattern.priority,
                    sure=pattern.sure, exact=pattern.exact,
                )
            )  # fmt: skip
