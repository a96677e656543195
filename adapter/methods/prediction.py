"""Prediction: the mentions that a trained method finds in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.evaluate.headers import from_header
from adapter.resolve import Options, resolve
from adapter.taggers.document.document import read
from adapter.taggers.trusted.index import PhraseIndex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from adapter.methods.protocol import Learned, Resources
    from adapter.types import Span

PLAIN = Options(correct=False, reconcile=False)
"""Options that only unite overlaps; all other post-processing is part of a method."""


def spans_in(
    text: str, meta: Mapping[str, Any], learned: Learned, resources: Resources
) -> tuple[Span, ...]:
    """Return the mentions of a trained method in one text, with overlaps resolved.

    ``meta`` has the structured fields beside the text, which are used if ``resources.headers``.
    """
    language = resources.language
    phrases = from_header(meta, language.words).phrases if resources.headers else ()
    index = PhraseIndex.build(phrases, language.words.cues).within([text])
    document = read(text, language.code, language.sections)
    found, _ = resolve([text], [list(learned.tag(document, index))], PLAIN)
    return found[0]
