"""The vault: random codes instead of keyed ones, kept in a database as long as they are needed.

It contains no original: a row is the HMAC of an original under the project's key, 32 random bytes
that its surrogates are drawn with, and the code drawn, which is unique. Neither the key alone nor
the vault alone reveals who is behind a code; the same vault and key give the same surrogates.
Any number of processes may share one vault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError, SurrogateError
from adapter.surrogates import numbers_of
from adapter.vault.registry import vault_at

if TYPE_CHECKING:
    from adapter.surrogates import Key
    from adapter.vault.protocol import Vault


def open_vault(url: str) -> Vault | None:
    """Return the vault at a URL, its tables created if missing; None without a URL.

    Raises:
        RuleError: the vault cannot be reached or used.
    """
    if not url:
        return None
    vault = vault_at(url)
    try:
        vault.count()
    except SurrogateError:
        raise RuleError("vault.url", "the database cannot be opened or used") from None
    finally:
        vault.close()  # a worker process opens its own
    return vault


def erase(vault: Vault, key: Key, text: str) -> int:
    """Erase a patient's number from the vault; return the number of codes erased.

    A process that has used the number keeps it in memory until it ends.

    Raises:
        SurrogateError: the vault does not answer.
    """
    return sum(
        vault.erase(key.original(kind, value)) for kind, value in numbers_of(text, key.words)
    )
