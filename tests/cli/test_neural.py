"""The network beside the CRF as a user runs it: in forked workers."""

from __future__ import annotations

from shutil import copytree, ignore_patterns

import pytest

from adapter.rules.folder import shipped
from tests.taggers.neural.networks import written

pytestmark = pytest.mark.every_language
NOTE = (
    "MSH|^~\\&|A|B|C|D|20240105||ORU^R01|{0}|P|2.5||||||UTF-8|||es\r"
    "PID|1||884127{0}^^^H1^MR||VILLARROYA^JUAN||19600102|M\r"
    "OBX|1|TX|1^Nota||Acude con mucho dolor de pecho desde ayer y avisa a jarnol queldrano||||||F\r"
)


@pytest.fixture
def run(tmp_path, run_cli, key):
    """Runs a command with Spanish read by patterns, the CRF and the small network."""
    models = tmp_path / "models"
    copytree(shipped("models") / "es", models / "es", ignore=ignore_patterns("neural"))
    written(models)
    config = tmp_path / "adapter.toml"
    config.write_text(
        f'transport = "files"\n[rules]\nlanguages = ["es"]\nmodels = "{models}"\n'
        f'taggers = ["patterns", "crf", "neural"]\n[keys.surrogates]\nid = "k"\nfile = "{key}"\n'
        f'[files]\ninputs = ["{tmp_path / "in"}"]\noutput = "{tmp_path / "all"}"\n'
    )
    (tmp_path / "in").mkdir()
    for number in range(8):
        (tmp_path / "in" / f"{number}.hl7").write_text(NOTE.format(number), "utf-8", newline="")
    return lambda *arguments: run_cli(*arguments, "-c", config)


def test_forked_workers_find_what_one_process_finds(run, tmp_path):
    """The network opened before the fork runs in each of two workers, and gives the same bytes."""
    for workers in (1, 2):
        out = tmp_path / f"out{workers}"
        ended = run("file", tmp_path / "in", "-o", out, "--workers", workers)
        assert 0 == ended.returncode, ended.stderr.decode()
    one, two = (
        {file.name: file.read_bytes() for file in (tmp_path / f"out{workers}").glob("*.hl7")}
        for workers in (1, 2)
    )
    assert one == two
    assert len(one) == 8
    assert not any(b"jarnol" in raw or b"queldrano" in raw for raw in one.values())
    assert all(b"avisa a" in raw for raw in one.values())
