"""References and addresses: FHIR references, URLs, URNs, object identifiers, file paths.

What a known publisher defines stays. Of anything else each part becomes the surrogate it has alone:
a host becomes a host below example.org, an id in a path, a query or a fragment becomes that of the
id, so that references, ids and addresses still agree. Only what FHIR's own grammar has (R4 sections
2.3.0 and 3.1: resource types, ``_history`` and counts of versions, ``$operations``, search
parameters) stays.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from adapter.surrogates.numbers.object_identifiers import OID
from adapter.surrogates.uris.definitions import NONE_DEFINED, Definitions
from adapter.surrogates.uris.hosts import host, pointer, port, scheme, step
from adapter.surrogates.uris.paths import REVISION, Paths
from adapter.surrogates.uris.publishers import NOBODY, Publishers

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.surrogates.drawing.keys import Key

    Identify = Callable[[str], str]

DEFINITIONAL = frozenset(
    "ActivityDefinition CapabilityStatement ChargeItemDefinition CodeSystem CompartmentDefinition"
    " ConceptMap ConditionDefinition EventDefinition ExampleScenario GraphDefinition"
    " ImplementationGuide Library Measure MessageDefinition NamingSystem ObservationDefinition"
    " OperationDefinition PlanDefinition Questionnaire ResearchDefinition SearchParameter"
    " SpecimenDefinition StructureDefinition StructureMap SubscriptionTopic TerminologyCapabilities"
    " TestScript ValueSet DataElement ExpansionProfile ServiceDefinition Requirements TestPlan"
    " ActorDefinition Citation Evidence EvidenceReport EvidenceVariable".split()
)
"""Resource types that define things."""
DEFINITIONS = {False: DEFINITIONAL, True: frozenset[str]()}
"""Types whose ids stay in a publisher's address, by whether it locates a resource."""

_URL = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?:[^@/?#]*@)?(?P<host>\[[^\]]*\]|[^:/?#\\]*)"
    r"(?P<port>:[0-9]*)?(?P<rest>[/?#].*)?",
    re.DOTALL,
)
_SCHEMED = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_URN = re.compile(r"(?P<lead>urn:(?:uuid|oid):)(?P<id>[^#?|/]+)(?P<rest>.*)", re.IGNORECASE)
_STEPS = re.compile(r"[^:/?#|]+")
_ENTITY_TAG = re.compile(r"(W/\"?|\")(.*?)(\"?)")
_SEARCH = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*=.*", re.DOTALL)
_HOST = re.compile(r"(?:[a-z0-9_-]+\.)+([a-z]{2,})", re.IGNORECASE)
_MARKS = frozenset('/#?:\\="')
_LABELS = 3
"""Labels of a host whose last has two letters; with fewer it may be a number or a name."""


class References:
    """Distinguishes addresses from other texts; ``resources`` are the FHIR resource types."""

    def __init__(
        self,
        key: Key,
        resources: frozenset[str],
        publishers: Publishers = NOBODY,
        definitions: Definitions = NONE_DEFINED,
        attempt: int = 0,
    ) -> None:
        self._key, self._resources, self._publishers = key, resources, publishers
        self._definitions = definitions
        self._host = partial(host, key, attempt=attempt)
        self._paths = Paths(resources, publishers, self._value, definitions.kinds)

    def redrawn(self, attempt: int) -> References:
        """Return the same with other surrogate hosts."""
        return References(self._key, self._resources, self._publishers, self._definitions, attempt)

    def rewrite(
        self,
        text: str,
        identify: Identify,
        real: frozenset[str] = frozenset(),
        *,
        located: bool = False,
        canonical: bool = False,
    ) -> str | None:
        """Return text with its hosts, ids and values replaced; None if it is no address.

        A resource type alone (the url of a transaction's create) identifies nobody and stays, as
        does what a known publisher defines, unless it contains a ``real`` value of the message.
        Where a resource is ``located`` (a fullUrl, a reference), the id of a publisher's definition
        is replaced too, like the id in the resource. The id of a definition stays where its words
        say what is defined: behind its type, and behind the "#" of what is ``canonical``.
        """
        if _MARKS.isdisjoint(text):
            return self._unmarked(text, identify, real)
        define = self._definitions.naming(identify, real)
        if text.startswith("#"):
            return "#" + (define if canonical else identify)(text[1:])
        if text[:4].lower() == "urn:":
            return self._urn(text, identify, real)
        if _SCHEMED.match(text):
            return self._absolute(text, identify, real, DEFINITIONS[located])
        if re.split(r"[/?#|]", text, maxsplit=1)[0] in self._resources:
            return self._paths.rest(text, identify, define)
        return self._pointed(text, identify)

    def _unmarked(self, text: str, identify: Identify, real: frozenset[str]) -> str | None:
        if text in self._resources:
            return text
        if OID.fullmatch(text):
            return text if self._publishers.registers(text, real) else identify(text)
        if self._is_host(text):
            return self._host(text)
        stem, _, ending = text.rpartition(".")
        if stem and ending.lower() in self._publishers.endings:
            return step(text, identify, self._publishers.endings)
        return None

    def address(
        self,
        text: str,
        identify: Identify,
        real: frozenset[str] = frozenset(),
        *,
        located: bool = False,
        canonical: bool = False,
    ) -> str:
        """Rewrite any text of a place for addresses; what cannot be read is replaced whole."""
        if text in self._publishers.names:
            return text
        found = self.rewrite(text, identify, real, located=located, canonical=canonical)
        if found is not None:
            return found
        return self._unread(text, identify)

    def _unread(self, text: str, identify: Identify) -> str:
        """Rewrite entity tags, parts of an address, a query, a host without scheme, or others."""
        if tag := _ENTITY_TAG.fullmatch(text):
            return tag[1] + (tag[2] if REVISION.fullmatch(tag[2]) else identify(tag[2])) + tag[3]
        if text.startswith(("/", "$", "_", "metadata", "?")):
            return self._paths.rest(text, identify)
        if _SEARCH.fullmatch(text):
            return self._paths.query(text, identify)
        url = _URL.fullmatch(text)
        if url and self._is_host(url["host"]):
            return self._written(url, "", identify)
        return identify(text) if _MARKS.isdisjoint(text) else self._opaque(text, identify)

    def _opaque(self, text: str, identify: Identify) -> str:
        """An address of a scheme of its own ("data:", "cid:"), or words with slashes."""
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text):
            return "https://" + self._host(text)
        return _STEPS.sub(lambda one: identify(one[0]), text)

    def _is_host(self, text: str) -> bool:
        found = _HOST.fullmatch(text)
        if found is None or found[1].lower() not in self._publishers.domains:
            return False
        return len(found[1]) > 2 or text.count(".") >= _LABELS - 1  # noqa: PLR2004 (a country's)

    def _urn(self, text: str, identify: Identify, real: frozenset[str]) -> str:
        if found := _URN.fullmatch(text):
            lead, own, rest = found["lead"], found["id"], found["rest"]
            known = "oid" in lead.lower() and self._publishers.registers(own, real)
            return lead + (own if known else identify(own)) + self._paths.rest(rest, identify)
        if self._publishers.named(text, real):
            return text
        return text[:4] + _STEPS.sub(lambda one: identify(one[0]), text[4:])

    def _absolute(
        self, text: str, identify: Identify, real: frozenset[str], stay: frozenset[str]
    ) -> str:
        found = _URL.fullmatch(text)
        if found is None or not found["scheme"] or not found["host"]:
            if found and found["scheme"] and found["scheme"].lower() == "file" and found["rest"]:
                return f"file://{self._paths.rest(found['rest'], identify)}"
            return self._opaque(text, identify)
        kind = self._instance(text, stay)
        if not self._publishers.publishes(text, real) or self._publishers.numbers(text[:kind]):
            lead = scheme(found["scheme"]) + "://"
            return self._written(found, lead, identify, self._definitions.naming(identify, real))
        define = self._definitions.naming(identify, real)
        return text[:kind] + self._paths.rest(text[kind:], identify, define)

    def _instance(self, text: str, stay: frozenset[str]) -> int:
        """Return where in a publisher's address the type of a resource begins whose id must go."""
        place = 0
        for segment in text.split("/"):
            if segment in self._resources and segment not in stay:
                return place
            place += len(segment) + 1
        return len(text)

    def _written(
        self,
        found: re.Match[str],
        lead: str,
        identify: Identify,
        define: Identify | None = None,
    ) -> str:
        place = self._host(found["host"]) + port(found["port"])
        return lead + place + self._paths.rest(found["rest"] or "", identify, define)

    def _value(self, text: str, identify: Identify) -> str:
        """Rewrite a value of a search: a token after its system, a reference, or plain text."""
        system, bar, bare = text.partition("|")
        if bar:
            return f"{self.address(system, identify)}|{identify(bare)}"
        return self.rewrite(text, identify) or identify(text)

    def _pointed(self, text: str, identify: Identify) -> str | None:
        if "\\" not in text and not re.match(r"[A-Za-z]:/|/[^/]+/[^/]+/", text):
            return None
        return pointer(self._host, text, identify, self._publishers.endings)
