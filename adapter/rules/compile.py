"""Compiles the rules, and everything else the settings name, to the `Ruleset` of `process`."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.fields import FieldPolicy, Rules, Vocabulary, compile_policy, compile_profile
from adapter.fields.publishers import compile_publishers
from adapter.languages import UNCONFIGURED
from adapter.pipeline.language import Language
from adapter.pipeline.ruleset import Ruleset
from adapter.resolve import Options
from adapter.rules.digest import digest
from adapter.rules.folder import (
    Folder,
    models_folder,
    read_rules,
    rules_folder,
    site_files,
)
from adapter.rules.formats import codecs_of, envelope_of
from adapter.rules.leaks import leak_patterns
from adapter.rules.models import CARD, NEURAL, load_model
from adapter.rules.networks import has_neural, load_neural
from adapter.rules.own_names import own_names
from adapter.schemas.registry import schemas_of
from adapter.sealing.key_lookup import surrogates_key
from adapter.surrogates import Key, compile_surrogates, localised, options_of
from adapter.surrogates.uris.definitions import Definitions
from adapter.taggers import GRAMMATICAL, TAGGERS
from adapter.values import Values, compile_values
from adapter.values.systems import compile_systems
from adapter.vault.store import open_vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from adapter.config.settings import Settings
    from adapter.taggers.crf.tagger import CrfTagger
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.wordlists import Lexicon

POSTPROCESSES = ("correct", "reconcile", "standardise")
"""Steps of resolution that can be turned off."""
OF_VALUES = frozenset({"systems", "units"})
"""Kinds of a site's rule files that are about values instead of fields."""
WORDS = ("ordinary", "medical", "abbreviation", "eponym", "known", "country", "state", "display")
"""Lexicons of words that do not count as names in the codes of kept values."""
PROPER = ("given", "family", "city")
"""Lexicons of names, whatever their strength."""
LEARNED = "crf"
"""Name of the learned tagger in the settings."""
MODELS = frozenset((LEARNED, NEURAL))
"""Names in the settings that stand for models: the learned tagger, and the network beside it."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause garbage collection, which would scan the millions of permanent objects being made."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_uncollected()
def load_ruleset(settings: Settings, folder: Folder | None = None) -> Ruleset:
    """Compile rules, models and keys to the ruleset of `process`, which then reads no file.

    ``folder`` replaces the rules folder of the settings, for example by one with proposed changes.
    Topics of the same profile and languages share their compiled parts.

    Raises:
        RuleError: a rule, key or setting cannot be applied; the error names file and line.
    """
    key = Key(*surrogates_key(settings), open_vault(settings.vault.url))
    schemas = schemas_of(settings)
    named = digest(rules_folder(settings).path, models_folder(settings), settings)
    made: dict[tuple[str, tuple[str, ...]], Ruleset] = {}
    read = folder or rules_folder(settings)

    def ruleset(own: Settings) -> Ruleset:
        like = own.rules.profile, own.rules.languages
        if like not in made:
            first = settings.rules.languages[0]
            made[like] = _compiled(own, key, first, tuple(made.values()), read)
        codecs, envelope = codecs_of(own, read), envelope_of(own, schemas)
        return replace(made[like], codecs=codecs, envelope=envelope, digest=named)

    general = ruleset(settings)
    topics = {name: _of_topic(ruleset, settings, name) for name in settings.topic}
    if digest(rules_folder(settings).path, models_folder(settings), settings) != named:
        raise RuleError("rules", "changed while they were being compiled")
    return replace(general, topics=topics)


def _of_topic(ruleset: Callable[[Settings], Ruleset], settings: Settings, name: str) -> Ruleset:
    """Return the ruleset of a topic; an error names the topic's own setting."""
    own = settings.of_topic(name)
    if own.rules.profile != settings.rules.profile:
        _profile(rules_folder(settings), own, f"topic.{name}.profile")
    return ruleset(own)


def _compiled(
    settings: Settings, key: Key, first: str, made: Sequence[Ruleset], folder: Folder
) -> Ruleset:
    """Compile all but the codecs for one profile, sharing the languages of ``made`` rulesets.

    Surrogate names are always of the language ``first``, so that a person has one name everywhere.
    """
    sites = [read_rules(file, str(file), overlay=True) for file in site_files(settings)]
    policy = _policy(folder, settings, sites)
    options = options_of(policy.profile.surrogates)
    words = folder.wording(settings.rules.languages)
    languages = _shared(settings, policy, made) or {
        **{code: compile_language(folder, code, settings) for code in settings.rules.languages},
        UNCONFIGURED: compile_unconfigured(folder, settings),
    }
    folder.regexes.save()
    values = values_of(folder, settings, sites, policy.fhir.definitions)
    publishers = {**policy.publishers, "people": values.checks.surnames}
    return Ruleset(
        codecs={},
        policy=policy,
        values=values,
        languages=languages,
        recognizer=folder.recognizer(settings.rules.languages),
        fields=folder.fields,
        numerals=folder.numerals(settings.rules.languages),
        leaks=leak_patterns(folder.rules("leaks/*.toml")),
        surrogates=compile_surrogates(
            _tables(folder, settings, first),
            words,
            key,
            options,
            publishers,
            Definitions(policy.fhir.definitions, values.checks.names_artifact),
        ),
        headers=frozenset(name.lower() for name in settings.rules.headers),
        labels=policy.labels,
        authorities=policy.authorities,
        pairs=settings.escrow.enabled,
        staff=settings.known.staff > 0,
    )


def _shared(
    settings: Settings, policy: FieldPolicy, made: Sequence[Ruleset]
) -> dict[str, Language] | None:
    """Return the languages of a ruleset with the same languages and recall, or None."""
    for other in made:
        same = tuple(other.languages)[:-1] == settings.rules.languages
        if same and (settings.rules.recall or other.policy.profile.recall == policy.profile.recall):
            return dict(other.languages)
    return None


def _tables(folder: Folder, settings: Settings, first: str) -> dict[str, tuple[str, ...]]:
    """Return the surrogate tables of the first language, overridden by the site's own names."""
    titles = folder.wording(settings.rules.languages).titles
    own = own_names(settings, titles)
    return localised(folder.surrogates, first) | own


def _policy(folder: Folder, settings: Settings, sites: Sequence[Rules]) -> FieldPolicy:
    own = [rules for rules in sites if rules.kind not in OF_VALUES]
    tables = [*folder.rules("fields/*.toml"), *folder.rules("fields/*/*.toml"), *own]
    return compile_policy(tables, _profile(folder, settings), _vocabulary(folder))


def _vocabulary(folder: Folder) -> Vocabulary:
    return Vocabulary.of(folder.schema["hl7v2"], folder.schema["fhir"].values())


def values_of(
    folder: Folder, settings: Settings, sites: Sequence[Rules], definitions: frozenset[str]
) -> Values:
    """Compile the checks of the values that the field policy keeps.

    Names and words are those of the first language, and of English, in which HL7's tables and the
    published code systems are written.
    """
    read = dict.fromkeys((settings.rules.languages[0], folder.fallback))
    every = dict.fromkeys((*settings.rules.languages, *read))
    given, family = (_names(folder, read, kind) for kind in ("given", "family"))
    words, spoken = (frozenset().union(*(_words(folder, c) for c in x)) for x in (read, every))
    files = [*folder.rules("values/*.toml"), *(s for s in sites if s.kind in OF_VALUES)]
    return compile_values(
        files,
        folder.schema,
        _vocabulary(folder).types,
        (given, family),
        (words, spoken),
        publishers=_publishers(folder, sites),
        proper=frozenset().union(*(_proper(folder, code) for code in every)),
        definitions=definitions,
        labels=frozenset().union(
            *(_strengths(folder.lexicons(c).get(f"{c}-label")) for c in every)
        ),
    )


def _names(folder: Folder, languages: Iterable[str], kind: str) -> Mapping[str, int]:
    """Return the names of some languages, each with its greatest strength in any of them."""
    found: dict[str, int] = {}
    for code in languages:
        for name, strength in _strengths(folder.lexicons(code).get(f"{code}-{kind}")).items():
            found[name] = max(strength, found.get(name, 0))
    return found


def _proper(folder: Folder, code: str) -> frozenset[str]:
    """Return the names of people and towns of a language."""
    lexicons = folder.lexicons(code)
    return frozenset().union(*(_strengths(lexicons.get(f"{code}-{kind}")) for kind in PROPER))


def _publishers(folder: Folder, sites: Sequence[Rules]) -> frozenset[str]:
    """Return the hosts of publishers of public identifiers."""
    own = [rules for rules in sites if rules.kind == "publishers"]
    return compile_publishers([*folder.rules("fields/publishers.toml"), *own])["hosts"]


def _words(folder: Folder, code: str) -> frozenset[str]:
    lexicons = folder.lexicons(code)
    return frozenset(
        word
        for kind in WORDS
        for item in _strengths(lexicons.get(f"{code}-{kind}"))
        for word in item.split()
    )


def _strengths(lexicon: Lexicon | None) -> Mapping[str, int]:
    return {} if lexicon is None else lexicon.strengths


def _profile(folder: Folder, settings: Settings, place: str = "rules.profile") -> Rules:
    profiles = folder.rules(f"profiles/{settings.rules.profile}.toml")
    if not profiles:
        raise RuleError(place, f"no such profile: '{settings.rules.profile}'")
    return profiles[0]


@_uncollected()
def compile_language(folder: Folder, code: str, settings: Settings) -> Language:
    """Return the compiled taggers, rules and words for free text of a language.

    Raises:
        RuleError: there are no rules for the language, or one cannot be applied.
    """
    resources, words = folder.resources(code), folder.words(code)
    learned, sure = _learned(folder, code, settings) or (None, 0)
    names = taggers_of(resources, settings)[0]
    return Language(
        code,
        resources.sections,
        tuple(TAGGERS[name](resources) for name in names),
        Options(
            words.ordinary | words.medical | _words_of_systems(folder),
            resources.lexicons.get(f"{code}-state"),
            nameless=_nameless(folder, code),
            dotted=_dotted(folder, code),
            known=frozenset(),
            context=folder.wording(settings.rules.languages).context,
            shared=words.ordinary - _nameless(folder, code),
            alone=learned.alone if learned else 0.0,
            doubted=learned.doubted if learned else frozenset(),
            **{name: name in settings.rules.postprocess for name in POSTPROCESSES},
        ),
        words,
        learned,
        sure,
    )


def _nameless(folder: Folder, code: str) -> frozenset[str]:
    """Return a language's ordinary words that are no names, or names in other countries only."""
    lexicons = folder.lexicons(code)
    lists = (_strengths(lexicons.get(f"{code}-{kind}")) for kind in ("given", "family"))
    names = {name for one in lists for name, strength in one.items() if strength > 1}
    return frozenset(folder.words(code).ordinary - names)


def _dotted(folder: Folder, code: str) -> frozenset[str]:
    """Return words that may have a point within a name: titles, degrees, abbreviations."""
    words, known = folder.words(code), folder.lexicons(code).get(f"{code}-abbreviation")
    titles = words.fields.titles
    own = titles.prefixes | titles.suffixes | titles.degrees | titles.particles
    return own | words.cues.titles | frozenset(_strengths(known))


def _words_of_systems(folder: Folder) -> frozenset[str]:
    """Return the words in names of published code systems: "snomed" is not a person."""
    tables = (rules.table for rules in folder.rules("values/systems.toml"))
    return frozenset().union(*(compile_systems(table["systems"]).words for table in tables))


def compile_unconfigured(folder: Folder, settings: Settings) -> Language:
    """Return the rules for text in an unconfigured language: no language's own rules, no model."""
    resources, words = folder.unconfigured(), folder.words(folder.fallback)
    names = taggers_of(resources, settings)[0]
    taggers = tuple(TAGGERS[name](resources) for name in names)
    context = folder.wording(settings.rules.languages).context
    options = Options(words.ordinary | words.medical, context=context)
    return Language(UNCONFIGURED, resources.sections, taggers, options, words)


def _learned(folder: Folder, code: str, settings: Settings) -> tuple[CrfTagger, int] | None:
    if LEARNED not in settings.rules.taggers:
        return None
    recall = settings.rules.recall or compile_profile(_profile(folder, settings)).recall
    models = models_folder(settings) / code
    neural = load_neural(models) if NEURAL in settings.rules.taggers else None
    return load_model(models, folder.lexicons(code), recall, folder.fields.joining, neural)


def without_models(settings: Settings) -> Settings:
    """Return settings by which texts are read by rules alone."""
    taggers = tuple(name for name in settings.rules.taggers if name not in MODELS)
    rules = settings.rules.model_copy(update={"taggers": taggers})
    return settings.model_copy(update={"rules": rules})


def taggers_of(
    resources: Resources, settings: Settings
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return the names of a language's taggers by rules, and omitted tagger -> reason.

    Raises:
        RuleError: the settings name an unknown tagger.
    """
    names = [name for name in settings.rules.taggers if name not in MODELS]
    unknown = [name for name in names if name not in TAGGERS]
    if unknown:
        raise RuleError("rules.taggers", f"no such tagger: '{unknown[0]}'")
    if NEURAL in settings.rules.taggers and LEARNED not in settings.rules.taggers:
        raise RuleError("rules.taggers", f"'{NEURAL}' needs '{LEARNED}'")
    lacking = {
        name: "no grammar" for name in names if name in GRAMMATICAL and not resources.grammar
    }
    return tuple(name for name in names if name not in lacking), lacking


def tagging(settings: Settings) -> dict[str, tuple[tuple[str, ...], Mapping[str, str]]]:
    """Return for each configured language its taggers, and omitted tagger -> reason.

    Raises:
        RuleError: there are no rules for a language, or the settings name an unknown tagger.
    """
    folder = rules_folder(settings)
    found: dict[str, tuple[tuple[str, ...], Mapping[str, str]]] = {}
    for code in settings.rules.languages:
        names, lacking = taggers_of(folder.resources(code), settings)
        learned, missing = _models(models_folder(settings) / code, settings)
        found[code] = (*names, *learned), {**lacking, **missing}
    return found


def _models(folder: Path, settings: Settings) -> tuple[list[str], dict[str, str]]:
    """Return the learned taggers that a language has a model for, and omitted tagger -> reason."""
    having = {LEARNED: (folder / CARD).is_file(), NEURAL: has_neural(folder)}
    asked = [name for name in having if name in settings.rules.taggers]
    lacking = {name: "no model" for name in asked if not having[name]}
    return [name for name in asked if having[name]], lacking
