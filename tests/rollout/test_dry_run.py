"""A dry run over files writes nothing, and says what the service would have done."""

from __future__ import annotations

import asyncio
import base64

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.rollout.dry_run import dry_run, without_effects
from adapter.rules.compile import load_ruleset

KEY = base64.b64encode(bytes(range(32))).decode()
KEYS = {name: {"id": name, "value": KEY} for name in ("surrogates", "quarantine", "state", "audit")}
ADT = (
    b"MSH|^~\\&|A|B|C|D|20240102||ADT^A01|1|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
)


def settings_for(folder, **values):
    """Settings that name every place a run over files could write to."""
    (folder / "in").mkdir()
    (folder / "in/a.hl7").write_bytes(ADT * 3)
    (folder / "in/b.txt").write_bytes(b"Mr Quillfeather")
    names = {name: str(folder / name) for name in ("output", "quarantine", "audit", "state")}
    files = {"inputs": [str(folder / "in")], "escrow": str(folder / "escrow"), **names}
    return load_settings(
        transport="files", files=files, keys=KEYS, workers={"processes": 1}, **values
    )


def test_nothing_is_written(tmp_path, capfd):
    """No output, quarantine, audit, state, escrow or vault comes to be; the counts are a run's."""
    settings = settings_for(tmp_path, vault={"url": f"sqlite:///{tmp_path}/vault.db"})
    status, summary = asyncio.run(dry_run(settings))
    told = summary.as_dict()
    assert (0, 3, 1) == (status, told["released"], told["held"])
    assert {"hl7v2 ADT^A01": 3} == told["kinds"]
    assert {"decode/unknown-format": 1} == told["holds"]
    assert told["spans"]
    assert told["records_per_second"] > 0
    assert ["in"] == [path.name for path in tmp_path.iterdir()]
    assert "uillfeather" not in "".join(capfd.readouterr())


def test_a_bound_ends_it_early(tmp_path):
    """With two records asked for, two are processed."""
    _, summary = asyncio.run(dry_run(settings_for(tmp_path), 2))
    assert 2 == summary.records


def test_the_digest_is_that_of_the_service(tmp_path):
    """What is tried is named as what will run."""
    settings = settings_for(tmp_path)
    _, summary = asyncio.run(dry_run(settings))
    assert load_ruleset(settings).digest == summary.ruleset


@pytest.mark.parametrize("transport", ["mllp", "memory"])
def test_what_cannot_be_read_again_is_refused(transport):
    """A listener's input is nowhere until somebody sends it."""
    with pytest.raises(RuleError, match="transport: "):
        asyncio.run(dry_run(load_settings(transport=transport, keys=KEYS)))


def test_no_port_is_opened():
    """The live service beside it keeps its port; nothing goes to its vault or escrow."""
    settings = load_settings(
        keys=KEYS, health={"port": 8080}, vault={"url": "sqlite:///v.db"}, escrow={"enabled": True}
    )
    quiet = without_effects(settings)
    assert (0, "", False) == (quiet.health.port, quiet.vault.url, quiet.escrow.enabled)
