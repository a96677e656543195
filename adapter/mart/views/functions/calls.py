"""A call of a FHIRPath function, as passed to the function that compiles it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adapter.mart.views.fhirpath.syntax import Expression, Member
from adapter.mart.views.values import Scope, Value, as_truth, items


@dataclass(frozen=True, slots=True)
class Call:
    """A function called on ``base``; ``compile`` compiles its arguments in a scope."""

    scope: Scope
    base: Value
    arguments: tuple[Expression, ...]
    compile: Callable[[Expression, Scope], Value]

    def argument(self, number: int) -> Value:
        """Return an argument, compiled in the scope of the call."""
        return self.compile(self.arguments[number], self.scope)

    def optional(self, number: int, default: Value) -> Value:
        """Return an argument, or the default if it is absent."""
        return self.argument(number) if number < len(self.arguments) else default

    def items(self) -> str:
        """Return the base as a collection."""
        return items(self.scope, self.base)

    def criteria(self, combine: str) -> str:
        """Return a list function over the base, with the first argument as the condition."""
        names = self.scope.names
        node, index = names.fresh(), names.fresh("i")
        inside = self.scope.inside(node, self.base.fhir, f"({index} - 1)")
        truth = as_truth(inside, self.compile(self.arguments[0], inside))
        head = f"{node}, {index}" if index in truth else node
        return f"{combine}({self.items()}, lambda {head}: coalesce({truth}, false))"


def type_name(scope: Scope, argument: Expression) -> str:
    """Return the type name in an argument, without its namespace.

    Raises:
        RuleError: the argument is not a type name.
    """
    if not isinstance(argument, Member):
        raise scope.problem("expected the name of a type")
    return argument.name


Function = tuple[int, int, Callable[[Call], Value]]
"""(minimum and maximum number of arguments, function that compiles the call)."""
