"""Induced terms as rules: a lexicon for each class, and patterns that match its items.

The files have the form of a rules folder: ``lexicons/<language>-induced-<class>/`` and
``patterns/<language>/induced.toml``. Copied into a rules folder after review, they are used.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from adapter.methods.induction.seeds import CAPITAL, NUMBER, UPPER
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.methods.induction.results import Induced

MOST = 1000
"""Most items of a lexicon; a pattern may not expand more."""
PRIORITY, SCORE = 45, 0.6
"""Priority and score of spans of induced terms, below those of spans with a cue."""
_LABELS = {
    "person": Label.PATIENT,
    "given": Label.PATIENT,
    "family": Label.PATIENT,
    "facility": Label.HOSPITAL,
    "organisation": Label.ORGANIZATION,
}
_BORDER = r"(?![\p{L}\p{N}])"
_HEAD = """\
# Terms that `deid-adapter induce` proposed; see docs/induction.md.
family = "induced"
"""


def class_label(name: str) -> Label | None:
    """Return the label of a class of seeds, by a usual word or by the label's name, or None."""
    if name in _LABELS:
        return _LABELS[name]
    return Label(name.upper()) if name.upper() in set(Label) else None


def rules(induced: Induced, language: str, provenance: Mapping[str, str]) -> dict[str, str]:
    """Return files by path: lexicons of all classes, and patterns of classes with a label."""
    files: dict[str, str] = {}
    patterns: list[str] = []
    for (name, kind), items in _by_class(induced).items():
        for part, some in enumerate(_parts(items), 1):
            own = "-".join([name, *(["acronyms"] * (kind == UPPER)), *([str(part)] * (part > 1))])
            folder = f"lexicons/{language}-induced-{own}"
            text = "".join(f"{item}\n" for item in some)
            files[f"{folder}/items.txt"] = text
            files[f"{folder}/source.toml"] = _source(name, text, provenance)
            if label := class_label(name):
                patterns.append(_pattern(own, kind, label, f"{language}-induced-{own}", some))
    files[f"patterns/{language}/induced.toml"] = "\n".join((_HEAD, *patterns))
    return files


def _by_class(induced: Induced) -> dict[tuple[str, str], list[str]]:
    """Return sorted items by (class, kind), so that acronyms are separate."""
    found: dict[tuple[str, str], list[str]] = {}
    for term in induced.terms:
        found.setdefault((term.name, term.kind), []).append(term.item)
    return {key: sorted(items) for key, items in sorted(found.items())}


def _parts(items: Sequence[str]) -> Iterable[Sequence[str]]:
    return (items[at : at + MOST] for at in range(0, len(items), MOST))


def _source(name: str, items: str, provenance: Mapping[str, str]) -> str:
    said = {
        "what": f"Terms of the class {name}, induced from seeds; protected text until reviewed.",
        "origin": "texts of this site",
        "licence": "none: not to be passed on",
        "columns": "item",
        "made_by": "deid-adapter induce",
        **provenance,
        "digest": f"sha256:{hashlib.sha256(items.encode()).hexdigest()}",
    }
    return "".join(f'{key} = "{value}"\n' for key, value in said.items())


def _pattern(name: str, kind: str, label: Label, lexicon: str, items: Iterable[str]) -> str:
    """Return a pattern that matches the lexicon's items at words of their kind."""
    starts = {CAPITAL: ["<capital>"], UPPER: ["<capital>"], NUMBER: ["<number>"]}.get(kind)
    words = starts or sorted({item.partition(" ")[0] for item in items})
    begins = r"(?=\p{Lu}{2,})(?i:" if kind == UPPER else "(?:"
    lines = [
        "[[pattern]]",
        f'name     = "{name}"',
        f'label    = "{label}"',
        f"starts   = {json.dumps(words, ensure_ascii=False)}",
        f"regex    = '''{begins}{{{{lexicon:{lexicon}}}}}){_BORDER}'''",
        *(["case     = true"] * (kind == UPPER)),
        f"priority = {PRIORITY}",
        f"score    = {SCORE}",
    ]
    return "".join(f"{line}\n" for line in lines)
