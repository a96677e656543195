"""Where strings stand in a text as whole words: all of them in one pass over its words.

The time is that of the text's words and of what is found, however many strings are looked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_RUN = re.compile(r"[^\W_]+")
"""A run of letters and digits, as `str.isalnum` knows them."""


class Occurrence(NamedTuple):
    """Characters ``[start, end)`` of a text that are ``string``, or its form in capitals."""

    start: int
    end: int
    string: str


class Strings:
    """Strings to look for, each as it is or in capitals; what is in capitals also in lower case."""

    def __init__(self, strings: Iterable[str]) -> None:
        """Sort their forms by the first run of letters and digits; one without any is left out."""
        self._by_run: dict[str, list[tuple[int, str, str]]] = {}
        for string in strings:
            for form in sorted(_forms(string)):
                run = _RUN.search(form)
                if run is not None:
                    entry = (run.start(), form, string)
                    self._by_run.setdefault(run[0], []).append(entry)

    def within(self, text: str) -> Iterator[Occurrence]:
        """Yield where one of the strings stands as a whole word, in the order of the text."""
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
