"""Splits the text of a FHIRPath expression into tokens (FHIRPath 2.0, lexical elements)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKENS = (
    ("space", r"\s+|//[^\n]*|/\*.*?\*/"),
    ("date", r"@T?\d[\d:.+TZ-]*"),
    ("number", r"\d+(?:\.\d+)?"),
    ("text", r"'(?:[^'\\]|\\.)*'"),
    ("variable", r"%(?:[A-Za-z_]\w*|`[^`]+`|'[^']+')"),
    ("special", r"\$(?:this|index|total)\b"),
    ("name", r"[A-Za-z_]\w*|`[^`]+`"),
    ("symbol", r"!=|!~|<=|>=|[-+*/&|=~<>.,()\[\]{}]"),
)
PATTERN = re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in TOKENS), re.DOTALL)
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}
END = "end"


class FhirPathError(Exception):
    """The expression is not valid FHIRPath; ``column`` is the position in characters, from 1."""

    def __init__(self, column: int, problem: str) -> None:
        super().__init__(f"column {column}: {problem}")
        self.column = column
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Token:
    """A token with the column of its start, from 1; the last token is of kind "end"."""

    kind: str
    text: str = field(repr=False)
    column: int


def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of an expression, without white space and comments.

    Raises:
        FhirPathError: there is a character that starts no token.
    """
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = PATTERN.match(text, at)
        if match is None:
            raise FhirPathError(at + 1, f"unexpected character {text[at]!r}")
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup or "", match[0], at + 1))
        at = match.end()
    return (*found, Token(END, "", len(text) + 1))


def unquote(text: str) -> str:
    """Return the value of a quoted string, with its escapes resolved (FHIRPath 2.0, String)."""
    return re.sub(r"\\(u[0-9A-Fa-f]{4}|.)", _unescape, text[1:-1], flags=re.DOTALL)


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return ESCAPES.get(code, code)
