"""The unit of systemd: its settings are accepted, its limits are the program's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from adapter.config.secret_files import read_secret
from adapter.config.settings import load_settings

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
UNIT = (DEPLOY / "systemd" / "deid-adapter.service").read_text("utf-8")


def values(name: str) -> list[str]:
    """What the unit says of a directive, line by line."""
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def test_the_settings_of_the_unit_are_accepted(monkeypatch):
    """deploy/adapter.toml loads with the unit's variables; its keys are the credentials."""
    for line in values("Environment"):
        name, _, value = line.partition("=")
        monkeypatch.setenv(name, value.replace("%d", "/run/credentials/deid-adapter.service"))
    settings = load_settings(DEPLOY / "adapter.toml")
    keys = (settings.keys.surrogates, settings.keys.quarantine, settings.keys.state)
    assert {
        f"/run/credentials/deid-adapter.service/{line.partition(':')[0]}"
        for line in values("LoadCredential")
    } == {str(key.file) for key in keys}
    assert settings.health.host == "127.0.0.1"


def test_systemd_waits_longer_than_the_adapter_drains():
    """A stop never cuts a drain short, and the workers are not asked to end before it."""
    drain = load_settings(DEPLOY / "adapter.toml").workers.drain_seconds
    assert float(values("TimeoutStopSec")[0]) >= drain + 15
    assert (["mixed"], ["SIGTERM"]) == (values("KillMode"), values("KillSignal"))


def test_a_credential_as_systemd_mounts_it_is_accepted(tmp_path, monkeypatch):
    """Root's, with an access list for the service's user, which shows as a readable group."""
    key = tmp_path / "surrogates.key"
    key.write_bytes(b"k")
    key.chmod(0o440)
    monkeypatch.setattr(os, "geteuid", lambda: key.stat().st_uid + 1)
    assert read_secret(key) == b"k"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_knows_every_directive(tmp_path):
    """`systemd-analyze verify` finds nothing wrong, and the exposure is at most 2.0 of 10."""
    unit = tmp_path / "deid-adapter.service"
    unit.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", UNIT), "utf-8")
    verify = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, check=False)
    assert (0, b"") == (verify.returncode, verify.stderr)
    exposure = ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit]
    assert subprocess.run(exposure, capture_output=True, check=False).returncode == 0
