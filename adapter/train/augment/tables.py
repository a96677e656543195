"""Inputs of augmentation: the lexicons of a language, and the templates of synthetic text.

Lexicons are ``rules/lexicons/<language>-<name>/items.txt``: folded items, tokens separated by one
blank, an optional strength. A list missing in a language is taken from English. Spellings of
names (accents, inner capitals) are in ``models/augment/<language>-written.txt``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.normalize.folding import fold
from adapter.train.augment.habits import Habits

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from random import Random

LISTS = (
    *("given", "family", "city", "state", "country", "hospital", "job", "ordinary", "nicknames"),
    *("cue", "eponym", "medical", "abbreviation"),
)
"""Lexicons to read; those not in `_OWN` fall back to English."""
_OWN = frozenset({"state", "hospital", "cue", "nicknames", "ordinary", "eponym", "medical"})
"""Lists that do not fall back to English: empty if the language lacks the list."""
_NEEDED = frozenset({"given", "family", "city", "country", "job"})
_KEPT = frozenset(
    "generic facility org place street particle prep stop staff surehead tail kin title".split()
)
"""Classes of ``en-cue`` with generic words, which name the kind of a place."""
_SMALL = frozenset(
    "de del la las los el y e of the in on at am an der den des die das im in und bei zu zum zur"
    " von van auf ob d do da dos das du les le sur aux und".split()
)
_STRONGEST, _COMMON = 17, 5


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Items to draw from, uniformly or weighted by commonness (2 to the power of strength)."""

    items: tuple[str, ...] = field(repr=False)
    strengths: Mapping[str, int] = field(repr=False)
    weights: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, strengths: Mapping[str, int]) -> Pool:
        """Return a pool of items, from item -> strength."""
        weights = accumulate(1 << min(max(s, 0), _STRONGEST) for s in strengths.values())
        return cls(tuple(strengths), strengths, tuple(weights))

    def draw(self, rng: Random, weighted: float = 0.5) -> str:
        """Return a random item, with probability ``weighted`` by strength, else uniformly.

        Raises:
            RuleError: the pool is empty.
        """
        if not self.items:
            raise RuleError("augment", "a list to draw from is empty")
        if rng.random() < weighted:
            return rng.choices(self.items, cum_weights=self.weights)[0]
        return rng.choice(self.items)


@dataclass(frozen=True, eq=False)
class Tables:
    """The lists of one language; ``written`` maps a folded name to its spelling."""

    language: str
    habits: Habits = field(repr=False)
    pools: Mapping[str, Pool] = field(repr=False)
    states: tuple[tuple[str, str], ...] = field(repr=False)
    """(postal abbreviation, name) of the states of the USA."""
    towns: tuple[str, ...] = field(repr=False)
    """Larger towns of the language's own countries, empty without a list."""
    written: Mapping[str, str] = field(repr=False)
    generic: frozenset[str] = field(repr=False)
    """Folded generic words of places and organisations ("hospital", "street")."""
    templates: Mapping[str, tuple[str, ...]] = field(repr=False)
    trades: frozenset[str] = field(repr=False)
    """Folded words that name occupations."""

    @classmethod
    def load(cls, folder: Path, language: str, more: Path | None = None) -> Tables:
        """Read ``folder`` (``rules/``) and ``more`` (``models/augment`` beside it).

        Raises:
            RuleError: a required list is missing in both the language and English.
        """
        more = more or folder.parent / "models" / "augment"
        lexicons = folder / "lexicons"
        own = {name: _lexicon(lexicons / f"{language}-{name}") for name in LISTS}
        pools = {
            name: items if items or name in _OWN else _lexicon(lexicons / f"en-{name}")
            for name, items in own.items()
        }
        for name in sorted(_NEEDED):
            if not pools[name]:
                raise RuleError(f"lexicons/{language}-{name}", "the list is missing")
        cues = _classes(lexicons / f"{language}-cue")
        words = {word for word, classes in cues.items() if classes & _KEPT}
        words |= set(_lines(more / f"{language}-generic.txt"))
        habits = Habits.load(folder, language)
        for table in habits.generic:
            words |= set(_lines(folder / "surrogates" / table / "items.txt"))
        states = (line.split("\t") for line in _lines(folder / "surrogates/us-state/items.txt"))
        return cls(
            language,
            habits,
            {name: Pool.of(items) for name, items in pools.items()},
            tuple((code, name) for code, name, *_ in states),
            tuple(_towns(folder, more, habits)),
            _written(_lines(more / f"{language}-written.txt")),
            frozenset(words),
            _templates(more, language),
            frozenset(
                w for w, c in _classes(lexicons / f"{language}-trade").items() if "sure" in c
            ),
        )

    @cached_property
    def nicknames(self) -> Mapping[str, tuple[str, ...]]:
        """Given name -> its short forms, folded."""
        found: dict[str, list[str]] = {}
        for item in self.pools["nicknames"].items:
            formal, _, short = item.partition("\t")
            found.setdefault(formal, []).append(short)
        return {formal: tuple(shorts) for formal, shorts in found.items()}

    @cached_property
    def strongest(self) -> Mapping[str, int]:
        """List of names -> the strength of its commonest item."""
        names = ("given", "family")
        return {n: max(self.pools[n].strengths.values(), default=0) or 1 for n in names}

    @cached_property
    def formals(self) -> tuple[str, ...]:
        """Given names that have short forms."""
        return tuple(sorted(self.nicknames))

    @cached_property
    def traps(self) -> Mapping[str, tuple[str, ...]]:
        """Kind ("given", "family") -> names that are also ordinary words."""
        common = {w for w, s in self.pools["ordinary"].strengths.items() if s >= _COMMON}
        common -= self.habits.words.calendar_forms
        return {
            kind: tuple(
                word
                for word, strength in self.pools[kind].strengths.items()
                if word in common and strength > 1 and len(word) > 2  # noqa: PLR2004
            )
            for kind in ("given", "family")
        }

    @property
    def counts(self) -> bool:
        """Whether the language has number words."""
        own = self.habits.words.numbers.get(self.language)
        return own is not None and bool(own.units)

    def write(self, item: str, rng: Random | None = None) -> str:
        """Return the spelling of a lexicon item: "coeur d ' alene" -> "Coeur d'Alene".

        With ``rng``, accents are omitted as often as `Habits.accents` says.
        """
        shown = self._accented(item)
        if rng and not shown.isascii() and rng.random() >= self.habits.accents:
            marked = unicodedata.normalize("NFKD", shown)
            return "".join(c for c in marked if not unicodedata.combining(c))
        return shown

    def _accented(self, item: str) -> str:
        whole = _joined(item)
        if whole in self.written:
            return self.written[whole]
        return " ".join(
            word if place and word in _SMALL else self.written.get(word) or titled(word)
            for place, word in enumerate(whole.split(" "))
        )


def titled(word: str) -> str:
    """Return a folded word with capitals: "mcneil" -> "McNeil", "o'brien" -> "O'Brien"."""
    pieces = re.split(r"(['’-])", word)
    for place, piece in enumerate(pieces):
        if place == 0 or len(piece) > 1:
            pieces[place] = piece[:1].upper() + piece[1:]
    joined = "".join(pieces)
    return re.sub(r"^Mc([a-z]{3,})", lambda m: "Mc" + m[1].capitalize(), joined)


def _joined(item: str) -> str:
    return re.sub(r" ?(['’-]) ?", r"\1", item).replace(" .", ".").replace(" ,", ",")


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        return []
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def _towns(folder: Path, more: Path, habits: Habits) -> list[str]:
    if habits.towns:
        rows = _lines(folder / "surrogates" / habits.towns / "items.txt")
        return [line.split("\t")[0] for line in rows]
    return _lines(more / f"{habits.language}-town.txt")


def _lexicon(folder: Path) -> dict[str, int]:
    """Return item -> strength; a second column that is no number stays part of the item."""
    found: dict[str, int] = {}
    for line in _lines(folder / "items.txt"):
        item, _, column = line.partition("\t")
        if column.isdigit() or not column:
            found[item] = int(column or 0)
        else:
            found[line] = 0
    return found


def _classes(folder: Path) -> dict[str, set[str]]:
    rows = (line.partition("\t") for line in _lines(folder / "items.txt"))
    return {item: set(classes.split()) for item, _, classes in rows}


def _written(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        found.setdefault(fold(line), line)
    return found


def _templates(folder: Path, language: str) -> dict[str, tuple[str, ...]]:
    """Return kind -> the templates under ``[kind]`` in all ``<language>-*.templates``.

    Raises:
        RuleError: a template is under no kind.
    """
    found: dict[str, list[str]] = {}
    for file in sorted(folder.glob(f"{language}-*.templates")):
        kind = ""
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if line.startswith("[") and line.endswith("]"):
                kind = line[1:-1]
            elif line.strip() and not line.startswith("#"):
                if not kind:
                    raise RuleError(
                        f"{file.name}:{number}", "the template must follow a [kind] line"
                    )
                found.setdefault(kind, []).append(line.replace("\\n", "\n").replace("\\t", "\t"))
    return {kind: tuple(lines) for kind, lines in found.items()}
