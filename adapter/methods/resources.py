"""The resources of a language for methods, from the shipped rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.config.settings import load_settings
from adapter.methods.protocol import Resources
from adapter.rules.compile import compile_language, without_models
from adapter.rules.folder import models_folder, rules_folder
from adapter.rules.models import WORDS
from adapter.taggers.crf.word_stats import WordStats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.evaluate.annotations import Annotated


def resources_of(
    language: str,
    *,
    seed: int = 7,
    headers: bool = False,
    elsewhere: Sequence[Annotated] = (),
    place: str = "",
) -> Resources:
    """Compile the shipped rules of a language, without its learned tagger.

    ``place`` is the file that names the language, for errors.

    Raises:
        RuleError: the language has no rules.
    """
    settings = load_settings(None, said={"rules": {"languages": [language]}}, transport="files")
    settings = without_models(settings)
    folder = rules_folder(settings)
    if place:
        folder.check_language(language, place, "its language")
    compiled = compile_language(folder, language, settings)
    words = models_folder(settings) / language / WORDS
    stats = WordStats.parse(words.read_text("utf-8")) if words.is_file() else WordStats()
    lexicons = folder.lexicons(language)
    return Resources(compiled, lexicons, seed, headers, stats, elsewhere)
