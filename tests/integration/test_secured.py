"""A broker that speaks TLS under a site's own authority and asks for a SCRAM password."""

from __future__ import annotations

import asyncio

import pytest

from adapter.config.settings import load_settings
from adapter.transports.registry import backend
from tests.chaos.service import Service
from tests.integration import cluster
from tests.integration.conftest import free_port, start_local
from tests.integration.secured import DAY, Authority, add_user, listeners, made, now, security

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """The site's authority."""
    return Authority.made(tmp_path_factory.mktemp("authority"))


def broker(folder, authority, days):
    """Start a broker whose own certificate ends in some days: its addresses, and how to stop it."""
    users, store = free_port(), folder / "broker.pem"
    authority.store(store, now() + days * DAY)
    started = start_local(folder / "data", listeners(users, store), users)
    if started is None:
        pytest.skip("NO KAFKA with TLS: install Java 17 and Maven")
    owner, stop = started
    add_user(owner)
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


def test_a_strange_authority_is_named(secured, app, tmp_path):
    """A broker whose certificate another authority has signed is not talked to."""
    service = made(*secured, app, tmp_path, security(Authority.made(tmp_path, "other")))
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
