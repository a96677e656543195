"""Exports approved proposals and settled readings, and applies exports to a copy of the rules.

The same decisions give the same bytes. The files contain protected text and have mode 0600.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.review.feedback.rendering import FAMILY, TAKEN_OUT, overlay
from adapter.review.judging.actions import Status
from adapter.review.judging.proposals import Effect
from adapter.review.settled import settled
from adapter.review.store import items, people, proposed, readings
from adapter.review.views import load

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from adapter.review.judging.actions import Judged
    from adapter.review.judging.items import Content
    from adapter.review.store.proposed import Proposed
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store

PROVENANCE, CORPUS, FIELDS, REMOVED = (
    "provenance.jsonl",
    "corpus.jsonl",
    "fields.jsonl",
    "removed.json",
)
RULES = ("lexicons", "patterns")
_ALL = 1_000_000


def exported(
    store: Store, lexicons: Mapping[str, Mapping[str, Collection[str]]], by: str = ""
) -> dict[str, str]:
    """Return the contents of the files by path.

    Raises:
        StoreError: the database does not answer.
    """
    with store.step("export", by) as cursor:
        approved = proposed.listed(cursor, store.box, proposed.APPROVED, most=_ALL)
        names = {p.id: p.name for p in people.everybody(cursor)}
        corpus = sorted(_corpus(store, cursor))
    files = rule_files(approved, lexicons)
    files[PROVENANCE] = "".join(sorted(_provenance(each, names) for each in approved))
    files[CORPUS] = "".join(corpus)
    fields = (each for each in approved if each.proposal.effect is Effect.FIELD)
    files[FIELDS] = "".join(sorted(_provenance(each, names) for each in fields))
    return files


def rule_files(
    approved: Iterable[Proposed], lexicons: Mapping[str, Mapping[str, Collection[str]]]
) -> dict[str, str]:
    """Return the files that `apply` copies into a rules folder, by path."""
    over = overlay([each.proposal for each in approved], lexicons)
    files = {f"patterns/{code}/{FAMILY}.toml": text for code, text in over.families.items()}
    for name, terms in over.terms.items():
        text = "".join(f"{term}\n" for term in terms)
        files[f"lexicons/{name}/items.txt"] = text
        files[f"lexicons/{name}/source.toml"] = _source(text)
    removed = {name: list(excluded) for name, excluded in over.removed.items()}
    files[REMOVED] = json.dumps(removed, sort_keys=True, ensure_ascii=False, indent=1) + "\n"
    return files


def _source(items: str) -> str:
    fields = {
        "what": "Terms that reviewers found missing; protected text.",
        "origin": "texts of this site, written for this project",
        "licence": "none: not to be passed on",
        "columns": "item",
        "made_by": "deid-adapter review export",
        "digest": f"sha256:{hashlib.sha256(items.encode()).hexdigest()}",
    }
    return "".join(f'{key} = "{value}"\n' for key, value in fields.items())


def _provenance(each: Proposed, names: Mapping[str, str]) -> str:
    """Return a proposal's line: content, authors, reason, approver, preview and digest."""
    plain = each.proposal.packed()
    fields: dict[str, Any] = {
        "digest": hashlib.sha256(plain).hexdigest(),
        **json.loads(plain),
        "asked_by": sorted(names.get(author, author) for author in each.authors),
        "approved_by": names.get(each.approver, each.approver),
        "decided_ms": each.decided,
        "decisions": each.support,
        "preview": json.loads(each.preview) if each.preview else None,
    }
    return json.dumps(fields, ensure_ascii=False, sort_keys=True) + "\n"


def _corpus(store: Store, cursor: Cursor) -> Iterator[str]:
    """Yield a line for each text whose mentions are settled, in samples and in the working queues.

    From the working queues, only texts whose spans were all judged are used: for other texts, such
    as those of a held item that was finished unjudged, the absence of mentions is unconfirmed.
    """
    for each in settled(store, cursor):
        yield from _lines(each.content, each.content.free, each.gold)
    for queue in ("uncertain", "held"):
        for reading in readings.of_sample(cursor, queue):
            if not reading.done or items.read(cursor, store.box, reading.item, store.now) is None:
                continue
            view = load(store, cursor, reading)
            undecided = {s.text for s in view.state if s.status is Status.OPEN}
            decided = {s.text for s in view.state} - undecided
            whole = [n for n in view.texts if n in decided and view.content.texts[n].is_free]
            yield from _lines(view.content, whole, [s for s in view.state if s.stands])


def _lines(content: Content, texts: Iterable[int], spans: Iterable[Judged]) -> Iterator[str]:
    found = list(spans)
    for number in texts:
        place = content.texts[number]
        own = sorted((s.start, s.end, s.label) for s in found if s.text == number)
        fields = {
            "id": hashlib.sha256(f"{place.path}\0{place.text}".encode()).hexdigest()[:24],
            "text": place.text,
            "lang": place.language or content.language,
            "spans": [{"start": s, "end": e, "type": label} for s, e, label in own],
        }
        yield json.dumps(fields, ensure_ascii=False) + "\n"


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files with mode 0600, replacing those of an earlier export.

    Raises:
        RuleError: the folder contains other files.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / PROVENANCE).is_file():
        raise RuleError(str(folder), "contains other files; choose another folder")
    for part in RULES:
        shutil.rmtree(folder / part, ignore_errors=True)
    for name, text in sorted(files.items()):
        file = folder / name
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)


def apply(export: Path, rules: Path, out: Path) -> None:
    """Copy a rules folder and add an export to the copy; the original does not change.

    Raises:
        RuleError: the folder is not an export, or the new folder already exists.
    """
    if not (export / PROVENANCE).is_file() or not (export / REMOVED).is_file():
        raise RuleError(str(export), "was not written by `review export`")
    if out.exists():
        raise RuleError(str(out), "already exists; choose another folder")
    out.mkdir(mode=0o700, parents=True)
    shutil.copytree(rules, out, dirs_exist_ok=True)
    out.chmod(0o700)  # copytree copied the mode of the rules; protected text follows
    for part in RULES:
        if (export / part).is_dir():
            shutil.copytree(export / part, out / part, dirs_exist_ok=True)
    for name, excluded in json.loads((export / REMOVED).read_text("utf-8")).items():
        _add_exceptions(out / "lexicons" / name, excluded)


def _add_exceptions(lexicon: Path, excluded: Iterable[str]) -> None:
    if not (lexicon / "items.txt").is_file():
        raise RuleError(lexicon.name, "is not a lexicon of these rules")
    for name in ("exceptions.txt", TAKEN_OUT):
        file = lexicon / name
        before = file.read_text("utf-8").splitlines() if file.is_file() else []
        file.write_text(
            "".join(f"{item}\n" for item in dict.fromkeys((*before, *excluded))), "utf-8"
        )
