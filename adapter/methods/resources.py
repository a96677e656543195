"""The rules and lexicons of a language, for methods to learn with."""

from __future__ import annotations

from adapter.config.settings import load_settings
from adapter.methods.protocol import Resources
from adapter.rules.compile import LEARNED, compile_language
from adapter.rules.folder import rules_folder


def resources_of(language: str, *, seed: int = 7, headers: bool = False) -> Resources:
    """Compile the shipped rules of a language, without its learned tagger.

    Raises:
        RuleError: there are none.
    """
    settings = load_settings(None, said={"rules": {"languages": [language]}}, transport="files")
    taggers = [name for name in settings.rules.taggers if name != LEARNED]
    settings = load_settings(
        None, said={"rules": {"languages": [language], "taggers": taggers}}, transport="files"
    )
    folder = rules_folder(settings)
    compiled = compile_language(folder, language, settings)
    return Resources(compiled, folder.lexicons(language), seed, headers)
