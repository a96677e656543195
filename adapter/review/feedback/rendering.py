"""Renders proposals as rules files: one pattern family per language, lexicons, exceptions.

Pure: the same proposals give the same text. Preview and export use the same text, so the previewed
rules are those applied.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from adapter.errors import RuleError
from adapter.review.judging.editing import canonical
from adapter.review.judging.proposals import Effect
from adapter.taggers.document.tokens import tokenize
from adapter.types import CATEGORIES, Label

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from adapter.review.judging.proposals import Proposal

FAMILY = "review"
TAKEN_OUT = "review-exceptions.txt"
"""File beside a lexicon with the exceptions that an export added."""
MOST = 1000
"""Maximum number of items of a lexicon that one pattern may contain."""
FORM, TERM, CORRECTION, VETO, DISTRUST = 65, 76, 77, 80, 101
"""Priorities: terms above the learned model (75), vetoes below trusted phrases (90), except for
distrust, which overrides these."""
_BORDER = r"(?![\p{L}\p{N}])"
_LETTER = r"[\p{L}\p{N}]"
_WORDED = frozenset({"NAME", "LOCATION", "PROFESSION"})
_HEAD = (
    "# Proposals of the review console that a second person approved; provenance.jsonl says whose."
)


@dataclass(frozen=True, slots=True)
class Overlay:
    """The changes of proposals to a rules folder, by language.

    ``families`` are the texts of pattern families, ``terms`` lexicons by name, ``removed`` the
    items removed from a lexicon, by the lexicon's name.
    """

    families: Mapping[str, str] = field(repr=False)
    terms: Mapping[str, tuple[str, ...]] = field(repr=False)
    removed: Mapping[str, tuple[str, ...]] = field(repr=False)

    @property
    def languages(self) -> frozenset[str]:
        """Return the languages that the overlay changes."""
        names = (*self.terms, *self.removed)
        return frozenset(self.families) | {name.partition("-")[0] for name in names}


def overlay(
    proposals: Iterable[Proposal],
    lexicons: Mapping[str, Mapping[str, Collection[str]]],
    family: str = FAMILY,
) -> Overlay:
    """Return the overlay of the proposals, given the items of each language's lexicons by name.

    If no lexicon has a term to be removed, a pattern vetoes the term instead.

    Raises:
        RuleError: a proposal is for a language that these rules do not have.
    """
    by_language: dict[str, list[Proposal]] = {}
    for proposal in sorted(proposals, key=lambda p: p.key):
        if proposal.effect is not Effect.FIELD:  # the officer decides; it is not a rule
            by_language.setdefault(proposal.language, []).append(proposal)
    if lacking := by_language.keys() - lexicons.keys():
        problem = f"are not of these rules, and proposals are: {sorted(lacking)}"
        raise RuleError("rules.languages", problem)
    terms: dict[str, tuple[str, ...]] = {}
    removed: dict[str, list[str]] = {}
    families: dict[str, str] = {}
    for language, some in by_language.items():
        rules = _from_lexicons(language, some, terms, family)
        for proposal in some:
            rules += _rule(proposal, lexicons.get(language, {}), removed)
        if rules:
            families[language] = "\n".join((_HEAD, f'family = "{family}"\n', *rules))
    return Overlay(families, terms, {name: tuple(sorted(set(x))) for name, x in removed.items()})


def _from_lexicons(
    language: str,
    proposals: Sequence[Proposal],
    terms: dict[str, tuple[str, ...]],
    family: str,
) -> list[str]:
    """Return patterns for the terms of each label, and add the lexicons that they use."""
    found: dict[str, dict[str, set[str]]] = {}
    for proposal in proposals:
        if proposal.effect is Effect.TERM:
            item = canonical(proposal.phrase)
            found.setdefault(proposal.label, {}).setdefault(item, set()).update(_starts(proposal))
    rules = []
    for label, items in sorted(found.items()):
        ordered = sorted(items)
        for part, at in enumerate(range(0, len(ordered), MOST), 1):
            some = ordered[at : at + MOST]
            own = f"{label.lower()}-{part}"
            name = f"{language}-{family}-{own}"
            terms[name] = tuple(some)
            starts = sorted(set().union(*(items[item] for item in some)))
            regex_ = f"(?:{{{{lexicon:{name}}}}}){_BORDER}"
            rules.append(_table("pattern", f"term-{own}", regex_, starts, TERM, label=label))
    return rules


def _rule(
    proposal: Proposal,
    lexicons: Mapping[str, Collection[str]],
    removed: dict[str, list[str]],
) -> list[str]:
    item = canonical(proposal.phrase)
    if proposal.effect is Effect.REMOVE:
        containing = [name for name, items in lexicons.items() if item in items]
        for name in containing:
            removed.setdefault(name, []).append(item)
        return [] if containing else [_veto(proposal, VETO)]
    if proposal.effect is Effect.VETO:
        return [_veto(proposal, VETO)]
    if proposal.effect is Effect.DISTRUST:
        return [_veto(proposal, DISTRUST)]
    label = proposal.label
    if proposal.effect is Effect.CORRECT:
        body = _words(item) + _BORDER
        return [
            _table("pattern", _name(proposal), body, _starts(proposal), CORRECTION, label=label)
        ]
    if proposal.effect is Effect.PATTERN:
        body = form_of(item) + _BORDER
        return [_table("pattern", _name(proposal), body, [], FORM, label=label)]
    return []


def _veto(proposal: Proposal, priority: int) -> str:
    body = _words(canonical(proposal.phrase)) + _BORDER
    if proposal.behind:
        body += rf"(?=\s+{_words(proposal.behind)}{_BORDER})"
    name = _name(proposal)
    before = rf"(?<![\p{{L}}\p{{N}}]){_words(proposal.before)}\s+" if proposal.before else ""
    return _table(
        "veto",
        name,
        body,
        _starts(proposal),
        priority,
        labels=_vetoed(proposal.label),
        before=before,
    )


def _vetoed(label: str) -> list[str]:
    """Return the labels that a veto covers; names, places and occupations are vetoed together."""
    category = CATEGORIES[Label(label)]
    wanted = _WORDED if category in _WORDED else {category}
    return [str(each) for each in Label if CATEGORIES[each] in wanted]


def _table(
    kind: str,
    name: str,
    body: str,
    starts: Iterable[str],
    priority: int,
    *,
    label: str = "",
    labels: Sequence[str] = (),
    before: str = "",
) -> str:
    begin = sorted(starts)
    lines = [
        f"[[{kind}]]",
        f'name     = "{name}"',
        *([f'label    = "{label}"'] if label else []),
        *([f"labels   = {json.dumps(list(labels))}"] if labels else []),
        *([f"starts   = {json.dumps(begin, ensure_ascii=False)}"] if begin else []),
        f"regex    = {_quoted(body)}",
        *([f"before   = {_quoted(before)}"] if before else []),
        *([] if begin else [f"not_before = {_quoted(_LETTER)}"]),
        f"priority = {priority}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _quoted(body: str) -> str:
    """Return a regular expression as a quoted and escaped TOML string."""
    return json.dumps(body, ensure_ascii=False)


def _name(proposal: Proposal) -> str:
    """Return a name that identifies a proposal without quoting its phrase."""
    digest = hashlib.sha256(proposal.key).hexdigest()[:10]
    return f"{proposal.effect}-{digest}"


def _starts(proposal: Proposal) -> list[str]:
    """Return the first token of the phrase, as written and in lower case."""
    both = (tokenize(text).words for text in (proposal.phrase, canonical(proposal.phrase)))
    return sorted({words[0] for words in both if words})


def _words(item: str) -> str:
    return r"\s+".join(_escaped(word) for word in item.split(" "))


def _escaped(word: str) -> str:
    """Return a word escaped for a verbose regular expression: blanks, ``#`` and controls too."""
    return "".join(_literal(c) for c in word)


def _literal(char: str) -> str:
    if char.isalnum():
        return char
    return regex.escape(char, special_only=False) if char.isprintable() else rf"\U{ord(char):08x}"


def form_of(phrase: str) -> str:
    r"""Return the regular expression of a phrase's form: "qx-4711" is ``[a-z]{2}-[0-9]{4}``."""
    return "".join(
        _form(part) for part in regex.findall(r"\p{L}+|\p{N}+|\s+|[^\p{L}\p{N}\s]", phrase)
    )


def _form(part: str) -> str:
    if part[0].isnumeric():
        return f"[0-9]{{{len(part)}}}"
    if part[0].isalpha():
        return rf"\p{{L}}{{{len(part)}}}"
    return r"\s+" if part[0].isspace() else _escaped(part)
