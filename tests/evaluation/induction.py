"""``python -m tests.evaluation.induction``: how precise induced terms are, and what they add.

Seeds are the 20 commonest mentions of each class in MEDDOCAN's training part, at most half of its
distinct ones, as experts would name them; induction reads its texts alone. Precision is that of the
first terms accepted, seeds not counted, twice: "exact", some mention of the class is that term;
"within", more than half of its occurrences are (parts of) mentions of the class. "left" is how
many distinct mentions there were to find. Then the development part is tagged by the rules, by
the rules with the induced lexicon and patterns, and by the terms alone.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapter.config.settings import load_settings
from adapter.evaluate.annotations import as_mentions
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.evaluation import evaluate
from adapter.evaluate.levels import Level
from adapter.evaluate.scores import Score
from adapter.methods.induction.bootstrap import induce
from adapter.methods.induction.contexts import Phrases
from adapter.methods.induction.dictionary import Agreeing, Dictionary
from adapter.methods.induction.lexicons import class_label, rules
from adapter.methods.induction.method import commonest, counted
from adapter.methods.induction.results import Induced
from adapter.methods.induction.seeds import Seeds, key_of
from adapter.methods.induction.words import ordinary_words
from adapter.methods.prediction import spans_in
from adapter.methods.resources import resources_of
from adapter.pipeline.language import find_in
from adapter.rules.compile import compile_language, without_models
from adapter.rules.folder import Folder, shipped
from adapter.taggers.document.tokens import tokenize
from adapter.taggers.trusted.index import NOBODY
from adapter.train.command import command_of
from tests.conftest import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated as Text
    from adapter.methods.induction.results import Term
    from adapter.pipeline.language import Language

CLASSES = {
    "PATIENT": "person",
    "DOCTOR": "person",
    "HOSPITAL": "facility",
    "ORGANIZATION": "organization",
    "CITY": "city",
    "STATE": "state",
    "COUNTRY": "country",
    "STREET": "street",
    "PROFESSION": "profession",
}
"""Types of MEDDOCAN -> classes of seeds; streets are exact without their numbers only."""
FIRST = (100, 500)
LANGUAGE = "es"


def by_class(texts: Sequence[Text]) -> dict[str, Counter[str]]:
    """How often each term is a mention of each class."""
    found: dict[str, Counter[str]] = {}
    for kind, terms in counted(texts).items():
        if kind in CLASSES:
            found.setdefault(CLASSES[kind], Counter()).update(terms)
    return found


def seeds_of(counts: Mapping[str, Counter[str]], most: int) -> Seeds:
    """The commonest terms of each class, at most half of them."""
    whole = commonest(counts, most)
    return Seeds(
        {name: terms[: max(1, len(counts[name]) // 2)] for name, terms in whole.terms.items()}
    )


def shares_within(texts: Sequence[Text], terms: Sequence[Term]) -> dict[str, float]:
    """Item -> share of its occurrences that are in mentions of its class."""
    phrases = Phrases.of({term.item: term.kind for term in terms})
    names = {term.item: term.name for term in terms}
    seen: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for text in texts:
        tokens = tokenize(text.text)
        forms = [text.text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]
        for first, end, item in phrases.found(tokens.words, forms):
            seen[item] += 1
            inside[item] += _within(text, tokens.starts[first], tokens.ends[end - 1], names[item])
    return {item: inside[item] / seen[item] for item in seen}


def _within(text: Text, start: int, end: int, name: str) -> bool:
    return any(
        mention.start <= start and end <= mention.end and CLASSES.get(mention.type) == name
        for mention in text.mentions
    )


def precision(texts: Sequence[Text], found: Induced, seeds: Seeds) -> Iterator[str]:
    """Yield a row of the table for each class."""
    counts = by_class(texts)
    shares = shares_within(texts, found.terms)
    for name in seeds.classes:
        chosen = {key_of(term) for term in seeds.terms[name]}
        true = {key_of(term) for term in counts[name]} - chosen
        terms = [term for term in found.terms if term.name == name and term.round]
        cells = [name, str(len(chosen)), str(len(true)), str(len(terms))]
        for most in FIRST:
            first = [term.item for term in terms[:most]]
            exact = sum(item in true for item in first)
            within = sum(shares.get(item, 0) > 0.5 for item in first)
            cells += [_share(exact, len(first)), _share(within, len(first))]
        cells.append(_share(sum(term.item in true for term in terms), len(true)))
        yield f"| {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def joined(found: Induced) -> Language:
    """Return the Spanish rules with the induced lexicons and patterns added."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules"
        shutil.copytree(shipped("rules"), path)
        for name, content in rules(found, LANGUAGE, {}).items():
            (path / name).parent.mkdir(exist_ok=True)
            (path / name).write_text(content, "utf-8")
        said = {"rules": {"languages": [LANGUAGE], "folder": str(path)}}
        settings = without_models(load_settings(None, said=said, transport="files"))
        return compile_language(Folder(path), LANGUAGE, settings)


def row(name: str, texts: Sequence[Text], find) -> str:
    """Return a row of figures: strict, token, and token regardless of the type."""
    scores = evaluate([(text, as_mentions(find(text.text))) for text in texts])
    cells = [name]
    for level in (Level.STRICT, Level.TOKEN, Level.BLIND_TOKEN):
        score = scores.score(level)
        cells += [f"{score.precision:.4f}", f"{score.recall:.4f}", f"{score.f():.4f}"]
    return f"| {' | '.join(cells)} |"


def typed(found: Induced) -> Induced:
    """Return the terms with the types of their classes' labels."""
    return Induced(
        tuple(_renamed(term) for term in found.terms if class_label(term.name) is not None), ()
    )


def _renamed(term: Term) -> Term:
    return replace(term, name=str(class_label(term.name)))


def main(
    seeds: Annotated[int, typer.Option(help="Most seeds of a class.")] = 20,
    every: Annotated[int, typer.Option(help="Take every so manieth text only.")] = 1,
    *,
    tag: Annotated[bool, typer.Option(help="Tag the development part, too.")] = True,
) -> None:
    """Print both tables."""
    folder = data_folder() / "corpora" / "meddocan"
    train, dev = (list(read_corpus(folder / f"{part}.jsonl"))[::every] for part in ("train", "dev"))
    resources = resources_of(LANGUAGE)
    chosen = seeds_of(by_class(train), seeds)
    begun = time.process_time()
    known = ordinary_words(resources.lexicons, LANGUAGE)
    found = induce([text.text for text in train], chosen, known=known)
    print(f"{len(train)} texts, {time.process_time() - begun:.1f} s of one processor")
    heads = [f"{kind} at {most}" for most in FIRST for kind in ("exact", "within")]
    print(f"| class | seeds | left | found | {' | '.join(heads)} | recall |")
    print("|---" * (5 + len(heads)) + "|")
    for line in precision(train, found, chosen):
        print(line)
    if tag:
        _tagged(dev, found, resources)


def _tagged(dev, found, resources) -> None:
    heads = [f"{level} {what}" for level in ("strict", "token", "any") for what in ("P", "R", "F1")]
    print(f"\n| tagger | {' | '.join(heads)} |")
    print("|---" * (1 + len(heads)) + "|")
    with_lexicon = joined(found)
    alone = Dictionary.of(typed(found))
    agreeing = Agreeing(alone, resources.language)
    print(row("rules", dev, lambda text: find_in(text, NOBODY, resources.language)))
    print(row("rules + lexicon", dev, lambda text: find_in(text, NOBODY, with_lexicon)))
    print(row("terms alone", dev, lambda text: spans_in(text, {}, alone, resources)))
    print(row("terms agreeing", dev, lambda text: spans_in(text, {}, agreeing, resources)))
    print("\n| class | alone P | R | F0.5 | agreeing P | R | F0.5 |\n|---|---|---|---|---|---|---|")
    both = [
        scores_by_class(dev, lambda text, tagger=tagger: spans_in(text, {}, tagger, resources))
        for tagger in (alone, agreeing)
    ]
    for name in sorted(both[0]):
        print(f"| {name} | {' | '.join(scores[name] for scores in both)} |")


def scores_by_class(texts: Sequence[Text], find) -> dict[str, str]:
    """Return class -> precision, recall and F0.5 of exact extents, as in the paper."""
    hits, found, gold = Counter(), Counter(), Counter()
    for text in texts:
        true = {(m.start, m.end, CLASSES[m.type]) for m in text.mentions if m.type in CLASSES}
        spans = as_mentions(find(text.text))
        ours = {(m.start, m.end, CLASSES[m.type]) for m in spans if m.type in CLASSES}
        for counts, extents in ((hits, true & ours), (found, ours), (gold, true)):
            counts.update(name for _, _, name in extents)
            counts.update("all" for _ in extents)
    return {name: _cells(hits[name], found[name], gold[name]) for name in gold}


def _cells(hits: int, found: int, gold: int) -> str:
    score = Score(hits, found - hits, gold - hits)
    return f"{score.precision:.3f} | {score.recall:.3f} | {score.f(0.5):.3f}"


if __name__ == "__main__":
    command_of(main)()
