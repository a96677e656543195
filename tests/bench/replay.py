"""A replay of an archive beside ``file`` over the same messages, in one run.

    python -m tests.bench.replay [--messages N] [--rounds N]

Both commands start anew, compile the rules, and remember what earlier messages said; the ratio is
of the messages a second of the whole commands, the median of rounds in turn.
"""

from __future__ import annotations

import base64
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from adapter.train.command import command_of
from tests.bench.mart_share import messages
from tests.bench.messages import ADT, ORU

FILES = 8
PURPOSES = ("surrogates", "quarantine", "state")


def archived(folder: Path, count: int) -> None:
    """Write so many messages in files, half of them with a note."""
    folder.mkdir()
    each = count // FILES // 2
    for number in range(FILES):
        both = zip(messages(ADT, each), messages(ORU, each), strict=True)
        content = b"\r".join(part for pair in both for part in pair)
        (folder / f"{number:02}.hl7").write_bytes(content)


def settings(folder: Path) -> Path:
    """Write keys, and settings that both commands take."""
    lines = []
    for purpose in PURPOSES:
        file = folder / f"{purpose}.key"
        file.write_bytes(base64.b64encode(purpose.encode().ljust(32, b".")))
        file.chmod(0o600)
        lines.append(f'[keys.{purpose}]\nid = "{purpose}"\nfile = "{file.name}"\n')
    whole = folder / "settings.toml"
    whole.write_text("\n".join(lines), "utf-8")
    return whole


def replay_settings(folder: Path, common: Path, number: int) -> Path:
    """Write the settings of one replay."""
    written = folder / f"replay-{number}.toml"
    written.write_text(
        f'{common.read_text("utf-8")}\n[replay]\nname = "bench-{number}"\nkey = "surrogates"\n'
        'knowledge = "as-of"\n\n[replay.source]\nurl = "in"\nlayout = "plain"\n'
        f'format = "hl7-batch"\n\n[replay.target]\nurl = "replayed-{number}"\n',
        "utf-8",
    )
    return written


def timed(*arguments: str | Path) -> float:
    """Seconds of one command."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "adapter", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main(
    count: Annotated[int, typer.Option("--messages", help="Messages, half with a note.")] = 4000,
    rounds: Annotated[int, typer.Option(help="Runs of each.")] = 3,
) -> None:
    """Print the messages a second of both, and the ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archived(folder / "in", count)
        common = settings(folder)
        rates: dict[str, list[float]] = {"file": [], "replay": []}
        for number in range(rounds):
            out = folder / f"out-{number}"
            rates["file"].append(
                count / timed("file", folder / "in", "-o", out, "--config", common)
            )
            config = replay_settings(folder, common, number)
            rates["replay"].append(count / timed("replay", "--config", config))
        for command, all_ in rates.items():
            print(f"{command:8}{statistics.median(all_):8.1f}/s")
        ratio = statistics.median(rates["replay"]) / statistics.median(rates["file"])
        print(f"replay beside file {ratio:.2f} (aim 0.95)")


if __name__ == "__main__":
    command_of(main)()
