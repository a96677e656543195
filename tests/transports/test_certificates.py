"""Checks of the configured certificates: how long they are valid, and who may read the key."""

from __future__ import annotations

import datetime as dt

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from adapter.config.settings import load_settings
from adapter.transports.backend import Findings
from adapter.transports.certificates import certificates

NOW = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
KEY = ec.generate_private_key(ec.SECP256R1())


def kafka(**security):
    """Return settings of a broker."""
    return load_settings(kafka={"security": {"protocol": "SSL"} | security})


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
    assert expected == certificates(kafka(cafile=written(tmp_path, days)), NOW)


def test_the_first_of_a_bundle_to_end_counts(tmp_path):
    """In a bundle of certificates, the first one to expire counts."""
    bundle = tmp_path / "bundle.pem"
    bundle.write_bytes(written(tmp_path, 400).read_bytes() + written(tmp_path, -1).read_bytes())
    assert certificates(kafka(cafile=bundle), NOW).wrong


def test_a_file_that_is_none_is_wrong(tmp_path):
    """A file that is not a certificate is reported by its setting, without its text."""
    file = tmp_path / "x.pem"
    file.write_text("Quillfeather")
    found = certificates(kafka(protocol="SASL_SSL", username="u", password="p", cafile=file))
    assert (("kafka.security.cafile", "cannot be read (ValueError)"),) == found.wrong


def test_a_key_that_others_may_read_is_wrong(tmp_path):
    """A private key that others may read is reported."""
    key = tmp_path / "key.pem"
    key.write_text("x")
    key.chmod(0o644)
    security = kafka(certfile=written(tmp_path, 90), keyfile=key)
    assert "kafka.security.keyfile" in dict(certificates(security, NOW).wrong)
    key.chmod(0o600)
    assert () == certificates(security, NOW).wrong


def test_without_tls_no_file_is_looked_at(tmp_path):
    """Without TLS, certificate files are not checked."""
    file = tmp_path / "none.pem"
    file.write_text("x")
    assert Findings() == certificates(kafka(protocol="PLAINTEXT", cafile=file))


@pytest.mark.parametrize("place", ["mllp.tls", "http.tls", "send.tls", "registry"])
def test_every_use_of_tls_is_looked_at(tmp_path, place):
    """Listeners, the sender and the registry are checked like the broker, each where it is used."""
    key = tmp_path / "key.pem"
    key.write_text("x")
    key.chmod(0o644)
    files = {"certfile": written(tmp_path, -1), "keyfile": key}
    said = {
        "mllp.tls": {"transport": "mllp", "mllp": {"port": 2575, "tls": files}},
        "http.tls": {"transport": "http", "http": {"port": 8081, "tls": files}},
        "send.tls": {"send": {"host": "lab.example", "tls": {"enabled": True} | files}},
        "registry": {"registry": {"url": "https://schemas.example"} | files},
    }[place]
    found = certificates(load_settings(**{"transport": "files"} | said), NOW)
    assert {f"{place}.certfile", f"{place}.keyfile"} == dict(found.wrong).keys()


def test_the_certificate_of_the_review_console_is_looked_at(tmp_path):
    """It is checked like those of listeners, and so is its key."""
    key = tmp_path / "key.pem"
    key.write_text("x")
    key.chmod(0o644)
    settings = load_settings(review={"certificate": written(tmp_path, -1), "private_key": key})
    assert ["review.certificate", "review.private_key"] == [
        place for place, _ in certificates(settings, NOW).wrong
    ]
