"""Names of persons: one string to parts, pieces of compound names, values that are not names."""

from __future__ import annotations

from functools import lru_cache

import regex

from adapter.normalize.folding import fold

Parts = tuple[tuple[str, str], ...]
"""(part, text) pairs; parts are family, given, middle, suffix, prefix and degree."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


PARTICLES = word_set(
    "a af al ap auf aus ben bin bint d da dal das de del dela della der des di do dos du e el"
    " ibn la las le les lo los mac mc ni nic o of och op san santa st ste t te ten ter und v van"
    " vom von y zu zum zur"
)
"""Small words inside family names; none is a name by itself."""
PREFIXES = word_set(
    "dr doctor prof professor mr mrs ms miss mx mister sir dame lady lord rev reverend fr father"
    " sister brother hon judge capt captain cpt col gen lt maj sgt sra sr. srta don doña dona herr"
    " frau monsieur madame mme mlle"
)
ORGANISED = word_set(
    "inc llc ltd corp gmbh hospital clinic center centre health healthcare department dept"
    " international group wg committee team service services system association society university"
    " college institute foundation laboratory laboratories lab pharmacy agency office bureau"
    " ministry project council hl7 fhir"
)
"""Words that no person's name contains: a string with one names an organisation."""
ALIASES = word_set("née nee geb geboren formerly aka dit ditte")
"""Words before a maiden or other name."""
SUFFIXES = word_set("jr sr ii iii iv v junior senior esq 2nd 3rd")
DEGREES = word_set(
    "md do phd mph rn np pa pac pa-c crnp fnp aprn arnp lpn lvn cna msw lcsw lmsw lpc lmft pharmd"
    " rph dds dmd dpm dvm od dpt pt ot otr slp ccc ms msn bsn ma mba mbbs mbchb frcs frcp facs"
    " facp facc faap facog face facr psyd edd rd rdn rt rrt cns cnm crna dnp ba bs bsc msc bch chb"
    " mrcp mrcs fnp-bc anp-bc pmhnp agnp cct dc nd lac atc emt emt-p"
)
NO_NAMES = word_set(
    "unknown unk unkn test tests testing none null nil n/a na nan not known given provided"
    " recorded available applicable specified unspecified unidentified undisclosed declined"
    " refused withheld patient pt baby boy girl male female newborn infant twin triplet self same"
    " mother father parent spouse wife husband son daughter sister brother child guardian friend"
    " relative other anonymous anon confidential redacted removed deleted nobody no name noname"
    " nofirstname nolastname firstname lastname first last middle surname family provider doctor"
    " physician nurse staff resident attending admin administrator system user default dummy demo"
    " sample example fake temp xxx xxxx zzz zzzz abc tbd tba pending the and for of m f u man"
    " woman unknownm unknownf"
)
"""Folded placeholders that stand where a name should be."""
NAMESAKES = word_set("boy child friend given man nurse null parent sample self son")
"""Placeholders that are family names too: such a one is a name beside a given name."""

_WORD = regex.compile(r"[^\s,;]+")
_PIECE = regex.compile(r"[^\W\d_][^\s\-\u2010-\u2015/()\"“”,;]*")
_ASIDE = regex.compile(r"[(\"“]\s*([^()\"“”]{2,40}?)\s*[)\"”]")
_MARKS = "._*"
_LETTERS_WITH_DIGITS = 4


def meaningful(text: str) -> str:
    """Remove placeholder words from a name ("BABY BOY SMITH" -> "SMITH"); "" if nothing is left.

    Single letters stay: they are initials.
    """
    stripped = text.strip(" .,;-_*\"'")
    folded = fold(stripped)
    letters = sum(c.isalpha() for c in folded)
    if folded in NO_NAMES or not letters:
        return ""
    if letters < _LETTERS_WITH_DIGITS and any(c.isdigit() for c in folded):
        return ""
    if " " not in folded:
        return stripped
    words = [word for word in stripped.split() if fold(word).strip(".,") not in NO_NAMES]
    return " ".join(words)


def family_name(text: str, given: str) -> str:
    """Remove placeholder words from a family name, unless it is one beside a given name.

    "Child^Robert" is Mr. Child; "CHILD^BOY" and "Unknown^Robert" name no family.
    """
    name = meaningful(text)
    named = not name and fold(text.strip()) in NAMESAKES and len(meaningful(given)) > 1
    return text.strip() if named else name


def pieces(text: str) -> tuple[str, ...]:
    """Return the words of a compound name at blanks and hyphens; () if it is one word."""
    if text.isalpha():
        return ()
    found = _PIECE.findall(text)
    return tuple(found) if len(found) > 1 else ()


@lru_cache(maxsize=8192)
def parse(text: str) -> Parts:
    """Return the parts of a whole name written as one string.

    Reads "Smith, John A", "Dr. John A. Smith MD", "JOHN SMITH", "van der Berg, Anna", nicknames in
    brackets or quotes (a second given name), suffixes and degrees; a single word is a family name.
    """
    asides = tuple(("given", aside) for aside in _ASIDE.findall(text) if meaningful(aside))
    head, _, tail = _ASIDE.sub(" ", text).replace("^", ",", 1).replace("^", " ").partition(",")
    first, first_rest = _sorted_words(head)
    second, second_rest = _sorted_words(tail)
    rest = first_rest + second_rest
    if first and second:
        return (("family", " ".join(first)), *_given(second), *asides, *rest)
    return (*_western(first or second), *asides, *rest)


def _sorted_words(text: str) -> tuple[list[str], Parts]:
    """Return the words of the name itself, and its titles, suffixes and degrees."""
    names: list[str] = []
    rest: list[tuple[str, str]] = []
    for word in _WORD.findall(text):
        bare = fold(word).replace(".", "")
        if bare in ALIASES or (not names and bare in PREFIXES):
            rest.append(("prefix", word))
        elif names and bare in SUFFIXES:
            rest.append(("suffix", word))
        elif bare in DEGREES and (len(names) > 1 or word.isupper() or "." in word):
            rest.append(("degree", word))
        elif any(c.isalpha() for c in bare):
            names.append(word.strip(_MARKS) or word)
    return names, tuple(rest)


def _western(words: list[str]) -> Parts:
    """Parse given names first; particles belong to the family name after them."""
    if len(words) < 2:  # noqa: PLR2004 - one word
        return tuple(("family", word) for word in words)
    start = len(words) - 1
    while start > 1 and fold(words[start - 1]) in PARTICLES and len(words[start - 1]) > 1:
        start -= 1
    return (*_given(words[:start]), ("family", " ".join(words[start:])))


def _given(words: list[str]) -> Parts:
    given: Parts = (("given", words[0]),)
    return (*given, ("middle", " ".join(words[1:]))) if words[1:] else given
