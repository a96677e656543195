"""The implementation of ``train --method`` and ``tag --method`` for published systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.cli.terminal import say
from adapter.errors import RuleError
from adapter.evaluate.corpora.readers import read_corpus
from adapter.methods.model_folder import Kept, read, write
from adapter.methods.prediction import spans_in
from adapter.methods.registry import method
from adapter.methods.resources import resources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from adapter.types import Span


@dataclass(frozen=True, slots=True)
class Choices:
    """Options of training a method; ``headers``: whether structured fields are trusted."""

    headers: bool = False
    seed: int = 7
    elsewhere: Sequence[Path] = ()
    """Corpora of other domains, to learn from as well."""


def learn(name: str, corpora: Sequence[Path], out: Path, choices: Choices) -> None:
    """Train a method on annotated corpora of one language, and write it to a folder.

    Raises:
        RuleError: there is no such method, or the texts are of no or several languages.
    """
    made = method(name)
    texts = [text for path in corpora for text in read_corpus(path)]
    languages = {text.language for text in texts}
    if len(languages) != 1 or "" in languages:
        place = ", ".join(str(path) for path in corpora)
        raise RuleError(place, "each text must name its language, and all must have the same")
    (language,) = languages
    elsewhere = [text for path in choices.elsewhere for text in read_corpus(path)]
    seed, headers = choices.seed, choices.headers
    resources = resources_of(language, seed=seed, headers=headers, elsewhere=elsewhere)
    files = made.learn(texts, resources).files()
    write(out, Kept(name, language, seed, headers, files))
    size = sum(len(content) for content in files.values())
    say(f"{out}: {name} learned from {len(texts)} texts, {size / 1e6:.2f} MB", err=True)


def finder(name: str, folder: Path) -> Callable[[str, Mapping[str, Any]], tuple[Span, ...]]:
    """Return the function that finds mentions, given a text and its structured fields.

    Raises:
        RuleError: the folder does not contain this trained method.
    """
    kept = read(folder)
    if kept.method != name:
        raise RuleError(str(folder), f"is a trained '{kept.method}', not '{name}'")
    resources = resources_of(kept.language, seed=kept.seed, headers=kept.headers)
    learned = method(name).read(kept.files, resources)
    return lambda text, meta: spans_in(text, meta, learned, resources)
