"""New values for numbers, contacts, ages and jobs of one text; equal values stay equal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze
from adapter.surrogates.case import like
from adapter.train.augment.dates import age_in_words

if TYPE_CHECKING:
    from random import Random

    from adapter.train.augment.names import Renaming
    from adapter.train.augment.tables import Tables

ID_TYPES = frozenset(
    "MEDICALRECORD ACCOUNT HEALTHPLAN IDNUM LICENSE DEVICE VEHICLE BIOID ID".split()
)
"""Types whose layout may be redrawn."""
_FORMATS = (
    *("######", "#######", "########", "##-##-###", "###-##-##", "@######", "@@######", "@@-#####"),
    *("####-##", "@##-#####", "@@@-####", "##-####", "#########", "### ### ###", "@#######"),
    *("##########", "@@##-#####", "###-####", "@@@#########", "####-#####-##", "#@#-@@#-@@##"),
    *("@@-####-###", "@##-####", "@-######", "##@#####", "####", "#####", "@@@@####"),
    "@#### ## ######",
)  # fmt: skip
_AREA = 10
_LETTERS, _VOWELS = "ABCDEFGHJKLMNPRSTUVWXYZ", set("aeiouy")
_RELAID, _PHONE_RELAID, _LETTERED = 0.2, 0.3, 0.5
_SUFFIX = 3
_RUN = re.compile(r"[^\W\d_]+|\d+")
_HOSTS = (
    "gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com proton.me comcast.net"
    " example.org example.com msn.com live.com gmx.de web.de t-online.de yahoo.es telefonica.net"
).split()
_STILL = frozenset(
    "www http https ftp com org net edu gov mil example mychart portal mail info health clinic"
    " hospital patient patients results html php login share video meet zoom us co uk ca au de es"
    " at ch fr ie nz za io me coop salud madrid med medical my app webmail".split()
)
_JOBLIKE = re.compile(
    r"(?:er|or|ist|ian|man|men|woman|women|ant|ent|eer|ess|ary|smith|wright|clerk|aide|chef|cook"
    r"|nurse|tech|ee|ero|era|dor|dora|ista|ario|aria|ico|ica|in|ers|ors|ists)$"
)
_OLD, _TRIES = 89, 6


class Values:
    """Draws new values of mentions other than names, dates and places."""

    def __init__(self, tables: Tables, renaming: Renaming, rng: Random) -> None:
        self._tables, self._renaming, self._rng = tables, renaming, rng
        self._known: dict[str, str] = {}
        self._counting = tables.habits.words.counting(tables.language)

    def identifier(self, text: str, *, relay: bool, letters: bool = False) -> str:
        """Return a new number in the same layout or, with ``relay``, at random in another.

        Digits in words are replaced too. With ``letters`` letters may be redrawn.
        """
        key = squeeze(text)
        if not any(c.isdigit() for c in key):
            return self._worded(text)
        if key not in self._known:
            self._known[key] = self._ending(key) or squeeze(
                self._fresh(text, letters=letters and self._rng.random() < _LETTERED)
            )
            if relay and self._rng.random() < _RELAID:
                layout = self._layout()
                self._known[key] = squeeze(layout)
                return like(layout, text) if text.islower() else layout
        return self._filled(text, self._known[key])

    def _filled(self, layout: str, value: str) -> str:
        """Return the value in a layout, or the bare value if the number of places differs."""
        places = sum(c.isalnum() for c in layout)
        if places != len(value):
            return value.upper()
        supply = iter(value)
        return "".join(c if not c.isalnum() else _cased(next(supply), c) for c in layout)

    def _ending(self, key: str) -> str | None:
        """Return the end of the new value whose old value ends in the key, or None if none does."""
        if len(key) < _SUFFIX:
            return None
        longer = (new for old, new in self._known.items() if old.endswith(key))
        return next((new[-len(key) :] for new in longer if len(new) >= len(key)), None)

    def _fresh(self, text: str, *, letters: bool) -> str:
        """Return the text with new digits and, with ``letters``, new letters."""
        new = []
        for place, c in enumerate(text):
            if c.isdigit():
                first = c != "0" and not text[place - 1 : place].isdigit()
                new.append(str(self._rng.randint(1 if first else 0, 9)))
            else:
                new.append(self._rng.choice(_LETTERS) if c.isalpha() and letters else c)
        return "".join(new)

    def _layout(self) -> str:
        drawn = self._rng.choice(_FORMATS)
        return self.numbered(drawn).replace("@", self._rng.choice(_LETTERS), 1)

    def numbered(self, layout: str) -> str:
        """Return the layout with each ``#`` a digit, the first not 0, and each ``@`` a capital."""
        lead = True
        new = []
        for c in layout:
            if c == "#":
                new.append(str(self._rng.randint(1 if lead else 0, 9)))
                lead = False
            else:
                new.append(self._rng.choice(_LETTERS) if c == "@" else c)
        return "".join(new)

    def _worded(self, text: str) -> str:
        """Return the text with digits in words redrawn; other words are kept."""
        cardinals = self._counting.cardinals

        def word(found: re.Match[str]) -> str:
            if found[0].lower() not in cardinals:
                return found[0]
            return like(self._rng.choice(list(cardinals)[:10]), found[0])

        return re.sub(r"[^\W\d_]+", word, text)

    def phone(self, text: str) -> str:
        """Return a telephone number in the same layout, at random in another if it is whole."""
        new = self.identifier(text, relay=False)
        layouts = self._tables.habits.phones
        digits = [c for c in new if c.isdigit()]
        fit = [w for w in layouts if w.count("#") == len(digits)]
        if not fit or not digits or self._rng.random() >= _PHONE_RELAID:
            return new
        supply = iter(digits)
        return "".join(next(supply) if c == "#" else c for c in self._rng.choice(fit))

    def age(self, text: str) -> str:
        """Return the age with its numbers redrawn by age group, or with its number word redrawn."""

        def digits(found: re.Match[str]) -> str:
            return str(self._years(int(found[0])))

        def word(found: re.Match[str]) -> str:
            return like(age_in_words(self._rng.randint(2, 99), self._counting), found[0])

        if _NUMBER.search(text):
            return _NUMBER.sub(digits, text)
        return _WORDS.sub(word, text, count=1) if self._tables.counts else text

    def _years(self, old: int) -> int:
        if old % 10 == 0 and old >= 20 and self._rng.random() < 0.5:  # noqa: PLR2004
            return self._rng.randrange(20, 100, 10)
        if old <= 17:  # noqa: PLR2004 (months, small children)
            return self._rng.randint(1, 17)
        return self._rng.randint(18, _OLD) if old <= _OLD else self._rng.randint(90, 104)

    def job(self, text: str) -> str:
        """Return another occupation, or the text if it is a phrase and no plain occupation."""
        words = text.lower().split()
        last = words[-1] if words else ""
        if not _JOBLIKE.search(last) or len(words) > 3 or "\n" in text:  # noqa: PLR2004
            return text
        new = self.occupation()
        if self._tables.habits.capitals:
            new = self._tables.write(new)
        if plural := self._tables.habits.plural_jobs:
            new += plural[1] if last.endswith(plural[0]) and not new.endswith(plural[1]) else ""
        return like(new[:1].upper() + new[1:] if text[:1].isupper() else new, text)

    def occupation(self) -> str:
        """Return an occupation of the list, preferably one whose last word names a person."""
        for _ in range(_TRIES):
            drawn = self._tables.pools["job"].draw(self._rng)
            if _JOBLIKE.search(drawn):
                break
        return drawn.replace(" - ", "-").replace(" ' ", "'")

    def address(self, text: str) -> str:
        """Return an e-mail address made of the new names of the people in it, with a new host."""
        local, at, host = text.partition("@")
        if not at:
            return self.username(text)
        first, dot, rest = host.partition(".")
        if host.lower() in _HOSTS or self._rng.random() < 0.3:  # noqa: PLR2004
            new = self._rng.choice(_HOSTS)
        else:
            new = self._host(first) + dot + rest
        return f"{self.username(local)}@{like(new, host)}"

    def _host(self, old: str) -> str:
        return re.sub(r"[^\W\d_]{4,}", lambda m: like(self.handle_word(m[0]), m[0]), old)

    def handle_word(self, old: str) -> str:
        """Return the new word for a word of an address, always the same."""
        key = f"host {squeeze(old)}"
        if key not in self._known:
            kind = self._rng.choice(("family", "family", "given", "city"))
            self._known[key] = squeeze(self._tables.pools[kind].draw(self._rng))
        return self._known[key]

    def username(self, text: str) -> str:
        """Return a user name made of the new names of its people, else of random characters."""
        return _RUN.sub(lambda m: self._run(m[0]), text)

    def _run(self, run: str) -> str:
        if run.isdigit():
            return "".join(str(self._rng.randrange(10)) for _ in run)
        if new := self._renaming.handle(run):
            return like(new, run)
        key = f"user {squeeze(run)}"
        if key not in self._known:
            self._known[key] = self._handle(len(run))
        return like(self._known[key], run)

    def _handle(self, length: int) -> str:
        if length < 3:  # noqa: PLR2004 (initials)
            return "".join(self._rng.choices(_LETTERS.lower(), k=length))
        family = squeeze(self._tables.pools["family"].draw(self._rng, 0.7))
        lead = self._rng.choice(("", self._rng.choice(_LETTERS.lower())))
        return (lead + family)[: max(length + 2, 5)]

    def url(self, text: str) -> str:
        """Return a web address with distinctive words and digits replaced."""

        def run(found: re.Match[str]) -> str:
            if found[0].isdigit():
                return "".join(str(self._rng.randrange(10)) for _ in found[0])
            if found[0].lower() in _STILL or len(found[0]) <= 3:  # noqa: PLR2004
                return found[0]
            return like(self.handle_word(found[0]), found[0])

        return _RUN.sub(run, text)

    def ip(self, text: str) -> str:
        """Return a new network address."""
        if ":" in text:
            return re.sub(r"[0-9a-f]", lambda _: self._rng.choice("0123456789abcdef"), text)
        return _NUMBER.sub(lambda _: str(self._rng.randint(1, 254)), text)


_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(
    r"\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four"
    r"|five|six|seven|eight|nine))?|ten|eleven|twelve|\w+teen|one|two|three|four|five|six|seven"
    r"|eight|nine)\b",
    re.IGNORECASE,
)


def _cased(new: str, old: str) -> str:
    return new.upper() if new.isalpha() and not old.islower() else new
