"""Compilation of pattern families: from parsed rule files to `Pattern` objects.

The format is described in `adapter.taggers.patterns.tagger`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.errors import RuleError
from adapter.taggers.document.resources import compile_verbose
from adapter.taggers.patterns.checks.common import validator_of
from adapter.taggers.patterns.plain import Deferred
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adapter.taggers.document.resources import Compile, WordSet

ANY = "any"
"""Language in a lexicon's name that means all languages."""
LARGEST_ALTERNATION = 1000
"""Maximum number of items in a lexicon that may be expanded into an alternation."""

_MACRO = regex.compile(r"\{\{\s*([\w:.-]+)\s*\}\}")
_COMMON = {
    "name", "regex", "case", "starts", "needs", "probe",
    "before", "not_before", "after", "not_after", "inside", "outside",
    "validator", "validators", "sections", "not_sections",
    "within", "echo", "priority", "score", "about",
}  # fmt: skip
_KEYS = {
    "pattern": _COMMON | {"label", "labels", "sure", "exact"},
    "veto": _COMMON | {"labels", "cuts"},
}

Membership = tuple[int, tuple["WordSet", ...]]


@dataclass(frozen=True, slots=True)
class Probe:
    """A regex that a text must contain; ``plain`` is its equivalent for ASCII text."""

    source: str = field(repr=False)
    matcher: regex.Pattern[str] = field(repr=False)
    plain: Deferred = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One compiled rule; ``labels`` are (group, label) of its mentions, empty for a veto.

    ``plain`` is an equivalent regex for ASCII text, twice as fast where possible.
    """

    source: str
    matcher: regex.Pattern[str] = field(repr=False)
    plain: Deferred = field(repr=False)
    folded: bool
    labels: tuple[tuple[int, Label], ...]
    vetoed: frozenset[Label]
    extent: int
    needs: frozenset[str] = field(repr=False)
    probe: Probe | None = field(repr=False)
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
    sure: bool = False
    exact: bool = False
    cuts: bool = False

    conditional: bool = field(init=False)
    """Whether a match must satisfy further conditions."""
    screened: bool = field(init=False)
    """Whether the text must contain something, wherever the pattern matches."""

    def __post_init__(self) -> None:
        """Tell once for all texts what is asked of each."""
        conditions = (
            self.lead, self.inside, self.outside, self.checks, self.echoes,
            self.within, self.sections, self.not_sections,
        )  # fmt: skip
        object.__setattr__(self, "conditional", any(map(bool, conditions)))
        object.__setattr__(self, "screened", bool(self.needs) or self.probe is not None)


_TABLES = frozenset({"family", "about", "fragments", "pattern", "veto", "tests"})


def compile_family(
    family: Mapping[str, Any],
    lexicons: Mapping[str, WordSet],
    compile_regex: Compile = compile_verbose,
) -> list[tuple[Pattern, frozenset[str]]]:
    """Return a parsed family's patterns and vetoes, each with the tokens at which it may start.

    ``compile_regex`` compiles a verbose, multi-line regex.

    Raises:
        RuleError: a key, label, lexicon, validator or regex is unknown or invalid; its place
        names family and rule.
    """
    name = str(family.get("family", "?"))
    if unknown := family.keys() - _TABLES:
        raise RuleError(name, f"unknown tables or keys {sorted(unknown)}")
    fragments = family.get("fragments", {})
    compiler = _Compiler(name, fragments, lexicons, compile_regex)
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
    compile_regex: Compile

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
            plain=Deferred(compiled),
            folded=not table.get("case", False),
            labels=labels,
            vetoed=frozenset(map(Label, table["labels"])) if kind == "veto" and "labels" in table
            else frozenset(),
            extent=compiled.groupindex.get("phi", 0),
            needs=frozenset(table.get("needs", ())),
            probe=self._probe(table),
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
            sure=table.get("sure", False),
            exact=table.get("exact", False),
            cuts=table.get("cuts", False),
        )  # fmt: skip

    def _regex(self, table: Mapping[str, Any]) -> regex.Pattern[str]:
        frames = (("(?:{})", "regex"), ("(?={})", "after"), ("(?!{})", "not_after"))
        return self._compiled(frames, table)

    def _probe(self, table: Mapping[str, Any]) -> Probe | None:
        if "probe" not in table:
            return None
        compiled = self.compile_regex(self._expand(table["probe"]))
        return Probe(compiled.pattern, compiled, Deferred(compiled))

    def _echoes(
        self, table: Mapping[str, str], compiled: regex.Pattern[str]
    ) -> tuple[tuple[int, regex.Pattern[str]], ...]:
        return tuple(
            (compiled.groupindex[group], regex.compile(self._expand(other), regex.VERBOSE))
            for group, other in table.items()
        )

    def _lead(self, table: Mapping[str, Any]) -> regex.Pattern[str] | None:
        """Return the regex of text that must (not) precede a match, or None."""
        frames = (("(?<={})", "before"), ("(?<!{})", "not_before"))
        return self._compiled(frames, table) if {"before", "not_before"} & table.keys() else None

    def _compiled(
        self, frames: Iterable[tuple[str, str]], table: Mapping[str, Any]
    ) -> regex.Pattern[str]:
        source = "".join(frame.format(table[key] + "\n") for frame, key in frames if key in table)
        return self.compile_regex(self._expand(source))

    def _expand(self, source: str) -> str:
        for _ in range(8):
            expanded = _MACRO.sub(self._macro, source)
            if expanded == source:
                return source
            source = expanded
        raise ValueError("fragments refer to each other")

    def _macro(self, match: regex.Match[str]) -> str:
        name = match[1]
        if not name.startswith("lexicon:"):
            return f"(?:{self.fragments[name]}\n)"  # a line of its own: it may end with a comment
        items = sorted(self.lexicons[name.removeprefix("lexicon:")], key=len, reverse=True)
        if len(items) > LARGEST_ALTERNATION:
            raise ValueError("the lexicon is too large for an alternation; use inside")
        return "(?:" + "|".join(r"\s+".join(map(_literal, item.split())) for item in items) + ")"

    def _starts(self, starts: Iterable[str]) -> frozenset[str]:
        words: set[str] = set()
        for start in starts:
            macro = _MACRO.fullmatch(start)
            kind, _, name = macro[1].partition(":") if macro else ("", "", "")
            if kind == "first":
                words.update(item.split(" ", 1)[0] for item in self.lexicons[name])
            else:
                words.update(self.lexicons[name] if macro else [start])
        return frozenset(words)

    def _memberships(
        self, table: Mapping[str, str | Sequence[str]], compiled: regex.Pattern[str]
    ) -> tuple[Membership, ...]:
        return tuple(
            (
                compiled.groupindex[group],
                tuple(
                    lexicon
                    for name in ([names] if isinstance(names, str) else names)
                    for lexicon in self._named(name)
                ),
            )
            for group, names in table.items()
        )

    def _named(self, name: str) -> tuple[WordSet, ...]:
        """Return the lexicon of a name; for "any-given", the lexicons "given" of all languages."""
        language, _, kind = name.partition("-")
        if language != ANY:
            return (self.lexicons[name],)
        return tuple(own for code, own in self.lexicons.items() if code.partition("-")[2] == kind)


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
    return tuple((group, validator_of(name)) for group, name in named.items())


def _literal(word: str) -> str:
    return str(regex.escape(word, special_only=False, literal_spaces=False))
