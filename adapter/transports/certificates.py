"""Checks how long the configured certificates are valid, and who may read the key."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from cryptography import x509

from adapter.config.secret_files import read_secret
from adapter.errors import RuleError
from adapter.transports.backend import Findings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from adapter.config.review import Review
    from adapter.config.section import Section
    from adapter.config.settings import Settings

SOON_DAYS = 30


def certificates(settings: Settings, now: dt.datetime | None = None) -> Findings:
    """Return findings on expired or soon expiring certificates and on key files that are in use."""
    now = now or dt.datetime.now(dt.UTC)
    found = Findings()
    for place, section in _in_use(settings):
        for setting in ("cafile", "certfile"):
            path = getattr(section, setting, None)
            if path is not None:
                found += _file(f"{place}.{setting}", path, now)
        keyfile = getattr(section, "keyfile", None)
        if keyfile is not None:
            found += _key(f"{place}.keyfile", keyfile)
    return found + _console(settings.review, now)


def _console(review: Review, now: dt.datetime) -> Findings:
    found = Findings()
    if review.certificate is not None:
        found += _file("review.certificate", review.certificate, now)
    if review.private_key is not None:
        found += _key("review.private_key", review.private_key)
    return found


def _in_use(settings: Settings) -> Iterator[tuple[str, Section]]:
    """Yield the name and the settings of each connection that uses TLS, and of listeners."""
    security = settings.kafka.security
    if security.protocol.endswith("SSL"):
        yield "kafka.security", security
    if security.oauth.token_url:
        yield "kafka.security.oauth", security.oauth
    if settings.registry.url:
        yield "registry", settings.registry
    if settings.send.host and settings.send.tls.enabled:
        yield "send.tls", settings.send.tls
    yield "mllp.tls", settings.mllp.tls
    yield "http.tls", settings.http.tls


def _file(place: str, path: Path, now: dt.datetime) -> Findings:
    try:
        ends = list(_ends(path))
    except (OSError, ValueError) as error:
        return Findings(wrong=((place, f"cannot be read ({type(error).__name__})"),))
    first = min(ends, default=now)
    if first <= now:
        return Findings(wrong=((place, f"has a certificate that expired on {first.date()}"),))
    if first - now < dt.timedelta(days=SOON_DAYS):
        return Findings(notes=(f"{place} has a certificate that expires on {first.date()}",))
    return Findings(fine=(f"{place} is valid until {first.date()}",))


def _ends(path: Path) -> Iterator[dt.datetime]:
    for certificate in x509.load_pem_x509_certificates(path.read_bytes()):
        yield certificate.not_valid_after_utc


def _key(place: str, path: Path) -> Findings:
    try:
        read_secret(path)
    except RuleError as error:
        return Findings(wrong=((place, error.problem),))
    except OSError as error:
        problem = f"cannot be read ({type(error).__name__})"
        return Findings(wrong=((place, problem),))
    return Findings()
