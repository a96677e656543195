"""``deid-adapter induce``: induces terms for review from seeds and texts without annotations."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.evaluate.corpora.readers import is_unicode
from adapter.methods.induction.bootstrap import induce as induced_from
from adapter.methods.induction.lexicons import rules
from adapter.methods.induction.results import Settings
from adapter.methods.induction.seeds import Seeds, parse, written
from adapter.methods.induction.tables import tables
from adapter.methods.induction.words import ordinary_words
from adapter.rules.folder import rules_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DEFAULT = Settings()
ITEMS = ("items.txt", "source.toml")
"""Files of a lexicon that an earlier run may have left; people write the exceptions."""


def induce(
    corpora: Annotated[
        list[Path],
        typer.Argument(metavar="CORPUS...", help="JSON lines with text, plain texts, folders."),
    ],
    seeds: Annotated[
        Path, typer.Option(help="Terms by class: TOML, or lines of class TAB term.", dir_okay=False)
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.", file_okay=False)],
    *,
    lang: Annotated[str, typer.Option(help="Language of the texts.")],
    rounds: Annotated[int, typer.Option(min=1, help="Maximum number of rounds.")] = DEFAULT.rounds,
    terms: Annotated[
        int, typer.Option(min=1, help="Maximum number of new terms per class and round.")
    ] = DEFAULT.terms,
    least: Annotated[
        float, typer.Option(min=0, max=1, help="Minimum score of a term.")
    ] = DEFAULT.least_term,
) -> None:
    """Induce terms and contexts of each class from seeds, as tables and a lexicon for review.

    The files contain protected text and are readable by their owner only.
    """
    known = _known(lang)
    chosen = parse(_text(seeds), seeds.name)
    texts = [text for path in corpora for text in _texts(path)]
    if not any(text.strip() for text in texts):
        raise RuleError(", ".join(str(path) for path in corpora), "has no texts")
    settings = Settings(rounds=rounds, terms=terms, least_term=least)
    found = induced_from(texts, chosen, settings, known)
    made = _provenance(texts, chosen, settings, known)
    files = tables(found) | rules(found, lang, made)
    for old in out.glob("lexicons/*-induced-*/*"):
        if old.name in ITEMS and str(old.relative_to(out)) not in files:
            old.unlink()
    for name, content in files.items():
        _write(out / name, content)
    _write(out / "provenance.toml", "".join(f'{key} = "{value}"\n' for key, value in made.items()))
    counts = Counter(term.name for term in found.terms)
    said = ", ".join(f"{counts[name]} {name}" for name in chosen.classes)
    say(f"{out}: {len(texts)} texts, terms: {said}", err=True)


def _known(language: str) -> frozenset[str]:
    """Return the ordinary words of a language.

    Raises:
        RuleError: there are no rules for the language.
    """
    folder = rules_folder(load_settings(None, transport="files"))
    folder.check_language(language, "--lang", f"language '{language}'")
    return ordinary_words(folder.lexicons(language), language)


def _texts(path: Path) -> Iterator[str]:
    """Yield the texts of a file, or of the files of a folder in order of name.

    Raises:
        RuleError: a line is not a JSON object with text, or a file is not UTF-8.
    """
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.suffix.lower() in (".jsonl", ".txt"):
                yield from _texts(file)
    elif path.suffix.lower() == ".jsonl":
        for number, line in enumerate(_text(path).split("\n"), 1):
            if line.strip():
                yield _line(line, f"{path}:{number}")
    else:
        yield _text(path)


def _line(line: str, place: str) -> str:
    try:
        text = json.loads(line)["text"]
    except (ValueError, KeyError, RecursionError, TypeError):
        text = None
    if not isinstance(text, str) or not is_unicode(text):
        raise RuleError(place, "is not a JSON object with text")
    return text


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise RuleError(str(path), "is not UTF-8") from None


def _provenance(
    texts: Sequence[str], seeds: Seeds, settings: Settings, known: frozenset[str]
) -> Mapping[str, str]:
    """Return the provenance of the result: digests of texts, seeds and words, and the settings."""
    return {
        "corpus": _digest(texts),
        "texts": str(len(texts)),
        "seeds": _digest([written(seeds)]),
        "words": _digest(sorted(known)),
        **{key: str(value) for key, value in asdict(settings).items()},
    }


def _digest(parts: Sequence[str]) -> str:
    state = hashlib.sha256()
    for part in parts:
        state.update(hashlib.sha256(part.encode()).digest())
    return f"sha256:{state.hexdigest()}"


def _write(file: Path, content: str) -> None:
    """Write a file, and new folders, that only the owner can read."""
    for folder in reversed([file.parent, *file.parent.parents]):
        folder.mkdir(mode=0o700, exist_ok=True)
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
        stream.write(content)
