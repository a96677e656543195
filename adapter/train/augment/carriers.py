"""Synthetic training texts: clinical text with PHI inserted, short feed texts, questions.

Everything is English, and drawn from a seed. Each text has a header, as the message that carries
the text would have, also where the text names nobody.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import Annotated, Mention
from adapter.train.augment.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from adapter.train.augment.scene import Piece
    from adapter.train.augment.tables import Tables
    from adapter.types import Span

MIXTURE = {"feed": 0.36, "plain": 0.24, "query": 0.1, "question": 0.06, "carrier": 0.24}
"""Kind of synthetic text -> its share; without carriers, the other kinds divide that share."""
_FREE = frozenset({"plain", "question"})
_QUESTIONS = frozenset({"query", "question"})
_MORE, _TRAPPED = 0.3, 0.25
_UPPER, _LOWER, _CONJOINED = 0.2, 0.28, 0.02
_HEADED, _SIGNED, _INSERTED, _NAMED = 0.6, 0.6, 0.2, 0.35
_SENTENCE = re.compile(r"(?<=[.!?])(\s+)|(\n+)")
_PATIENT = re.compile(r"\b(?:[Tt]he patient|[Tt]his patient|Patient|Pt)\b(?!['’]s name|\s*:)")
_NAMES = (
    *("{Mr} {patient.last}", "{patient.first}", "{patient.full}", "{Mr} {patient.last}"),
    *("{patient.last}", "{Mr} {patient.full}"),
)
_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_SHORTEST = 4


def carried(
    count: int, seed: int, tables: Tables, carriers: Sequence[str] = ()
) -> Iterator[Annotated]:
    """Yield ``count`` synthetic texts of all kinds; ``carriers`` are `screened` texts."""
    kinds = [kind for kind in MIXTURE if carriers or kind != "carrier"]
    rng = Random(f"{seed}/carried")  # noqa: S311 (training data)
    drawn = rng.choices(kinds, [MIXTURE[kind] for kind in kinds], k=count)
    for number, kind in enumerate(drawn, 1):
        own = seed * 1_000_003 + number
        if kind == "carrier":
            yield inserted(rng.choice(carriers), own, tables, f"carrier#{seed}.{number}")
        else:
            yield made(kind, own, tables, f"{kind}#{seed}.{number}")


def made(kind: str, seed: int, tables: Tables, name: str = "") -> Annotated:
    """Return a text from templates of a kind: "feed" and "query" with PHI, others without."""
    rng = Random(f"{seed}/{kind}")  # noqa: S311 (training data)
    scene = Scene(tables, rng)
    pieces = scene.of(kind)
    if rng.random() < _MORE:
        also = "plain" if kind not in _QUESTIONS and rng.random() < 0.5 else kind  # noqa: PLR2004
        pieces += [
            (rng.choice((" ", " ", "\n")), ""),
            *scene.of(also),
        ]
    style = rng.random()
    change = str.upper if style < _UPPER else str.lower if style < _LOWER else str
    pieces = [(change(text), kind) for text, kind in pieces]
    if rng.random() < _CONJOINED:
        pieces = _conjoined(pieces, rng)
    meta = {} if kind in _QUESTIONS else _header(scene, rng)
    if kind in _FREE and meta:
        _trap(meta, "".join(text for text, _ in pieces), tables, rng)
    return _annotated(name or f"{kind}#{seed}", pieces, meta)


def inserted(text: str, seed: int, tables: Tables, name: str = "") -> Annotated:
    """Return a clinical text without PHI after inserting people, dates and places.

    Some of its "the patient" become names, sentences are added between the text's own, and a block
    is added before and after the text.
    """
    rng = Random(f"{seed}/inserted")  # noqa: S311 (training data)
    scene = Scene(tables, rng, his=_is_male(text))
    pieces: list[Piece] = []
    if rng.random() < _HEADED:
        pieces += [*scene.of("header"), ("\n\n", "")]
    for part in _SENTENCE.split(text.strip()):
        if not part:
            continue
        if part.isspace():
            pieces.append((part, ""))
            continue
        pieces += _named(part, scene, rng)
        if part[-1] in ".!?" and rng.random() < _INSERTED:
            pieces += [(" ", ""), *_capital(scene.of("insert"))]
    if rng.random() < _SIGNED:
        pieces += [("\n\n", ""), *scene.of("signature")]
    if rng.random() < _UPPER / 4:
        pieces = [(piece.upper(), kind) for piece, kind in pieces]
    return _annotated(name or f"carrier#{seed}", pieces, _header(scene, rng))


def screened(
    texts: Iterable[str], find: Callable[[str], Iterable[Span]], tables: Tables
) -> list[str]:
    """Return the texts without sentences in which ``find`` finds a span or a word may be PHI.

    A word may be PHI if it has a capital and is not in the lower-case vocabulary, names a job, or
    is a year.
    """
    pools = tables.pools
    known = {w for name in ("ordinary", "medical", "abbreviation") for w in pools[name].items}
    known |= {word for item in pools["eponym"].items for word in item.split()}
    jobs = {item for item in pools["job"].items if " " not in item} | set(tables.trades)

    def suspect(sentence: str) -> bool:
        words = _WORD.findall(sentence)
        odd = any(w[0].isupper() and len(w) > 1 and w.lower() not in known for w in words)
        return odd or any(w.lower() in jobs for w in words) or bool(_YEAR.search(sentence))

    return [kept for text in texts if (kept := _kept(text, list(find(text)), suspect))]


def _kept(text: str, spans: Sequence[Span], suspect: Callable[[str], bool]) -> str:
    pieces, place = [], 0
    for part in _SENTENCE.split(text):
        if part:
            end = place + len(part)
            hit = any(span.start < end and place < span.end for span in spans)
            pieces.append("" if hit or suspect(part) else part)
            place = end
    return re.sub(r"\n{3,}", "\n\n", "".join(pieces)).strip()


def _is_male(text: str) -> bool | None:
    """Whether a text is about a man, or None if the text gives no sex."""
    counts = [len(re.findall(rf"(?i)\b(?:{words})\b", text)) for words in ("he|his", "she|her")]
    return None if counts[0] == counts[1] else counts[0] > counts[1]


def _capital(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces of a sentence with the first letter capitalised."""
    (text, kind), *rest = pieces
    return [(text[0].upper() + text[1:], kind), *rest]


def _named(sentence: str, scene: Scene, rng: Random) -> list[Piece]:
    """Return the sentence with some of its "the patient" replaced by a name."""
    pieces: list[Piece] = []
    place = 0
    for match in _PATIENT.finditer(sentence):
        if rng.random() < _NAMED:
            pieces += [(sentence[place : match.start()], ""), *scene.filled(rng.choice(_NAMES))]
            place = match.end()
    return [*pieces, (sentence[place:], "")]


def _header(scene: Scene, rng: Random) -> dict[str, str]:
    """Return structured fields of the message, a random selection of them."""
    given, family = scene.named("patient")
    meta = {"patient_sex": scene.sex()}
    if rng.random() < 0.85:  # noqa: PLR2004
        meta |= {"patient_family": family, "patient_given": given}
    for key, value, share in (
        ("patient_dob", scene.birth(), 0.6),
        ("visit_date", scene.visit(), 0.5),
        ("attending_family", scene.named("doctor")[1], 0.5),
        ("attending_given", scene.named("doctor")[0], 0.3),
        ("kin_given", scene.named("kin")[0], 0.3),
        ("mrn", scene.fact("mrn")[0], 0.4),
        ("account", scene.fact("acct")[0], 0.15),
        ("health_plan_id", scene.fact("plan")[0], 0.1),
        ("facility", scene.fact("hospital")[0], 0.2),
    ):
        if rng.random() < share:
            meta[key] = value
    return meta


def _trap(meta: dict[str, str], text: str, tables: Tables, rng: Random) -> None:
    """At random, rename the patient in ``meta`` to a word of the text that can also be a name."""
    words = {w.lower() for w in _WORD.findall(text) if len(w) >= _SHORTEST}
    for kind, key in (("family", "patient_family"), ("given", "patient_given")):
        fit = sorted(words.intersection(tables.traps[kind]))
        if fit and rng.random() < _TRAPPED:
            meta[key] = tables.write(rng.choice(fit))


def _conjoined(pieces: list[Piece], rng: Random) -> list[Piece]:
    """Return the pieces with the blank beside a mention removed, as in faulty exports."""
    places = [at for at, (_, kind) in enumerate(pieces) if kind and at]
    if not places:
        return pieces
    before = rng.choice(places) - 1
    text, kind = pieces[before]
    return [*pieces[:before], (text.rstrip(" "), kind), *pieces[before + 1 :]]


def _annotated(name: str, pieces: Iterable[Piece], meta: dict[str, str]) -> Annotated:
    text, mentions = "", []
    for piece, kind in pieces:
        if kind and piece:
            mentions.append(Mention(len(text), len(text) + len(piece), kind))
        text += piece
    return Annotated(name, text, "en", tuple(mentions), meta=meta)
