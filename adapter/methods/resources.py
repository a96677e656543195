"""The resources of a language for methods, from the shipped rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.methods.protocol import Resources
from adapter.rules.compile import compile_language, without_models
from adapter.rules.folder import models_folder, rules_folder
from adapter.rules.models import WORDS
from adapter.taggers.crf.word_stats import WordStats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.evaluate.annotations import Annotated


def check_language(language: str, place: str) -> None:
    """Check that a language, which is given at ``place``, has rules.

    Raises:
        RuleError: it has none.
    """
    known = rules_folder(load_settings(None, said={}, transport="files")).languages
    if language not in known:
        listed = ", ".join(sorted(known))
        raise RuleError(place, f"no rules for its language; there are rules for {listed}")


def resources_of(
    language: str, *, seed: int = 7, headers: bool = False, elsewhere: Sequence[Annotated] = ()
) -> Resources:
    """Compile the shipped rules of a language, without its learned tagger.

    Raises:
        RuleError: the language has no rules.
    """
    settings = load_settings(None, said={"rules": {"languages": [language]}}, transport="files")
    settings = without_models(settings)
    folder = rules_folder(settings)
    compiled = compile_language(folder, language, settings)
    words = models_folder(settings) / language / WORDS
    stats = WordStats.parse(words.read_text("utf-8")) if words.is_file() else WordStats()
    lexicons = folder.lexicons(language)
    return Resources(compiled, lexicons, seed, headers, stats, elsewhere)
