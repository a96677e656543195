"""Compiles the regexes of every language's shipped rules, before the first start of an image."""

from adapter.config.settings import Settings
from adapter.rules.folder import rules_folder
from adapter.taggers.patterns.tagger import PatternTagger


def main() -> None:
    """Compile and keep the regexes of the shipped rules."""
    folder = rules_folder(Settings())
    for code in sorted(folder.languages):
        PatternTagger(folder.resources(code))
    PatternTagger(folder.unconfigured())
    folder.regexes.save()


if __name__ == "__main__":
    main()
