"""A report as one HTML file: inline styles and pictures, no scripts, no external resources."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING

from adapter.evaluate.report.document import Grid

if TYPE_CHECKING:
    from adapter.evaluate.report.document import Picture, Report, Section

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6878; --line: #dfe4ea;
  --page: #f6f7f9; --card: #fff; --bar: #cfe3f7; --accent: #1f6fb2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #323b47;
  --page: #161b22; --card: #1e252e; --bar: #234a6d; --accent: #7fbcf2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 74rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; margin: 0 0 .4rem; }
p { color: var(--soft); margin: 0 0 1rem; max-width: 60rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .8rem;
  margin: 1.4rem 0; }
.tile, section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.tile { padding: .9rem 1rem; }
.tile b { display: block; font-size: 1.7rem; font-weight: 650; color: var(--accent);
  font-variant-numeric: tabular-nums; }
.tile small { color: var(--soft); display: block; line-height: 1.35; }
section { padding: 1.3rem 1.4rem; margin: 0 0 1.2rem; }
nav { margin: 0 0 1.2rem; } nav a { color: var(--accent); margin-right: 1rem;
  text-decoration: none; white-space: nowrap; }
.scroll { overflow-x: auto; margin: 0 0 1rem; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 .4rem; }
th, td { padding: .28rem .7rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child { text-align: left; }
tbody tr:hover td { background-color: color-mix(in srgb, var(--accent) 9%, transparent); }
td.share { background-image: linear-gradient(90deg, var(--bar) var(--part), transparent 0);
  background-repeat: no-repeat; }
td.nil { color: var(--soft); opacity: .55; }
img { max-width: 100%; height: auto; background: #fff; border-radius: .4rem; }
figure { margin: 0 0 1rem; } figcaption { color: var(--soft); font-size: .88rem; }
"""


def html(report: Report) -> str:
    """Return the report as an HTML page."""
    tiles = "".join(
        f"<div class=tile><small>{escape(tile.name)}</small><b>{escape(tile.value)}</b>"
        f"<small>{escape(tile.meaning)}</small></div>"
        for tile in report.tiles
    )
    links = "".join(
        f"<a href=#s{number}>{escape(section.heading)}</a>"
        for number, section in enumerate(report.sections)
    )
    body = "\n".join(_section(f"s{n}", section) for n, section in enumerate(report.sections))
    title = escape(report.title)
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
        "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
        f"<title>{title}</title>\n<style>{STYLE}</style>\n<main>\n<h1>{title}</h1>\n"
        f"<p>{escape(report.subtitle)}</p>\n<div class=tiles>{tiles}</div>\n"
        f"<nav>{links}</nav>\n{body}\n</main>\n</html>\n"
    )


def _section(name: str, section: Section) -> str:
    text = f"<p>{escape(section.text)}</p>" if section.text else ""
    blocks = "\n".join(
        _table(block) if isinstance(block, Grid) else _figure(block) for block in section.blocks
    )
    return f"<section id={name}><h2>{escape(section.heading)}</h2>\n{text}\n{blocks}</section>"


def _figure(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    title = escape(picture.title, quote=True)
    return (
        f"<figure><img alt='{title}' src='data:image/png;base64,{data}'>"
        f"<figcaption>{title}</figcaption></figure>"
    )


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.head)
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, number in grid.shares) for number, cell in enumerate(row))
        for row in grid.rows
    )
    caption = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    return (
        f"<div class=scroll><table>{caption}<thead><tr>{head}</thead>\n"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: str, is_share: bool) -> str:  # noqa: FBT001 - of a table's column
    if is_share and cell[:1].isdigit():
        return f"<td class=share style='--part:{100 * float(cell):.1f}%'>{cell}"
    return f"<td{' class=nil' if cell in {'0', '·', '–'} else ''}>{escape(cell)}"
