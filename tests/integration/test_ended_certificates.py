"""Certificates that end, and are renewed, while an adapter is connected."""

from __future__ import annotations

import asyncio
import datetime as dt
import shutil
import ssl

import pytest

from tests.chaos.load import number_of
from tests.chaos.service import Service
from tests.chaos.trial import Broker
from tests.integration import cluster
from tests.integration.conftest import free_port
from tests.integration.secured import (
    DAY,
    Authority,
    add_user,
    listeners,
    made,
    now,
    requiring,
    security,
)

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

VALID = dt.timedelta(seconds=75)
"""How long a certificate is valid that ends during a test; a broker starts in less."""


class Site:
    """A broker that shows the certificate in ``store`` after each start, and its authority."""

    def __init__(self, folder):
        self.authority = Authority.made(folder)
        self.store = folder / "broker.pem"
        self.broker = Broker.local(folder, free_port())
        self.port = free_port()
        self.users = f"127.0.0.1:{self.port}"

    def start(self, more=""):
        """Start the broker with a certificate for a day, and add the user."""
        self.authority.store(self.store, now() + DAY)
        port = int(self.broker.env["KAFKA_LOCAL_PORT"])
        properties = listeners(self.port, self.store) + more
        self.broker.env["KAFKA_LOCAL_EXTRA"] = properties.format(port=port, next=port + 1)
        self.broker.start()
        add_user(self.broker.address)

    async def restart(self):
        """Restart the broker on its data, which ends every connection."""
        await asyncio.to_thread(self.broker.stop)
        await asyncio.to_thread(self.broker.start)

    async def refuses_to_be_known(self):
        """Whether a new connection finds the broker's certificate not valid."""
        trusting = ssl.create_default_context(cafile=self.authority.file)
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=trusting)
        except ssl.SSLCertVerificationError:
            return True
        writer.close()
        return False


@pytest.fixture
def site(tmp_path):
    """A site whose broker is stopped in the end."""
    if not (shutil.which("java") and shutil.which("mvn")):
        pytest.skip("NO KAFKA with TLS: install Java 17 and Maven")
    made_here = Site(tmp_path)
    yield made_here
    made_here.broker.stop()


async def past(time):
    """Wait until a time has passed."""
    await asyncio.sleep(max(0, (time - now()).total_seconds()) + 1)


def told(service, since, **keys):
    """Whether the log, from a line on, has one with these keys."""
    return any(keys.items() <= event.items() for event in service.events()[since:])


async def stays_unready(service, seconds=8):
    """The adapter is not ready, and a look of its own at the broker later still is not."""
    for _ in range(seconds):
        assert not await asyncio.to_thread(service.ready)
        await asyncio.sleep(1)


async def out_once(feeder):
    """Every message written is out once: released, or held if it is malformed."""
    released = await cluster.read_all(feeder.address, feeder.topics[1])
    held = await cluster.read_all(feeder.address, feeder.topics[2])
    numbers = sorted(number_of(record.value) for record in released)
    assert numbers == [number for number in range(feeder.sent) if number % 50]
    assert len(held) == feeder.sent // 50


async def finished(service, steps):
    """Take the steps of a test within seven minutes; the adapter does not outlive them."""
    try:
        await asyncio.wait_for(steps, 420)
    finally:
        if service.process.poll() is None:
            service.process.kill()


def test_a_certificate_of_the_broker_ends_while_an_adapter_is_connected(site, app, tmp_path):
    """Open connections last; new ones are refused until the certificate is renewed."""
    site.start()
    service = made(site.broker.address, site.users, app, tmp_path, security(site.authority))
    feeder = Service(site.broker.address, app, tmp_path)

    async def go():
        service.start()
        await service.until(service.ready)
        ends = now() + VALID
        site.authority.store(site.store, ends)
        await site.restart()
        await feeder.write(100)
        await feeder.settled(100)
        assert now() < ends, "too slow: the certificate ended before the adapter had connected"
        await past(ends)
        assert await site.refuses_to_be_known()
        await feeder.write(100)
        await feeder.settled(200)
        assert service.ready()
        assert not told(service, 0, reason="CERT_HAS_EXPIRED")

        so_far = len(service.events())
        await site.restart()
        await feeder.write(100)
        await service.until(lambda: told(service, so_far, reason="CERT_HAS_EXPIRED", node=1), 120)
        await stays_unready(service)
        assert told(service, so_far, event="broker not reached", address=site.users)
        assert 100 == await feeder.behind()

        site.authority.store(site.store, now() + DAY)
        await site.restart()
        await service.until(service.ready, 120)
        await feeder.settled(300)
        await service.stop()
        await out_once(feeder)

    asyncio.run(finished(service, go()))
    assert 0 == service.process.returncode


def test_a_renewed_certificate_of_the_adapter_is_used_after_its_restart(site, app, tmp_path):
    """A running adapter shows the certificate of its start, even when that has ended."""
    certificate, key = tmp_path / "adapter.pem", tmp_path / "adapter.key"

    def renew(ends):
        for file, text in zip(
            (certificate, key), site.authority.issued("adapter", ends), strict=True
        ):
            file.write_text(text)
            file.chmod(0o600)

    site.start(requiring(site.authority))
    table = f'certfile = "{certificate}"\nkeyfile = "{key}"\n'
    service = made(site.broker.address, site.users, app, tmp_path, security(site.authority) + table)
    feeder = Service(site.broker.address, app, tmp_path)

    async def go():
        ends = now() + VALID
        renew(ends)
        service.start()
        await service.until(service.ready)
        await feeder.write(100)
        await feeder.settled(100)
        assert now() < ends, "too slow: the certificate ended before the adapter had connected"
        renew(now() + DAY)
        await past(ends)
        await feeder.write(100)
        await feeder.settled(200)

        await site.restart()
        await feeder.write(100)
        await service.until(lambda: not service.ready(), 60)
        await stays_unready(service, 15)
        assert told(service, 0, event="broker not reached", error="KafkaConnectionError", node=1)
        assert 100 == await feeder.behind()

        await service.stop()
        assert 0 == service.process.returncode
        service.start()
        await service.until(service.ready, 120)
        await feeder.settled(300)
        await service.stop()
        await out_once(feeder)

    asyncio.run(finished(service, go()))
    assert 0 == service.process.returncode
