"""Renders a release as an HTML page: its plan, risk, completeness and columns."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from adapter.mart.release.report import charts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE = """
:root { --ink: #1d2a35; --soft: #5d6c7a; --line: #dbe2e8; --fill: #2f6f9f; --paper: #fff; }
body { color: var(--ink); background: #f5f7f9; font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 8px;
  padding: 1rem 1.25rem; margin: 1rem 0; overflow-x: auto; }
h1 { margin: .2rem 0; font-size: 1.7rem; } h2 { margin: 0 0 .6rem; font-size: 1.15rem; }
h3 { margin: 1.1rem 0 .3rem; font-size: 1rem; } p { margin: .3rem 0; } .soft { color: var(--soft); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .8rem; }
.tile { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; }
.tile b { display: block; font-size: 1.35rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; padding: .28rem .6rem .28rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.n, th.n { text-align: right; } code { font-size: .86em; }
svg { width: 100%; max-width: 44rem; height: auto; font: 12px system-ui, sans-serif; }
svg rect { fill: var(--fill); } svg text { fill: var(--ink); }
svg text.name { text-anchor: end; } svg text.year { text-anchor: middle; font-size: 11px; }
summary { cursor: pointer; font-weight: 600; }
"""
FEW = "few"
YEARS_FROM = 8
"""Number of numeric values from which columns are drawn instead of bars."""


def page(report: dict[str, Any]) -> str:
    """Return the HTML page of a release, which needs no other files."""
    title = f"Release {escape(report['manifest']['name'])}"
    parts = (_head, _pictures, _risk, _quality, _dictionary, _files)
    body = "".join(part(report) for part in parts)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main>{body}</main></body></html>\n"
    )


def _head(report: dict[str, Any]) -> str:
    manifest, risk = report["manifest"], report["risk"]
    tiles = [
        ("persons", _count(manifest["persons"])),
        ("tables", str(len(report["dictionary"]))),
        ("fewest persons of a cell (k)", str(risk["k"])),
        ("smallest cell allowed", str(manifest["minimum_cell"])),
    ]
    drawn = "".join(f'<div class="tile"><b>{value}</b>{name}</div>' for name, value in tiles)
    project = f" of project {escape(manifest['project'])}" if manifest["project"] else ""
    return (
        f"<h1>{escape(manifest['name'])}</h1><p class=soft>A release{project}, made on"
        f" {manifest['day']}, approved by {escape(manifest['approved_by'])}."
        " Dates are shifted for each person, names and numbers are surrogates. Rows have no"
        " order but that of the persons' keys. Counts below the smallest cell are shown as few,"
        f" the others are rounded to {manifest['rounding']}.</p>"
        f'<div class="tiles">{drawn}</div>'
    )


def _pictures(report: dict[str, Any]) -> str:
    rows = [(table["table"], table["rows"]) for table in report["dictionary"]]
    found = [("Rows of each table", charts.bars(rows, "rows"))]
    for name, counts in report["distributions"].items():
        found.append((f"Persons by {name}", _distribution(counts)))
    found.append(("Cells by persons", charts.bars(report["cells"], "cells")))
    if report["kinds"]:
        found.append(("Messages by kind", charts.bars(report["kinds"], "messages")))
    drawn = "".join(f"<div><h3>{escape(name)}</h3>{svg}</div>" for name, svg in found)
    return f'<section><h2>In pictures</h2><div class="pair">{drawn}</div></section>'


def _distribution(counts: Sequence[tuple[str, int | None]]) -> str:
    numbers = [row for row in counts if row[0].isdigit()]
    if len(numbers) >= YEARS_FROM:
        return charts.columns(numbers, "persons")
    return charts.bars(counts, "persons")


def _risk(report: dict[str, Any]) -> str:
    risk = report["risk"]
    rows = [
        ("quasi-identifiers", _names(risk["quasi_identifiers"])),
        ("cells", _count(risk["cells"])),
        ("fewest persons of a cell (k-anonymity)", str(risk["k"])),
        *(
            (f"fewest values of {escape(name)} in a cell (l-diversity)", str(least))
            for name, least in risk["l"].items()
        ),
        *(
            (f"rows in which {escape(name)} is suppressed", _count(count))
            for name, count in risk["suppressed"].items()
        ),
        *(
            (f"persons with a rare {escape(name)}, which the gate was not asked about", _count(n))
            for name, n in risk["not_judged"].items()
        ),
        ("columns of free text, which the gate does not read", _names(risk["free_text"])),
        ("earlier releases under this key", _names(risk["earlier"]) or "none"),
    ]
    if risk["acceptance"]:
        rows.append(("why the risk of another release is accepted", escape(risk["acceptance"])))
    return f"<section><h2>Risk</h2>{_table((), rows)}</section>"


def _quality(report: dict[str, Any]) -> str:
    quality = report["quality"]
    rows = [
        (row["day"], escape(row["source"]), escape(row["kind"]),
         *_flow(row))
        for row in quality["messages"]
    ]  # fmt: skip
    total = quality["total"]
    rows.append(("all", "", "", *_flow(total)))
    head = ("loaded on", "source", "kind", "consumed", "released", "held")
    holds = [(f"<code>{escape(h['reason'])}</code>", _count(h["times"])) for h in quality["holds"]]
    rejects = [
        (f"<code>{escape(r['place'])}</code>", escape(r["code"]), _count(r["times"]))
        for r in quality["rejects"]
    ]
    parts = [
        f"<p>Results without order number: {_count(quality['results_without_key'])}.</p>",
        _table(head, rows),
        _titled("Held, by reason", ("reason", "times"), holds),
        _titled("Could not be mapped", ("place", "reason", "times"), rejects),
    ]
    return f"<section><h2>Quality</h2>{''.join(parts)}</section>"


def _flow(row: dict[str, int | None]) -> tuple[str, str, str]:
    """Return consumed, released and held, without a sum that would reveal a suppressed count."""
    consumed = "not shown" if row["consumed"] is None else _count(row["consumed"])
    return consumed, _count(row["released"]), _count(row["held"])


def _titled(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table under a heading, or nothing if it has no rows."""
    return f"<h3>{title}</h3>{_table(head, rows)}" if rows else ""


def _dictionary(report: dict[str, Any]) -> str:
    return (
        "<section><h2>Data dictionary</h2>"
        + "".join(_described(table) for table in report["dictionary"])
        + "</section>"
    )


def _described(table: dict[str, Any]) -> str:
    rows = [
        (f"<code>{c['name']}</code>", c["type"], escape(c["description"]), _values(c),
         FEW if c["filled"] is None else f"{c['filled']} %")
        for c in table["columns"]
    ]  # fmt: skip
    out = [(f"<code>{c['name']}</code>", escape(c["reason"])) for c in table["left_out"]]
    return (
        f"<details><summary>{table['table']}: {escape(table['description'])},"
        f" {_count(table['rows'])} rows, {_count(table['persons'])} persons</summary>"
        + _table(("column", "type", "meaning", "values that many persons have", "filled"), rows)
        + _titled("Left out", ("column", "reason"), out)
        + "</details>"
    )


def _values(column: dict[str, Any]) -> str:
    values = column.get("values", ())
    return ", ".join(f"{escape(v['value'])} ({_count(v['persons'])})" for v in values)


def _files(report: dict[str, Any]) -> str:
    files = report["manifest"]["files"]
    rows = [
        (f"<code>{escape(name)}</code>", f"<code>{digest}</code>") for name, digest in files.items()
    ]
    return f"<section><h2>Files</h2>{_table(('file', 'SHA-256'), rows)}</section>" if rows else ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"<code>{escape(name)}</code>" for name in names)


def _count(count: int | None) -> str:
    return FEW if count is None else f"{count:,}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{name}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{f'<tr>{top}</tr>' if head else ''}{body}</table>"
