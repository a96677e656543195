"""TLS of a listener: its certificate, and senders' certificates if they are required."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from adapter.config.listeners.listener import ListenerTls
from adapter.errors import RuleError
from adapter.transports.listener.tls import server_context
from tests.transports.http.posting import posting
from tests.transports.mllp.listening import Shelf, adt, exchange, listening


class Authority:
    """A certificate authority, and the certificates that it signs."""

    def __init__(self, folder):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        self.cafile = folder / "ca.pem"
        made = self._certificate("authority", self.key, authority=True)
        self.cafile.write_bytes(made.public_bytes(serialization.Encoding.PEM))

    def _certificate(self, name, key, *, authority=False):
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .sign(self.key, hashes.SHA256())
        )

    def signed(self, name, password=b""):
        """Return the files of a new certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        cert, private = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        pem = serialization.Encoding.PEM
        cert.write_bytes(self._certificate(name, key).public_bytes(pem))
        sealed = serialization.BestAvailableEncryption(password) if password else None
        form = serialization.PrivateFormat.PKCS8
        private.write_bytes(key.private_bytes(pem, form, sealed or serialization.NoEncryption()))
        return cert, private


@pytest.fixture
def authority(tmp_path):
    """Return an authority in a temporary folder."""
    return Authority(tmp_path)


def sent(tls, context):
    """Return the acknowledgement of a message sent over TLS."""

    async def go():
        async with listening(Shelf(), tls=tls) as listener:
            streams = await listener.connect(ssl=context, server_hostname="listener")
            return await exchange(streams, adt(1))

    return asyncio.run(go())


def test_messages_come_over_tls(authority):
    """A sender that trusts the authority is served; the listener's key may have a password."""
    cert, key = authority.signed("listener", b"secret")
    tls = ListenerTls(certfile=cert, keyfile=key, key_password="secret")
    assert [("AA", "C1")] == sent(tls, ssl.create_default_context(cafile=authority.cafile))


def test_a_sender_shows_its_certificate(authority):
    """If senders' authorities are set, only a sender with one of their certificates is served."""
    cert, key = authority.signed("listener")
    tls = ListenerTls(certfile=cert, keyfile=key, cafile=authority.cafile)
    context = ssl.create_default_context(cafile=authority.cafile)
    with pytest.raises((OSError, asyncio.IncompleteReadError)):
        sent(tls, context)
    context.load_cert_chain(*authority.signed("sender"))
    assert [("AA", "C1")] == sent(tls, context)


def test_a_sender_without_tls_is_not_served(authority):
    """Plain bytes sent to a TLS listener are not a message, and the next sender is served."""
    cert, key = authority.signed("listener")
    tls = ListenerTls(certfile=cert, keyfile=key)
    context = ssl.create_default_context(cafile=authority.cafile)
    shelf = Shelf()

    async def go():
        async with listening(shelf, tls=tls) as listener:
            reader, writer = await listener.connect()
            writer.writeblock(adt(1))
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await reader.readblock()
            streams = await listener.connect(ssl=context, server_hostname="listener")
            return await exchange(streams, adt(2))

    assert [("AA", "C2")] == asyncio.run(go())
    assert 1 == len(shelf.values())


def test_old_versions_of_tls_are_refused(authority):
    """The minimum version is TLS 1.2."""
    cert, key = authority.signed("listener")
    context = server_context(ListenerTls(certfile=cert, keyfile=key), "mllp.tls")
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_files_that_are_none_are_refused(authority):
    """A certificate or key file that is missing or unusable is refused."""
    cert, key = authority.signed("listener", b"secret")
    for tls in (
        ListenerTls(certfile=cert, keyfile=cert.with_name("missing")),
        ListenerTls(certfile=key, keyfile=key),
        ListenerTls(certfile=cert, keyfile=key, key_password="wrong"),
        ListenerTls(certfile=cert, keyfile=key),
    ):
        with pytest.raises(RuleError, match=r"mllp\.tls"):
            server_context(tls, "mllp.tls")


def test_half_a_table_is_refused():
    """A certificate without its key, or authorities without both, are refused."""
    for values in ({"certfile": "x"}, {"keyfile": "x"}, {"cafile": "x"}):
        with pytest.raises(ValueError, match="certfile and keyfile"):
            ListenerTls(**values)
    assert server_context(ListenerTls(), "mllp.tls") is None


def mllp(tls):
    """Listen for MLLP while the block runs."""
    return listening(Shelf(), tls=tls)


def http(tls):
    """Listen for HTTP while the block runs."""
    return posting(Shelf(), http_tls=tls)


async def shown(port, context):
    """Return the certificate that a new connection gets, as PEM."""
    _, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=context, server_hostname="listener"
    )
    raw = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return ssl.DER_cert_to_PEM_cert(raw)


@pytest.mark.parametrize("listener", [mllp, http])
def test_a_renewed_certificate_is_shown_after_a_restart(authority, listener):
    """A running listener shows the certificate of its start, whatever its file says later."""
    cert, key = authority.signed("listener")
    tls = ListenerTls(certfile=cert, keyfile=key)
    context = ssl.create_default_context(cafile=authority.cafile)
    first = cert.read_text()

    async def go():
        async with listener(tls) as running:
            before = await shown(running.transport.port, context)
            authority.signed("listener")
            after = await shown(running.transport.port, context)
        async with listener(tls) as restarted:
            return before, after, await shown(restarted.transport.port, context)

    found = asyncio.run(go())
    assert first != cert.read_text()
    assert (first, first, cert.read_text()) == found
