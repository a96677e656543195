"""Occupations of patients and their people: an occupation word and its modifiers.

"retired school librarian", "works as a line cook", "Dad (31) long-haul driver". Words that are also
staff roles ("nurse", "manager") need a context that makes them somebody's occupation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import BLANK, CAPITAL, GLUED, LINE, MARK, NUMBER, UPPER, words
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

PRIORITY = 50
REACH, SPECIFIERS, FREQUENT = 7, 3, 6
"""Number of words before an occupation in which its context may begin; maximum number of words that
specify it; minimum strength of words too frequent in notes to specify an occupation."""
NEAR, CLOSE, LONGEST, SUFFIXED, AGENT, AGE_DIGITS = (
    3, 2, 4, 7, 4, 2,
)  # fmt: skip
"""Maximum number of words between an age (`NEAR`), or a verb or kin (`CLOSE`), and the occupation,
and in an announced occupation; number of letters that a word with the ending of an occupation or of
an agent must exceed; maximum number of digits in an age."""

_OPENERS = words(
    "retired former formerly ex works worked working employed occupation occup job trade "
    "profession career unemployed jobs wfh"
)
_AGES = words("yo y.o yr")
_YEARS = words("year years yr yrs y month months")
_ENDERS = words(
    "retired former formerly ex currently now then later previously part full time semi disabled "
    "single married divorced widowed separated male female man woman gentleman lady boy girl old "
    "year yo y o year-old who works worked working employed occupation job as former active "
    "righthanded handed dominant healthy obese elderly pleasant also still been being another "
    "weekend rhd lhd rh lh r l f m w onetime longtime lifelong unemployed right left"
)
_AS = words("works worked working work employed job career retired trained served")
_FIELDS = words("occupation occup occ job profession employment trade career")
_RETIRED = words("retired former formerly ex retd ret")
_BEFORE_RETIRED = words("a an old yo o male female man woman gentleman lady husband wife")
_ARTICLES = frozenset(("a", "an", "the", "-", "as", "part", "time", "full"))
_NOUN_ENDS = words("now lives living smoker drinker user alcoholic here there")
_AGENTS = (
    "er", "or", "ist", "ian", "man", "woman", "ant", "ent", "eer", "ess", "smith", "wright",
    "keeper", "hand", "aide", "chef", "cook", "clerk", "nurse", "tech", "officer", "pilot",
    "guard", "lady", "agent", "lead", "coach",
)  # fmt: skip
_CARE = words(
    "medical lab laboratory surgical scrub research dental pharmacy health call customer quality "
    "data home phone night special house claims service"
)
_BREAKS = sum(BIT[name] for name in words("stop heading prep kin patient by verb demonym title"))
_CLOSED = frozenset((".", ",", ";"))
_INFANTS = frozenset({"baby", "infant", "newborn", "twin", "triplet"})
"""Relatives; the word behind them says what they are, not what they do."""
_HISTORIAN = words("fair poor good reliable limited vague unreliable excellent")
_THEN = words("then later now previously formerly")
_VERBS = words("is was a an s")
_SUBJECTS = words("he she pt patient who")
_KIN = BIT["kin"] | BIT["patient"]
_SUFFIXES = ("keeper", "wright", "blower", "builder", "monger", "herder", "smith", "maker")
_NOT_JOBS = words("pacemaker timekeeper goalkeeper bodybuilder matchmaker gatekeeper")


class Professions:
    """The occupation rules over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield occupations."""
        r, v = self._r, self._v
        trade = v.trade.classes
        for at, word in enumerate(r.words):
            if word in _OPENERS or word == "as":
                yield from self._said(at)
            classes = trade.get(word) or (len(word) > SUFFIXED and self._suffixed(word))
            if not classes or (len(classes) == 1 and classes[0] == "modifier"):
                continue
            first = self._left(at)
            if self._is_job(first, at, classes) and not self._informs(at):
                yield self._span(first, at + 1)
            job = v.job.lengths.get(word) and v.job.longest(r.words, at)
            if job and job > 1 and self._opened(at):
                yield self._span(at, at + job)

    def _said(self, at: int) -> Iterator[Span]:
        """Yield the occupation announced at ``at`` ("works as a ...", "retired ...")."""
        r = self._r
        word = r.words[at]
        start = at + 1
        any_word = False
        if word == "as" and not _AS.isdisjoint(r.words[max(0, at - 3) : at]):
            any_word = True
        elif (
            word in _FIELDS
            and start < len(r)
            and (r.words[start] == ":" or (r.words[start] == "-" and r.gaps[start] != GLUED))
        ):
            start += 1
            any_word = True
        elif word not in _RETIRED:
            return
        elif at and r.words[at - 1] in _BEFORE_RETIRED and r.gaps[at] < LINE:
            any_word = True
        while start < len(r) and r.words[start] in _ARTICLES and r.gaps[start] < LINE:
            start += 1
        last = start
        while last < len(r) and last - start < LONGEST and self._noun(last, start):
            last += 1
        heads = [at for at in range(start, last) if self._heads(at)]
        last = heads[-1] + 1 if heads else last
        if (
            last > start
            and r.words[last - 1] not in _ENDERS
            and (
                any_word or (r.words[last - 1].endswith(_AGENTS) and len(r.words[last - 1]) > AGENT)
            )
        ):
            yield self._span(start, last)

    def _heads(self, at: int) -> bool:
        """Whether the word at ``at`` can be the last word of an occupation."""
        return any(c != "modifier" for c in self._v.trade.classes.get(self._r.words[at], ()))

    def _noun(self, at: int, start: int) -> bool:
        r = self._r
        if r.shapes[at] in (MARK, NUMBER) or (at > start and r.gaps[at] >= LINE):
            return False
        if r.words[at] in _ENDERS or r.words[at] in _NOUN_ENDS:
            return False
        return not r.cues[at] & (
            BIT["stop"] | BIT["prep"] | BIT["kin"] | BIT["patient"] | BIT["verb"]
        )

    def _span(self, first: int, last: int) -> Span:
        r = self._r
        return Span(
            r.starts[first], r.ends[last - 1], Label.PROFESSION, "professions.context", 0.8,
            PRIORITY,
        )  # fmt: skip

    def _suffixed(self, word: str) -> tuple[str, ...]:
        """Return the classes of a word with an occupation's ending."""
        job = word.endswith(_SUFFIXES) and word not in _NOT_JOBS and word in self._v.ordinary
        return ("sure",) if job else ()

    def _left(self, head: int) -> int:
        """Return the start of the modifiers of the occupation at ``head``: "school bus driver"."""
        r = self._r
        first = head
        while first > 0 and head - first <= SPECIFIERS and r.gaps[first] <= BLANK:
            at = first - 1
            if r.words[at] == "-" and r.gaps[at] == r.gaps[first] == GLUED and at > 0:
                first -= 2
            elif self._specifies(at):
                first = at
            else:
                break
        return first

    def _specifies(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if r.shapes[at] in (MARK, NUMBER) or word in _ENDERS or r.cues[at] & BIT["stop"]:
            return False
        if "modifier" in v.trade.classes.get(word, ()):
            return True
        if r.cues[at] & _BREAKS:
            return False
        seen = v.ordinary.get(word)
        return seen < FREQUENT if seen is not None else not v.named(word)

    def _is_job(self, first: int, head: int, classes: tuple[str, ...]) -> bool:
        """Whether the words ``first`` to ``head`` are an occupation, by context or alone."""
        if self._opened(first):
            return True
        if "health" in classes or (self._named(head) and not self._stands_alone(first, head)):
            return False
        if "sure" in classes:
            return not self._r.cues[first] & BIT["credential"]
        specifiers = self._r.words[first:head]
        return any(
            "modifier" in self._v.trade.classes.get(w, ()) for w in specifiers
        ) and _CARE.isdisjoint(specifiers)

    def _named(self, head: int) -> bool:
        """Whether an occupation word is written as somebody's name."""
        r = self._r
        return r.shapes[head] in (CAPITAL, UPPER) and not r.shouted[head]

    def _informs(self, head: int) -> bool:
        """Whether "historian" or "shepherd" refers to a patient's memory or to a dog."""
        r = self._r
        before = r.words[head - 1] if head else ""
        return (r.words[head] == "historian" and before in _HISTORIAN) or (
            r.words[head] == "shepherd" and bool(head and r.cues[head - 1] & BIT["demonym"])
        )

    def _stands_alone(self, first: int, head: int) -> bool:
        """Whether a single capitalised word is all between two marks: ". Bricklayer, BMI"."""
        r = self._r
        after = head + 1
        return (
            first == head > 0
            and r.words[head - 1] in _CLOSED
            and after < len(r)
            and r.words[after] in _CLOSED
            and r.gaps[after] == GLUED
        )

    def _opened(self, first: int) -> bool:
        """Whether the words before announce somebody's occupation."""
        r = self._r
        at = first - 1
        if at > 1 and r.words[at] == "," and r.shapes[at - 1] == NUMBER:  # "Jonah (31, cantor)"
            return len(r.words[at - 1]) <= AGE_DIGITS and (
                r.words[at - 2] in "(,"
                or r.shapes[at - 2] == CAPITAL
                or bool(r.cues[at - 2] & BIT["kin"])
            )
        for steps in range(REACH):
            if at < 0 or r.gaps[at + 1] == LINE or self._closes(at, steps):
                return False
            if self._opens(at, steps):
                return True
            at -= 1
        return False

    def _closes(self, at: int, steps: int) -> bool:
        """Whether a mark at ``at`` separates the occupation from what precedes it."""
        r = self._r
        word = r.words[at]
        return steps > 0 and (word in (".", ";") or (word == "," and r.words[at + 1] not in _THEN))

    def _opens(self, at: int, steps: int) -> bool:
        """Whether the word at ``at`` announces an occupation ``steps`` words later."""
        r = self._r
        word = r.words[at]
        if word in _OPENERS or (steps < NEAR and self._aged(at)):
            return True
        if steps >= CLOSE:
            return False
        born = not steps and word in _INFANTS  # "baby girl", "twin boy"
        kin = r.cues[at] & BIT["kin"] and r.words[at + 1] != "'" and not born
        if word == "s" and not (at > 1 and r.words[at - 2] in _SUBJECTS):
            return False
        return bool(kin) or (word in _VERBS and self._subject(at))

    def _aged(self, at: int) -> bool:
        """Whether an age ends at ``at``: "54 yo", "54-year-old", "26 y/o"."""
        r = self._r
        word = r.words[at]
        if word == "o":
            return at > 1 and r.words[at - 1] in ("/", ".")
        if word == "old":
            return at > 0 and (r.words[at - 1] == "-" or r.words[at - 1] in _YEARS)
        return word in _AGES

    def _subject(self, at: int) -> bool:
        """Whether a person precedes the verb at ``at``, or the verb begins the sentence."""
        r = self._r
        verb = at - (r.words[at] in ("a", "an"))
        if r.words[verb] in ("is", "was") and r.shapes[verb] == CAPITAL:
            return True
        words = self._r.words[max(0, at - 4) : at + 1]
        cues = self._r.cues[max(0, at - 4) : at + 1]
        return any(w in _SUBJECTS for w in words) or any(c & _KIN for c in cues)
