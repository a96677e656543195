"""Reads the folders of rules and models, once each; the core never reads a file.

The rules are in ``rules/`` of a source tree, or inside the installed package.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.fields import Rules
from adapter.languages import UNCONFIGURED, Recognizer, Words
from adapter.languages.calendar import Calendar
from adapter.languages.own_words import OwnWords
from adapter.languages.written_days import WrittenDays
from adapter.normalize.numerals import Numerals
from adapter.phrases.common_words import DateWords, WordList, parse_nicknames
from adapter.rules.families import families
from adapter.rules.heads import with_heads
from adapter.rules.lexicons import read_lexicon, text_of
from adapter.rules.regexes import Regexes, cache_file
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns.families import ANY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from adapter.config.settings import Settings
    from adapter.languages.field_words import FieldWords
    from adapter.taggers.wordlists import Lexicon

PACKAGE = Path(__file__).resolve().parent.parent


def shipped(part: str) -> Path:
    """Return the shipped folder "rules" or "models"."""
    inside = PACKAGE / "_data" / part
    return inside if inside.is_dir() else PACKAGE.parent / part


@dataclass(frozen=True)
class Folder:
    """A rules folder; each part is read on first use."""

    path: Path
    regexes: Regexes = field(default_factory=Regexes, repr=False, compare=False)
    _lexicons: dict[str, dict[str, Lexicon]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _wordings: dict[tuple[str, ...], Words] = field(default_factory=dict, repr=False, compare=False)
    _files: dict[Path, Rules] = field(default_factory=dict, repr=False, compare=False)
    _word_lists: dict[str, WordList] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """Return the generated tables: of types by format, of HL7 v2 codes, of FHIR bindings."""
        fhir = {
            file.stem.partition("-")[2]: json.loads(file.read_bytes())
            for file in sorted(self.path.glob("schema/fhir-*.json"))
        }
        hl7v2 = json.loads((self.path / "schema" / "hl7v2.json").read_bytes())
        tables = json.loads((self.path / "schema" / "hl7v2-tables.json").read_bytes())
        bindings = json.loads((self.path / "schema" / "bindings.json").read_bytes())
        codes = {"hl7v2-tables": tables, "bindings": bindings}
        return {"hl7v2": hl7v2, "fhir": fhir, "text": {}, **codes}

    def lexicons(self, language: str) -> dict[str, Lexicon]:
        """Return folder name -> lexicon of a language, or of every one ("any-").

        Names begin with the language's code or with "any".

        Raises:
            RuleError: a lexicon has no items, or its items do not match the digest in its source.
        """
        if language not in self._lexicons:
            self._lexicons[language] = {
                folder.name: read_lexicon(folder)
                for folder in self._folders("lexicons")
                if folder.name.startswith((f"{language}-", "any-"))
            }
        return self._lexicons[language]

    def numerals(self, languages: Iterable[str]) -> Numerals:
        """Return the number words of the languages that have a lexicon of them.

        Raises:
            RuleError: a lexicon has no items, or its items do not match the digest in its source.
        """
        folders = (self.path / "lexicons" / f"{language}-numeral" for language in languages)
        joints = {joint for numbers in self.wording().numbers.values() for joint in numbers.joints}
        return Numerals.of((read_lexicon(one).strengths for one in folders if one.is_dir()), joints)

    @cached_property
    def surrogates(self) -> dict[str, tuple[str, ...]]:
        """Return folder name -> table of surrogates."""
        return {
            folder.name: tuple(text_of(folder / "items.txt").splitlines())
            for folder in self._folders("surrogates")
        }

    def _folders(self, part: str) -> list[Path]:
        return sorted(folder for folder in (self.path / part).iterdir() if folder.is_dir())

    def rules(self, pattern: str) -> list[Rules]:
        """Return the parsed TOML files of a glob pattern, with their text for line numbers."""
        return [self._rules(file) for file in sorted(self.path.glob(pattern))]

    def _rules(self, file: Path) -> Rules:
        if file not in self._files:
            self._files[file] = read_rules(file, str(file.relative_to(self.path.parent)))
        return self._files[file]

    def check_language(self, language: str, place: str = "rules.languages", said: str = "") -> None:
        """Check that there are rules for a language, which is given at ``place``.

        ``said`` stands for the language in the error: one that a corpus names may be any word.

        Raises:
            RuleError: there are none.
        """
        if language not in self.languages:
            known = ", ".join(sorted(self.languages))
            named = said or f"'{language}'"
            raise RuleError(place, f"no rules for {named}; there are rules for {known}")

    def resources(self, language: str) -> Resources:
        """Return the resources from which the taggers of a language are compiled.

        Raises:
            RuleError: there are no rules for the language.
        """
        self.check_language(language)
        sections = self.rules(f"sections/{language}.toml")[0]
        grammar = self._spoken.get(language, {}).get("grammar", "")
        names = self.fields if grammar else None
        return Resources(
            language,
            self._patterns(language),
            self.lexicons(language),
            SectionRules(self._with_heads(sections.table)),
            self._common(language, "ordinary"),
            grammar,
            glued=names.glued if names else frozenset(),
            apostrophes=names.apostrophes if names else frozenset(),
            written_days=self.written_days,
            compile_regex=self.regexes.compile,
        )

    def _with_heads(self, table: Mapping[str, Any]) -> dict[str, Any]:
        return with_heads(table, [rules.table for rules in self.rules(f"sections/{ANY}/*.toml")])

    def _patterns(self, language: str) -> tuple[Mapping[str, Any], ...]:
        """Return the pattern families for every language, followed by those of one language."""
        return tuple(
            rules.table for code in (ANY, language) for rules in families(self.rules, code)
        )

    @cached_property
    def languages(self) -> frozenset[str]:
        """Return the codes of the languages that have rules."""
        return frozenset(file.stem for file in self.path.glob("sections/*.toml"))

    @cached_property
    def _spoken(self) -> dict[str, Mapping[str, Any]]:
        """Return code -> parsed file of each language."""
        return {Path(rules.name).stem: rules.table for rules in self.rules("languages/*.toml")}

    @cached_property
    def fallback(self) -> str:
        """Return the language whose names and words are used for unconfigured languages.

        Raises:
            RuleError: not exactly one language declares itself ``unconfigured``.
        """
        found = [code for code, table in self._spoken.items() if table.get("unconfigured")]
        if len(found) != 1:
            raise RuleError(
                "rules.languages", f"{len(found)} languages set unconfigured; exactly one must"
            )
        return found[0]

    def recognizer(self, languages: Sequence[str]) -> Recognizer:
        """Return the recognizer that distinguishes these languages.

        Raises:
            RuleError: a language has no file to recognise it by.
        """
        tables = {}
        for code in languages:
            found = self.rules(f"languages/{code}.toml")
            if not found:
                raise RuleError("rules.languages", f"no languages/{code}.toml to recognise it by")
            tables[code] = found[0].table
        own = Recognizer.of(tables, self._others(tables.keys()), self._vocabulary(languages))
        rest = {code: table for code, table in self._spoken.items() if code not in tables}
        return replace(own, wider=Recognizer.of({**tables, **rest})) if rest else own

    def _vocabulary(self, languages: Iterable[str]) -> OwnWords:
        """Return the word lists that distinguish the short texts of these languages."""
        lists = tuple(self._lists(code, *_VOCABULARY) for code in languages)
        towns = tuple(towns for code in languages for towns in self._lists(code, "city"))
        return OwnWords(lists, towns)

    def _lists(self, code: str, *kinds: str) -> tuple[Collection[str], ...]:
        """Return the items of a language's lexicons of some kinds."""
        found = (self.lexicons(code).get(f"{code}-{kind}") for kind in kinds)
        return tuple(lexicon.strengths.keys() for lexicon in found if lexicon is not None)

    def wording(self, languages: Sequence[str] = ()) -> Words:
        """Return the words of every language with rules, beginning with ``languages``.

        Raises:
            RuleError: a language's file is not in the format.
        """
        wanted = tuple(languages)
        if wanted in self._wordings:
            return self._wordings[wanted]
        tables = self._spoken
        order = sorted(
            tables, key=lambda code: languages.index(code) if code in languages else len(languages)
        )
        others = self.rules("languages/others/addresses.toml")
        addresses = {c: table for rules in others for c, table in rules.table.items()}
        words = Words.of({code: tables[code] for code in order}, addresses)
        return self._wordings.setdefault(wanted, words)

    @cached_property
    def written_days(self) -> WrittenDays:
        """Return how all languages write days, those without rules too.

        Raises:
            RuleError: a file is not in the format.
        """
        tables = [rules.table for rules in self.rules("languages/days/*.toml")]
        return WrittenDays.of(tables, [Calendar.of(c, own) for c, own in self._spoken.items()])

    @property
    def fields(self) -> FieldWords:
        """Return the meanings of words in structured fields, for every language with rules.

        Raises:
            RuleError: a language's file is not in the format.
        """
        return self.wording().fields

    def _others(self, configured: Collection[str]) -> dict[str, dict[str, str]]:
        """Return the words of unconfigured languages, including those that have rules."""
        rest = {c: table for c, table in self._spoken.items() if c not in configured}
        found = {code: {"words": table.get("words", "")} for code, table in rest.items()}
        for rules in self.rules("languages/others/words.toml"):
            found |= rules.table
        return found

    def unconfigured(self) -> Resources:
        """Return the resources for unconfigured languages: patterns by form, and lists of names.

        Ordinary words are those of one language only, since those of the others are not known.
        """
        return Resources(
            UNCONFIGURED,
            self._patterns(UNCONFIGURED),
            self.lexicons(self.fallback),
            SectionRules(self._with_heads({})),
            self._common(self.fallback, "ordinary"),
            written_days=self.written_days,
            compile_regex=self.regexes.compile,
        )

    def words(self, language: str) -> WordList:
        """Return the common words and nicknames of a language."""
        if language not in self._word_lists:
            self._word_lists[language] = self._listed(language)
        return self._word_lists[language]

    def _listed(self, language: str) -> WordList:
        nicknames = self.path / "lexicons" / f"{language}-nicknames" / "items.txt"
        words = self.wording()
        dates = tuple(
            DateWords(words.calendars[code].months, words.numbers[code])
            for code in dict.fromkeys((language, self.fallback))
            if code in words.calendars and words.calendars[code].months.names
        )
        ordinary, medical = (self._common(language, kind) for kind in ("ordinary", "medical"))
        named = parse_nicknames(text_of(nicknames))
        common = ordinary, medical, named, self._unused(language), self._shared(language)
        eponyms = frozenset(w for w in self._common(language, "eponym") if " " not in w)
        short = self._common(language, "abbreviation")
        return WordList(words.fields, dates, words.cues, *common, eponyms, short)

    def _common(self, language: str, kind: str) -> AbstractSet[str]:
        lexicon = self.lexicons(language).get(f"{language}-{kind}")
        return frozenset() if lexicon is None else lexicon.strengths.keys()

    def _shared(self, language: str) -> AbstractSet[str]:
        """Return the names of one word that are no one's own: common names, towns, eponyms."""
        return frozenset(
            name
            for kind, least in _SHARED.items()
            if (lexicon := self.lexicons(language).get(f"{language}-{kind}")) is not None
            for name, strength in lexicon.strengths.items()
            if strength >= least and " " not in name
        )

    def _unused(self, language: str) -> AbstractSet[str]:
        """Return the ordinary words without a count in texts; none where no word has one."""
        lexicon = self.lexicons(language).get(f"{language}-ordinary")
        strengths = {} if lexicon is None else lexicon.strengths
        if not any(strengths.values()):
            return frozenset()
        return frozenset(word for word, strength in strengths.items() if not strength)


_VOCABULARY = ("ordinary", "medical", "abbreviation", "job")
"""Kinds of lexicons by which short texts of languages are distinguished."""
_SHARED = {"family": 2, "given": 2, "city": 0, "eponym": 0}
"""Lexicons of names, and the minimum strength of a name that many have."""


def read_rules(file: Path, name: str, *, overlay: bool = False) -> Rules:
    """Read one rule file.

    Raises:
        RuleError: the file cannot be read or is not TOML.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
        return Rules(name, text, tomllib.loads(text), overlay)
    except OSError as error:
        raise RuleError(name, f"cannot be read ({type(error).__name__})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(name, f"is not TOML: {error}") from None


def rules_folder(settings: Settings) -> Folder:
    """Return the rules folder of the settings, or the shipped one.

    Raises:
        RuleError: it is not a rules folder.
    """
    own = settings.rules.folder
    path = own or shipped("rules")
    if not (path / "fields").is_dir():
        raise RuleError("rules.folder", "is not a rules folder: it has no fields/")
    return Folder(path, Regexes(None if own else cache_file()))


def site_files(settings: Settings) -> tuple[Path, ...]:
    """Return the site's own field policies.

    Raises:
        RuleError: one is not a file.
    """
    for file in settings.rules.site:
        if not file.is_file():
            raise RuleError("rules.site", f"{file} is not a file")
    return settings.rules.site


def models_folder(settings: Settings) -> Path:
    """Return the models folder of the settings, or the shipped one; it has a folder a language.

    Raises:
        RuleError: it is not a folder.
    """
    path = settings.rules.models or shipped("models")
    if not path.is_dir():
        raise RuleError("rules.models", "is not a folder")
    return path


def source_labels(model: Path) -> dict[str, str]:
    """Return our labels -> those of the corpus that a model was trained on, from its card.

    Empty if there is no model, or its labels are ours.

    Raises:
        RuleError: the card cannot be read.
    """
    card = model / "card.toml"
    if not card.is_file():
        return {}
    return dict(read_rules(card, f"{model.name}/card.toml").table.get("source_labels", {}))
