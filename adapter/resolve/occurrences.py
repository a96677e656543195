"""The search for many strings in a text as whole words, in one pass over its words.

The running time depends on the text's words and on the occurrences, not on the number of strings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_RUN = re.compile(r"[^\W_]+")
"""A run of letters and digits, as `str.isalnum` defines them."""


class Occurrence(NamedTuple):
    """Characters ``[start, end)`` of a text that are ``string`` or its form in another case."""

    start: int
    end: int
    string: str

    def __repr__(self) -> str:
        """Show no text."""
        return "Occurrence()"


class Strings:
    """Strings to search for: each as given, in capitals, and in title case if given in capitals."""

    def __init__(self, strings: Iterable[str]) -> None:
        """Index forms by their first run of letters and digits; strings without one are omitted."""
        self._by_run: dict[str, list[tuple[int, str, str]]] = {}
        for string in strings:
            for form in sorted(_forms(string)):
                run = _RUN.search(form)
                if run is not None:
                    entry = (run.start(), form, string)
                    self._by_run.setdefault(run[0], []).append(entry)

    def within(self, text: str) -> Iterator[Occurrence]:
        """Yield the occurrences of the strings as whole words, in the order of the text."""
        for match in _RUN.finditer(text):
            for offset, form, string in self._by_run.get(match[0], ()):
                start = match.start() - offset
                if start >= 0 and text.startswith(form, start) and _whole(text, start, form):
                    yield Occurrence(start, start + len(form), string)


def _forms(string: str) -> set[str]:
    return {string, string.upper(), string.title() if string.isupper() else string}


def _whole(text: str, start: int, form: str) -> bool:
    end = start + len(form)
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())
