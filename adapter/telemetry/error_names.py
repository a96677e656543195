"""Names an exception for a log line: its type, and its name in the system it comes from.

Both are from closed sets, whatever the exception's text quotes: names of classes, error codes of
Kafka, POSIX, getaddrinfo and SQLite, and OpenSSL's reasons. The setting that names what the error
is about is added if a note of the exception says it (`concerning`).
"""

from __future__ import annotations

import errno
import re
import socket
import sqlite3
import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESS = {getattr(socket, name): name for name in dir(socket) if name.startswith("EAI_")}
_CERTIFICATE = {
    10: "CERT_HAS_EXPIRED",
    18: "SELF_SIGNED_CERT",
    19: "SELF_SIGNED_CERT_IN_CHAIN",
    20: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    62: "HOSTNAME_MISMATCH",
}
"""The common X509_V_ERR codes of OpenSSL."""
_WORD = re.compile(r"[A-Z][A-Z0-9_]{1,80}")
_SETTING = re.compile(r"files\.[a-z]{1,20}")
_NUMBER = re.compile(r"\[Errno (\d{1,3})\]")


def named(error: BaseException | type[BaseException]) -> dict[str, str]:
    """Return an exception's type as "error", and its name elsewhere, if it has one, as "reason".

    "setting" is the setting that names the file or folder, if the exception has a note of it.
    """
    kind = error if isinstance(error, type) else type(error)
    reason = _kafka(kind) or (_system(error) if isinstance(error, OSError) else "")
    if isinstance(error, sqlite3.Error):
        reason = getattr(error, "sqlite_errorname", "")  # one of Python's own errors has none
    notes = filter(_SETTING.fullmatch, getattr(error, "__notes__", ()))
    found = {"error": kind.__name__, "reason": reason, "setting": next(notes, "")}
    return {key: name for key, name in found.items() if name}


@contextmanager
def concerning(setting: str) -> Iterator[None]:
    """Note the setting that names what an error of the system or of SQLite is about.

    The file itself is not named, because its name can identify a patient.
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        error.add_note(setting)
        raise


def _kafka(kind: type[BaseException]) -> str:
    """Return the name of a broker's error code, which the client's exception classes contain."""
    name = getattr(kind, "message", None)
    numbered = isinstance(getattr(kind, "errno", None), int)
    return name if numbered and isinstance(name, str) and _WORD.fullmatch(name) else ""


def _system(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return _tls(error)
    if isinstance(error, socket.gaierror):
        return _ADDRESS.get(error.errno or 0, "")
    number = error.errno
    if number is None:  # asyncio sums up the failures of several addresses in one text
        found = _NUMBER.search(str(error))
        number = int(found[1]) if found else 0
    return errno.errorcode.get(number, "")


def _tls(error: ssl.SSLError) -> str:
    """Return OpenSSL's reason, or its reason for not trusting a certificate."""
    known = _CERTIFICATE.get(getattr(error, "verify_code", 0), "")
    reason = str(getattr(error, "reason", ""))
    return known or (reason if _WORD.fullmatch(reason) else "")
