"""A broker whose name cannot be resolved, as an operator of a new cluster meets it."""

from __future__ import annotations

import json
import time

import pytest

from tests import processes

HOST = "broker.invalid:9092"  # no name ends with .invalid (RFC 6761, 6.4)
PATIENCE = 60


@pytest.fixture
def config(tmp_path, key):
    """Settings for Kafka with a name that nobody has."""
    file = tmp_path / "adapter.toml"
    file.write_text(
        f'transport = "kafka"\n[rules]\nlanguages = ["en"]\n'
        f'[keys.surrogates]\nid = "k"\nfile = "{key}"\n'
        f'[keys.quarantine]\nid = "q"\nfile = "{key}"\n'
        f'[kafka]\nbootstrap_servers = "{HOST}"\ntopics = ["in"]\n'
    )
    return file


def test_the_log_names_the_address_and_the_error_and_the_service_goes_on_trying(config, tmp_path):
    """It retries until it is stopped, which it obeys at once, and calls nothing an error."""
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = processes.Started(
            ["-m", "adapter", "run", "--config", config], stdout=out, stderr=out
        )
    try:
        until = time.monotonic() + PATIENCE
        while log.read_bytes().count(b"connecting again") < 2:
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.2)
        process.terminate()
        assert 0 == process.wait(10)
    finally:
        process.kill()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (told,) = [line for line in lines if line["event"] == "broker not reached"]
    assert HOST == told["address"]
    # Without any name server the answer is that the question must be asked again.
    assert told["reason"] in ("EAI_NONAME", "EAI_AGAIN")
    assert "error" not in {line["level"] for line in lines}


def test_a_command_says_with_the_code_of_the_documentation_that_no_broker_answers(config, run_cli):
    """Neither a bare name of the client's nor a trace."""
    done = run_cli("quarantine", "list", "--config", config)
    assert 2 == done.returncode
    assert b"error: transport/unreachable, KafkaConnectionError" == done.stderr.splitlines()[-1]
