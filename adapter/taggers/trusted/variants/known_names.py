"""The names of a message as its texts may write them, prepared once for all texts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from adapter.taggers.trusted.variants.parts import Parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.types import TrustedPhrase

    Names = Mapping[str, Sequence[TrustedPhrase]]

SHORTEST = 4
"""Minimum number of letters in a name that may have variants, and in a word that may be one."""
GIVEN = ("{given", "{middle")
"""Beginnings of the forms of given names."""
_SHORTEST_CUT, _FEWEST_CUT = 5, 2
"""Minimum number of letters in the beginning of a given name, and in what is cut off."""


class KnownNames:
    """Folded names and their phrases, and what is derived from them."""

    def __init__(self, names: Names) -> None:
        """Take all names of a message."""
        self.names = names

    @cached_property
    def long(self) -> list[str]:
        """The names that may have variants."""
        return [name for name in self.names if len(name) >= SHORTEST]

    @cached_property
    def parts(self) -> Parts:
        """The names that are looked for in parts."""
        return Parts(self.names)

    @cached_property
    def beginnings(self) -> Mapping[str, TrustedPhrase]:
        """The beginnings of given names without at least two of their letters."""
        found: dict[str, TrustedPhrase] = {}
        for name, phrases in self.names.items():
            for phrase in phrases:
                if phrase.form.startswith(GIVEN) and not phrase.ordinary:
                    for length in range(_SHORTEST_CUT, len(name) - _FEWEST_CUT + 1):
                        found.setdefault(name[:length], phrase)
        return found
