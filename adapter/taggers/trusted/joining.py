"""Joining of neighbouring parts and initials of one entity's name to one mention."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.taggers.trusted.context import titled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.languages.cues import Cues
    from adapter.taggers.document.tokens import Tokens
    from adapter.taggers.trusted.matching import Entry
    from adapter.types import TrustedPhrase

    Initials = Mapping[str, Mapping[str, str]]

_GAP = regex.compile(r"[ \t]{0,2}|, ?|-|[ ]?/[ ]?|[ ]?[\"“']|[\"”'],?[ ]?|,?[ \t]*\r?\n[ \t]*")
_INITIAL_GAP = regex.compile(r"\.?[ \t]{0,2}|\.?[ \t]*\r?\n[ \t]*|, ?")
_MOST_INITIALS = 3


class Match(NamedTuple):
    """An occurrence of an entry's key: tokens ``first`` to ``last``, inclusive."""

    first: int
    last: int
    entry: Entry

    @property
    def strong(self) -> bool:
        """Whether the match is not a common word."""
        return not all(phrase.ordinary for phrase in self.entry.phrases)


class Piece(NamedTuple):
    """A part of a mention: tokens ``first`` to ``last``, and its form for each possible entity."""

    first: int
    last: int
    forms: dict[str, str]


class Run(NamedTuple):
    """Adjacent name pieces that may all belong to any one of ``entities``."""

    pieces: list[Piece]
    entities: list[str]
    phrases: list[TrustedPhrase]
    strong: bool

    @property
    def first(self) -> int:
        """The run's first token."""
        return self.pieces[0].first

    @property
    def last(self) -> int:
        """The run's last token."""
        return self.pieces[-1].last

    def form(self, entity: str, tokens: Tokens, text: str) -> str:
        """Return the form of the whole run: the pieces' forms and the literal text between them."""
        parts: list[str] = []
        end = tokens.starts[self.first]
        for piece in self.pieces:
            start = tokens.starts[piece.first]
            parts += text[end:start], piece.forms.get(entity, "")
            end = tokens.ends[piece.last]
        return "".join(parts)


def drop_contained(matches: Sequence[Match]) -> list[Match]:
    """Return matches in order, without those inside a longer match or equal to an earlier one."""
    if len(matches) < 2:  # noqa: PLR2004 - nothing to compare
        return list(matches)
    kept: list[Match] = []
    reached = -1
    for match in sorted(matches, key=lambda match: (match.first, -match.last)):
        if match.last > reached:
            kept.append(match)
            reached = match.last
    return kept


class Known(NamedTuple):
    """The initials of the entities, and the cues beside phrases."""

    initials: Initials
    cues: Cues

    def __repr__(self) -> str:
        """Show no text."""
        return "Known()"


def runs(matches: Sequence[Match], tokens: Tokens, text: str, known: Known) -> Iterator[Run]:
    """Yield runs of adjacent name matches that share an entity, with the initials around them."""
    place = 0
    while place < len(matches):
        run = _begin(matches[place], tokens, text, known)
        place += 1
        while True:
            longer = place < len(matches) and _next(run, matches[place], tokens, text)
            if longer:
                run = longer
                place += 1
                continue
            grown = _initial_after(run, tokens, text, known)
            if grown is None:
                break
            run = grown
        yield run


def _piece(match: Match) -> Piece:
    forms: dict[str, str] = {}
    for phrase in match.entry.phrases:
        forms.setdefault(phrase.entity, phrase.form)
    return Piece(match.first, match.last, forms)


def _begin(match: Match, tokens: Tokens, text: str, known: Known) -> Run:
    piece = _piece(match)
    run = Run([piece], list(piece.forms), match.entry.phrases, match.strong)
    for _ in range(_MOST_INITIALS):
        before = _initials_before(run, tokens, text, known)
        if before is None:
            break
        run = before
    return run


def _next(run: Run, match: Match, tokens: Tokens, text: str) -> Run | None:
    """Extend the run by the next match; None if it is not adjacent or of another entity."""
    last = run.last
    gap = text[tokens.ends[last] : tokens.starts[match.first]] if match.first > last else ""
    pattern = _INITIAL_GAP if len(tokens.words[last]) == 1 else _GAP
    if match.first - last > _WIDEST or not pattern.fullmatch(gap):
        return _over_initial(run, match, tokens, text)
    if "\n" in gap and _repeats(run, match, tokens):
        return None
    return _joined(run, [_piece(match)], match)


def _repeats(run: Run, match: Match, tokens: Tokens) -> bool:
    """Whether a match starts the name again: "All best, Reyna" above "Reyna Sandoval MD"."""
    said = {
        tokens.words[place] for piece in run.pieces for place in range(piece.first, piece.last + 1)
    }
    return tokens.words[match.first] in said


_WIDEST = 4


def _joined(run: Run, more: list[Piece], match: Match) -> Run | None:
    forms = more[-1].forms
    entities = [entity for entity in run.entities if entity in forms]
    if not entities:
        return None
    return Run([*run.pieces, *more], entities, run.phrases, run.strong or match.strong)


def _over_initial(run: Run, match: Match, tokens: Tokens, text: str) -> Run | None:
    """Extend the run over a middle initial that no field has ("John Q. Smith"), or return None."""
    if match.first - run.last > _WIDEST:
        return None
    between = [i for i in range(run.last + 1, match.first) if tokens.words[i].isalnum()]
    if len(between) != 1 or not _is_capital_letter(between[0], tokens, text):
        return None
    place = between[0]
    before = text[tokens.ends[run.last] : tokens.starts[place]]
    after = text[tokens.ends[place] : tokens.starts[match.first]]
    if before != " " or not _INITIAL_GAP.fullmatch(after) or "," in after:
        return None
    unknown = Piece(place, place, dict.fromkeys(run.entities, "{middle[0]}"))
    return _joined(run, [unknown, _piece(match)], match)


def _is_capital_letter(place: int, tokens: Tokens, text: str) -> bool:
    return len(tokens.words[place]) == 1 and text[tokens.starts[place]].isupper()


def _initial_after(run: Run, tokens: Tokens, text: str, known: Known) -> Run | None:
    """Extend the run by the initial after it ("Smith, J", "John A"), or return None."""
    last = run.last
    place = last + 1
    while place < len(tokens) and place - last < _WIDEST and not tokens.words[place].isalnum():
        place += 1
    if place >= len(tokens) or len(tokens.words[place]) != 1:
        return None
    gap = text[tokens.ends[last] : tokens.starts[place]]
    listed = "," in gap or (len(run.pieces) > 1 and tokens.words[last] == text[tokens.starts[last]])
    if not (text[tokens.starts[place]].isupper() or listed):
        return None
    if not gap or not _INITIAL_GAP.fullmatch(gap) or (gap[0] == "." and len(run.pieces) == 1):
        return None
    if _BEHIND_NO_INITIAL.match(text, tokens.ends[place]):
        return None
    grown = _with_initials(run, place, tokens.words[place], known.initials, before=False)
    return grown or _unknown_initial_after(run, place, tokens, text, known.cues)


def _initials_before(run: Run, tokens: Tokens, text: str, known: Known) -> Run | None:
    """Extend the run by initials before its family name ("J. Smith"), or return None."""
    first = run.first
    place = first - 1
    if place >= 0 and tokens.words[place] == ".":
        place -= 1
    if place < 0 or len(tokens.words[place]) > 2:  # noqa: PLR2004 - given and middle initial
        return None
    gap = text[tokens.ends[place] : tokens.starts[first]]
    written = text[tokens.starts[place] : tokens.ends[place]]
    if gap.strip(" ") not in ("", ".") or not gap or "\n" in gap:
        return None
    small = written.islower() and text[tokens.starts[first]].isupper()  # "u. Smith", "y Smith"
    joins = small and not titled(place, tokens, known.cues)
    if joins or _is_unit(place, tokens, text, known.cues):
        return None
    if not any("{family" in form for form in run.pieces[-1].forms.values()):
        return None
    grown = None
    if written.isupper():
        grown = _with_initials(run, place, tokens.words[place], known.initials, before=True)
    if grown is None and known.cues.lettered_title.match(text, tokens.starts[place]):
        return None
    return grown or _unknown_initial_before(run, place, tokens, known.cues)


def _is_unit(place: int, tokens: Tokens, text: str, cues: Cues) -> bool:
    """Whether a letter ends a unit or word: "200 mL. Smith", "q4h. Smith", "n/a. Smith"."""
    start, end = tokens.starts[place], tokens.ends[place]
    if text[start - 1 : start].isalnum() or _ENDING.match(text, start):
        return True
    return cues.letter_end.search(text, max(0, start - _REACH), end) is not None


def _with_initials(
    run: Run, place: int, letters: str, initials: Initials, *, before: bool
) -> Run | None:
    forms = {}
    for entity in run.entities:
        known = initials.get(entity, {})
        if all(letter in known for letter in letters):
            forms[entity] = "".join(known[letter] for letter in letters)
    return _extended(run, place, forms, before=before) if forms else None


def _extended(run: Run, place: int, forms: dict[str, str], *, before: bool) -> Run:
    piece = Piece(place, place, forms)
    pieces = [piece, *run.pieces] if before else [*run.pieces, piece]
    return Run(pieces, [e for e in run.entities if e in forms], run.phrases, run.strong)


def _unknown_initial_after(
    run: Run, place: int, tokens: Tokens, text: str, cues: Cues
) -> Run | None:
    """Extend the run by an initial after it that no field has ("Kit B."), or return None."""
    if tokens.words[place].isdigit() or tokens.words[run.last] in _LETTERS:
        return None
    end = tokens.ends[place]
    if len(run.pieces) > 1:
        ends = cues.name_end.match(text, end) is not None
        form = "{middle[0]}"
    else:
        ends = _DOTTED.match(text, end) is not None and any(
            form.startswith("{given") for form in run.pieces[-1].forms.values()
        )
        form = "{family[0]}"
    if not ends or text[tokens.ends[run.last] : tokens.starts[place]] != " ":
        return None
    return _extended(run, place, dict.fromkeys(run.entities, form), before=False)


def _unknown_initial_before(run: Run, place: int, tokens: Tokens, cues: Cues) -> Run | None:
    """Extend a family name by an initial before it that no field has ("S. Okafor"), or None."""
    dotted = tokens.words[place + 1] == "." and (place == 0 or tokens.words[place - 1] != ".")
    introduced = place > 0 and titled(place, tokens, cues) != ""
    if len(tokens.words[place]) > 1 or not tokens.words[place].isalpha():
        return None
    if not (dotted or introduced):
        return None
    return _extended(run, place, dict.fromkeys(run.entities, "{given[0]}"), before=True)


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_BEHIND_NO_INITIAL = regex.compile(
    r"['’/-]|[0-9]|[ ]?[0-9]{1,2}[.,][0-9](?![0-9./-]*[./-])"
    r"|\.[ ]?(?:(?<=M\.[ ]?)D|(?<=D\.[ ]?)O|(?<=R\.[ ]?)N|(?<=P\.[ ]?)A|(?<=N\.[ ]?)P)\."
)
"""Text behind a letter of a word or code ("G2P2"), of a degree ("M.D."), or that is the value of an
analyte ("K 5.9")."""
_ENDING = regex.compile(r"(?<=\p{L}[/'\u2019])\p{Ll}(?!\p{L})")
"""The last letter of a word behind a mark."""
_REACH = 32
"""Characters before a letter that are searched for what makes it a unit or a kind of something."""
_DOTTED = regex.compile(r"\.(?=[\s,;)]|$)")
