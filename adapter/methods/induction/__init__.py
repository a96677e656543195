"""Induction of terms and contexts from seeds, over texts that nobody has annotated.

After ANONYMITEXT (Perez-Lainez, Iglesias, de Pablo-Sanchez 2009) and its SPINDEL: a class begins
with a few seeds; contexts are scored by how selectively they hold its terms, terms by the contexts
they stand in; in each round a few of the best of both are accepted. Classes exclude one another,
and ordinary words are a class of their own. In goes a list of texts and `Seeds`, out comes
`Induced`: pure functions, the same bytes for the same input.

Ours, besides the paper: the first word of a name of several words ("Hospital ...") is a context
too; words with a capital that are no ordinary words are one word in contexts, so that these
generalise and name nobody; acronyms in brackets follow their long form.
"""

from __future__ import annotations
