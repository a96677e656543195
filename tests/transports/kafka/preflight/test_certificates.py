"""Checks of the configured certificates: how long they are valid, and who may read the key."""

from __future__ import annotations

import datetime as dt

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from adapter.config.kafka import Security
from adapter.transports.backend import Findings
from adapter.transports.kafka.preflight.certificates import certificates

NOW = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
KEY = ec.generate_private_key(ec.SECP256R1())


def written(folder, days):
    """Return a file with a certificate that expires in this number of days."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "broker")])
    made = x509.CertificateBuilder(name, name, KEY.public_key(), 7)
    made = made.not_valid_before(NOW - dt.timedelta(days=900))
    made = made.not_valid_after(NOW + dt.timedelta(days=days)).sign(KEY, hashes.SHA256())
    file = folder / f"{days}.pem"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (31, Findings(fine=("kafka.security.cafile is valid until 2026-07-02",))),
        (
            29,
            Findings(notes=("kafka.security.cafile has a certificate that expires on 2026-06-30",)),
        ),
        (
            0,
            Findings(
                wrong=(("kafka.security.cafile", "has a certificate that expired on 2026-06-01"),)
            ),
        ),
    ],
)
def test_an_end_is_told_in_time(tmp_path, days, expected):
    """A certificate is fine, noted in its last month, and wrong once expired."""
    security = Security(protocol="SSL", cafile=written(tmp_path, days))
    assert expected == certificates(security, NOW)


def test_the_first_of_a_bundle_to_end_counts(tmp_path):
    """In a bundle of certificates, the first one to expire counts."""
    bundle = tmp_path / "bundle.pem"
    bundle.write_bytes(written(tmp_path, 400).read_bytes() + written(tmp_path, -1).read_bytes())
    assert certificates(Security(protocol="SSL", cafile=bundle), NOW).wrong


def test_a_file_that_is_none_is_wrong(tmp_path):
    """A file that is not a certificate is reported by its setting, without its text."""
    file = tmp_path / "x.pem"
    file.write_text("Quillfeather")
    found = certificates(Security(protocol="SASL_SSL", username="u", password="p", cafile=file))
    assert (("kafka.security.cafile", "cannot be read (ValueError)"),) == found.wrong


def test_a_key_that_others_may_read_is_wrong(tmp_path):
    """A private key that others may read is reported."""
    key = tmp_path / "key.pem"
    key.write_text("x")
    key.chmod(0o644)
    security = Security(protocol="SSL", certfile=written(tmp_path, 90), keyfile=key)
    assert "kafka.security.keyfile" in dict(certificates(security, NOW).wrong)
    key.chmod(0o600)
    assert () == certificates(security, NOW).wrong


def test_without_tls_no_file_is_looked_at(tmp_path):
    """Without TLS, certificate files are not checked."""
    assert Findings() == certificates(Security(cafile=tmp_path / "none.pem"))
