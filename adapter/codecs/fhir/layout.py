"""Finds the positions of nodes in a JSON text, and the cuts that remove nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from adapter.codecs.fhir.json import TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.codecs.sourcemap import Change

_COMMA = re.compile(r"\s*,\s*")


class Layout:
    """Positions of a text's tokens: starts are found in one pass, ends on demand."""

    __slots__ = ("_closers", "_starts", "text")

    def __init__(self, text: str, start: int, closers: Mapping[int, int]) -> None:
        self.text = text
        self._starts = [found.start() for found in TOKEN.finditer(text, start)]
        self._closers = closers

    def value(self, token: int) -> tuple[int, int]:
        """Return the extent (start, end) of a value, quotes and brackets included."""
        found = self._token(token)
        return found.start(1 if found[1] else 0), self.end(token)

    def start(self, token: int) -> int:
        """Return the start of a member or item, its key included."""
        return self._starts[token]

    def end(self, token: int) -> int:
        """Return the end of a member or item."""
        return self._token(self._closers.get(token, token)).end()

    def _token(self, token: int) -> re.Match[str]:
        found = TOKEN.match(self.text, self._starts[token])
        assert found is not None
        return found

    def cuts(self, doomed: Mapping[int, int], count: int) -> list[Change]:
        """Return the cuts of members or items (index -> token) of an object or array of ``count``.

        Each cut includes the comma after it; cuts after the last kept item include the comma
        before.
        """
        last = next((i for i in range(count - 1, -1, -1) if i not in doomed), -1)
        found = [self._forward(token) for index, token in doomed.items() if index < last]
        tail = [token for index, token in sorted(doomed.items()) if index > last]
        if tail:
            low = self.start(tail[0])
            comma = low if last < 0 else self.text.rindex(",", 0, low)
            found.append((comma, self.end(tail[-1]), ""))
        return found

    def _forward(self, token: int) -> Change:
        comma = _COMMA.match(self.text, self.end(token))
        assert comma is not None
        return self.start(token), comma.end(), ""


def token_of(items: Any, opener: int, index: int) -> int:
    """Return the token number of item ``index`` of an array that token ``opener`` opens."""
    return opener + 1 + sum(map(_tokens_in, items[:index]))


def _tokens_in(node: Any) -> int:
    if type(node) is tuple:
        return 2 + sum(_tokens_in(value) for _, value in node)
    return 2 + sum(map(_tokens_in, node)) if type(node) is list else 1
