"""The demo's review console: serves the sample feed in its queues on this machine."""

from __future__ import annotations

import base64
import secrets
import shutil
from typing import TYPE_CHECKING, Any

from rich.table import Table

from adapter.cli.demo.feed import SECRET
from adapter.cli.review.server import console as console_of
from adapter.cli.review.server import run
from adapter.cli.review.setup import store_of
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.review.access import Access
from adapter.review.intake import Intake, sample_recall, sample_uncertain
from adapter.rules.compile import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    from adapter.cli.demo.feed import Sample
    from adapter.config.settings import Settings
    from adapter.review.store.store import Store

PEOPLE = (
    ("ann", "annotator"),
    ("ben", "annotator"),
    ("olga", "officer"),
    ("otto", "officer"),
    ("aud", "auditor"),
    ("adm", "admin"),
)
RECALL, UNCERTAIN = 20, 25
MARK = ".deid-adapter-demo"
"""File that marks a folder as the demo's, which the next demo may delete."""


def serve_review(console: Console, messages: Sequence[Sample], out: Path) -> None:
    """Fill a console with the feed and serve it until stopped; its keys are not kept."""
    folder = out / "review"
    _emptied(folder)
    settings = _settings(folder)
    console.print(f"[bold]{len(messages)} sample messages into the review console[/] ...")
    ruleset = load_ruleset(settings)
    with store_of(settings) as store:
        intake = Intake(store, ruleset, settings.review.days)
        for sample in messages:
            intake.message(sample.value)
        words = _people(store)
        sample_recall(store, RECALL, 0)
        sample_uncertain(store, UNCERTAIN, "entropy")
        address = f"http://{settings.review.host}:{settings.review.port}/"
        console.print(_log_ins(words))
        console.print(f"[bold]{address}[/]  each log-in works once; stop with Ctrl-C")
        run(console_of(settings, store, None, ruleset), settings.review)


def _emptied(folder: Path) -> None:
    """Empty the folder or create it, but only if an earlier demo made it.

    Raises:
        RuleError: the path has other content.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise RuleError(str(folder), "is not a folder; choose another with --out")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise RuleError(str(folder), "was not made by a demo; choose another with --out")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
    (folder / MARK).touch()


def _settings(folder: Path) -> Settings:
    keys: dict[str, Any] = {
        name: {"id": f"demo-{name}", "value": _secret()} for name in ("review", "audit")
    }
    keys["surrogates"] = {"id": "demo", "value": SECRET}
    file = folder / "adapter.toml"  # URLs and paths in it are relative to its folder
    file.write_text('transport = "memory"\n', "utf-8")
    return load_settings(file, keys=keys)


def _secret() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode("ascii")


def _people(store: Store) -> list[tuple[str, str, str]]:
    access = Access(store)
    return [(name, role, access.add(name, role, "")) for name, role in PEOPLE]


def _log_ins(words: Sequence[tuple[str, str, str]]) -> Table:
    table = Table(title="one-time log-ins", title_justify="left")
    for name in ("name", "role", "log-in"):
        table.add_column(name)
    for row in words:
        table.add_row(*row)
    return table
