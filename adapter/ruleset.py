"""Opens the rule folders once and compiles them; the core never reads a file.

The rules lie in ``rules/`` of a source tree, or inside the installed package.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.codecs import CODECS
from adapter.errors import RuleError
from adapter.fields import FieldPolicy, Rules, Vocabulary, compile_policy
from adapter.phrases.words import WordList, parse_nicknames
from adapter.process import Language, Ruleset
from adapter.resolve import Options
from adapter.surrogates import Key, compile_surrogates, options_of
from adapter.taggers import TAGGERS
from adapter.taggers.resources import Resources
from adapter.taggers.ruletests import run_tests
from adapter.taggers.sections import SectionRules
from adapter.taggers.wordlists import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.codecs import Codec
    from adapter.config import Settings

LEXICON = ("items.txt", "exceptions.txt")
PACKAGE = Path(__file__).resolve().parent


def shipped(part: str) -> Path:
    """The folder "rules" or "models" that came with the program."""
    inside = PACKAGE / "_data" / part
    return inside if inside.is_dir() else PACKAGE.parent / part


@dataclass(frozen=True)
class Folder:
    """A rules folder, each part read when it is first asked for."""

    path: Path

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The generated tables by format: one for HL7 v2, one for each version of FHIR."""
        fhir = {
            file.stem.partition("-")[2]: json.loads(file.read_bytes())
            for file in sorted(self.path.glob("schema/fhir-*.json"))
        }
        hl7v2 = json.loads((self.path / "schema" / "hl7v2.json").read_bytes())
        return {"hl7v2": hl7v2, "fhir": fhir, "text": {}}

    @cached_property
    def lexicons(self) -> dict[str, Lexicon]:
        """Every lexicon by its folder's name."""
        return {
            folder.name: Lexicon.parse(
                _text(folder / "items.txt"), _text(folder / "exceptions.txt")
            )
            for folder in sorted((self.path / "lexicons").iterdir())
            if folder.is_dir()
        }

    @cached_property
    def surrogates(self) -> dict[str, tuple[str, ...]]:
        """Every table that surrogates are drawn from, by its folder's name."""
        return {
            folder.name: tuple(_text(folder / "items.txt").splitlines())
            for folder in self._folders("surrogates")
        }

    def _folders(self, part: str) -> list[Path]:
        return sorted(folder for folder in (self.path / part).iterdir() if folder.is_dir())

    def rules(self, pattern: str) -> list[Rules]:
        """The parsed TOML files of a pattern, with their text for line numbers."""
        return [self._rules(file) for file in sorted(self.path.glob(pattern))]

    def _rules(self, file: Path) -> Rules:
        return read_rules(file, str(file.relative_to(self.path.parent)))

    def resources(self, language: str) -> Resources:
        """What taggers of a language are compiled from.

        Raises:
            RuleError: there are no rules for that language.
        """
        sections = self.rules(f"sections/{language}.toml")
        if not sections:
            raise RuleError("rules.languages", f"no rules for '{language}'")
        return Resources(
            language,
            tuple(rules.table for rules in self.rules(f"patterns/{language}/*.toml")),
            self.lexicons,
            SectionRules(sections[0].table),
            self.words(language).ordinary,
        )

    def words(self, language: str) -> WordList:
        """The common words and nicknames of a language."""
        nicknames = self.path / "lexicons" / f"{language}-nicknames" / "items.txt"
        return WordList(
            frozenset(self.lexicons.get(f"{language}-ordinary", ())),
            frozenset(self.lexicons.get(f"{language}-medical", ())),
            parse_nicknames(_text(nicknames)),
        )


def _lexicon(folder: Path) -> Lexicon:
    """A lexicon, if its items are those that its source names.

    Raises:
        RuleError: it has no items, or others than its source says.
    """
    items, exceptions = (_text(folder / name) for name in LEXICON)
    if not items:
        raise RuleError(f"lexicons/{folder.name}", "has no items.txt")
    sealed = tomllib.loads(_text(folder / "source.toml")).get("digest")
    if sealed not in (None, f"sha256:{hashlib.sha256(items.encode()).hexdigest()}"):
        raise RuleError(
            f"lexicons/{folder.name}/source.toml", "digest is not that of items.txt; seal it anew"
        )
    return Lexicon.parse(items, exceptions)


def read_rules(file: Path, name: str, *, overlay: bool = False) -> Rules:
    """One rule file.

    Raises:
        RuleError: it cannot be read or is not TOML.
    """
    try:
        text = file.read_text(encoding="utf-8")
        return Rules(name, text, tomllib.loads(text), overlay)
    except OSError as error:
        raise RuleError(name, f"cannot be read ({type(error).__name__})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(name, f"is not TOML: {error}") from None


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def rules_folder(settings: Settings) -> Folder:
    """The rules folder in force.

    Raises:
        RuleError: it is none.
    """
    path = settings.rules.folder or shipped("rules")
    if not (path / "fields").is_dir():
        raise RuleError("rules.folder", "is not a rules folder: it has no fields/")
    return Folder(path)


def load_ruleset(settings: Settings) -> Ruleset:
    """Compile everything `process` goes by.

    Raises:
        RuleError: a rule, key or setting cannot be honoured; it says where.
    """
    if settings.keys.surrogates is None:
        raise RuleError("keys.surrogates", "is not set; see `deid-adapter keys new`")
    folder = rules_folder(settings)
    policy = _policy(folder, settings)
    key = Key(settings.keys.surrogates.id, settings.keys.surrogates.read())
    options = options_of(policy.profile.surrogates)
    first = settings.rules.languages[0]
    return Ruleset(
        codecs=_codecs(folder, settings),
        policy=policy,
        words=folder.words(first),
        languages=tuple(_language(folder, code, settings) for code in settings.rules.languages),
        surrogates=compile_surrogates(folder.surrogates, key, options),
        headers=frozenset(name.lower() for name in settings.rules.headers),
        digest=digest(folder.path, settings),
    )


def _policy(folder: Folder, settings: Settings) -> FieldPolicy:
    profiles = folder.rules(f"profiles/{settings.rules.profile}.toml")
    if not profiles:
        raise RuleError("rules.profile", f"no such profile: '{settings.rules.profile}'")
    sites = [read_rules(file, str(file), overlay=True) for file in settings.rules.site]
    tables = [*folder.rules("fields/*.toml"), *folder.rules("fields/*/*.toml"), *sites]
    vocabulary = Vocabulary.of(folder.schema["hl7v2"], folder.schema["fhir"].values())
    return compile_policy(tables, profiles[0], vocabulary)


def _codecs(folder: Folder, settings: Settings) -> dict[str, Codec]:
    options = {"hl7v2": {"default_charset": settings.rules.charset}}
    return {
        name: CODECS[name](folder.schema[name], **options.get(name, {}))
        for name in settings.rules.formats
    }


def _language(folder: Folder, code: str, settings: Settings) -> Language:
    resources = folder.resources(code)
    unknown = [name for name in settings.rules.taggers if name not in TAGGERS]
    if unknown:
        raise RuleError("rules.taggers", f"no such tagger: '{unknown[0]}'")
    taggers = tuple(TAGGERS[name](resources) for name in settings.rules.taggers)
    words = folder.words(code)
    options = Options(words.ordinary | words.medical, folder.lexicons.get(f"{code}-state"))
    return Language(code, resources.sections, taggers, options)


def digest(folder: Path, settings: Settings) -> str:
    """SHA-256 over the rules and the settings that change what `process` gives; no key in it."""
    state = hashlib.sha256()
    for file in (*sorted(p for p in folder.rglob("*") if p.is_file()), *settings.rules.site):
        state.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    chosen = settings.rules.model_dump(mode="json", exclude={"folder", "site"})
    state.update(json.dumps(chosen, sort_keys=True).encode())
    return state.hexdigest()


def rule_failures(settings: Settings) -> tuple[int, list[tuple[str, str]]]:
    """Run every pattern family's own tests: how many families, and (place, problem) of failures.

    Raises:
        RuleError: a family cannot be compiled.
    """
    folder = rules_folder(settings)
    families = list(_families(folder, settings))
    failures = [
        (rules.name, f"test '{failure.about}' finds {failure.actual}, not {failure.expected}")
        for rules, resources in families
        for failure in run_tests(rules.table, resources)
    ]
    return len(families), failures


def _families(folder: Folder, settings: Settings) -> Iterator[tuple[Rules, Resources]]:
    for code in settings.rules.languages:
        resources = folder.resources(code)
        for rules in folder.rules(f"patterns/{code}/*.toml"):
            yield rules, resources
