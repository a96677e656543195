"""`deid-adapter file` on a file system that is really full, and again when there is room."""

from __future__ import annotations

import base64
import subprocess

import pytest

from tests import processes

MESSAGES = 24
KEY = base64.b64encode(bytes(range(32))).decode()


@pytest.fixture
def small(tmp_path):
    """A file system of 40 KiB, and how to enlarge it."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("NO FULL DISK: only root may mount a file system")
    yield folder, lambda: subprocess.run(["mount", "-o", "remount,size=20m", folder], check=True)
    subprocess.run(["umount", folder], check=True)


def adt(number):
    """Return a message of about 4 KB."""
    rows = "".join(
        f"NTE|{row}||Seen on ward {row}, stable, no complaints.\r" for row in range(1, 80)
    )
    return (
        f"MSH|^~\\&|A|B|C|D|20240102||ADT^A01|{number}|P|2.5\r"
        f"PID|1||{8841277 + number}^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r{rows}"
    ).encode()


def test_a_full_disk_ends_the_run_and_the_next_completes_it(tmp_path, small):
    """Status and reason say it; no file is cut off or left unfinished; the next run completes."""
    folder, enlarge = small
    source, key, clean = tmp_path / "in", tmp_path / "s.key", tmp_path / "clean"
    source.mkdir()
    for number in range(MESSAGES):
        (source / f"{number}.hl7").write_bytes(adt(number))
    key.write_text(KEY)
    key.chmod(0o600)

    def run(out):
        words = ["-m", "adapter", "file", source, "-o", out, "--key", key, "--workers", "1"]
        done = processes.run(words)
        return done.returncode, done.stdout + done.stderr

    def released(out):
        return {file.name: file.read_bytes() for file in out.glob("*.hl7")}

    code, told = run(folder / "out")
    partly = released(folder / "out")
    left = [*(folder / "out").glob(".*")]
    enlarge()
    again, _ = run(folder / "out")
    assert (1, True, [], 0) == (code, b"ENOSPC" in told, left, again)
    assert b'"setting":"files.output"' in told.replace(b": ", b":")
    assert b"QUILLFEATHER" not in told
    run(clean)
    assert 0 < len(partly) < MESSAGES == len(released(clean))
    assert partly.items() <= released(clean).items()
    assert released(clean) == released(folder / "out")
    manifests = [(out / "manifest.jsonl").read_bytes() for out in (clean, folder / "out")]
    assert manifests[0] == manifests[1]
