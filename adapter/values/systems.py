"""Published code systems: their names in messages, and the form of their codes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.checkdigits import passes_luhn, passes_pzn, passes_verhoeff
from adapter.values.grammars import compile_forms

if TYPE_CHECKING:
    from collections.abc import Mapping

    import regex

_WORD = re.compile(r"[a-z]{4,}")
KEYS = frozenset({"names", "roots", "code", "check", "word", "units", "term", "labelled"})


_CONCEPTS = re.compile(r"\d+")


def expression(code: str) -> bool:
    """Whether each concept of a compositional expression is valid (SNOMED CT, SCG 5)."""
    return all(passes_verhoeff(concept) for concept in _CONCEPTS.findall(code))


CHECKS = {
    "mod10": passes_luhn,
    "verhoeff": passes_verhoeff,
    "expression": expression,
    "pzn": passes_pzn,
}


@dataclass(frozen=True, slots=True, eq=False)
class CodeSystem:
    """A code system; ``word``: its codes are words; ``units``: they are units of measure.

    ``labelled``: the lexicons of labels have what senders call its codes in their language.
    """

    code: regex.Pattern[str] = field(repr=False)
    check: str = ""
    word: bool = False
    units: bool = False
    labelled: bool = False
    term: regex.Pattern[str] | None = field(default=None, repr=False)
    """Form of the system's own names of its codes, if they are no words of a language.

    Senders also write them in the place of the code.
    """

    def has(self, code: str) -> bool:
        """Whether a text looks like a code of the system."""
        if self.term is not None and self.term.fullmatch(code):
            return True
        if self.code.fullmatch(code) is None:
            return False
        return not self.check or CHECKS[self.check](code)


@dataclass(frozen=True, slots=True)
class CodeSystems:
    """All known code systems, by folded name and by the beginning of a name."""

    names: Mapping[str, tuple[CodeSystem, ...]] = field(repr=False)
    roots: tuple[tuple[str, CodeSystem], ...] = field(repr=False)

    @property
    def words(self) -> frozenset[str]:
        """Folded words of the systems' names and addresses, which name nobody."""
        named = (*self.names, *(root for root, _ in self.roots))
        return frozenset(word for name in named for word in _WORD.findall(name))

    def named(self, name: str) -> tuple[CodeSystem, ...]:
        """Return the code systems that a name, URI or OID in a message denotes."""
        name = folded(name)
        found = self.names.get(name)
        if found is not None:
            return found
        return tuple(system for root, system in self.roots if name.startswith(root))


def folded(name: str) -> str:
    """Return the name of a code system in comparable form."""
    name = name.strip().casefold().removeprefix("urn:oid:")
    return f"http{name[5:]}" if name.startswith("https:") else name


def compile_systems(table: Mapping[str, Mapping[str, Any]]) -> CodeSystems:
    """Compile ``[systems.<name>]``.

    Raises:
        ValueError: a key or check is unknown, or a code is not a regular expression.
    """
    names: dict[str, tuple[CodeSystem, ...]] = {}
    roots: list[tuple[str, CodeSystem]] = []
    for entry in table.values():
        if unknown := set(entry) - KEYS:
            raise ValueError(f"unknown key '{min(unknown)}'")
        if entry.get("check", "mod10") not in CHECKS:
            raise ValueError(f"unknown check '{entry['check']}'")
        (code,) = compile_forms([entry["code"]])
        word, units, labelled = (bool(entry.get(flag)) for flag in ("word", "units", "labelled"))
        term = compile_forms([entry["term"]])[0] if "term" in entry else None
        system = CodeSystem(code, entry.get("check", ""), word, units, labelled, term)
        for name in entry.get("names", ()):
            names[folded(name)] = (*names.get(folded(name), ()), system)
        roots += ((folded(root), system) for root in entry.get("roots", ()))
    return CodeSystems(names, tuple(roots))
