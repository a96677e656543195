"""``python -m tests.bench.stages``: where the time of one 300-word ORU goes, stage by stage.

Processor time, best of several rounds, so that other work on the machine matters little. To add a
stage, add an entry to `stages`.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from adapter.codecs.nested import unfolded
from adapter.leakcheck import check
from adapter.phrases.extract import extract
from adapter.pipeline.examining import examine
from adapter.pipeline.process import process
from adapter.pipeline.substitution import edits_of, real_values
from adapter.resolve import resolve
from adapter.runtime.service import LoadRuleset
from adapter.taggers.document.document import read
from adapter.taggers.document.tokens import tokenize
from adapter.taggers.trusted.index import PhraseIndex
from adapter.taggers.trusted.sweep import sweep
from adapter.types import Handling, Position, Record
from tests.bench.messages import ORU
from tests.corpus.runs import settings
from tests.wording import CUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.pipeline.examining import Examined
    from adapter.pipeline.ruleset import Ruleset
    from adapter.taggers.crf.tagger import CrfTagger
    from adapter.taggers.document.document import Document
    from adapter.types import Span, Veto

ROUNDS, CALLS = 15, 20

Stages = dict[str, "Callable[[], object]"]


def costs(works: Stages) -> dict[str, float]:
    """Seconds of processor time of each stage, run in turn as a message runs them.

    Each stage runs with the caches that the others leave; the best of many rounds counts.
    """
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        spent = dict.fromkeys(works, 0.0)
        for _ in range(CALLS):
            for name, work in works.items():
                start = time.process_time()
                work()
                spent[name] += time.process_time() - start
        best = {name: min(best[name], spent[name] / CALLS) for name in works}
    return best


def stages(raw: bytes, rules: Ruleset) -> tuple[Stages, Stages, int]:
    """Return the stages around the free text, those of tagging, and its number of tokens."""
    language = rules.languages["en"]
    done = examine(rules.codecs["hl7v2"], raw, rules)
    text = max((segment.text for segment in done.message.segments), key=len)
    document = read(text, language.code, language.sections)
    within = PhraseIndex.build(done.extraction.phrases, CUES).within([text])
    found = [item for tagger in language.taggers for item in tagger.tag(document, within)]
    tagging: Stages = {
        "tokenise": partial(tokenize, text),
        "read": partial(read, text, language.code, language.sections),
        **{
            type(tagger).__name__: lambda tagger=tagger: list(tagger.tag(document, within))
            for tagger in language.taggers
        },
        **_learned(language.learned, document, found),
        "resolve": partial(resolve, [text], [found], language.options),
    }
    return _around(raw, rules, done, text), tagging, len(document.tokens)


def _around(raw: bytes, rules: Ruleset, done: Examined, text: str) -> Stages:
    """Return the stages of a message except the tagging of its text."""
    codec = rules.codecs["hl7v2"]
    message, actions, phrases = done.message, done.actions, done.extraction.phrases
    placed = list(zip(message.segments, actions, strict=True))
    kept = [segment.text for segment, action in placed if action.handling is Handling.KEEP]
    read_places = [action.handling in {Handling.KEEP, Handling.SCAN} for action in actions]

    def index() -> object:
        """Build the index as a message does: its tables are built on first use."""
        index = PhraseIndex.build(phrases, CUES).within([text])
        return index.heads, index.lookup

    def substitute() -> object:
        real = real_values(message, done.spans, done.extraction)
        renderer = rules.surrogates.renderer(done.extraction, real)
        edits = edits_of(
            message,
            actions,
            done.spans,
            renderer,
            rules.numerals,
            is_plain=frozenset().__contains__,
        )
        return list(edits)

    return {
        "decode": partial(codec.decode, raw),
        "field policy": lambda: [rules.policy.action(message.format, s) for s in message.segments],
        "values": lambda: rules.values.judge(message, actions),
        "nested": lambda: unfolded(message, read_places),
        "extract": partial(extract, message, actions, rules.languages["en"].words),
        "phrase index": index,
        "sweep": lambda: sweep(kept, PhraseIndex.build(phrases, CUES)),
        "surrogates": substitute,
        "leak check": partial(check, message, done.edits, phrases, done.leaks),
        "encode": partial(codec.encode, message, done.edits),
    }


def _learned(tagger: CrfTagger | None, document: Document, found: list[Span | Veto]) -> Stages:
    """Return the stages of the features alone, and of the whole learned tagger."""
    if tagger is None:
        return {}
    return {
        "features": partial(tagger._featurizer.rows, document, found),
        "CRF": partial(tagger.predict, document, found),
    }


def unlearned(rules: Ruleset) -> Ruleset:
    """Return the rules without learned taggers: not the shipped ones, but a stricter yardstick."""
    languages = {code: replace(one, learned=None) for code, one in rules.languages.items()}
    return replace(rules, languages=languages)


def main() -> None:
    """Print milliseconds, shares of the whole and, for what reads the text, tokens a second."""
    rules = LoadRuleset(settings())().ruleset  # as a worker has it
    around, tagging, tokens = stages(ORU, rules)
    record = Record(ORU, Position("bench", 0, 0))
    whole: Stages = {
        "process": partial(process, record, rules),
        "without CRF": partial(process, record, unlearned(rules)),
    }
    spent = costs(around | tagging | whole)
    spent["rules"] = sum(value for name, value in spent.items() if name.endswith("Tagger"))
    print(f"300-word ORU: {len(ORU)} bytes, {tokens} tokens; processor time, best of {ROUNDS}")
    print(f"  {'':18} {'':10} {'of all':>6} {'no CRF':>6}")
    for name, seconds in spent.items():
        shares = [f"{seconds / spent[all_]:6.1%}" for all_ in whole]
        speed = f"{tokens / seconds:12,.0f} tokens/s" if name not in around else ""
        print(f"  {name:18} {seconds * 1000:7.3f} ms {' '.join(shares)} {speed}")


if __name__ == "__main__":
    main()
