"""Names of the assigning authorities of patient numbers, from a site's own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.fields.sources import Rules


def compile_authorities(sites: Iterable[Rules]) -> dict[str, str]:
    """Map each squeezed name (in CX.4, MSH-4 or `Identifier.system`) to its authority.

    Raises:
        RuleError: the file is not a table of lists of names, or a name has two authorities.
    """
    found: dict[str, str] = {}
    for rules in sites:
        for key in rules.table.keys() - {"format", "authorities"}:
            raise rules.refuse("only [authorities] is allowed here", key)
        table = rules.table.get("authorities")
        if not isinstance(table, dict) or not table:
            raise rules.refuse("[authorities] must be a table of lists of names", "authorities")
        for authority, names in table.items():
            if not isinstance(names, list) or not names or not all(map(_is_name, names)):
                raise rules.refuse("an authority must be a list of names", "authorities", authority)
            for name in map(squeeze, names):
                if found.setdefault(name, authority) != authority:
                    raise rules.refuse("two authorities have this name", "authorities", authority)
    return found


def _is_name(name: object) -> bool:
    return isinstance(name, str) and bool(squeeze(name))
