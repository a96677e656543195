"""A process function that breaks at a chosen step with an exception that quotes the message."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from adapter.pipeline.process import process
from tests.corpus.runs import ruleset

STEPS = (
    "none",
    "codec.decode",
    "codec.encode",
    "unfolded",
    "policy.action",
    "surrogates.renderer",
    "surrogates.identifier",
    "extract",
    "read",
    "resolve",
    "sweep",
    "check",
)
"""Where it can break: a part of the ruleset, or a function on the way through `process`."""
HOMES = {
    "unfolded": "opening",
    "extract": "examining",
    "check": "examining",
    "read": "language",
    "resolve": "language",
    "sweep": "sweeping",
}
"""Modules of the functions that `process` does not call itself."""


class QuotingError(Exception):
    """An exception as careless libraries raise them: its text, repr and notes quote the input."""


@dataclass(frozen=True)
class Faulty:
    """Makes the faulty function inside a worker."""

    step: str

    def __call__(self):
        """Compile the rules and break one step."""
        rules = ruleset()
        return lambda record: self.run(record, rules)

    def run(self, record, rules):
        """Process a record with the step broken."""
        if self.step == "none":
            return process(record, rules)
        quote = repr([(record.value or b"").decode("utf-8", "replace"), record.key])

        def broken(*_arguments, **_options):
            error = QuotingError(quote)
            error.add_note(quote)
            raise error

        owner, name = self._place(rules)
        kept = getattr(owner, name)
        setattr(owner, name, broken)
        try:
            return process(record, rules)
        finally:
            setattr(owner, name, kept)

    def _place(self, rules):
        if "." not in self.step:
            home = HOMES[self.step]
            return importlib.import_module(f"adapter.pipeline.{home}"), self.step
        part, name = self.step.split(".")
        owner = rules.codecs["hl7v2"] if part == "codec" else getattr(rules, part)
        return type(owner), name


def faulty_by_offset():
    """Make a function that breaks one step after the other, by the record's offset."""
    rules = ruleset()
    faulty = [Faulty(step) for step in STEPS]
    return lambda record: faulty[record.position.offset % len(STEPS)].run(record, rules)
