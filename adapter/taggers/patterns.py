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

    [[veto]]                         # its extent is no mention
    name   = "blood-pressure"
    labels = ["DATE", "PHONE"]       # absent: all labels
    needs  = ["bp", "mmhg"]
    regex  = '''bp \s* \d{2,3}/\d{2,3}'''

    [[tests]]                        # run by `deid-adapter check` and by pytest
    about  = "days without a year"
    marked = ["seen [[DATE:3/14]] by"]   # exactly these mentions
    clean  = ["strength 5/5"]            # none

``regex``: syntax of the `regex` package, always verbose (white space and ``#...`` are ignored:
write ``\s``, ``[ ]`` and ``\#``). It is matched against the *folded* text (lower case, accents,
dashes and apostrophes folded, same length: write patterns in lower case and with ``-`` and ``'``)
unless ``case = true``, which matches the text as it stands. The mention is the named group
``phi``, else the whole match. ``labels = {city = "CITY", zip = "ZIP"}`` instead of ``label`` makes
one mention of each named group that took part. ``{{name}}`` is a fragment of the file,
``{{lexicon:NAME}}`` the alternation of a small lexicon (at most `LARGEST_ALTERNATION` items);
white space inside an item matches any white space.

Where it is tried (give one of the two wherever possible; a pattern with neither scans all text):

- ``starts``: folded tokens (`adapter.taggers.tokens`) at whose beginning, and nowhere else, the
  regex is matched. "<number>" stands for every run of digits, "<number/>" for those before a
  slash (so with any mark or space), "<number+letter>" for those before a letter, "<code>" for
  every word in which letters come before digits ("S23", "AB-12"), "<capital>" for every word with
  a capital first letter, "<last>" for the last three tokens, ``"{{lexicon:NAME}}"`` for all
  one-token items of a lexicon (any size). An anchored regex sees `WINDOW` characters.
- ``needs``: folded tokens or single marks of which one at least must occur somewhere in the text;
  otherwise the pattern is skipped. It combines with ``starts``.

Conditions, all optional:

- ``before``, ``not_before``: regexes that must (not) end where the whole match begins; ``after``,
  ``not_after``: that must (not) begin where it ends. They are look-arounds of any width; those
  before it read the folded text.
- ``inside = {group = "NAME"}``: the folded text of that group must be an item of the lexicon, of
  any size (several names: one must hold it); ``outside`` the reverse. ``phi`` is a group too.
- ``validator = "npi"``: a function of `adapter.taggers.validators` on the mention's text. A
  validated mention has priority 70 instead of 60. ``validators = {group = "npi"}`` checks other
  groups, where they took part, and leaves the priority.
- ``echo = {month = "..."}``: what that group matched must also be what the first group of this
  regex matches somewhere in the (folded) text.
- ``within = 300``: it must begin in that many first characters of the text.
- ``sections``, ``not_sections``: names of `rules/sections/<language>.toml` it must (not) stand in.
- ``priority`` (0 to 100) and ``score`` (0 to 1): else 60 (veto: 65) and 1.

Every regex runs with a time limit; one that reaches it raises TagError("timeout").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.errors import RuleError, TagError
from adapter.taggers.validators import VALIDATORS
from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from adapter.taggers.document import Document
    from adapter.taggers.phrases import PhraseIndex
    from adapter.taggers.resources import Resources, WordSet

WINDOW = 400
"""How many characters an anchored regex may read."""
LIMIT = 2.0
"""Seconds one regex may take on one text."""
LARGEST_ALTERNATION = 1000
"""Items of a lexicon that may be written out as an alternation."""

_MACRO = regex.compile(r"\{\{\s*([\w:.-]+)\s*\}\}")
_COMMON = {
    "name", "regex", "case", "starts", "needs", "before", "not_before", "after", "not_after",
    "inside", "outside", "validator", "validators", "sections", "not_sections",
    "within", "echo", "priority", "score", "about",
}  # fmt: skip
_KEYS = {"pattern": _COMMON | {"label", "labels"}, "veto": _COMMON | {"labels"}}

Membership = tuple[int, tuple["WordSet", ...]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One compiled rule. ``labels``: (group, label) of its mentions, empty for a veto."""

    source: str
    matcher: regex.Pattern[str] = field(repr=False)
    folded: bool
    labels: tuple[tuple[int, Label], ...]
    vetoed: frozenset[Label]
    extent: int
    needs: frozenset[str] = field(repr=False)
    inside: tuple[Membership, ...] = field(repr=False)
    outside: tuple[Membership, ...] = field(repr=False)
    lead: regex.Pattern[str] | None = field(repr=False)
    checks: tuple[tuple[int, Callable[[str], bool]], ...] = field(repr=False)
    echoes: tuple[tuple[int, regex.Pattern[str]], ...] = field(repr=False)
    within: int
    sections: frozenset[str]
    not_sections: frozenset[str]
    priority: int
    score: float

    @property
    def conditional(self) -> bool:
        """Whether a match alone does not suffice."""
        return bool(
            self.lead
            or self.inside
            or self.outside
            or self.checks
            or self.echoes
            or self.within
            or self.sections
            or self.not_sections
        )


class PatternTagger:
    """All pattern families of one language, compiled."""

    def __init__(self, resources: Resources) -> None:
        """Compile the families; raise RuleError naming the family and rule that cannot be."""
        anchored: dict[str, list[Pattern]] = {}
        free: list[Pattern] = []
        for family in resources.patterns:
            for pattern, starts in compile_family(family, resources.lexicons):
                for start in starts:
                    anchored.setdefault(start, []).append(pattern)
                if not starts:
                    free.append(pattern)
        self._anchored = {start: tuple(patterns) for start, patterns in anchored.items()}
        self._free = tuple(free)

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return what the patterns find; trusted phrases play no part.

        Raises:
            TagError: "timeout" where a regex ran into its time limit.
        """
        del phrases
        return self.find(document)

    def find(self, document: Document) -> list[Span | Veto]:
        """Return the spans and vetoes of all patterns in document."""
        found: list[Span | Veto] = []
        try:
            self._find_anchored(document, found)
            self._find_free(document, found)
        except TimeoutError:
            raise TagError("timeout") from None
        return found

    def _find_anchored(self, document: Document, found: list[Span | Veto]) -> None:
        anchored = self._anchored
        index = document.index
        for word in anchored.keys() & index.keys():
            starts = index[word]
            for pattern in anchored[word]:
                if pattern.needs and pattern.needs.isdisjoint(index):
                    continue
                text = document.folded if pattern.folded else document.text
                match_at = pattern.matcher.match
                for start in starts:
                    match = match_at(text, start, start + WINDOW)
                    if match is not None:
                        _collect(pattern, match, document, found)

    def _find_free(self, document: Document, found: list[Span | Veto]) -> None:
        index = document.index
        for pattern in self._free:
            if pattern.needs and pattern.needs.isdisjoint(index):
                continue
            text = document.folded if pattern.folded else document.text
            for match in pattern.matcher.finditer(text, timeout=LIMIT):
                _collect(pattern, match, document, found)


def _collect(
    pattern: Pattern, match: regex.Match[str], document: Document, found: list[Span | Veto]
) -> None:
    if pattern.conditional and not _holds(pattern, match, document):
        return
    if not pattern.labels:
        start, end = match.span(pattern.extent)
        found.append(Veto(start, end, pattern.source, pattern.vetoed, pattern.priority))
        return
    for group, label in pattern.labels:
        start, end = match.span(group)
        if start < end:
            found.append(Span(start, end, label, pattern.source, pattern.score, pattern.priority))


def _holds(pattern: Pattern, match: regex.Match[str], document: Document) -> bool:
    if pattern.within and match.start() >= pattern.within:
        return False
    if pattern.lead is not None and pattern.lead.match(document.folded, match.start()) is None:
        return False
    if not all(check(match[group]) for group, check in pattern.checks if match[group]):
        return False
    if pattern.sections or pattern.not_sections:
        section = document.section_at(match.start(pattern.extent))
        if section in pattern.not_sections:
            return False
        if pattern.sections and section not in pattern.sections:
            return False
    return (
        all(_is_member(document, match, test) for test in pattern.inside)
        and not any(_is_member(document, match, test) for test in pattern.outside)
        and all(_is_echoed(document, match, echo) for echo in pattern.echoes)
    )


def _is_echoed(
    document: Document, match: regex.Match[str], echo: tuple[int, regex.Pattern[str]]
) -> bool:
    group, other = echo
    return match[group] in other.findall(document.folded, timeout=LIMIT)


def _is_member(document: Document, match: regex.Match[str], test: Membership) -> bool:
    start, end = match.span(test[0])
    word = document.folded[start:end]
    return any(word in lexicon for lexicon in test[1])


def compile_family(
    family: Mapping[str, Any], lexicons: Mapping[str, WordSet]
) -> list[tuple[Pattern, frozenset[str]]]:
    """Return a parsed family's patterns and vetoes, each with the tokens it may start at.

    Raises:
        RuleError: naming family and rule, for a key, label, lexicon, validator or regex that is
            not known or not valid.
    """
    compiler = _Compiler(str(family.get("family", "?")), family.get("fragments", {}), lexicons)
    return [
        compiler.compile(kind, table)
        for kind in ("pattern", "veto")
        for table in family.get(kind, ())
    ]


@dataclass(frozen=True, slots=True)
class _Compiler:
    family: str
    fragments: Mapping[str, str]
    lexicons: Mapping[str, WordSet]

    def compile(self, kind: str, table: Mapping[str, Any]) -> tuple[Pattern, frozenset[str]]:
        place = f"{self.family}.{table.get('name', '?')}"
        unknown = table.keys() - _KEYS[kind]
        missing = {"regex", "name"} - table.keys()
        if unknown or missing or (kind == "pattern" and ("label" in table) == ("labels" in table)):
            raise RuleError(place, f"unknown or missing keys {sorted(unknown)}")
        try:
            return self._pattern(kind, place, table), self._starts(table.get("starts", ()))
        except (KeyError, ValueError, regex.error) as error:
            raise RuleError(place, f"{type(error).__name__}: {error}") from error

    def _pattern(self, kind: str, place: str, table: Mapping[str, Any]) -> Pattern:
        compiled = self._regex(table)
        validated = "validator" in table
        default = 65 if kind == "veto" else 70 if validated else 60
        labels = _labels(kind, table, compiled)
        return Pattern(
            source=place,
            matcher=compiled,
            folded=not table.get("case", False),
            labels=labels,
            vetoed=frozenset(map(Label, table["labels"])) if kind == "veto" and "labels" in table
            else frozenset(),
            extent=compiled.groupindex.get("phi", 0),
            needs=frozenset(table.get("needs", ())),
            inside=self._memberships(table.get("inside", {}), compiled),
            outside=self._memberships(table.get("outside", {}), compiled),
            lead=self._lead(table),
            checks=_checks(table, compiled),
            echoes=self._echoes(table.get("echo", {}), compiled),
            within=table.get("within", 0),
            sections=frozenset(table.get("sections", ())),
            not_sections=frozenset(table.get("not_sections", ())),
            priority=table.get("priority", default),
            score=table.get("score", 1.0),
        )  # fmt: skip

    def _regex(self, table: Mapping[str, Any]) -> regex.Pattern[str]:
        frames = (("(?:{})", "regex"), ("(?={})", "after"), ("(?!{})", "not_after"))
        return self._compiled(frames, table)

    def _echoes(
        self, table: Mapping[str, str], compiled: regex.Pattern[str]
    ) -> tuple[tuple[int, regex.Pattern[str]], ...]:
        return tuple(
            (compiled.groupindex[group], regex.compile(self._expand(other), regex.VERBOSE))
            for group, other in table.items()
        )

    def _lead(self, table: Mapping[str, Any]) -> regex.Pattern[str] | None:
        """What must (not) stand before a match: tried after it, where there is one."""
        frames = (("(?<={})", "before"), ("(?<!{})", "not_before"))
        return self._compiled(frames, table) if {"before", "not_before"} & table.keys() else None

    def _compiled(
        self, frames: Iterable[tuple[str, str]], table: Mapping[str, Any]
    ) -> regex.Pattern[str]:
        source = "".join(frame.format(table[key] + "\n") for frame, key in frames if key in table)
        return regex.compile(self._expand(source), regex.VERBOSE | regex.MULTILINE)

    def _expand(self, source: str) -> str:
        for _ in range(8):
            expanded = _MACRO.sub(self._macro, source)
            if expanded == source:
                return source
            source = expanded
        raise ValueError("fragments that name each other")

    def _macro(self, match: regex.Match[str]) -> str:
        name = match[1]
        if not name.startswith("lexicon:"):
            return f"(?:{self.fragments[name]})"
        items = sorted(self.lexicons[name.removeprefix("lexicon:")], key=len, reverse=True)
        if len(items) > LARGEST_ALTERNATION:
            raise ValueError("lexicon too large for an alternation: use inside")
        return "(?:" + "|".join(r"\s+".join(map(_literal, item.split())) for item in items) + ")"

    def _starts(self, starts: Iterable[str]) -> frozenset[str]:
        words: set[str] = set()
        for start in starts:
            macro = _MACRO.fullmatch(start)
            words.update(self.lexicons[macro[1].removeprefix("lexicon:")] if macro else [start])
        return frozenset(words)

    def _memberships(
        self, table: Mapping[str, str | Sequence[str]], compiled: regex.Pattern[str]
    ) -> tuple[Membership, ...]:
        return tuple(
            (
                compiled.groupindex[group],
                tuple(self.lexicons[n] for n in ([names] if isinstance(names, str) else names)),
            )
            for group, names in table.items()
        )


def _labels(
    kind: str, table: Mapping[str, Any], compiled: regex.Pattern[str]
) -> tuple[tuple[int, Label], ...]:
    if kind == "veto":
        return ()
    if "label" in table:
        return ((compiled.groupindex.get("phi", 0), Label(table["label"])),)
    return tuple(
        (compiled.groupindex[group], Label(label)) for group, label in table["labels"].items()
    )


def _checks(
    table: Mapping[str, Any], compiled: regex.Pattern[str]
) -> tuple[tuple[int, Callable[[str], bool]], ...]:
    groups = {"phi": 0, **compiled.groupindex}
    named = {groups[group]: name for group, name in table.get("validators", {}).items()}
    if "validator" in table:
        named[groups["phi"]] = table["validator"]
    return tuple((group, VALIDATORS[name]) for group, name in named.items())


def _literal(word: str) -> str:
    return str(regex.escape(word, special_only=False, literal_spaces=False))


def marked(text: str) -> tuple[str, list[tuple[int, int, Label]]]:
    """Return a test's plain text and its expected mentions from inline ``[[LABEL:text]]`` marks."""
    plain = ""
    expected: list[tuple[int, int, Label]] = []
    last = 0
    for mark in _MARK.finditer(text):
        plain += text[last : mark.start()]
        expected.append((len(plain), len(plain) + len(mark[2]), Label(mark[1])))
        plain += mark[2]
        last = mark.end()
    return plain + text[last:], expected


_MARK = regex.compile(r"\[\[([A-Z-]+):(.*?)\]\]", regex.DOTALL)


def settle(found: Iterable[Span | Veto]) -> Iterator[tuple[int, int, Label]]:
    """Yield what one family's own spans and vetoes come to: unions, type by priority."""
    vetoes = [item for item in found if isinstance(item, Veto)]
    spans = [s for s in found if isinstance(s, Span) and not any(_falls(s, v) for v in vetoes)]
    start = end = -1
    best: Span | None = None
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if best is not None and span.start < end:
            end = max(end, span.end)
            best = max(best, span, key=lambda s: (s.priority, s.score, s.end - s.start))
            continue
        if best is not None:
            yield start, end, best.label
        start, end, best = span.start, span.end, span
    if best is not None:
        yield start, end, best.label


def _falls(span: Span, veto: Veto) -> bool:
    return (
        veto.start <= span.start
        and span.end <= veto.end
        and veto.priority > span.priority
        and (not veto.labels or span.label in veto.labels)
    )
