"""TLS of listeners."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from adapter.config.listeners.listener import ListenerTls


def server_context(tls: ListenerTls, place: str) -> ssl.SSLContext | None:
    """Return the TLS context (1.2 or later) of a listener; None without a certificate.

    ``place`` is the name of the settings table, for errors.

    Raises:
        RuleError: a file cannot be read, or has the wrong content.
    """
    if tls.certfile is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    password = tls.key_password.get_secret_value() if tls.key_password else ""
    try:
        context.load_cert_chain(tls.certfile, tls.keyfile, lambda: password)
        if tls.cafile is not None:
            context.load_verify_locations(tls.cafile)
            context.verify_mode = ssl.CERT_REQUIRED
    except (OSError, ValueError) as error:
        raise RuleError(place, f"cannot be used ({type(error).__name__})") from None
    return context
