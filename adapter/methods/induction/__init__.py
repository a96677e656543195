"""Induction of terms and contexts from seeds, over texts without annotation.

This follows ANONYMITEXT (Perez-Lainez, Iglesias, de Pablo-Sanchez 2009) and its SPINDEL: a class
begins with a few seeds; contexts are scored by how selectively they contain its terms, terms by
their contexts; in each round a few of the best of both are accepted. Classes are disjoint, and
ordinary words are a separate class. Pure functions turn a list of texts and `Seeds` into `Induced`,
with the same bytes for the same input.

Additions to the paper: the first word of a name of several words ("Hospital ...") is also a
context; capitalised words that are not ordinary words become one placeholder in contexts, so that
contexts generalise and name nobody; acronyms in brackets follow their long form.
"""

from __future__ import annotations
