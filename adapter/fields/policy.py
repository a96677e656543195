"""The field policy: what happens to one place of a message, by its element and datatype."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.fields.authorities import compile_authorities
from adapter.fields.documents import DocumentFields, compile_documents
from adapter.fields.fhir import FhirFields, compile_fhir
from adapter.fields.hl7 import Hl7Fields, compile_hl7
from adapter.fields.labels import compile_labels
from adapter.fields.profile import Profile, compile_profile
from adapter.fields.publishers import compile_publishers
from adapter.fields.roles import compile_roles
from adapter.fields.rule import DROP, PLAIN
from adapter.types import Action, Handling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.fields.sources import Rules
    from adapter.fields.vocabulary import Vocabulary
    from adapter.types import SecurityLabel, TextSegment

FORMATS = frozenset({"roles", "hl7v2", "fhir", "documents", "labels", "authorities", "publishers"})
MEMO = 100_000
"""Maximum number of memoised verdicts per format: bounded, yet many times a standard's elements."""


@dataclass(frozen=True, slots=True)
class FieldPolicy:
    """The compiled policy; verdicts are memoised by (element, datatype)."""

    hl7: Hl7Fields = field(repr=False)
    fhir: FhirFields = field(repr=False)
    documents: DocumentFields = field(repr=False)
    profile: Profile
    labels: Mapping[str, SecurityLabel] = field(default_factory=dict)
    """Security label of released messages, by format."""
    authorities: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Squeezed names of assigning authorities -> one name for each authority."""
    publishers: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """Publishers whose addresses identify no site, by list."""
    _memo: dict[str, dict[tuple[str, str], Action]] = field(
        default_factory=lambda: {"hl7v2": {}, "fhir": {}, "text": {}}, repr=False, compare=False
    )

    def action(self, form: str, segment: TextSegment) -> Action:
        """Return the action for a segment of a message of format ``form``."""
        memo = self._memo[form]
        key = (segment.element, segment.datatype)
        known = memo.get(key)
        if known is None:
            known = self.verdict(form, *key)
            if len(memo) < MEMO:
                memo[key] = known
        return known

    def verdict(self, form: str, element: str, datatype: str) -> Action:
        """Return the action for an element of a datatype, computed anew."""
        plain, _, unreadable = datatype.partition(":")
        action = self._listed(form, element, plain)
        if unreadable and action.handling is not Handling.DROP:
            return PLAIN[self.profile.unreadable]
        return self.profile.adjust(form, element, plain, action)

    def _listed(self, form: str, element: str, datatype: str) -> Action:
        if form == "text" or datatype == "cda" or datatype.startswith("document."):
            return self.documents.action(element)
        if datatype == "xhtml" and not element.endswith(".div"):
            return self.documents.action(element.rpartition(".div")[2])
        if form == "hl7v2":
            return self.hl7.action(element, datatype)
        return self.fhir.action(element, datatype) if form == "fhir" else DROP

    @property
    def replaced(self) -> tuple[str, ...]:
        """One line for each product rule that a site's file replaced."""
        return self.hl7.replaced + self.fhir.replaced


def compile_policy(tables: Sequence[Rules], profile: Rules, vocabulary: Vocabulary) -> FieldPolicy:
    """Compile the product's files, a site's overlays after them, and a profile.

    Raises:
        RuleError: a rule or the profile cannot be honoured; the error's place is "file:line".
    """
    for rules in tables:
        if rules.kind not in FORMATS:
            raise RuleError(rules.place("format"), f"unknown format '{rules.kind}'")
    of = {kind: [rules for rules in tables if rules.kind == kind] for kind in FORMATS}
    roles = compile_roles(of["roles"])
    return FieldPolicy(
        compile_hl7(of["hl7v2"], roles, vocabulary),
        compile_fhir(of["fhir"], roles, vocabulary),
        compile_documents(of["documents"], roles),
        compile_profile(profile),
        compile_labels(profile, of["labels"]),
        compile_authorities(of["authorities"]),
        compile_publishers(of["publishers"]),
    )
