"""Counts the mentions of people that became the right form of the right person.

``python -m tests.evaluation.people``: every English note with its structured fields is one message;
names that the notes' annotators have marked are judged by `tests.evaluation.people_oracle`, once
with the mentions that the rules find, once with the annotated ones. The models have learned from
these notes, so they are left out, unless ``--learned`` asks for them. Errors are counted by kind
and never quoted. What was not found is a leak, and counted apart. ``--ids`` names the notes,
``--annotated`` leaves out the first half.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.headers import FIELDS, VISIT
from adapter.normalize.folding import squeeze
from adapter.phrases.extract import extract
from adapter.pipeline.examining import Examined, examine
from adapter.rules.compile import load_ruleset
from adapter.types import Label, Message, Span, TextSegment
from tests.conftest import data_folder
from tests.evaluation.__main__ import chosen
from tests.evaluation.people_oracle import TITLES, WORD, Oracle, Person

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.evaluate.annotations import Annotated, Mention
    from adapter.pipeline.ruleset import Ruleset
    from adapter.types import Edit

PARTS = ("c", "d", "e", "f", "g", "h")
NAMES = frozenset({"PATIENT", "DOCTOR"})
NOTE = "OBX-5"
PEOPLE = (
    ("PATIENT", ("patient_given", "patient_middle"), ("patient_family",), "patient_alias"),
    ("PATIENT", ("kin_given",), ("kin_family",), ""),
    ("DOCTOR", ("attending_given",), ("attending_family",), ""),
    ("DOCTOR", ("referring_given",), ("referring_family",), ""),
)
"""Label of the mentions; keys of given names, of family names, of a whole name."""


@dataclass(frozen=True, slots=True)
class Note:
    """Reads an annotated note as the message that contains it; in place of a codec."""

    document: Annotated = field(repr=False)
    name: str = "hl7v2"

    def decode(self, _: bytes) -> Message:
        """Return the fields of the header and the note as OBX-5 of type TX."""
        places = {**FIELDS, "visit_date": VISIT}
        meta = self.document.meta
        segments = [
            TextSegment(place.path, place.path, place.datatype, meta[key])
            for key, place in places.items()
            if meta.get(key)
        ]
        segments += (
            TextSegment("MSH-19", "MSH-19", "CE.1", "en"),
            TextSegment(NOTE, NOTE, "TX", self.document.text),
        )
        return Message("hl7v2", "ORU^R01", tuple(segments), None)


@dataclass(slots=True)
class Tally:
    """Mentions of names: right, leaked, and errors by kind with the notes they are in."""

    mentions: int = 0
    right: int = 0
    leaks: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    notes: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, note: str, kinds: Iterable[str]) -> None:
        """Count a mention with its errors."""
        found = tuple(kinds)
        self.mentions += 1
        self.right += not found
        self.errors.update(found)
        for kind in found:
            self.notes.setdefault(kind, Counter())[note] += 1

    def lines(self) -> Iterator[str]:
        """Lines of a report without text."""
        yield f"{self.right / self.mentions:7.2%} of {self.mentions} mentions are right"
        if self.leaks:
            yield f"        {self.leaks} more were not found, or not whole (leaks)"
        for kind, count in self.errors.most_common():
            yield f"{count:7} {kind}"
            if "--ids" in sys.argv:
                yield f"        {' '.join(sorted(self.notes[kind]))}"


def people(meta: Mapping[str, str], surrogates: Mapping[str, str]) -> list[Person]:
    """Return the persons of the fields, with the surrogates of their names."""
    found = []
    for circle, given, family, alias in PEOPLE:
        words, whole = {}, []
        for kind, keys in (("given", given), ("family", family)):
            pairs = [pair for key in keys for pair in _words(key, meta, surrogates)]
            words[kind] = tuple(pair for pair in pairs if pair[0] not in TITLES)
            for least in (1, 2):  # "O Brien" is "OBrien", and his surrogate may do without the O
                long = [pair for pair in words[kind] if len(pair[0]) >= least]
                if len(words[kind]) > 1 and long:
                    real = "".join(real for real, _ in words[kind])
                    whole.append((real, "".join(new for _, new in long)))
        also = tuple(p for p in _words(alias, meta, surrogates) if p[0] not in TITLES)
        if words["given"] or words["family"] or also:
            found.append(Person(circle, words["given"], words["family"], (*also, *whole)))
    return found


def _words(
    key: str, meta: Mapping[str, str], surrogates: Mapping[str, str]
) -> list[tuple[str, str]]:
    """(real, surrogate) words of a field."""
    real = meta.get(key, "") if key else ""
    new = surrogates.get(FIELDS[key].path, real) if key else ""
    both = [[squeeze(word) for word in WORD.findall(text)] for text in (real, new)]
    return list(zip(*both, strict=True))


def in_fields(examined: Examined) -> dict[str, str]:
    """Return the surrogates in fields, by path."""
    return {edit.path: edit.text or "" for edit in examined.edits if edit.path != NOTE}


def by_taggers(note: Annotated, examined: Examined, oracle: Oracle, tally: Tally) -> None:
    """Judge the mentions that the product found."""
    edits = [edit for edit in examined.edits if edit.path == NOTE]
    names = {(s.start, s.end) for s in examined.spans.get(NOTE, ()) if str(s.label) in NAMES}
    for mention in mentions(note):
        own = [e for e in edits if e.start < mention.end and mention.start < e.end]
        if _uncovered(note.text, mention, own):
            tally.leaks += 1
            continue
        if any((edit.start, edit.end) not in names for edit in own):
            tally.add(note.id, ("of another type",))
            continue
        start = min((mention.start, *(e.start for e in own)))
        end = max((mention.end, *(e.end for e in own)))
        pieces, place = [], start
        for edit in own:
            pieces += note.text[place : edit.start], edit.text or ""
            place = edit.end
        new = "".join((*pieces, note.text[place:end]))
        tally.add(note.id, oracle.errors(mention.type, note.text[start:end], new))


def _uncovered(text: str, mention: Mention, edits: list[Edit]) -> bool:
    """Whether a word of the mention, no title beside a name, stays as it is outside every edit."""
    return any(
        (squeeze(word[0]) not in TITLES or word[0] == text[mention.start : mention.end])
        and not any(
            e.start < mention.start + word.end() and mention.start + word.start() < e.end
            for e in edits
        )
        for word in WORD.finditer(text[mention.start : mention.end])
    )


def by_annotators(note: Annotated, rules: Ruleset, oracle: Oracle, tally: Tally) -> None:
    """Judge the annotated mentions, rendered by label alone."""
    message = Note(note).decode(b"")
    actions = [rules.policy.action("hl7v2", s) for s in message.segments]
    extraction = extract(message, actions, rules.languages["en"].words)
    values = {text for entity in extraction.entities for _, text in entity.parts}
    values |= {note.text[m.start : m.end] for m in note.mentions}
    real = frozenset(v for v in map(squeeze, values) if len(v) > 2)
    renderer = rules.surrogates.renderer(extraction, real, "mdy", "en")
    surrogates = {}
    for segment, action in zip(message.segments, actions, strict=True):
        if action.label in NAMES:
            form = f"{{{action.part}}}"
            entity = extraction.owners.get(segment.path)
            span = Span(0, len(segment.text), action.label, "field", 1.0, 100, entity, form)
            surrogates[segment.path] = renderer.render(segment.text, span, segment) or ""
    oracle = replace(oracle, people=people(note.meta, surrogates))
    for mention in mentions(note):
        text = note.text[mention.start : mention.end]
        span = Span(mention.start, mention.end, Label(mention.type), "gold")
        new = renderer.render(text, span, message.segments[-1])
        tally.add(note.id, oracle.errors(mention.type, text, new or ""))


def mentions(note: Annotated) -> list[Mention]:
    """Return the annotated names in order."""
    return sorted((m for m in note.mentions if m.type in NAMES), key=lambda m: m.start)


def measure() -> tuple[Tally, Tally]:
    """Judge all notes: as found by the taggers, as annotated."""
    rules, found, given = load_ruleset(chosen()), Tally(), Tally()
    nicknames = rules.languages["en"].words.nicknames
    for part in PARTS:
        for note in read_corpus(data_folder() / "corpora" / "notes_en" / f"{part}.jsonl"):
            by_annotators(note, rules, Oracle((), nicknames), given)
            if "--annotated" not in sys.argv:
                examined = examine(Note(note), b"", rules)
                known = people(note.meta, in_fields(examined))
                by_taggers(note, examined, Oracle(known, nicknames), found)
    return found, given


def main() -> None:
    """Print both tallies."""
    found, given = measure()
    for name, tally in (("as found", found), ("as annotated", given)):
        if tally.mentions:
            print(f"\n{name}")
            print("\n".join(tally.lines()))


if __name__ == "__main__":
    main()
