"""A broker that speaks TLS under a site's own authority and asks for a SCRAM password."""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from adapter.config.settings import load_settings
from adapter.transports.registry import backend
from tests.chaos.service import Service
from tests.integration import cluster
from tests.integration.conftest import ROOT, free_port, start_local

pytestmark = pytest.mark.slow

USER, PASSWORD = "deid", "deid-secret"
LIBRARIES = ROOT / "deploy/kafka-local/target/libs"
DAY = dt.timedelta(days=1)
PEM = serialization.Encoding.PEM


def named(name):
    """A distinguished name."""
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def signed(name, key, issuer, issuer_key, *, days=30, authority=False):
    """A certificate that ends in some days, or has ended."""
    now = dt.datetime.now(dt.UTC)
    addresses = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    return (
        x509.CertificateBuilder()
        .subject_name(named(name))
        .issuer_name(named(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 60 * DAY)
        .not_valid_after(now + days * DAY)
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


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """The folder, key and certificate file of the site's authority."""
    folder = tmp_path_factory.mktemp("authority")
    key = ec.generate_private_key(ec.SECP256R1())
    file = folder / "ca.pem"
    file.write_text(pem(signed("site", key, "site", key, authority=True)))
    return folder, key, file


def broker(folder, authority, days):
    """Start a broker whose own certificate ends in some days: its address, and how to stop it."""
    _, ca_key, ca_file = authority
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = signed("broker", key, "site", ca_key, days=days)
    store = folder / "broker.pem"
    store.write_text(secret(key) + pem(certificate) + ca_file.read_text())
    users = free_port()
    login = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    extra = f"""
listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users},CONTROLLER://127.0.0.1:{{next}}
advertised.listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,USERS:SASL_SSL
listener.name.users.sasl.enabled.mechanisms=SCRAM-SHA-512
listener.name.users.scram-sha-512.sasl.jaas.config={login}
listener.name.users.ssl.keystore.type=PEM
listener.name.users.ssl.keystore.location={store}
"""
    started = start_local(folder / "data", extra)
    if started is None:
        pytest.skip("NO KAFKA with TLS: install Java 17 and Maven")
    owner, stop = started
    tool = f"java -cp {LIBRARIES}/* kafka.admin.ConfigCommand --bootstrap-server {owner} --alter"
    added = f"--entity-type users --entity-name {USER} --add-config"
    command = [*tool.split(), *added.split(), f"SCRAM-SHA-512=[password={PASSWORD}]"]
    subprocess.run(command, check=True, capture_output=True)
    return owner, f"127.0.0.1:{users}", stop


@pytest.fixture(scope="module")
def secured(tmp_path_factory, authority):
    """A broker with a valid certificate: the address of its owner, and that of users."""
    owner, users, stop = broker(tmp_path_factory.mktemp("secured"), authority, days=20)
    yield owner, users
    stop()


@pytest.fixture(scope="module")
def outdated(tmp_path_factory, authority):
    """The same of a broker whose certificate ended yesterday."""
    owner, users, stop = broker(tmp_path_factory.mktemp("outdated"), authority, days=-1)
    yield owner, users
    stop()


def security(authority, password=PASSWORD):
    """The settings' table for a broker with TLS and a password."""
    return f"""
[kafka.security]
protocol = "SASL_SSL"
mechanism = "SCRAM-SHA-512"
username = "{USER}"
password = "{password}"
cafile = "{authority[2]}"
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


def test_messages_go_through_tls_and_scram(secured, authority, app, tmp_path):
    """What is written by the owner is released by an adapter that comes by TLS and a password."""
    owner, users = secured
    service = made(owner, users, app, tmp_path, security(authority))

    async def go():
        service.start()
        await service.until(service.ready)
        written = Service(owner, app, tmp_path)
        await written.write(100)
        await written.settled(100)
        return await service.stop(), await cluster.read_all(owner, service.topics[1])

    _, released = asyncio.run(go())
    assert 98 == len(released)
    levels = {event["level"] for event in service.events()}
    assert not {"error", "critical"} & levels


def test_a_wrong_password_is_named(secured, authority, app, tmp_path):
    """The log names the refusal and the address, not the password, and the adapter waits."""
    service = made(*secured, app, tmp_path, security(authority, "a-wrong-one"))
    told = asyncio.run(_told(service, "SaslAuthenticationFailed"))
    assert told["address"] == secured[1]
    assert "a-wrong-one" not in (tmp_path / "log").read_text()


def test_a_strange_authority_is_named(secured, authority, app, tmp_path):
    """A broker whose certificate another authority has signed is not talked to."""
    key = ec.generate_private_key(ec.SECP256R1())
    other = tmp_path / "other.pem"
    other.write_text(pem(signed("other", key, "other", key, authority=True)))
    table = security(authority).replace(str(authority[2]), str(other))
    service = made(*secured, app, tmp_path, table)
    told = asyncio.run(_told(service, "SSLCertVerificationError"))
    assert told["address"] == secured[1]


async def _told(service, error):
    """Wait until the log names an error; whether the adapter is ready meanwhile is asked too."""
    service.start()
    found = []

    def named_by_now():
        assert not service.ready()
        found[:] = [event for event in service.events() if event.get("error") == error]
        return bool(found)

    try:
        await service.until(named_by_now, 300)
    finally:
        await service.stop()
    return found[0]


def test_an_ended_certificate_of_the_broker_is_named(outdated, authority, app, tmp_path):
    """A broker whose certificate has ended is not talked to, and the log says why."""
    service = made(*outdated, app, tmp_path, security(authority))
    told = asyncio.run(_told(service, "SSLCertVerificationError"))
    assert told["address"] == outdated[1]


def test_preflight_through_tls(secured, authority, app, tmp_path):
    """`check` finds nothing wrong with topics that it sees through TLS and a password."""
    owner, users = secured
    service = made(owner, users, app, tmp_path, security(authority))
    settings = load_settings(service.write_settings())
    found = asyncio.run(backend(settings).preflight(settings, state=False, create=False))
    assert not found.wrong
