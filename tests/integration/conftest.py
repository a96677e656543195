"""A real Apache Kafka for these tests.

KAFKA_BOOTSTRAP_SERVERS, else the one of deploy/kafka-local, else one in Docker; where none of them
can be had the tests are skipped loudly, and in CI they fail.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import uuid
from pathlib import Path

import pytest

from tests.integration.acls import properties

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "apache/kafka:4.1.0"


def free_port():
    """A free port whose successor is free too: the controller takes that."""
    for _ in range(50):
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port
    raise RuntimeError("no two free ports in a row")


def start_local(folder, extra="", listener=None):
    """The address of a broker started by deploy/kafka-local, and how to stop it; None without.

    ``extra`` are further properties, in which {port} is the broker's and {next} the controller's.
    ``listener`` is the port of a listener which they add, and which may open after the broker's.
    """
    if not (shutil.which("java") and shutil.which("mvn")):
        return None
    port = free_port()
    env = os.environ | {
        "KAFKA_LOCAL_PORT": str(port),
        "KAFKA_LOCAL_DATA": str(folder),
        "KAFKA_LOCAL_EXTRA": extra.format(port=port, next=port + 1) if extra else "",
    }
    script = ROOT / "deploy/kafka-local/start"
    started = subprocess.run([script], env=env, capture_output=True, text=True, check=False)
    if started.returncode:
        print(started.stderr)  # says why there is no broker
        return None

    def stop():
        subprocess.run([script.with_name("stop"), "--wipe"], env=env, check=False)

    try:
        wait_for(listener or port)
    except TimeoutError:
        stop()
        raise
    return started.stdout.strip().splitlines()[-1], stop


def start_docker():
    """The address of a broker in Docker, and how to stop it; None without."""
    if not shutil.which("docker"):
        return None
    port, name = free_port(), f"deid-test-{uuid.uuid4().hex[:8]}"
    settings = {
        "KAFKA_NODE_ID": "1",
        "KAFKA_PROCESS_ROLES": "broker,controller",
        "KAFKA_CONTROLLER_QUORUM_VOTERS": "1@localhost:9093",
        "KAFKA_LISTENERS": f"PLAINTEXT://:{port},CONTROLLER://:9093",
        "KAFKA_ADVERTISED_LISTENERS": f"PLAINTEXT://127.0.0.1:{port}",
        "KAFKA_CONTROLLER_LISTENER_NAMES": "CONTROLLER",
        "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR": "1",
        "KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR": "1",
        "KAFKA_TRANSACTION_STATE_LOG_MIN_ISR": "1",
        "KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS": "0",
        "KAFKA_MESSAGE_MAX_BYTES": "20971520",
    }
    variables = [part for item in settings.items() for part in ("-e", "=".join(item))]
    command = ["docker", "run", "-d", "--rm", "--name", name, "-p", f"{port}:{port}"]
    started = subprocess.run([*command, *variables, IMAGE], capture_output=True, check=False)
    if started.returncode:
        return None
    wait_for(port)
    return f"127.0.0.1:{port}", lambda: subprocess.run(["docker", "stop", name], check=False)


def wait_for(port, seconds=60):
    """Until something answers at the port."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.5)
    raise TimeoutError(f"nothing answers at port {port} after {seconds} seconds")


@pytest.fixture(scope="session")
def bootstrap(tmp_path_factory):
    """The address of a real Kafka."""
    given = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    if given:
        yield given
        return
    started = start_local(tmp_path_factory.mktemp("kafka")) or start_docker()
    if started is None:
        why = "NO KAFKA: set KAFKA_BOOTSTRAP_SERVERS, or install Java 17 and Maven, or Docker"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
    address, stop = started
    yield address
    stop()


@pytest.fixture(scope="session")
def guarded(tmp_path_factory):
    """A broker with ACLs: an address for its owner, and one for users with a password."""
    users = free_port()
    started = start_local(tmp_path_factory.mktemp("guarded"), properties(users), users)
    if started is None:
        pytest.skip("NO KAFKA with ACLs: install Java 17 and Maven")
    address, stop = started
    yield address, f"127.0.0.1:{users}"
    stop()


@pytest.fixture
def app():
    """A name of its own for each test's topics, group and transactional ids."""
    return f"t{uuid.uuid4().hex[:10]}"
