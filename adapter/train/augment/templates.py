"""Template syntax: ``<a|b|>`` is a choice, ``{name}`` a slot, ``&lt; &gt;`` the characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SLOT = re.compile(r"\{([^{}\n]+)\}")
_CHOICE = re.compile(r"<([^<>]*)>")


def chosen(template: str, rng: Random) -> str:
    """Return the template with every choice made, the innermost first; slots are kept."""
    while found := _CHOICE.search(template):
        choice = rng.choice(found[1].split("|"))
        template = template[: found.start()] + choice + template[found.end() :]
    return template.replace("&lt;", "<").replace("&gt;", ">")


def filled(template: str, slot: Callable[[str], str], rng: Random) -> str:
    """Return the template with choices made and slots filled."""
    return SLOT.sub(lambda m: slot(m[1]), chosen(template, rng))
