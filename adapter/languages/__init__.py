"""A language is data: ``rules/languages/<code>.toml``; a new one needs no Python.

The first part tells it from other languages (`adapter.languages.detection`)::

    codes   = ["es", "spa", "spanish"]   # how messages name it; regions ("es-MX") are left out
    words   = "el los una paciente ..."  # frequent words of two letters and more, accents and all
    endings = "ado ión"                  # the last three letters of many of its longer words
    letters = "ñ¿á"                      # letters the other languages do without
    dates   = "dmy"                      # 3/4 is the third of April; left out: as the profile says
    grammar = "english"                  # one of `adapter.taggers.grammars`; most have none
    unconfigured = true                  # its names read texts in none of the configured languages

The tables ``[calendar]``, ``[numbers]``, ``[ages]``, ``[titles]``, ``[articles]``,
``[context]`` and ``[cues]`` are described in the modules of this package that are named so,
``[names]``, ``[organisations]`` and ``[addresses]`` in `adapter.languages.field_words`,
``[augment]`` in `adapter.train.augment.habits`; each may be left out. Words are parted by
blanks, or are a list where one of them has a blank inside; they are compared without accents and
capitals.

`Words` holds the tables of all languages that there are rules for, the configured ones first: a
text may quote any of them.
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
