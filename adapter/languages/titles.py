"""Words around a name that do not identify a person: titles, degrees, particles.

The table ``[titles]`` of a language's file::

    prefixes = "dr prof herr frau"         # before a name
    fields = "med dent"                    # of a doctorate, behind a prefix: "Dr. med."
    suffixes = "jr sr ii"                  # after a name
    degrees = "md phd"                     # after a name
    particles = "von der"                  # small words inside names; none is a name by itself
    aliases = "nee formerly"               # before a maiden or other name
    staff = "dr doctor prof nurse"         # titles that only staff have
    staff_degrees = "MD M.D. RN"           # degrees that only staff have, as written

Titles are compared without dots and hyphens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.languages.reading import either, folded, table_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SETS = ("prefixes", "suffixes", "degrees", "particles", "aliases", "staff", "fields")
_KEYS = (*_SETS, "staff_degrees")


@dataclass(frozen=True, slots=True)
class Titles:
    """The titles of one language, or of all languages."""

    prefixes: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    degrees: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    """Small words inside names; none is a name by itself."""
    aliases: frozenset[str] = frozenset()
    staff: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    """Fields of a doctorate, which are titles behind one only: "Dr. med.", "Dr. rer. nat."."""
    staff_degrees: frozenset[str] = frozenset()
    """Degrees that only staff have, as written."""
    no_names: frozenset[str] = field(init=False, repr=False)
    """Prefixes, suffixes, degrees and particles: words that are no names."""
    called: regex.Pattern[str] = field(init=False, repr=False)
    """A title of staff."""
    called_before: regex.Pattern[str] = field(init=False, repr=False)
    """A title of staff at the end of a text."""
    degree_behind: regex.Pattern[str] = field(init=False, repr=False)
    """A degree of staff after a name."""

    def __post_init__(self) -> None:
        staff, degrees = either(self.staff), either(self.staff_degrees)
        made = {
            "no_names": self.prefixes | self.suffixes | self.degrees | self.particles,
            "called": regex.compile(rf"{staff}\b", regex.IGNORECASE),
            "called_before": regex.compile(rf"\b{staff}\.?\s*$", regex.IGNORECASE),
            "degree_behind": regex.compile(rf",?\s{degrees}(?!\w)"),
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, code: str, tables: Mapping[str, Any]) -> Titles:
        """Compile the table ``[titles]`` of a language.

        Raises:
            RuleError: a key is unknown, or a value is not a string or list of words.
        """
        table = table_of(code, tables, "titles", _KEYS)
        sets = {key: frozenset(folded(code, table.get(key, ""))) for key in _SETS}
        return cls(**sets, staff_degrees=frozenset(words_of(code, table.get("staff_degrees", ""))))

    def is_field(self, word: str, written: str, before: str) -> bool:
        """Whether a word is the field of a doctorate; ``before`` is the word before it.

        ``written`` is the word with the mark behind it: in small letters with a point.
        """
        titled = before in self.prefixes or before in self.fields
        return titled and word in self.fields and written.islower() and written.endswith(".")

    @classmethod
    def joined(cls, each: Iterable[Titles]) -> Titles:
        """Return the titles of several languages as one."""
        rows = [tuple(getattr(one, key) for key in _KEYS) for one in each]
        return cls(*(frozenset[str]().union(*column) for column in zip(*rows, strict=True)))

    def stays(self, word: str, *, leads: bool, last: bool) -> bool:
        """Whether a word of a name is not a name at its position, and so stays.

        These are leading titles, final degrees and suffixes, and particles between. ``leads``: no
        name stands before the word; ``last``: none follows.
        """
        if leads and not last and word in self.prefixes:
            return True
        if last and not leads and (word in self.degrees or word in self.suffixes):
            return True
        return not last and word in self.particles

    def of_part(self, part: str) -> frozenset[str] | None:
        """Return the words that a prefix, suffix or degree may hold, or None for another part."""
        match part:
            case "prefix":
                return self.prefixes | self.fields
            case "suffix" | "degree":
                return self.degrees | self.suffixes
        return None
