"""New places and organisations of one text: distinctive words are redrawn, generic words kept.

"Two Harbors Family Clinic" becomes "Ashby Family Clinic", and later "Two Harbors" becomes "Ashby".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import squeeze
from adapter.surrogates.case import like
from adapter.train.augment.names import new_name
from adapter.train.augment.templates import filled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from adapter.train.augment.tables import Tables

PLACE_TYPES = frozenset({"STREET", "HOSPITAL", "ORGANIZATION", "LOCATION-OTHER", "LOCATION"})
"""Types of mentions replaced word by word."""
_TOKEN = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*|\d+")
_COMPOSED = 0.3
_ACRONYM = range(2, 6)
_COUNTRY_FORMS = {"us", "usa", "u.s.", "uk", "uae", "s"}
_COMPOUND = regex.compile(
    r"(?i)(?<=\p{L}{3})(straße|strasse|str|weg|gasse|platz|allee|ring|damm|ufer|pfad|klinik|klinikum"
    r"|krankenhaus|spital)$"
)
_COMPOSE = {"HOSPITAL": "hospital", "ORGANIZATION": "organization", "STREET": "street"}
_SAINTS = frozenset("st saint san santa sant sankt".split())
_KINDS = {
    "SAINT": ("given",),
    "STREET": ("family", "family", "given", "city", "word"),
    "HOSPITAL": ("family", "city", "city", "given", "word"),
    "ORGANIZATION": ("family", "city", "family", "word"),
    "LOCATION-OTHER": ("city", "family", "word"),
    "LOCATION": ("city",),
}


class Places:
    """Renames the places of one text."""

    def __init__(self, tables: Tables, rng: Random) -> None:
        self._tables, self._rng = tables, rng
        self._known: dict[str, str] = {}
        self._shared: set[str] = set()

    def learn(self, texts: Iterable[str]) -> None:
        """Collect the distinctive words that occur in more than one mention of a place."""
        seen: set[str] = set()
        for text in sorted(set(map(str.lower, texts))):
            words = {squeeze(w) for w in _TOKEN.findall(text)} - self._tables.generic
            self._shared |= seen & words
            seen |= words

    def render(self, text: str, kind: str) -> str:
        """Return the mention with distinctive words replaced, or a new name if none are shared."""
        words = [squeeze(w) for w in _TOKEN.findall(text)]
        free = len(words) > 1 and not {*words} & (self._shared | self._known.keys())
        if free and kind in _COMPOSE and self._rng.random() < _COMPOSED:
            return like(" ".join(self.composed(_COMPOSE[kind]).split()), text)
        if len(words) == 1 and text.isupper() and len(text) in _ACRONYM and kind != "STREET":
            return self._acronym(text)
        new = self._replaced(text, kind)
        if new == text and kind in _COMPOSE:
            return like(self._other(text, kind), text)
        return new

    def _other(self, text: str, kind: str) -> str:
        """Return a new name for one of generic words ("Mercy Point Hospital"), always the same."""
        key = f"whole {squeeze(text)}"
        if key not in self._known:
            self._known[key] = " ".join(self.composed(_COMPOSE[kind]).split())
        return self._known[key]

    def composed(self, kind: str) -> str:
        """Return a new "hospital", "organization" or "street" from one of the templates."""
        return filled(self._rng.choice(self._tables.templates[kind]), self._slot, self._rng)

    def _slot(self, name: str) -> str:
        if name.startswith("#"):
            drawn = "".join(str(self._rng.randrange(10)) for _ in name)
            return str(self._rng.randint(1, 9)) + drawn[1:]
        return self.word(name)

    def word(self, kind: str) -> str:
        """Return a random "family" or "given" name, "city", "state" or ordinary "word"."""
        tables = self._tables
        if kind == "state" and tables.states:
            return self._rng.choice(tables.states)[1]
        if kind == "word" and tables.traps["family"]:
            return tables.write(self._rng.choice(tables.traps["family"]))
        if kind in ("family", "given"):
            return new_name(kind, tables, self._rng)
        if tables.towns and self._rng.random() < 0.75:  # noqa: PLR2004 (most are of the country)
            return self._rng.choice(tables.towns)
        return tables.write(tables.pools["city"].draw(self._rng, 0.6), self._rng)

    def _replaced(self, text: str, kind: str) -> str:
        """Return the mention with each run of adjacent distinctive words replaced by one name."""
        pieces: list[str] = []
        run: list[regex.Match[str]] = []
        place = 0
        for match in [*_TOKEN.finditer(text), None]:
            if match and self._tells(match[0]):
                run.append(match)
                continue
            if run:
                before = text[: run[0].start()].lower().rstrip(". ").rpartition(" ")[2]
                named = "SAINT" if before in _SAINTS else kind
                new = self._named([m[0] for m in run], named, capitals=text.isupper())
                pieces += text[place : run[0].start()], new
                place, run = run[-1].end(), []
            if match and match[0].isdigit():
                pieces += text[place : match.start()], self._number(match[0], text[match.end() :])
                place = match.end()
        return "".join((*pieces, text[place:]))

    def _tells(self, word: str) -> bool:
        return len(word) > 1 and word[0].isalpha() and squeeze(word) not in self._tables.generic

    def _number(self, digits: str, after: str) -> str:
        """Return a new house number; ordinals ("54th") and halves ("1/2") are kept."""
        if after[:2].lower() in ("st", "nd", "rd", "th") or after[:1] == "/" or len(digits) > 5:  # noqa: PLR2004
            return digits
        key = f"number {digits}"
        if key not in self._known:
            first = str(self._rng.randint(1, 9))
            rest = "".join(str(self._rng.randrange(10)) for _ in digits[1:])
            self._known[key] = first + rest
        return self._known[key]

    def _named(self, words: list[str], kind: str, *, capitals: bool) -> str:
        keys = [squeeze(w) for w in words]
        shown = " ".join(words)
        if any(key in self._known for key in keys):
            known = dict.fromkeys(self._known[key] for key in keys if key in self._known)
            return like(" ".join(known), shown)
        if len(words) == 1 and shown.isupper() and len(shown) in _ACRONYM and not capitals:
            return self._acronym(shown)
        if found := _COMPOUND.search(words[-1]):
            new = self.word("family") + found[0]
        else:
            new = self.word(self._rng.choice(_KINDS.get(kind, ("city",))))
        parts = new.split()
        even = len(parts) == len(keys)
        for place, key in enumerate(keys):
            self._known[key] = parts[place] if even else new
        return like(new, shown)

    def _acronym(self, text: str) -> str:
        key = squeeze(text)
        if key not in self._known:
            size = max(2, len(text) + self._rng.choice((-1, 0, 0, 1)))
            letters = self._rng.choices("ABCDEFGHJKLMNPRSTUVW", k=size)
            if self._rng.random() < 0.4:  # noqa: PLR2004 (hospital, medical centre)
                letters[-1:] = self._rng.choice(("H", "MC", "C", "GH"))
            self._known[key] = "".join(letters)
        return self._known[key]

    def city(self, text: str) -> str:
        """Return another town."""
        if "," in text:
            town, comma, rest = text.partition(",")
            return f"{self.city(town)}{comma}{self._after(rest)}"
        key = f"city {squeeze(text)}"
        if text.isupper() and len(text) <= 3:  # noqa: PLR2004 ("SF")
            return self._acronym(text)
        if key not in self._known:
            new = self._known.get(squeeze(text)) or self.word("city")
            self._known[key] = new
            self._known.setdefault(squeeze(text), new)
        return like(self._known[key], text)

    def _after(self, rest: str) -> str:
        lead = rest[: len(rest) - len(rest.lstrip())]
        return lead + (self.state(rest.strip()) if rest.strip() else "")

    def state(self, text: str) -> str:
        """Return another state in the same form: an abbreviation or a name."""
        key = f"state {squeeze(text)}"
        if key in self._known:
            return like(self._known[key], text)
        codes = {code.lower(): (code, name) for code, name in self._tables.states}
        names = {squeeze(name): (code, name) for code, name in self._tables.states}
        old = codes.get(squeeze(text)) or names.get(squeeze(text))
        if old:
            new = self._rng.choice(self._tables.states)
            self._known[f"state {old[0].lower()}"] = new[0]
            self._known[f"state {squeeze(old[1])}"] = new[1]
        elif self._tables.pools["state"].items:
            self._known[key] = self._tables.write(self._tables.pools["state"].draw(self._rng, 0.0))
        else:
            self._known[key] = self.word("city")
        return like(self._known[key], text)

    def country(self, text: str) -> str:
        """Return another country; two or three capitals are replaced by others."""
        key = f"country {squeeze(text)}"
        if key not in self._known:
            new = self._tables.write(self._tables.pools["country"].draw(self._rng, 0.0))
            new = new.upper() if len(new) <= 3 else new  # noqa: PLR2004 ("usa")
            if text.lower() in _COUNTRY_FORMS and self._rng.random() < 0.7:  # noqa: PLR2004
                new = self._rng.choice(("US", "UK", "USA", "U.S.", "UAE", "U.S.A."))
            self._known[key] = new
        return like(self._known[key], text) if len(text) > 3 else self._known[key]  # noqa: PLR2004
