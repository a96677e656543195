"""A site's authority, brokers that show its certificates, and adapters that reach them."""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.chaos.service import Service
from tests.integration import cluster
from tests.integration.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

USER, PASSWORD = "deid", "deid-secret"
LIBRARIES = ROOT / "deploy/kafka-local/target/libs"
DAY = dt.timedelta(days=1)
PEM = serialization.Encoding.PEM


def now():
    """The time, as certificates have it."""
    return dt.datetime.now(dt.UTC)


def named(name):
    """A distinguished name."""
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def signed(name, key, issuer, issuer_key, ends, *, authority=False):
    """A certificate for this machine that ends, or has ended, at a time."""
    addresses = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    return (
        x509.CertificateBuilder()
        .subject_name(named(name))
        .issuer_name(named(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now() - 60 * DAY)
        .not_valid_after(ends)
        .add_extension(addresses, critical=False)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .sign(issuer_key, hashes.SHA256())
    )


def pem(certificate):
    """A certificate as PEM."""
    return certificate.public_bytes(PEM).decode()


def secret(key):
    """A private key as PEM."""
    return key.private_bytes(
        PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


@dataclass(frozen=True)
class Authority:
    """An authority: its name and key, and the file of its certificate."""

    name: str
    key: ec.EllipticCurvePrivateKey
    file: Path

    @classmethod
    def made(cls, folder, name="site"):
        """A new authority whose certificate is in a folder."""
        key = ec.generate_private_key(ec.SECP256R1())
        file = folder / f"{name}.pem"
        file.write_text(pem(signed(name, key, name, key, now() + 30 * DAY, authority=True)))
        return cls(name, key, file)

    def issued(self, name, ends):
        """A new certificate and its key, as PEM."""
        key = ec.generate_private_key(ec.SECP256R1())
        return pem(signed(name, key, self.name, self.key, ends)), secret(key)

    def store(self, file, ends):
        """Write a broker's key and certificate, which ends at a time."""
        certificate, key = self.issued("broker", ends)
        file.write_text(key + certificate + self.file.read_text())


def listeners(users, store):
    """Properties of a broker with a listener for users; {port} and {next} are to be filled in."""
    login = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    return f"""
listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users},CONTROLLER://127.0.0.1:{{next}}
advertised.listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,USERS:SASL_SSL
listener.name.users.sasl.enabled.mechanisms=SCRAM-SHA-512
listener.name.users.scram-sha-512.sasl.jaas.config={login}
listener.name.users.ssl.keystore.type=PEM
listener.name.users.ssl.keystore.location={store}
"""


def requiring(authority):
    """Further properties: users must show a certificate of an authority."""
    return f"""
listener.name.users.ssl.client.auth=required
listener.name.users.ssl.truststore.type=PEM
listener.name.users.ssl.truststore.location={authority.file}
"""


def add_user(owner):
    """Give the user a password at a running broker."""
    tool = f"java -cp {LIBRARIES}/* kafka.admin.ConfigCommand --bootstrap-server {owner} --alter"
    added = f"--entity-type users --entity-name {USER} --add-config"
    command = [*tool.split(), *added.split(), f"SCRAM-SHA-512=[password={PASSWORD}]"]
    subprocess.run(command, check=True, capture_output=True)


def security(authority, password=PASSWORD):
    """The settings' table for a broker with TLS and a password."""
    return f"""
[kafka.security]
protocol = "SASL_SSL"
mechanism = "SCRAM-SHA-512"
username = "{USER}"
password = "{password}"
cafile = "{authority.file}"
"""


class Secured(Service):
    """An adapter whose settings end in a table of security."""

    table = ""

    def write_settings(self):
        """Write its settings with the users' address and the table."""
        file = super().write_settings()
        file.write_text(file.read_text() + self.table)
        return file


def made(owner, users, app, folder, table):
    """A service that reaches the broker as a user; its topics are made by the owner."""
    service = Secured(users, app, folder)
    service.table = table
    asyncio.run(cluster.make_topics(owner, *service.topics))
    return service
