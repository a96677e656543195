"""Copies of training texts in small letters or in capitals, as hurried and old systems write them.

Offsets stay: a letter whose other form has another length ("ß") is kept. The structured fields stay
as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adapter.evaluate.annotations import Annotated


@dataclass(frozen=True, slots=True)
class Recasing:
    """Shares of texts, from 0 to 1, of which there is a copy in small letters, and in capitals."""

    lower: float = 0.0
    upper: float = 0.0

    def __post_init__(self) -> None:
        """Refuse shares that are none.

        Raises:
            ValueError: a share is below 0, or both together are above 1.
        """
        if min(self.lower, self.upper) < 0 or self.lower + self.upper > 1:
            raise ValueError("recased: shares must be 0 to 1, also together")


AS_WRITTEN = Recasing()
"""No copies."""


def recased(texts: Iterable[Annotated], recasing: Recasing, seed: int) -> Iterator[Annotated]:
    """Yield the copies, under the ids "<id>#lower" and "<id>#upper"; which texts have one is drawn.

    A text that is written so already has no copy.
    """
    for text in texts:
        lot = Random(f"{seed}/{text.id}").random()  # noqa: S311 (training data)
        if lot < recasing.lower:
            name, copy = "lower", in_case(text, str.lower)
        elif lot >= 1 - recasing.upper:
            name, copy = "upper", in_case(text, str.upper)
        else:
            continue
        if copy.text != text.text:
            yield replace(copy, id=f"{text.id}#{name}")


def in_case(text: Annotated, form: Callable[[str], str]) -> Annotated:
    """Return a text with ``form`` applied to each letter, such as `str.lower`."""
    letters = (new if len(new := form(old)) == 1 else old for old in text.text)
    return replace(text, text="".join(letters))
