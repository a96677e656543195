"""Languages as data, ``rules/languages/<code>.toml``: a new language needs no Python.

The first keys of a file tell the language from others (`adapter.languages.detection`)::

    codes   = ["es", "spa", "spanish"]   # how messages name it; regions ("es-MX") are left out
    words   = "el los una paciente ..."  # frequent words of two letters and more, accents and all
    endings = "ado ión"                  # the last three letters of many of its longer words
    letters = "ñ¿á"                      # letters that the other languages lack
    dates   = "dmy"                      # 3/4 is the third of April; by default the profile decides
    countries = "es esp mx mex ..."      # codes of ISO 3166 of countries where it is spoken
    abbreviations = "z.n. v.a."          # with points, as no other language has them
    grammar = "english"                  # one of `adapter.taggers.grammars`; few languages have one
    unconfigured = true                  # its word lists also serve texts in no configured language

The tables ``[calendar]``, ``[numbers]``, ``[ages]``, ``[titles]``, ``[articles]``,
``[context]`` and ``[cues]`` are described in the modules of this package with the same names,
``[names]``, ``[organisations]`` and ``[addresses]`` in `adapter.languages.field_words`,
``[augment]`` in `adapter.train.augment.habits`; each may be omitted. Words are separated by blanks,
or are a list if a word contains a blank; they are compared without accents and case.

`Words` holds the tables of all languages with rules, the configured ones first: a text may quote
any of them.
"""

from __future__ import annotations

from adapter.languages.detection import (
    FOREIGN_WORDS,
    LEAD,
    SAMPLE,
    UNCONFIGURED,
    Recognizer,
    Spoken,
    spoken,
)
from adapter.languages.words import Words

__all__ = [
    "FOREIGN_WORDS",
    "LEAD",
    "SAMPLE",
    "UNCONFIGURED",
    "Recognizer",
    "Spoken",
    "Words",
    "spoken",
]
