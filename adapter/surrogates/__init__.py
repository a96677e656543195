"""Surrogates: keyed, deterministic replacements for every value that may not leave.

`compile_surrogates` joins tables, key and options; `Surrogates.renderer` gives the surrogates of
one message. Nothing here reads files, clocks or random numbers: the same message under the same key
gets the same surrogates on any host. Bounded memos of pure functions are the only state.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adapter.normalize.folding import squeeze
from adapter.surrogates.crosswalk import crosswalk
from adapter.surrogates.dates.written.text import Custom
from adapter.surrogates.drawing.keys import Codes, Key
from adapter.surrogates.drawing.tables import NAMES, Tables, compile_tables, localised
from adapter.surrogates.names.own_names import own_tables
from adapter.surrogates.names.persons import PATIENT
from adapter.surrogates.numbers.identifiers import distinct, identifier, numbers_of
from adapter.surrogates.options import SurrogateOptions, options_of
from adapter.surrogates.render import Renderer
from adapter.surrogates.uris.definitions import NONE_DEFINED, Definitions
from adapter.surrogates.uris.publishers import Publishers
from adapter.surrogates.uris.references import References

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.languages import Words
    from adapter.types import Extraction

__all__ = [
    "NAMES",
    "Codes",
    "Key",
    "Renderer",
    "SurrogateOptions",
    "Surrogates",
    "compile_surrogates",
    "crosswalk",
    "localised",
    "numbers_of",
    "options_of",
    "own_tables",
]


@dataclass(frozen=True, slots=True)
class Surrogates:
    """The key, options and tables from which one pseudonymisation domain's surrogates are drawn."""

    key: Key
    options: SurrogateOptions
    tables: Tables = field(repr=False)
    references: References = field(repr=False)

    def renderer(
        self,
        extraction: Extraction,
        real: frozenset[str],
        order: str = "",
        language: str = "",
        others: frozenset[str] = frozenset(),
    ) -> Renderer:
        """Return the renderer of one message; no surrogate may equal a squeezed value in ``real``.

        ``order`` is the date order of the message's language, "dmy" or "mdy"; the default is that
        of the message's country, else that of the options. ``others`` are squeezed given names of
        people whom no field has, and who are nobody whose name is like theirs.

        Raises:
            SurrogateError: the store of random codes does not answer.
        """
        own = self._with_random_identities(extraction) if self.key.codes else extraction
        order = order or self._order(extraction)
        custom = Custom(self.tables.words, order, language)
        return Renderer(
            self.key, self.tables, self.options, self.references, own, real, custom, others
        )

    def _order(self, extraction: Extraction) -> str:
        """Return the date order of the country of a message or, failing that, of its patients."""
        parts = (pair for e in extraction.entities if e.role == PATIENT for pair in e.parts)
        countries = (extraction.country, *(text for part, text in parts if part == "country"))
        orders = (self.tables.date_orders.get(squeeze(text)) for text in countries if text)
        return next((o for o in orders if o and o != "any"), self.options.date_order)

    def _with_random_identities(self, extraction: Extraction) -> Extraction:
        """Return the extraction with patients' identities replaced by their random codes."""
        entities = tuple(
            replace(e, identity=self.key.person(e.identity)) if e.role == PATIENT else e
            for e in extraction.entities
        )
        subject = extraction.subject and self.key.person(extraction.subject)
        subjects = {path: self.key.person(own) for path, own in extraction.subjects.items()}
        return replace(extraction, entities=entities, subject=subject, subjects=subjects)

    def identifier(self, text: str) -> str:
        """Return the surrogate that a number outside messages (a record's key) has within them.

        Raises:
            SurrogateError: the number has no surrogate candidate left.
        """
        return self.references.rewrite(text, self._number) or self._number(text)

    def settle(self) -> None:
        """Ensure that the codes of all surrogates so far survive a power failure.

        Raises:
            SurrogateError: the store of random codes does not answer.
        """
        if self.key.codes is not None:
            self.key.codes.settle()

    def days_between(self, before: str, now: str) -> int | None:
        """Return the difference of two subjects' shifts in days, or None if dates are not shifted.

        Raises:
            SurrogateError: the store of random codes does not answer.
        """
        persons = (self.key.person(subject) for subject in (before, now))
        one, other = (self.options.shift(self.key, person) for person in persons)
        return None if one is None or other is None else other - one

    def _number(self, text: str) -> str:
        if not squeeze(text):
            return text
        return distinct(lambda attempt: identifier(self.key, text, attempt), text)


def compile_surrogates(  # noqa: PLR0917 (made in one place only)
    tables: Mapping[str, tuple[str, ...]],
    words: Words,
    key: Key,
    options: SurrogateOptions | Mapping[str, Any],
    publishers: Mapping[str, frozenset[str]] | None = None,
    definitions: Definitions = NONE_DEFINED,
) -> Surrogates:
    """Combine the surrogate tables with the key and the options.

    ``tables`` maps each name to the lines of ``rules/surrogates/<name>/items.txt``; ``words`` are
    the words of all languages. Options may be a profile's ``[surrogates]`` table. ``publishers``
    lists the publishers whose addresses stay, by default none. ``definitions`` are the resource
    types whose ids may stay.

    Raises:
        RuleError: a table is missing or empty, or an option cannot be honoured.
    """
    compiled = compile_tables(tables, words)
    wishes = options if isinstance(options, SurrogateOptions) else options_of(options)
    resources = frozenset(name.lower() for name in compiled.resources)
    key = replace(key, words=compiled.number_words | resources)
    known = Publishers.of(publishers or {})
    references = References(key, compiled.resources, known, definitions)
    return Surrogates(key, wishes, compiled, references)
