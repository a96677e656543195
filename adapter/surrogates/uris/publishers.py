"""Publishers of standards, whose addresses stay because they identify no site and no person."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Mapping

_ADDRESS = re.compile(
    r"https?://(?P<host>[a-z0-9.-]+)(?P<path>/[A-Za-z0-9._~$()+/-]*)?"
    r"(?:\?fhir_vs(?:=[A-Za-z0-9/=.-]*)?)?(?:#[A-Za-z0-9._-]*)?"
    r"(?:\|v?\d{1,4}(?:[._-](?:\d{1,4}|(?:snapshot|ballot|draft|cibuild|rc|beta|alpha|stu|r)\d{0,4}))*)?",
    re.IGNORECASE,
)
"""Addresses of standards have no user, port or search, except for implicit value sets."""
_LONGEST = 300
_SEGMENT = re.compile(r"[^/:]+")
_RUN = re.compile(r"[a-z0-9]+")
_ARCS, _LONGEST_ARC = 8, 4
"""Most arcs below a known root, and most digits of an arc: more could be a person's number."""
_PERSONAL, _ARCS_TOGETHER = 7, 15
"""Fewest and most digits of a person's number; more are an object identifier without dots."""
_DAY = re.compile(r"(?:199[5-9]|20[0-4]\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_MODULE = re.compile(r"[1-9]\d{3,14}[01]0\d")
_VALUE_SETS, _LONGEST_VALUE_SET = "2.16.840.1.113883.1.11.", 6


@dataclass(frozen=True, slots=True)
class Publishers:
    """The lists of ``rules/fields/publishers.toml``, in lower case except names."""

    hosts: frozenset[str] = frozenset()
    urns: frozenset[str] = frozenset()
    oids: frozenset[str] = frozenset()
    organisations: frozenset[str] = frozenset()
    """Beginnings of the names of publishers of definitions."""
    continuing: frozenset[str] = frozenset()
    """Folded words that may stand behind such a beginning and name nobody else."""
    names: frozenset[str] = frozenset()
    """Words that name a system or type without being an address ("LN", "Extension")."""
    parameters: frozenset[str] = frozenset()
    """Names and modifiers of search parameters."""
    operations: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    """Endings of file names."""
    domains: frozenset[str] = frozenset()
    """Last labels of host names."""
    people: frozenset[str] = field(default=frozenset(), repr=False)
    """People's names that are not words: no standard's address contains one."""

    @classmethod
    def of(cls, tables: Mapping[str, frozenset[str]]) -> Publishers:
        """Build from compiled tables by name."""
        return cls(**tables)

    def publishes(self, address: str, real: frozenset[str] = frozenset()) -> bool:
        """Whether an address is a known publisher's, without ``real`` values and names of people.

        Names of people are those in ``people``, which are not also words.
        """
        words = _words(self.hosts, address)
        return words is not None and real.isdisjoint(words) and self.people.isdisjoint(words)

    def numbers(self, address: str) -> bool:
        """Whether a publisher's address contains a number as long as a person's."""
        return any(_is_long(word, address) for word in _words(self.hosts, address) or ())

    def registers(self, oid: str, real: frozenset[str] = frozenset()) -> bool:
        """Whether an object identifier is a standard's: a known root with few, short arcs below."""
        arcs = oid.split(".") if len(oid) <= _LONGEST else []
        for count in range(len(arcs), 1, -1):
            if ".".join(arcs[:count]) in self.oids:
                below = arcs[count:]
                most = _LONGEST_VALUE_SET if oid.startswith(_VALUE_SETS) else _LONGEST_ARC
                short = all(len(arc) <= most for arc in below)
                return len(below) <= _ARCS and short and real.isdisjoint(below)
        return False

    def named(self, urn: str, real: frozenset[str] = frozenset()) -> bool:
        """Whether a URN is in a known name space and contains none of the ``real`` values."""
        steps = urn.lower().split(":") if len(urn) <= _LONGEST else []
        known = any(":".join(steps[:count]) in self.urns for count in range(2, len(steps) + 1))
        return known and real.isdisjoint(spelt(urn[4:]))


@lru_cache(maxsize=4096)
def _words(hosts: frozenset[str], address: str) -> frozenset[str] | None:
    """Return the words and numbers of a publisher's address, or None for others. Memoised."""
    found = _ADDRESS.fullmatch(address) if len(address) <= _LONGEST else None
    if found is None:
        return None
    labels = found["host"].lower().split(".")
    account = "/".join(address[found.start("host") :].lower().split("/")[:2])
    if account not in hosts and hosts.isdisjoint(
        ".".join(labels[at:]) for at in range(len(labels))
    ):
        return None
    return spelt(address[found.end("host") :])


def spelt(text: str) -> frozenset[str]:
    """Return the squeezed segments of a text, and their words and numbers."""
    folded = text.lower()
    return frozenset((*map(squeeze, _SEGMENT.findall(folded)), *_RUN.findall(folded)))


def _is_long(word: str, address: str) -> bool:
    """Whether a word is a number as long as a person's, and no date or SNOMED CT module."""
    if not word.isdigit() or not _PERSONAL <= len(word) <= _ARCS_TOGETHER or _DAY.fullmatch(word):
        return False
    return "snomed.info/" not in address or _MODULE.fullmatch(word) is None


NOBODY = Publishers()
