"""The surrogates of one message: every mention of it rendered, each value always the same way."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.errors import SurrogateError
from adapter.surrogates import contacts, identifiers, organisations
from adapter.surrogates.ages import age
from adapter.surrogates.dates import OLDEST, Calendar, is_time, parsed, typed
from adapter.surrogates.dates import age as years_between
from adapter.surrogates.dates_digits import digits
from adapter.surrogates.dates_text import rewrite
from adapter.surrogates.dates_tokens import UnreadableDateError
from adapter.surrogates.identifiers import distinct, identifier
from adapter.surrogates.localities import Localities
from adapter.surrogates.measures import BESIDE, is_measure, is_word
from adapter.surrogates.names import Names
from adapter.surrogates.people import PATIENT, People
from adapter.surrogates.styles import digits_of, like, squeezed
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from adapter.surrogates.dates_text import Custom
    from adapter.surrogates.keys import Key
    from adapter.surrogates.options import SurrogateOptions
    from adapter.surrogates.references import References
    from adapter.surrogates.tables import Tables
    from adapter.types import Extraction, Span, TextSegment

FIELD = "field"
"""Source of the spans that are a whole structured field; only these may be removed."""

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|www\.", re.IGNORECASE)
_MAIL = re.compile(r"[^@\s:/]+@[^@\s:/]+\.[a-z]{2,}", re.IGNORECASE)
_ALNUM = re.compile(r"[^\W_]")
_NUMERIC_DATE = re.compile(
    r"(?<![0-9/.-])([0-9]{1,2})[/.-]([0-9]{1,2})[/.-](?:[0-9]{4}|[0-9]{2})\b"
)
_LAST_MONTH = 12
_YEARS = range(1800, 2200)
NO_DATE = "[date]"
"""What stands for a mention of a date that cannot be read: no date is better than a false one."""
_CLOCKS = (4, 6)
"""Digits of a time of day written without a mark."""
_SOCIAL_DIGITS = 9
_BEHIND = 12
"""Characters behind an age in which its unit stands."""


class Cast:
    """Who plays whom in one message. Rendering is deterministic; spans come in text order."""

    def __init__(  # noqa: PLR0917 (made in one place only)
        self,
        key: Key,
        tables: Tables,
        options: SurrogateOptions,
        references: References,
        extraction: Extraction,
        real: frozenset[str],
        custom: Custom,
    ) -> None:
        self._custom = custom
        self._stays = options.stays
        self._key, self._tables, self._options = key, tables, options
        self._references, self._extraction, self._real = references, extraction, real
        self._people: dict[str, Names] = {}
        self._places: Localities | None = None
        self._calendars: dict[str, Calendar] = {}
        self._days: dict[tuple[str, str, str], str] = {}
        self._numbers: dict[tuple[str, bool], str] = {}
        self._customs: dict[str, Custom] = {}
        self._patients = {e.id: e.identity for e in extraction.entities if e.role == PATIENT}
        self._social = frozenset(
            squeezed(p.text) for p in extraction.phrases if p.label is Label.SSN
        )

    def render(self, text: str, span: Span, within: TextSegment | None = None) -> str | None:
        """What stands instead of a mention; None removes a field that cannot be rendered.

        ``text`` is the mention itself, ``within`` the segment it stands in: its datatype tells an
        instant from a date, its text the unit of an age and the city of a state. A mention of no
        letter or digit stays, as do ages up to 89, titles and what options say.

        Raises:
            SurrogateError: no safe surrogate exists.
        """
        if not text.isalnum() and _ALNUM.search(text) is None:
            return text
        if span.label in self._stays and self._may_stay(text, span, within):
            return text
        return _RENDERERS[span.label](self, text, span, within)

    def _may_stay(self, text: str, span: Span, within: TextSegment | None) -> bool:
        """Whether a value whose label stays is surely of it: a name taken for one must not.

        Fields are what they say. In text a date has a digit and can be read ("June" may be
        somebody), and a place is a known one.
        """
        if span.source == FIELD:
            return True
        if span.label is not Label.DATE:
            return self._localities().is_place(span.label, text)
        if not any(map(str.isdigit, text)):
            return False
        if self._typed(text.strip(), self._calendar(span, within), "") is not None:
            return True
        try:
            rewrite(
                self._calendar(span, within), text, self._writes(within.text if within else text)
            )
        except UnreadableDateError:
            return False
        return True

    def name(self, text: str, span: Span, within: TextSegment | None) -> str | None:
        """A person's name."""
        return self._names(within).render(text, span, within.text if within else "")

    def username(self, text: str, span: Span, within: TextSegment | None) -> str:
        """A user name: of the surrogate's name if it was of the person's."""
        built = self._names(within).username(text, span.entity)
        return built or self._drawn(contacts.username, text)

    def profession(self, text: str, _: Span, __: TextSegment | None) -> str:
        """A job."""
        return distinct(
            lambda n: organisations.profession(self._key, self._tables, text, n), text, self._real
        )

    def organisation(self, text: str, span: Span, _: TextSegment | None) -> str:
        """A hospital, organisation or named place; acronyms follow the full name."""
        if span.entity and span.form and "acronym" in span.form:
            for part, full in self._parts(span.entity):
                if part == "org":
                    return like(organisations.acronym(self._organisation(full)), text)
        return self._organisation(text)

    def street(self, text: str, _: Span, __: TextSegment | None) -> str:
        """A street or whole address."""
        return self._localities().street(text)

    def city(self, text: str, span: Span, within: TextSegment | None) -> str:
        """A city."""
        return self._localities().city(text, span, within)

    def state(self, text: str, span: Span, within: TextSegment | None) -> str:
        """A state; it may by chance be the real one where its city's row says so."""
        return self._localities().state(text, span, within)

    def zip(self, text: str, span: Span, within: TextSegment | None) -> str:
        """A postal code."""
        return self._localities().zip(text, span, within)

    def country(self, text: str, _: Span, __: TextSegment | None) -> str:
        """A country."""
        return self._localities().country(text)

    def age(self, text: str, span: Span, within: TextSegment | None) -> str:
        """An age."""
        if self._options.ages == "keep":
            return text
        behind = within.text[span.end : span.end + _BEHIND] if within else ""
        return age(text, behind, within.datatype if within else "")

    def day(self, text: str, span: Span, within: TextSegment | None) -> str | None:
        """A date; a field that is none is removed, a mention that is none becomes "[date]".

        A mention that is a measure ("120/80") stays: it is kept text, and checked for leaks.
        """
        datatype = within.datatype if within else ""
        place = self._subject(span, within), text, datatype
        if place in self._days:
            return self._days[place]
        if datatype.startswith(("TM", "time")) and is_time(text):
            return text
        core = text.strip()
        if core.isalpha() and within and self._is_word(core, span, within.text):
            return text
        new = self._typed(core, self._calendar(span, within), datatype)
        if new is None:
            new = self._written(core, span, within)
        elif core is text:
            self._days[place] = new
        return new if new is None or core is text else text.replace(core, new, 1)

    @staticmethod
    def _is_word(core: str, span: Span, text: str) -> bool:
        before = text[max(span.start - BESIDE, 0) : span.start]
        return is_word(core, before, text[span.end : span.end + BESIDE])

    def phone(self, text: str, span: Span, within: TextSegment | None) -> str:
        """A telephone, fax or pager number, or whatever address stands in a field for one."""
        if "@" in text and ":" not in text:
            return self.email(text, span, within)
        return self._drawn(contacts.url if _ADDRESS.match(text) else contacts.phone, text)

    def email(self, text: str, span: Span, within: TextSegment | None) -> str:
        """An e-mail address, of the surrogate's name if it was of the person's."""
        local = self._names(within).username(text.partition("@")[0], span.entity)
        return distinct(
            lambda n: contacts.email(self._key, text, None if n else local, n), text, self._real
        )

    def url(self, text: str, _: Span, __: TextSegment | None) -> str:
        """A web address, or a reference to a thing."""
        reference = self._references.rewrite(text, self._number)
        return reference or self._drawn(contacts.url, text)

    def network(self, text: str, _: Span, __: TextSegment | None) -> str:
        """An IP or hardware address."""
        return self._drawn(contacts.network_address, text)

    def social(self, text: str, _: Span, __: TextSegment | None) -> str:
        """A social security number, or its last digits."""
        digits = digits_of(text)
        for whole in self._social:
            if len(digits) < _SOCIAL_DIGITS == len(whole) and digits and whole.endswith(digits):
                new = digits_of(self._number(whole, social=True))
                return text.replace(digits, new[-len(digits) :])
        return self._number(text, social=len(digits) > 0)

    def identifier(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Any other number, an address that stands for one, or a reference to a thing."""
        if (text, False) in self._numbers:
            return self._numbers[text, False]
        if "@" in text and _MAIL.fullmatch(text):
            return self.email(text, span, within)
        return self._references.rewrite(text, self._number) or self._number(text)

    def other(self, text: str, span: Span, within: TextSegment | None) -> str:
        """What is like a number as a number; words are taken out."""
        if any(c.isdigit() for c in text):
            return self.identifier(text, span, within)
        return "[redacted]"

    def _number(self, text: str, *, social: bool = False) -> str:
        social = social or squeezed(text) in self._social
        place = text, social
        if place not in self._numbers:
            draw: Callable[[Key, str, int], str] = identifiers.social if social else identifier
            self._numbers[place] = self._drawn(draw, text)
        return self._numbers[place]

    def _drawn(self, draw: Callable[[Key, str, int], str], text: str) -> str:
        if _ALNUM.search(text) is None:
            return text
        return distinct(lambda attempt: draw(self._key, text, attempt), text, self._real)

    def _organisation(self, text: str) -> str:
        return distinct(
            lambda n: organisations.organisation(self._key, self._tables, text, n), text, self._real
        )

    def _parts(self, entity: str) -> tuple[tuple[str, str], ...]:
        return next((e.parts for e in self._extraction.entities if e.id == entity), ())

    def _names(self, within: TextSegment | None) -> Names:
        """Names in the part of the message that is about one patient."""
        subject = self._about(within)
        if subject not in self._people:
            extraction = replace(self._extraction, subject=subject or None)
            people = People(self._key, self._tables, extraction, self._real)
            self._people[subject] = Names(self._key, people)
        return self._people[subject]

    def _about(self, within: TextSegment | None) -> str:
        """Whom a place of the message is about: the identity of its patient, "" of nobody."""
        own = self._extraction.subjects.get(within.path) if within else None
        return own or self._extraction.subject or ""

    def _localities(self) -> Localities:
        if self._places is None:
            self._places = Localities(
                self._key, self._tables, self._options, self._extraction, self._real
            )
        return self._places

    def _written(self, text: str, span: Span, within: TextSegment | None) -> str | None:
        """A date in a layout of people."""
        calendar = self._calendar(span, within)
        custom = self._writes(within.text if within else text)
        order = "ymd" if span.source == FIELD else custom.order
        if new := digits(calendar, text, order):
            return new
        try:
            return rewrite(calendar, text, custom)
        except UnreadableDateError:
            if is_time(text) and (":" in text or len(text) in _CLOCKS):
                return text
            if span.source == FIELD:
                return None
            return text if is_measure(text) else NO_DATE

    @staticmethod
    def _typed(text: str, calendar: Calendar, datatype: str) -> str | None:
        """A date in a layout of HL7 or FHIR, or a time of day that looks like one."""
        if len(text) in (4, 6) and text.isdigit() and int(text[:4]) not in _YEARS:
            return None
        return typed(calendar, text, datatype)

    def _writes(self, text: str) -> Custom:
        """How a text writes dates: day first if more of them are surely so than not."""
        if text not in self._customs:
            pairs = [(int(a), int(b)) for a, b in _NUMERIC_DATE.findall(text)]
            days_first = sum(a > _LAST_MONTH >= b for a, b in pairs)
            days_second = sum(b > _LAST_MONTH >= a for a, b in pairs)
            custom = replace(self._custom, accents=not text.isascii())
            if days_first != days_second:
                custom = replace(custom, order="dmy" if days_first > days_second else "mdy")
            self._customs[text] = custom
        return self._customs[text]

    def _subject(self, span: Span, within: TextSegment | None) -> str:
        """Whose time a date is of: that of the patient who owns it, else of the place's."""
        if span.entity is not None and span.entity in self._patients:
            return self._patients[span.entity]
        return self._about(within)

    def _calendar(self, span: Span, within: TextSegment | None) -> Calendar:
        subject = self._subject(span, within)
        if subject not in self._calendars:
            self._calendars[subject] = self._calendar_of(subject)
        return self._calendars[subject]

    def _calendar_of(self, subject: str) -> Calendar:
        if not subject and self._options.unknown_subject == "hold":
            raise SurrogateError("no-subject")
        shift = self._options.shift(self._key, subject)
        reference = parsed(self._extraction.reference or "")
        calendar = Calendar(shift, reference, era=self._options.era)
        births = self._births(calendar.now()) if self._options.ages != "keep" else frozenset()
        return Calendar(shift, reference, births, self._options.era)

    def _births(self, now: date) -> frozenset[date]:
        texts = (t for e in self._extraction.entities for p, t in e.parts if p == "birthdate")
        births = (parsed(text) for text in texts)
        return frozenset(b for b in births if b and years_between(b, now) > OLDEST)


_RENDERERS: Mapping[Label, Callable[[Cast, str, Span, TextSegment | None], str | None]] = {
    Label.PATIENT: Cast.name,
    Label.DOCTOR: Cast.name,
    Label.USERNAME: Cast.username,
    Label.PROFESSION: Cast.profession,
    Label.HOSPITAL: Cast.organisation,
    Label.ORGANIZATION: Cast.organisation,
    Label.LOCATION_OTHER: Cast.organisation,
    Label.STREET: Cast.street,
    Label.CITY: Cast.city,
    Label.STATE: Cast.state,
    Label.COUNTRY: Cast.country,
    Label.ZIP: Cast.zip,
    Label.AGE: Cast.age,
    Label.DATE: Cast.day,
    Label.PHONE: Cast.phone,
    Label.FAX: Cast.phone,
    Label.EMAIL: Cast.email,
    Label.URL: Cast.url,
    Label.IPADDR: Cast.network,
    Label.SSN: Cast.social,
    Label.MEDICALRECORD: Cast.identifier,
    Label.HEALTHPLAN: Cast.identifier,
    Label.ACCOUNT: Cast.identifier,
    Label.LICENSE: Cast.identifier,
    Label.VEHICLE: Cast.identifier,
    Label.DEVICE: Cast.identifier,
    Label.BIOID: Cast.identifier,
    Label.IDNUM: Cast.identifier,
    Label.OTHER: Cast.other,
}
