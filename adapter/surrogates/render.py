"""The renderer of one message's surrogates, which renders each value consistently."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from adapter.checkdigits import digits_of
from adapter.normalize.folding import squeeze
from adapter.surrogates import contacts
from adapter.surrogates.case import like
from adapter.surrogates.dates.ages import age
from adapter.surrogates.dates.extent import runs
from adapter.surrogates.dates.message_dates import Days
from adapter.surrogates.identifying import identifying_values
from adapter.surrogates.names.coreference import People
from adapter.surrogates.names.mentions import Names
from adapter.surrogates.names.persons import Persons
from adapter.surrogates.numbers import identifiers
from adapter.surrogates.numbers.identifiers import distinct, identifier
from adapter.surrogates.places import organisations
from adapter.surrogates.places.localities import Localities
from adapter.types import FIELD_SOURCE, Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.surrogates.dates.written.text import Custom
    from adapter.surrogates.drawing.keys import Key
    from adapter.surrogates.drawing.tables import Tables
    from adapter.surrogates.options import SurrogateOptions
    from adapter.surrogates.uris.references import References
    from adapter.types import Extraction, Span, TextSegment

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|www\.", re.IGNORECASE)
_CALLED = re.compile(
    r"(?:\+?1[-. ])?(?:(?P<area>\([2-9]\d\d\))[-. ]?|[2-9]\d\d[-. /])\d{3}[-. ]\d{4}"
    r"(?P<desk>,? [A-Za-z][A-Za-z ]{1,20})?"
)
"""A North American telephone number, perhaps followed by the desk that answers."""
_MAIL = re.compile(r"[^@\s:/]+@[^@\s:/]+\.[a-z]{2,}", re.IGNORECASE)
CANONICAL = "canonical"
"""The datatype of addresses of definitions."""
_REFERENCE = "{reference}"
"""Form of a field that holds the address of a resource."""
_ALNUM = re.compile(r"[^\W_]")
_SOCIAL_DIGITS = 9
_BEHIND = 12
"""Characters after an age that are searched for its unit."""
_POSTAL = re.compile(
    r"(?=.{0,9}\d)(?:[A-Za-z]{1,2}[ -])?[A-Za-z0-9]{2,5}(?:[ -]?[A-Za-z0-9]{1,4})?"
)
"""Postal codes of any country."""
_TOWN = re.compile(r"(?:[^\W\d_]|[ .,'\u2019()/&-]){1,80}")
_PARTS = re.compile(r"[^\w]+")
_BLANKS = re.compile(r"(\s+)")
_WRITTEN = frozenset(Label) - frozenset(
    (Label.EMAIL, Label.URL, Label.IPADDR, Label.IDNUM, Label.MEDICALRECORD)
)
"""Kinds of mentions that are no addresses, but may be sent in the place of one."""
_CONTACTS = frozenset((Label.USERNAME, Label.PHONE, Label.FAX))


class Renderer:
    """Renders the mentions of one message, deterministically; spans must come in text order."""

    def __init__(  # noqa: PLR0917 (made in one place only)
        self,
        key: Key,
        tables: Tables,
        options: SurrogateOptions,
        references: References,
        extraction: Extraction,
        real: frozenset[str],
        custom: Custom,
        others: frozenset[str] = frozenset(),
    ) -> None:
        self._others = others
        self._days = Days(key, options, extraction, custom)
        self._stays = options.stays
        self._language = custom.language
        self._key, self._tables, self._options = key, tables, options
        self._references, self._extraction, self._real = references, extraction, real
        self._people: dict[str, Names] = {}
        self._persons: Persons | None = None
        self._places: Localities | None = None
        self._numbers: dict[tuple[str, bool], str] = {}
        self._addresses: dict[tuple[str, bool], str] = {}
        self._identifying = identifying_values(extraction, real)
        self._social = frozenset(
            squeeze(p.text) for p in extraction.phrases if p.label is Label.SSN
        )

    def render(
        self,
        text: str,
        span: Span,
        within: TextSegment | None = None,
        run: tuple[int, int] | None = None,
    ) -> str | None:
        """Return the replacement of a mention; None removes a field that cannot be rendered.

        ``text`` is the mention itself. ``within`` is the segment that contains it: its datatype
        distinguishes instants from dates, and its text shows the unit of an age and the city of a
        state. ``run`` is the extent in that text of the range or list of dates that the mention
        belongs to. A mention without letters or digits stays, as do ages up to 89, titles and
        whatever the options keep.

        Raises:
            SurrogateError: no safe surrogate exists.
        """
        if not text.isalnum() and _ALNUM.search(text) is None:
            return text
        if span.label in self._stays and self._may_stay(text, span, within):
            return text
        if span.label is Label.DATE:
            return self._days.render(text, span, within, run)
        written = span.label in _WRITTEN and "." in text
        draw = Renderer._without_addresses if written else _RENDERERS[span.label]
        new = draw(self, text, span, within)
        return contacts.reserved(new) if new and "@" in text and "/" not in text else new

    def _without_addresses(self, text: str, span: Span, within: TextSegment | None) -> str | None:
        """Return the surrogate of a mention in which addresses become addresses.

        A host of two labels in a country's domain ("j.li") is one only in a field of contacts.
        """
        draw = _RENDERERS[span.label]
        if "@" in text and _MAIL.fullmatch(text.strip()):
            return self.email(text, span, within)
        dots = 1 if span.label in _CONTACTS and span.source == FIELD_SOURCE else 2
        if not any(self._references.is_located(word, dots) for word in text.split()):
            return draw(self, text, span, within)
        located = self._references.is_located
        pieces = []
        for piece in _BLANKS.split(text):
            new = self.url(piece, span, within) if located(piece, dots) else piece
            if new == piece and _ALNUM.search(piece):  # also an address that all publish at
                new = draw(self, piece, span, within)
            pieces.append(new or "")
        return "".join(pieces)

    def meet(self, segment: TextSegment, spans: Iterable[Span]) -> None:
        """Take note of whom a segment calls a doctor; all segments are met before any is rendered.

        Fields say who is staff by themselves.
        """
        for span in spans:
            if span.label is Label.DOCTOR and span.source != FIELD_SOURCE:
                text = segment.text[span.start : span.end]
                self._names(segment).meet(text, span, segment.text)

    def reach(self, segment: TextSegment, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """Return a scanned text's spans, extended over the text that is rewritten with them."""
        return self._days.reach(segment, spans)

    def runs(self, text: str, spans: Sequence[Span]) -> Mapping[int, tuple[int, int]]:
        """Map the start of each mention in a range or list of dates to the extent of the whole."""
        return runs(text, spans, self._tables.words)

    def _may_stay(self, text: str, span: Span, within: TextSegment | None) -> bool:
        """Whether a value surely has the label that the options keep; a mislabelled name must go.

        In text a date must have a digit and be readable ("June" may be a person), and a place must
        be known. A date in a field must be one that could be rewritten, a postal code must look
        like one, and a region must be known. No table lists all towns, so the town of a field may
        be any words that name nobody in the message.
        """
        field = span.source == FIELD_SOURCE
        match span.label:
            case Label.DATE if field:
                return self._days.render(text, span, within, None) is not None
            case Label.DATE:
                return self._days.is_readable(text, span, within)
            case Label.ZIP if field:
                return _POSTAL.fullmatch(text.strip()) is not None
            case Label.CITY if not self._is_town(text):
                return False
            case Label.CITY if field:
                return True
        return self._localities().is_place(span.label, text, field=field)

    def _is_town(self, text: str) -> bool:
        """Whether a text may be a town: only words, none of which names anybody in the message.

        A town listed in the tables may contain such a name.
        """
        if _TOWN.fullmatch(text.strip()) is None:
            return False
        listed = squeeze(text) in self._tables.city_states
        return listed or not any(squeeze(word) in self._identifying for word in _PARTS.split(text))

    def name(self, text: str, span: Span, within: TextSegment | None) -> str | None:
        """Return the surrogate of a person's name; None removes an unknown title."""
        return self._names(within).render(text, span, within.text if within else "")

    def username(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return a user name, made of the surrogate name if the original contains the person's."""
        built = self._names(within).username(text, span.entity)
        return built or self._drawn(contacts.username, text)

    def profession(self, text: str, _: Span, within: TextSegment | None) -> str:
        """Return another occupation, without accents if the text around has none."""
        ascii_only = within is not None and within.text.isascii()
        like_it = partial(organisations.profession, self._key, self._tables, text)
        draw = partial(like_it, language=self._language, ascii_only=ascii_only)
        return distinct(draw, text, self._real)

    def organisation(self, text: str, span: Span, _: TextSegment | None) -> str:
        """Return the surrogate of an organisation or named place; acronyms follow the full name."""
        if span.entity and span.form and "acronym" in span.form:
            for part, full in self._parts(span.entity):
                if part == "org":
                    return like(
                        organisations.acronym(self._organisation(full), self._tables.words), text
                    )
        return self._organisation(text)

    def street(self, text: str, _: Span, __: TextSegment | None) -> str:
        """Return the surrogate of a street or a whole address."""
        return self._localities().street(text)

    def city(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return the surrogate of a city."""
        return self._localities().city(text, span, within)

    def state(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return the state of the surrogate city, which may by chance be the real state."""
        return self._localities().state(text, span, within)

    def zip(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return the surrogate of a postal code."""
        return self._localities().zip(text, span, within)

    def country(self, text: str, _: Span, __: TextSegment | None) -> str:
        """Return the surrogate of a country."""
        return self._localities().country(text)

    def age(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return an age, which is capped at 90 unless the options keep ages."""
        if self._options.ages == "keep":
            return text
        behind = within.text[span.end : span.end + _BEHIND] if within else ""
        return age(text, self._tables.words, behind, within.datatype if within else "")

    def phone(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return the surrogate of a telephone, fax or pager number, or of an address instead."""
        if "@" in text and ":" not in text:
            return self.email(text, span, within)
        if _ADDRESS.match(text):
            return self.url(text, span, within)
        return self._called(contacts.phone, text)

    def email(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return an e-mail address, made of the surrogate name if the original has the person's."""
        local = self._names(within).username(text.partition("@")[0], span.entity)
        return distinct(
            lambda n: contacts.email(self._key, text, None if n else local, n), text, self._real
        )

    def url(self, text: str, _: Span, within: TextSegment | None) -> str:
        """Return the surrogate of a URL, a system's name, or a reference to a resource."""
        if contacts.is_contact(text):
            return self._called(contacts.contact, text)
        canonical = within is not None and within.datatype == CANONICAL
        if (text, canonical) not in self._addresses:
            new = self._addressed(text, located=False, canonical=canonical)
            self._addresses[text, canonical] = new
        return self._addresses[text, canonical]

    def _addressed(self, text: str, *, located: bool, canonical: bool = False) -> str:
        """Return the surrogate of an address, with another host if the first is a real value."""
        references = self._references
        address = partial(references.address, text, self._number, self._identifying)
        new = address(located=located, canonical=canonical)
        if new == text or squeeze(new) not in self._real:
            return new
        address = partial(references.redrawn(1).address, text, self._number, self._identifying)
        return address(located=located, canonical=canonical)

    def network(self, text: str, _: Span, __: TextSegment | None) -> str:
        """Return the surrogate of an IP or hardware address."""
        return self._drawn(contacts.network_address, text)

    def social(self, text: str, _: Span, __: TextSegment | None) -> str:
        """Return the surrogate of a social security number, or of its last digits."""
        digits = digits_of(text)
        for whole in self._social:
            short = len(digits) < _SOCIAL_DIGITS == len(whole) and whole.isdigit()
            if short and digits and digits in text and whole.endswith(digits):
                new = digits_of(self._number(whole, social=True))
                return text.replace(digits, new[-len(digits) :])
        return self._number(text, social=len(digits) > 0)

    def identifier(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return the surrogate of any other number, an address used as one, or a reference.

        A telephone number becomes a telephone number, so that its digits agree everywhere.
        """
        if _is_called(text, span.entity or ""):
            return self._called(contacts.phone, text)
        if (text, False) in self._numbers:
            return self._numbers[text, False]
        if "@" in text and _MAIL.fullmatch(text):
            return self.email(text, span, within)
        if span.form == _REFERENCE:
            return self._addressed(text, located=True)
        if self._references.is_located(text):
            return self._addressed(text, located=False)
        return self._references.rewrite(text, self._number, self._identifying) or self._number(text)

    def other(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return a text with digits rendered as a number; other text becomes "[redacted]"."""
        if any(c.isdigit() for c in text):
            return self.identifier(text, span, within)
        return "[redacted]"

    def _number(self, text: str, *, social: bool = False) -> str:
        social = social or squeeze(text) in self._social
        place = text, social
        if place not in self._numbers:
            draw: Callable[[Key, str, int], str] = identifiers.social if social else identifier
            self._numbers[place] = self._drawn(draw, text)
        return self._numbers[place]

    def _drawn(self, draw: Callable[[Key, str, int], str], text: str) -> str:
        if _ALNUM.search(text) is None:
            return text
        return distinct(lambda attempt: draw(self._key, text, attempt), text, self._real)

    def _called(self, draw: Callable[[Key, FieldWords, str, int], str], text: str) -> str:
        fields = self._tables.words.fields
        return self._drawn(lambda key, own, attempt: draw(key, fields, own, attempt), text)

    def _organisation(self, text: str) -> str:
        return distinct(
            lambda n: organisations.organisation(self._key, self._tables, text, n), text, self._real
        )

    def _parts(self, entity: str) -> tuple[tuple[str, str], ...]:
        return next((e.parts for e in self._extraction.entities if e.id == entity), ())

    def _names(self, within: TextSegment | None) -> Names:
        """Return the renderer of names for the part of the message about one patient."""
        subject = self._days.about(within)
        if subject not in self._people:
            if self._persons is None:
                self._persons = Persons(self._key, self._tables, self._extraction, self._real)
            people = People(self._persons, subject or self._persons.first)
            self._people[subject] = Names(self._key, people, self._others)
        return self._people[subject]

    def _localities(self) -> Localities:
        if self._places is None:
            self._places = Localities(
                self._key, self._tables, self._options, self._extraction, self._real
            )
        return self._places


_RENDERERS: Mapping[Label, Callable[[Renderer, str, Span, TextSegment | None], str | None]] = {
    Label.PATIENT: Renderer.name,
    Label.DOCTOR: Renderer.name,
    Label.USERNAME: Renderer.username,
    Label.PROFESSION: Renderer.profession,
    Label.HOSPITAL: Renderer.organisation,
    Label.ORGANIZATION: Renderer.organisation,
    Label.LOCATION_OTHER: Renderer.organisation,
    Label.STREET: Renderer.street,
    Label.CITY: Renderer.city,
    Label.STATE: Renderer.state,
    Label.COUNTRY: Renderer.country,
    Label.ZIP: Renderer.zip,
    Label.AGE: Renderer.age,
    Label.PHONE: Renderer.phone,
    Label.FAX: Renderer.phone,
    Label.EMAIL: Renderer.email,
    Label.URL: Renderer.url,
    Label.IPADDR: Renderer.network,
    Label.SSN: Renderer.social,
    Label.MEDICALRECORD: Renderer.identifier,
    Label.HEALTHPLAN: Renderer.identifier,
    Label.ACCOUNT: Renderer.identifier,
    Label.LICENSE: Renderer.identifier,
    Label.VEHICLE: Renderer.identifier,
    Label.DEVICE: Renderer.identifier,
    Label.BIOID: Renderer.identifier,
    Label.IDNUM: Renderer.identifier,
    Label.OTHER: Renderer.other,
}


def _is_called(text: str, entity: str) -> bool:
    """Whether a text is a telephone number with bracketed area code or desk, or of a facility."""
    found = _CALLED.fullmatch(text)
    return found is not None and bool(
        found["area"] or found["desk"] or entity.startswith("facility")
    )
