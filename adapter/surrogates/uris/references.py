"""Surrogates of FHIR references, URLs, URNs, object identifiers and file paths.

Addresses of known publishers stay. In all others each part becomes the surrogate that it has alone:
a host becomes a host below example.org, an id in a path, query or fragment becomes the surrogate of
the id, so that references, ids and addresses still agree. Only words of FHIR's own grammar stay (R4
sections 2.3.0 and 3.1: resource types, ``_history`` and version counts, ``$operations``, search
parameters).
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
"""Resource types of definitions, such as code systems and questionnaires."""
DEFINITIONS = {False: DEFINITIONAL, True: frozenset[str]()}
"""Whether an address locates a resource -> types whose ids stay in a publisher's address."""

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
"""Fewest labels of a host in a country's domain; a shorter one may be a number or a name."""


class References:
    """Recognises and rewrites addresses; ``resources`` are the FHIR resource types."""

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
        """Return the same rewriter with other surrogate hosts."""
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
        """Return an address with hosts, ids and values replaced, or None for other text.

        A lone resource type (the url of a transaction's create) identifies nobody and stays, as
        does a known publisher's address, unless it contains a ``real`` value of the message. If the
        address locates a resource (``located``: a fullUrl, a reference), the id of a publisher's
        definition is replaced too, like the id in the resource. The id of a definition stays if its
        words describe the definition: after its type, and after the "#" of a ``canonical``.
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
        if self.is_host(text):
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
        """Rewrite the text of an address field; text that cannot be read is replaced whole."""
        if text in self._publishers.names:
            return text
        found = self.rewrite(text, identify, real, located=located, canonical=canonical)
        if found is not None:
            return found
        return self._unread(text, identify)

    def _unread(self, text: str, identify: Identify) -> str:
        """Rewrite an entity tag, part of an address, query, host without scheme, or other text."""
        if tag := _ENTITY_TAG.fullmatch(text):
            return tag[1] + (tag[2] if REVISION.fullmatch(tag[2]) else identify(tag[2])) + tag[3]
        if text.startswith(("/", "$", "_", "metadata", "?")):
            return self._paths.rest(text, identify)
        if _SEARCH.fullmatch(text):
            return self._paths.query(text, identify)
        url = _URL.fullmatch(text)
        if url and self.is_host(url["host"], 1):
            return self._written(url, "", identify)
        if len(words := text.split()) > 1:
            return " ".join(self.address(word, identify) for word in words)
        return identify(text) if _MARKS.isdisjoint(text) else self._opaque(text, identify)

    def _opaque(self, text: str, identify: Identify) -> str:
        """Rewrite an address of another scheme ("data:", "cid:"), or words with slashes."""
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text):
            return "https://" + self._host(text)
        return _STEPS.sub(lambda one: identify(one[0]), text)

    def is_host(self, text: str, dots: int = _LABELS - 1) -> bool:
        """Whether a text is a host; one in a country's domain must have that many ``dots``."""
        found = _HOST.fullmatch(text)
        if found is None or found[1].lower() not in self._publishers.domains:
            return False
        return len(found[1]) > 2 or text.count(".") >= dots  # noqa: PLR2004 (a country's)

    def is_located(self, text: str, dots: int = _LABELS - 1) -> bool:
        """Whether a text is an address with a host: "https://x.org/y", "www.x.org", "x.org/y"."""
        found = _URL.fullmatch(text)
        if found is None or any(mark.isspace() for mark in text):
            return False
        lead = found["scheme"] or found["host"].lower().startswith("www.")
        return bool(lead and found["host"]) or self.is_host(found["host"], dots)

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
        """Return the position of the resource type whose id must go in a publisher's address."""
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
        """Rewrite a search value: a token after its system, a reference, or plain text."""
        system, bar, bare = text.partition("|")
        if bar:
            return f"{self.address(system, identify)}|{identify(bare)}"
        return self.rewrite(text, identify) or identify(text)

    def _pointed(self, text: str, identify: Identify) -> str | None:
        if "\\" not in text and not re.match(r"[A-Za-z]:/|/[^/]+/[^/]+/", text):
            return None
        return pointer(self._host, text, identify, self._publishers.endings)
