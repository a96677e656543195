"""The implementation of ``train --method`` and ``tag --method`` for published systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.cli.terminal import say
from adapter.errors import RuleError
from adapter.evaluate.corpora.readers import read_corpus
from adapter.methods.model_folder import CARD, Kept, read, write
from adapter.methods.prediction import spans_in
from adapter.methods.registry import method
from adapter.methods.resources import resources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from adapter.evaluate.annotations import Annotated
    from adapter.types import Span


@dataclass(frozen=True, slots=True)
class Choices:
    """Options of training a method; ``headers``: whether structured fields are trusted."""

    headers: bool = False
    seed: int = 7
    elsewhere: Sequence[Path] = ()
    """Corpora of other domains, to learn from as well."""
    language: str = ""
    """The language of texts that name none."""


@dataclass(frozen=True, slots=True)
class Finder:
    """A trained method: its language, and the function from text and fields to mentions."""

    language: str
    find: Callable[[str, Mapping[str, Any]], tuple[Span, ...]]


def learn(name: str, corpora: Sequence[Path], out: Path, choices: Choices) -> None:
    """Train a method on annotated corpora of one language, and write it to a folder.

    Raises:
        RuleError: there is no such method, or the texts are of no or several languages.
    """
    made = method(name)
    if out.exists() and not out.is_dir():
        raise RuleError("--out", "is not a folder")
    texts = _texts(corpora, choices.language)
    place = ", ".join(str(path) for path in corpora)
    if not any(text.mentions for text in texts):
        raise RuleError(place, "has no mentions" if texts else "has no texts")
    (language, *others) = {text.language for text in texts}
    if others or not language:
        message = "each text must name its language (or --lang), and all must have the same"
        raise RuleError(place, message)
    elsewhere = _texts(choices.elsewhere, language)
    if any(text.language != language for text in elsewhere):
        raise RuleError("--elsewhere", "has texts of another language")
    seed, headers = choices.seed, choices.headers
    resources = resources_of(language, seed=seed, headers=headers, elsewhere=elsewhere, place=place)
    files = made.learn(texts, resources).files()
    write(out, Kept(name, language, seed, headers, files))
    size = sum(len(content) for content in files.values())
    say(f"{out}: {name}, {len(texts)} texts read, {size / 1e6:.2f} MB", err=True)


def _texts(corpora: Sequence[Path], language: str) -> list[Annotated]:
    """Return the texts of corpora.

    Raises:
        RuleError: a corpus is given twice.
    """
    if len({path.resolve() for path in corpora}) < len(corpora):
        raise RuleError(", ".join(str(path) for path in corpora), "has the same corpus twice")
    return [text for path in corpora for text in read_corpus(path, language)]


def no_effect(options: Mapping[str, object], where: str) -> None:
    """Refuse options that would have no effect.

    Raises:
        RuleError: an option has a value.
    """
    for name, value in options.items():
        if value:
            raise RuleError(name, f"has no effect {where}")


def finder(name: str, folder: Path) -> Finder:
    """Return a trained method.

    Raises:
        RuleError: the folder does not contain this trained method.
    """
    kept = read(folder)
    if kept.method != name:
        raise RuleError(str(folder), f"is a trained '{kept.method}', not '{name}'")
    resources = resources_of(
        kept.language, seed=kept.seed, headers=kept.headers, place=f"{folder}/{CARD}"
    )
    try:
        learned = method(name).read(kept.files, resources)
    except RuleError as error:
        raise RuleError(f"{folder}/{error.place}", error.problem) from None
    return Finder(kept.language, lambda text, meta: spans_in(text, meta, learned, resources))
