"""No repr shows text of messages: a traceback or a log line may contain any repr."""

from __future__ import annotations

import ast
import importlib
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import pytest

from tests.test_architecture import CANARY, MODULES

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = {"str", "bytes", "bytearray", "memoryview", "Any", "object"}
"""Types that can hold text of a message; aliases made of them can too."""
HARMLESS = {"Callable", "ClassVar", "InitVar", "Literal", "Pattern", "type", "Event", "Future"}
"""Types whose repr does not depend on their parameters, or which no repr shows."""

FREE = {
    "words and expressions of the rules": """
        codecs.*.schema.* codecs.envelopes.Kind.* codecs.envelopes.protocol.* fields.*
        languages.* mart.landing.hl7v2.compiled.* mart.landing.hl7v2.events.Event.*
        mart.landing.hl7v2.grammar.* mart.landing.hl7v2.keys.*
        mart.landing.hl7v2.walk.Walk.begins mart.landing.hl7v2.walk.Walk.links
        mart.landing.hl7v2.walk.Walk.alone mart.landing.numbers.Numbers.* mart.views.*
        pipeline.ruleset.Ruleset.* review.judging.reasons.* review.web.holds.*
        surrogates.dates.ages.* surrogates.dates.around.* surrogates.drawing.* surrogates.uris.*
        taggers.document.heads.Head.name taggers.document.meanings.*
        taggers.document.resources.* taggers.document.sections.* taggers.patterns.*
        values.checks.* values.grammars.* values.places.* values.proof.* values.systems.*
        """,
    "recipes, models and figures, made of corpora": """
        evaluate.* methods.* review.figures.* rules.* taggers.crf.* taggers.neural.* train.*
        """,
    "settings, and names that the operator gives": """
        cli.* config.* mart.loading.loader.Loader.audit mart.release.*
        mart.store.protocol.ReleaseRow.* replay.folder.target.* replay.mart.target.*
        replay.plan.* replay.storage.* replay.topic.* replay.verify.target.*
        runtime.quarantine.discard.Discard.template runtime.quarantine.entries.Selection.*
        spark.job.Job.* spark.tasks.* surrogates.dates.shift.Calendar.offsets
        surrogates.dates.written.rewrite.Custom.* surrogates.options.* telemetry.*
        transports.backend.Findings.* transports.dry_run.* transports.files.*
        transports.http.gate.* transports.kafka.* transports.listener.to_files.*
        transports.memory.* transports.mllp.answers.Receiver.*
        """,
    "ids and digests, and what is counted, listed or named by them": """
        mart.store.protocol.Entry.erases mart.store.protocol.Erasure.recall
        mart.store.protocol.Rejects.place review.alike.Done.batch review.counting.Counted.*
        review.feedback.effect.Change.* review.judging.actions.Judged.before
        review.judging.items.ReviewText.handling review.reporting.* review.settled.*
        review.store.*.stratum review.store.proposed.Proposed.a* review.store.readings.*
        review.web.call.Console.publics review.web.call.Page.* review.web.shown.Piece.category
        runtime.batches.Refusals.single_until runtime.lane_status.*
        runtime.quarantine.discard.Discard.chosen runtime.reidentify.Sanitized.whole
        runtime.report.Report.reasons runtime.runner.Runner.* sealing.box.* sealing.chain.*
        sealing.escrow.Deposit.marks sealing.escrow.Escrow.public sealing.keyring.*
        sealing.verification.* replay.archive.* replay.survey.* schemas.avro._Extents.* shadow.*
        transports.protocol.Cause.*
        """,
    "parts of HL7: delimiters, elements": """
        codecs.hl7v2.delimiters.Delimiters.* mart.landing.hl7v2.drafts.Draft.*
        mart.versions.Reject.*
        """,
    "names of slots of a date, and of entities": """
        surrogates.dates.written.layouts.* taggers.trusted.joining.Piece.forms
        taggers.trusted.joining.Run.entities
        """,
    "words of closed sets, and ids that the program makes": """
        *.code *.digest *.entity *.form *.format *.hold *.id *.key_id *.kind *.label *.labels
        *.language *.lane *.message_id *.outcome *.part *.reason *.resource_id *.resource_type
        *.role *.rule *.ruleset *.ruleset_digest *.scope *.source *.stage *.state *.status
        *.subject *.topic *.datatype *.sha256 *.counts *.kept *.released *.held *.spans *.vetoes
        """,
}
"""Fields that hold no text of messages, by the reason."""


def _types(annotation: ast.AST) -> Iterator[str]:
    """Yield the names of an annotation."""
    if isinstance(annotation, ast.Name):
        yield annotation.id
    elif isinstance(annotation, ast.Attribute):
        yield annotation.attr
    elif not (isinstance(annotation, ast.Subscript) and {*_types(annotation.value)} & HARMLESS):
        for part in ast.iter_child_nodes(annotation):
            yield from _types(part)


TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()}


def _origins(tree: ast.Module) -> dict[str, ast.expr | str]:
    """Return the names of a module that are aliases, or imported from another module."""
    found: dict[str, ast.expr | str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("adapter."):
            module = str(node.module).removeprefix("adapter.")
            found |= {alias.asname or alias.name: module for alias in node.names}
    return found


ORIGINS = {name: _origins(tree) for name, tree in TREES.items()}


def _is_text(module: str, name: str) -> bool:
    """Whether a type is one of `TEXT`, or an alias made of one."""
    origin = ORIGINS.get(module, {}).get(name)
    if isinstance(origin, str):
        return _is_text(origin, name)
    return name in TEXT or (
        isinstance(origin, ast.Subscript | ast.BinOp | ast.Name)
        and any(_is_text(module, each) for each in _types(origin))
    )


def _shows_fields(kind: ast.ClassDef) -> bool:
    """Whether the repr of a class is the one that shows its fields."""
    made = [ast.unparse(each) for each in (*kind.decorator_list, *kind.bases)]
    own = any(isinstance(each, ast.FunctionDef) and each.name == "__repr__" for each in kind.body)
    tuples = any(each.rpartition(".")[2] == "NamedTuple" for each in made)
    return not own and (
        tuples or any("dataclass" in each and "repr=False" not in each for each in made)
    )


def _shows_text(module: str, field: ast.AnnAssign) -> bool:
    hidden = isinstance(field.value, ast.Call) and "repr=False" in ast.unparse(field.value)
    return not hidden and any(_is_text(module, each) for each in _types(field.annotation))


def shown() -> Iterator[str]:
    """Yield the fields of text that a repr shows, as module.Class.field."""
    for module, tree in TREES.items():
        for kind in ast.walk(tree):
            if isinstance(kind, ast.ClassDef) and _shows_fields(kind):
                for field in kind.body:
                    if isinstance(field, ast.AnnAssign) and _shows_text(module, field):
                        yield f"{module}.{kind.name}.{ast.unparse(field.target)}"


SHOWN = sorted(shown())


def test_every_repr_is_free_of_text():
    """A field that can hold text is hidden in the repr, or listed as free of text of messages."""
    free = [pattern for patterns in FREE.values() for pattern in patterns.split()]
    assert [] == [each for each in SHOWN if not any(fnmatch(each, one) for one in free)]


def test_every_exception_is_needed():
    """Each item of the list of exceptions stands for a field that a repr shows."""
    free = [pattern for patterns in FREE.values() for pattern in patterns.split()]
    assert [] == [one for one in free if not any(fnmatch(each, one) for each in SHOWN)]


TUPLES = [
    (module, kind.name)
    for module, tree in TREES.items()
    for kind in ast.walk(tree)
    if isinstance(kind, ast.ClassDef)
    and [each for each in kind.bases if "NamedTuple" in ast.unparse(each)]
    and not _shows_fields(kind)
]


@pytest.mark.parametrize(("module", "name"), TUPLES)
def test_tuples_with_a_repr_of_their_own_show_no_text(module, name):
    """A tuple whose repr is its own shows none of its fields."""
    kind = getattr(importlib.import_module(f"adapter.{module}"), name)
    assert CANARY not in repr(kind(*[CANARY] * len(kind._fields)))
