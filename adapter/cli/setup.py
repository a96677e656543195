"""Common parts of commands: the options for settings and key, and the settings from them."""

from __future__ import annotations

import base64
import secrets
from pathlib import Path
from typing import Annotated, Any

import typer

from adapter.cli.terminal import say
from adapter.config.settings import Settings, load_settings

ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)
]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key", help="File with the secret for surrogates, from `keys new`.", exists=True
    ),
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", help="research (default) or safe-harbor.")
]
RecallOption = Annotated[
    float | None,
    typer.Option(
        "--recall",
        help="Target recall of learned models: 0.95, 0.98, 0.99; default: the profile's.",
    ),
]
EPHEMERAL = "run"
"""Id of a key that is used for one run only."""


def settings(
    config: Path | None,
    key: Path | None = None,
    profile: str | None = None,
    said: dict[str, Any] | None = None,
    *,
    recall: float | None = None,
    noted: bool = True,
    **values: Any,
) -> Settings:
    """Return the settings of a command on files; if no key is given, with one for this run only.

    ``said`` are further options of the command line, which override file and variables. ``values``
    are defaults. ``noted``: a note says that the key is of this run only.

    Raises:
        RuleError: the settings cannot be applied.
    """
    said = {**(said or {}), "rules": {**(said or {}).get("rules", {}), **rules(profile, recall)}}
    values = {"transport": "files", **values}
    if key is not None:
        said["keys"] = {"surrogates": _single_source({"id": key.stem, "file": key.absolute()})}
    loaded = load_settings(config, said=said, **values)
    if loaded.keys.surrogates is not None or loaded.keys.ring is not None:
        return loaded
    if noted:
        say(
            "note: no key given, so surrogates hold for this run only and match no other run; "
            "make one with `deid-adapter keys new --out FILE` and pass --key FILE",
            err=True,
        )
    said["keys"] = {"surrogates": _single_source({"id": EPHEMERAL, "value": _fresh()})}
    return load_settings(config, said=said, **values)


def rules(profile: str | None = None, recall: float | None = None) -> dict[str, Any]:
    """Return the ``rules`` settings given on the command line."""
    return {k: v for k, v in {"profile": profile, "recall": recall}.items() if v is not None}


def _single_source(source: dict[str, Any]) -> dict[str, Any]:
    """Return a key's settings with one source, which overrides those of the file and variables."""
    return {"file": None, "env": None, "value": None} | source


def _fresh() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode("ascii")
