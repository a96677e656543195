"""``deid-adapter check``: finds problems in settings, keys, rules and topics, and their places."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from adapter.audit import configure_logs
from adapter.cli.setup import ConfigOption, ProfileOption, rules, settings
from adapter.cli.terminal import say
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.http.client import RequestError
from adapter.mart.landing.hl7v2.table_tests import run_tests
from adapter.mart.maps import read_maps
from adapter.rules.compile import load_ruleset, tagging
from adapter.rules.folder import read_rules, rules_folder, site_files
from adapter.rules.self_tests import rule_failures
from adapter.runtime.service import escrow, memory, sealer, splits
from adapter.schemas.registry import schemas_of
from adapter.sealing.key_lookup import audit_signer, shared_secrets, surrogates_key
from adapter.sealing.keyring import read_ring
from adapter.shadow.worker import shadowed
from adapter.transports.backend import Findings
from adapter.transports.certificates import certificates
from adapter.transports.registry import backend
from adapter.vault.store import open_vault

Check = Callable[[Settings], Iterator[str]]


class Note(str):
    """A line about something that is valid, but may not be intended."""

    __slots__ = ()


LONGEST_LINE = 200
"""Maximum number of characters in a line of a rule file, so that people can review it."""


def check(
    config: ConfigOption = None,
    profile: ProfileOption = None,
    offline: Annotated[
        bool, typer.Option(help="Do not contact the broker or the registry.")
    ] = False,
    create_topics: Annotated[
        bool, typer.Option("--create-topics", help="Create missing output topics.")
    ] = False,
) -> None:
    """Check the settings, the keys, every rule with its own tests, topics, rights and certificates.

    Without a settings file, the rules alone matter. Exit status 1 if there is any problem.
    """
    configure_logs("error")  # what the log would warn of is a line of the result
    loaded = (
        load_settings(config, said={"rules": rules(profile)})
        if config
        else settings(None, profile=profile, noted=False)
    )
    checks = _checks_of(loaded, offline=offline, create=create_topics) if config else OF_RULES
    told: set[str] = set()
    wrong = sum(_report(name, run, loaded, told) for name, run in checks.items())
    if wrong:
        raise typer.Exit(1)


def _checks_of(loaded: Settings, *, offline: bool, create: bool) -> dict[str, Check]:
    """Return the checks that matter for these settings, by name."""
    if _is_of_a_mart(loaded):
        return {
            "settings": _mart,
            "rule lines": _rule_lines,
            "mart maps": _maps,
            "certificates": _certificates,
        }
    checks: dict[str, Check] = {
        "keys": _keys,
        "transport": _transport,
        "secrets": _secrets,
        "known": _known,
        "vault": _vault,
        "escrow": _escrow,
        **OF_RULES,
        "shadow": _shadow,
        "certificates": _certificates,
    }
    if loaded.registry.url and not offline:
        checks["registry"] = _registry
    if backend(loaded).broker and not offline:
        checks["topics"] = partial(_topics, create=create)
    return checks


def _is_of_a_mart(loaded: Settings) -> bool:
    """Whether the settings are those of a mart and of no adapter: no key, no input."""
    service = {"transport", "keys", "files", "mllp", "http", "topic", "escrow", "quarantine"}
    has_input = bool(loaded.kafka.topics or loaded.kafka.pattern)
    said = loaded.model_fields_set
    return "mart" in said and not said & service and not has_input


def _mart(loaded: Settings) -> Iterator[str]:
    yield Note(f"of a mart ({loaded.mart.project}) only: keys, inputs and rules are not checked")


def _report(name: str, run: Check, loaded: Settings, told: set[str]) -> int:
    """Run one check and print its result; return the number of problems.

    ``told`` are the problems printed before, which are not repeated.
    """
    problems = []
    try:
        for line in run(loaded):
            say(f"{'note' if isinstance(line, Note) else 'ok'}".ljust(7) + f"{name}: {line}")
    except RuleError as error:
        problems = [f"{error.place}: {error.problem}"]
    except ExceptionGroup as group:
        problems = [str(error) for error in group.exceptions]
    for problem in problems:
        if problem in told:
            say(f"note   {name}: not checked, because of a problem named above")
        else:
            say(f"WRONG  {name}: {problem}")
    told.update(problems)
    return len(problems)


def _secrets(loaded: Settings) -> Iterator[str]:
    """Check that each purpose has its own secret."""
    shared = shared_secrets(loaded)
    if shared:
        problem = "share one secret; give each purpose its own"
        raise ExceptionGroup("secrets", [RuleError(" and ".join(p), problem) for p in shared])
    yield "each purpose has its own secret"


def _keys(loaded: Settings) -> Iterator[str]:
    if loaded.keys.ring is not None:
        yield _ring(loaded.keys.ring, loaded.keys.domain)
    yield f"surrogates ({surrogates_key(loaded)[0]}) is readable"
    seal = sealer(loaded)
    if seal is not None:
        yield f"quarantine ({seal.key_id}) is readable"
    elif not backend(loaded).keeps_originals:
        raise RuleError("keys.quarantine", "is not set; make a key with `deid-adapter keys new`")
    signer = audit_signer(loaded)
    chained = (
        f"chained and signed ({signer.key_id})" if signer else "not chained: no audit key is set"
    )
    yield f"audit records are {chained}"


def _transport(loaded: Settings) -> Iterator[str]:
    """Make the transport as `run` does, which refuses settings without an input, or a bad token."""
    files = loaded.files.model_copy(update={"state": None})  # this file would be created
    untouched = loaded.model_copy(update={"files": files})
    backend(loaded).transport(untouched, splits(loaded), sealed=True)
    yield loaded.transport


def _known(loaded: Settings) -> Iterator[str]:
    """Yield where patient memory is kept, or why there is none."""
    remembers = memory(loaded) is not None
    if not remembers:
        why = "known.enabled" if not loaded.known.enabled else "keys.state and kafka.state"
        yield f"off ({why}): each message is processed on its own"
    else:
        yield f"kept {backend(loaded).memory_place(loaded)}"


def _vault(loaded: Settings) -> Iterator[str]:
    vault = open_vault(loaded.vault.url)
    if vault is None:
        yield "off: surrogates are derived from the key alone"
    else:
        yield f"{vault.count()} random codes"
        vault.close()


def _ring(path: Path, domain: str) -> str:
    """Describe the key ring: how many keys a domain has in each state."""
    states = Counter(e.state for e in read_ring(path).entries if e.domain == domain)
    counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "no keys"
    return f"ring, domain {domain}: {counts}"


def _escrow(loaded: Settings) -> Iterator[str]:
    sealed = escrow(loaded)
    yield f"sealed to {sealed.key_id}" if sealed else "off: no originals are kept"


def _rules(loaded: Settings) -> Iterator[str]:
    ruleset = load_ruleset(loaded)
    languages = ", ".join(ruleset.languages)
    tuple(ruleset.languages.values())  # each is compiled
    yield f"profile {loaded.rules.profile}, languages {languages}, digest {ruleset.digest[:16]}"
    for topic in loaded.topic:
        own = loaded.of_topic(topic)
        formats, wrapped = ", ".join(own.rules.formats), own.envelope.kind
        yield f"{topic}: profile {own.rules.profile}, formats {formats}, envelope {wrapped}"
    for language, (names, lacking) in tagging(loaded).items():
        without = "".join(f"; without {name} ({why})" for name, why in lacking.items())
        yield f"{language} is read by {', '.join(names)}{without}"


def _rule_lines(loaded: Settings) -> Iterator[str]:
    folder = rules_folder(loaded).path
    files = {str(file.relative_to(folder.parent)): file for file in folder.rglob("*.toml")}
    files |= {str(file): file for file in site_files(loaded)}
    overlong = [place for name in sorted(files) for place in _overlong(name, files[name])]
    if overlong:
        problem = f"is longer than {LONGEST_LINE} characters"
        raise ExceptionGroup("rule lines", [RuleError(place, problem) for place in overlong])
    yield f"none of {len(files)} files has a line over {LONGEST_LINE} characters"


def _overlong(name: str, file: Path) -> Iterator[str]:
    """Yield "file:line" of each line that is too long."""
    for number, line in enumerate(read_rules(file, name).text.splitlines(), 1):
        if len(line) > LONGEST_LINE:
            yield f"{name}:{number}"


def _rule_tests(loaded: Settings) -> Iterator[str]:
    ran, failures = rule_failures(loaded)
    if failures:
        raise ExceptionGroup("rule tests", [RuleError(place, why) for place, why in failures])
    yield f"{ran} passed"


def _shadow(loaded: Settings) -> Iterator[str]:
    """Compile the shadow ruleset, if there is one, and run its rules' own tests."""
    if not loaded.shadow.share:
        return
    other = shadowed(loaded)
    ruleset = load_ruleset(other)
    ran, failures = rule_failures(other)
    if failures:
        raise ExceptionGroup("shadow", [RuleError(place, why) for place, why in failures])
    yield f"profile {other.rules.profile}, digest {ruleset.digest[:16]}, {ran} rule tests passed"


def _maps(loaded: Settings) -> Iterator[str]:
    """Check the mapping tables of the mart, if the rules folder has any."""
    folder = rules_folder(loaded).path
    if not (folder / "mart").is_dir():
        return
    ran, failures = run_tests(read_maps(folder))
    if failures:
        raise ExceptionGroup("mart maps", [RuleError(place, why) for place, why in failures])
    yield f"{ran} passed"


def _registry(loaded: Settings) -> Iterator[str]:
    """Check that the schema registry answers."""
    schemas = schemas_of(loaded)
    assert schemas is not None
    try:
        schemas.answers()
    except RequestError as error:
        raise RuleError("registry.url", f"does not answer ({error.reason})") from None
    yield "answers"


def _topics(loaded: Settings, *, create: bool) -> Iterator[str]:
    state = memory(loaded) is not None
    yield from _told(asyncio.run(backend(loaded).preflight(loaded, state=state, create=create)))


def _certificates(loaded: Settings) -> Iterator[str]:
    yield from _told(certificates(loaded))


def _told(found: Findings) -> Iterator[str]:
    yield from found.fine
    yield from map(Note, found.notes)
    if found.wrong:
        raise ExceptionGroup("wrong", [RuleError(*problem) for problem in found.wrong])


OF_RULES: dict[str, Check] = {
    "rules": _rules,
    "rule lines": _rule_lines,
    "rule tests": _rule_tests,
    "mart maps": _maps,
}
"""The checks that need no settings."""
