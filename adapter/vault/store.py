"""The vault: random codes instead of keyed ones, kept in a database for as long as they are needed.

It holds no original: of each there is the HMAC under the project's key, beside 32 random bytes that
its surrogates are drawn with, and the code drawn, which no other original may have. So the key
alone tells nothing of who is behind a code, and neither does the vault alone; the same vault and
key give the same surrogates. Any number of processes may share one vault.
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
    """The vault at an address, its tables made if need be; None without an address.

    Raises:
        RuleError: it cannot be reached or used.
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
    """Forget a patient's number and who it stands for; how many codes were forgotten.

    A process that met the number goes on knowing it until it ends.

    Raises:
        SurrogateError: the vault does not answer.
    """
    return sum(
        vault.erase(key.original(kind, value)) for kind, value in numbers_of(text, key.words)
    )
