"""What commands share: the options for settings and key, and the ruleset made from them."""

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
    typer.Option("--key", help="File with the secret of surrogates, from `keys new`.", exists=True),
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", help="research (default) or safe-harbor.")
]
RecallOption = Annotated[
    float | None,
    typer.Option(
        "--recall", help="Aimed at by learned models: 0.95, 0.98, 0.99; else the profile's."
    ),
]
EPHEMERAL = "run"
"""Id of a key that lives for one run only."""


def settings(
    config: Path | None,
    key: Path | None = None,
    profile: str | None = None,
    said: dict[str, Any] | None = None,
    *,
    recall: float | None = None,
    **values: Any,
) -> Settings:
    """Settings for a command on files; without any key, one that lives for this run only.

    ``said`` is what the command line says besides key, profile and recall: it wins over file and
    variables. ``values`` hold where nobody says anything.

    Raises:
        RuleError: the settings cannot be honoured.
    """
    said = {**(said or {}), "rules": {**(said or {}).get("rules", {}), **rules(profile, recall)}}
    values = {"transport": "files", **values}
    if key is not None:
        said["keys"] = {"surrogates": _only({"id": key.stem, "file": key.absolute()})}
    loaded = load_settings(config, said=said, **values)
    if loaded.keys.surrogates is not None or loaded.keys.ring is not None:
        return loaded
    say(
        "note: no key given, so surrogates are drawn for this run only and agree with no other; "
        "make one with `deid-adapter keys new --out FILE` and pass --key FILE",
        err=True,
    )
    said["keys"] = {"surrogates": _only({"id": EPHEMERAL, "value": _fresh()})}
    return load_settings(config, said=said, **values)


def rules(profile: str | None = None, recall: float | None = None) -> dict[str, Any]:
    """What the command line says of the rules."""
    return {k: v for k, v in {"profile": profile, "recall": recall}.items() if v is not None}


def _only(source: dict[str, Any]) -> dict[str, Any]:
    """A key from that source, whatever other source file or variables name."""
    return {"file": None, "env": None, "value": None} | source


def _fresh() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode("ascii")
