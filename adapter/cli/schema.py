"""``deid-adapter schema``: generates tables and code maps from published sources."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.terminal import say
from adapter.errors import RuleError
from adapter.schema import code_maps, fhir, hl7v2

app = typer.Typer(help="Generate the schema tables.", no_args_is_help=True)


@app.callback()
def schema() -> None:
    """Generate the schema tables."""


@app.command("build")
def build(
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("rules/schema"),
    r4: Annotated[
        Path | None,
        typer.Option(
            help="Types of the official R4 snapshots (JSON); default: keep R4.", exists=True
        ),
    ] = None,
) -> None:
    """Write hl7v2*.json from hl7apy, the others from fhir.resources (extra "schema").

    fhir.resources lacks R4, whose table is made from the official snapshots.
    """
    if not all(find_spec(name) for name in ("hl7apy", "fhir")):
        raise RuleError("schema build", "needs the extra 'schema'")
    out.mkdir(parents=True, exist_ok=True)
    tables = json.dumps(hl7v2.build(), separators=(",", ":")) + "\n"
    (out / "hl7v2.json").write_text(tables, encoding="utf-8")
    codes = json.dumps(hl7v2.tables(), separators=(",", ":")) + "\n"
    (out / "hl7v2-tables.json").write_text(codes, encoding="utf-8")
    (out / "bindings.json").write_text(fhir.render(fhir.bindings()), encoding="utf-8")
    types = json.loads(r4.read_bytes()) if r4 else {}
    for version, table in fhir.build(types).items():
        if version != "R4" or r4:
            (out / f"fhir-{version}.json").write_text(fhir.render(table), encoding="utf-8")
    say(f"written to {out}")


@app.command("codes")
def codes(
    guide: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="mappings/codesystems of HL7's v2-to-FHIR guide.",
            exists=True,
            file_okay=False,
        ),
    ],
    out: Annotated[Path, typer.Option(help="File to write.")] = Path("rules/mart/hl7v2/codes.toml"),
) -> None:
    """Write the mart's code maps from the concept maps of HL7's v2-to-FHIR guide."""
    out.write_text(code_maps.render(guide), encoding="utf-8")
    say(f"written to {out}")
