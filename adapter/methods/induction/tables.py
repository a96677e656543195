"""Writing of terms and contexts as tables for review, and reading of these tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from adapter.errors import RuleError
from adapter.methods.induction.results import Context, Induced, Term
from adapter.methods.induction.seeds import CAPITAL, LOWER, NUMBER, UPPER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Row = TypeVar("Row")

TERMS, CONTEXTS = "terms.tsv", "contexts.tsv"
_TERM_COLUMNS = ("class", "term", "kind", "score", "support", "round", "contexts", "long form")
_CONTEXT_COLUMNS = ("class", "context", "score", "terms", "texts", "round")
_BETWEEN = " | "
_KINDS = frozenset((CAPITAL, LOWER, NUMBER, UPPER))


def tables(induced: Induced) -> dict[str, str]:
    """Return the contents of both tables by file name.

    They contain folded terms and their contexts, and nothing else of the texts.
    """
    return {
        TERMS: _table(_TERM_COLUMNS, map(_term_row, induced.terms)),
        CONTEXTS: _table(_CONTEXT_COLUMNS, map(_context_row, induced.contexts)),
    }


def _table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in (columns, *rows))


def _term_row(term: Term) -> tuple[object, ...]:
    advised = _BETWEEN.join(term.advised)
    return (
        term.name, term.item, term.kind, term.score, term.support, term.round, advised,
        term.long_form,
    )  # fmt: skip


def _context_row(context: Context) -> tuple[object, ...]:
    return (
        context.name, context.pattern, context.score, context.terms, context.texts, context.round,
    )  # fmt: skip


def read_tables(files: Mapping[str, bytes]) -> Induced:
    """Parse the files that `tables` wrote.

    Raises:
        RuleError: a file is missing or malformed.
    """
    return Induced(
        tuple(_read(files, TERMS, _TERM_COLUMNS, _term)),
        tuple(_read(files, CONTEXTS, _CONTEXT_COLUMNS, _context)),
    )


def _read(
    files: Mapping[str, bytes],
    name: str,
    columns: tuple[str, ...],
    row: Callable[[list[str]], Row],
) -> Iterator[Row]:
    try:
        head, *lines = [line.split("\t") for line in files[name].decode("utf-8").splitlines()]
        head.index(columns[-1])
        yield from [row(cells) for cells in lines]
    except (KeyError, ValueError):
        raise RuleError(name, f"is not a table of {', '.join(columns)}") from None


def _term(cells: list[str]) -> Term:
    name, item, kind, score, support, number, advised, long_form = cells
    if kind not in _KINDS or not item:
        raise ValueError
    contexts = tuple(advised.split(_BETWEEN)) if advised else ()
    return Term(name, item, kind, float(score), int(support), int(number), contexts, long_form)


def _context(cells: list[str]) -> Context:
    name, pattern, score, terms, texts, number = cells
    return Context(name, pattern, float(score), float(terms), int(texts), int(number))
