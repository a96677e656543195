"""Draw docs/pipeline.svg, the way of a message: ``python docs/diagram.py``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).with_name("pipeline.svg")
WIDTH, HEIGHT = 1004, 388
STYLE = """
  text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #17303a; }
  .title { font-size: 14px; font-weight: 600; }
  .small { font-size: 11.5px; fill: #41606c; }
  .page { fill: #ffffff; }
  .core { fill: #f1f8f8; stroke: #00796b; stroke-dasharray: 6 4; }
  .commit { fill: none; stroke: #3f51b5; stroke-dasharray: 6 4; }
  .step { fill: #ffffff; stroke: #00796b; stroke-width: 1.5; }
  .topic { fill: #eef2fb; stroke: #3f51b5; stroke-width: 1.5; }
  .held { fill: #fdf1e7; stroke: #b45309; stroke-width: 1.5; }
  .line { fill: none; stroke: #41606c; stroke-width: 1.6; marker-end: url(#head); }
  .hold { fill: none; stroke: #b45309; stroke-width: 1.6; marker-end: url(#hold); }
  .both { marker-start: url(#head); }
"""


@dataclass(frozen=True, slots=True)
class Box:
    """A box with its upper left corner in pixels, a title and small lines below it."""

    x: int
    y: int
    title: str
    lines: tuple[str, ...]
    kind: str = "step"
    width: int = 138
    height: int = 78

    def draw(self) -> str:
        """The box as SVG."""
        middle = self.x + self.width // 2
        texts = [f'<text x="{middle}" y="{self.y + 25}" class="title">{self.title}</text>']
        texts += [
            f'<text x="{middle}" y="{self.y + 46 + 17 * n}" class="small">{line}</text>'
            for n, line in enumerate(self.lines)
        ]
        frame = (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" '
            f'rx="8" class="{self.kind}"/>'
        )
        return "\n  ".join([frame, *texts])


STEPS = (
    ("Decode", "HL7 v2, FHIR, text,", "nested documents"),
    ("Field policy", "keep, replace, scan,", "shift, drop or hold"),
    ("Trusted phrases", "what the fields say of", "people and numbers"),
    ("Tag", "patterns, lexicons,", "learned models"),
    ("Resolve", "one span, one type", "for each mention"),
    ("Surrogates", "drawn by HMAC", "under your key"),
    ("Leak check", "no known value", "may be left"),
    ("Encode", "only replaced", "characters change"),
)
LEFT, STRIDE, ROWS = 187, 156, (64, 192)
BOXES = (
    Box(12, 64, "Input", ("Kafka topic", "or files"), "topic", 126),
    Box(12, 192, "Patient state", ("earlier messages,", "sealed"), "topic", 126),
    *(
        Box(LEFT + STRIDE * (n % 4), ROWS[n // 4], title, tuple(lines))
        for n, (title, *lines) in enumerate(STEPS)
    ),
    Box(855, 64, "Audit", ("counts, no text",), "topic", 128, 62),
    Box(855, 192, "Released", ("sanitized message", "and its key"), "topic", 128),
    Box(855, 284, "Quarantine", ("sealed, with", "stage and code"), "held", 128),
)
LINES = (
    ("line", "M138 103 H185"),
    *(("line", f"M{325 + STRIDE * n} {y + 39} h16") for y in ROWS for n in range(3)),
    ("line", "M724 142 V167 H256 V190"),
    ("line both", "M140 231 H152 V167 H173"),
    ("line", "M793 231 H853"),
    ("line", "M826 231 V95 H853"),
    ("hold", "M490 300 V333 H853"),
)
TEXTS = (
    (490, 42, "title", "process: a pure function, the same input gives the same bytes"),
    (664, 326, "small", "whatever cannot be done safely is held"),
    (919, 42, "title", "one transaction"),
)


def marker(name: str, colour: str) -> str:
    """An arrow head."""
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" '
        f'markerHeight="7" orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 z" '
        f'fill="{colour}"/></marker>'
    )


def drawing() -> str:
    """The whole picture."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" text-anchor="middle" role="img">'
    )
    parts = [
        "<title>The way of a message</title>",
        f"<style>{STYLE}</style>",
        f"<defs>{marker('head', '#41606c')}{marker('hold', '#b45309')}</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" class="page"/>',
        '<rect x="173" y="16" width="634" height="284" rx="12" class="core"/>',
        '<rect x="846" y="16" width="146" height="356" rx="12" class="commit"/>',
        *(f'<path d="{path}" class="{kind}"/>' for kind, path in LINES),
        *(box.draw() for box in BOXES),
        *(f'<text x="{x}" y="{y}" class="{kind}">{text}</text>' for x, y, kind, text in TEXTS),
    ]
    return "\n  ".join([head, *parts]) + "\n</svg>\n"


if __name__ == "__main__":
    PAGE.write_text(drawing(), "utf-8")
