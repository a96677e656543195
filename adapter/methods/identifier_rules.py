"""Rules `identifier: value` -> label, learned from annotated texts (Saluja 2019, baseline).

The words before a colon and a mention become an identifier of the mention's type. In other texts
the value after an identifier, up to the next identifier or the end of its line or clause, is a
mention of the type that was most frequent there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from adapter.errors import RuleError
from adapter.methods.protocol import PRIORITY, label_of
from adapter.normalize.folding import fold
from adapter.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.protocol import Resources
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex

SOURCE = "identifier-rules"
FILE = "identifiers.tsv"
LEAST = 0.5
"""Least share of an identifier's values that are mentions of one type."""
_IDENTIFIER = regex.compile(
    r"(?m)(?:^|[.,;)]|\s)[^\S\n]*([^\W\d][^\n\t\r\v\f\x1c-\x1e\x85\u2028\u2029:.,;]{0,40}?)[^\S\n]*:[^\S\n]*"
)
_END = regex.compile(r"\n|[.;](?:\s|\Z)")
_WORDS = 4
"""Most words of an identifier."""


class IdentifierRules:
    """Learns identifiers and their types."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Identifiers:
        """Count the types of values after each identifier, and keep the most frequent."""
        del resources
        seen: dict[str, Counter[str]] = {}
        for text in texts:
            types = {mention.start: mention.type for mention in text.mentions}
            for name, start in _before_colons(fold(text.text)):
                seen.setdefault(name, Counter())[types.get(start, "")] += 1
        best = {name: counts.most_common(1)[0] for name, counts in seen.items()}
        return Identifiers(
            {
                name: kind
                for name, (kind, count) in sorted(best.items())
                if kind and count >= LEAST * seen[name].total()
            }
        )

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Identifiers:
        """Return the identifiers of a model's files."""
        del resources
        try:
            rows = [line.split("\t") for line in files[FILE].decode("utf-8").splitlines()]
            found = {name: kind for name, kind in rows}  # noqa: C416 - checks that rows are pairs
            for kind in found.values():
                label_of(kind)
        except (KeyError, ValueError):
            raise RuleError(FILE, "is not a table of identifiers and types") from None
        return Identifiers(found)


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Learned rules; ``types`` maps a folded identifier to its type."""

    types: Mapping[str, str] = field(repr=False)
    trusting: bool = False

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return the values after known identifiers."""
        del phrases
        found = [(name, at) for name, at in _before_colons(document.folded) if name in self.types]
        for place, (name, start) in enumerate(found):
            until = found[place + 1][1] if place + 1 < len(found) else len(document.text)
            end = _end(document.folded, start, until, found[place + 1 : place + 2])
            if end > start:
                kind = label_of(self.types[name])
                yield Span(start, end, kind, SOURCE, priority=PRIORITY)

    def files(self) -> Mapping[str, bytes]:
        """Return a file of lines "identifier TAB type"."""
        rows = (f"{name}\t{kind}\n" for name, kind in self.types.items())
        return {FILE: "".join(rows).encode()}


def _before_colons(folded: str) -> Iterator[tuple[str, int]]:
    """Yield (words before a colon, start of its value), for all possible numbers of words."""
    for match in _IDENTIFIER.finditer(folded, overlapped=True):
        name = match[1]
        if name.count(" ") < _WORDS:
            yield name, match.end()


def _end(folded: str, start: int, until: int, following: Sequence[tuple[str, int]]) -> int:
    """Return the end of a value: before the next identifier, or at the end of line or clause."""
    if following:
        until = max(start, folded.rfind(following[0][0], start, until))
    stop = _END.search(folded, start, until)
    end = stop.start() if stop else until
    return start + len(folded[start:end].rstrip(" .,;"))
