"""README and the pages under docs/ say all of it, and what they say is so."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from pathlib import Path

import pytest
import typer.main

import adapter
from adapter.cli import app
from adapter.cli.demo.feed import MESSAGES, demo_settings
from adapter.config.complaints import is_named, model_of
from adapter.config.settings import Settings, load_settings
from adapter.errors import CODES
from adapter.fields.profile import OPTIONS
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset
from adapter.rules.folder import Folder, shipped
from adapter.taggers.patterns.rule_tests import run_tests
from adapter.types import Position, Record, Release
from tests.test_architecture import L0, L1, L2

ROOT = Path(__file__).resolve().parent.parent
FILES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "models/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
PAGES = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in FILES}
README = PAGES["README.md"]
SITE = (ROOT / "deploy" / "mkdocs.yml").read_text("utf-8")
MOST_README = 10_000
"""Bytes of README; what is longer belongs to a page."""
RULES = shipped("rules")
KEY = {"id": "k", "value": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}


def page(name: str) -> str:
    """The text of a page of docs/."""
    return PAGES[f"docs/{name}.md"]


def table(text: str, marker: str) -> list[list[str]]:
    """The cells of the first table below a marker or heading, its head left out."""
    below = text[text.index(marker) :]
    lines = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def section(text: str, heading: str) -> str:
    """The text below a heading of the second level, to the next one."""
    return text.split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0]


def blocks(kind: str, text: str | None = None) -> list[str]:
    """All code blocks of a language, of one page or of all."""
    texts = PAGES.values() if text is None else [text]
    found = (re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for text in texts)
    return [block for some in found for block in some]


def block(start: str) -> str:
    """The TOML block that begins so."""
    return next(text for text in blocks("toml") if text.startswith(start))


def prose(text: str) -> str:
    """A page without its code blocks."""
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def settings(model=Settings, prefix=""):
    """(name, default) of every setting; a key is one setting."""
    for name, field in model.model_fields.items():
        inner = model_of(field.annotation)
        if inner is None or "id" in inner.model_fields or field.default is None:
            yield prefix + name, field.default
        elif is_named(field.annotation):
            yield from settings(inner, f"{prefix}{name}.NAME.")
        else:
            yield from settings(inner, f"{prefix}{name}.")


def written(default) -> str:
    """A default as the table has it."""
    return "unset" if default is None else f"`{json.dumps(default)}`"


def test_every_setting_is_documented_with_its_default():
    """The table of settings is the model's, name by name, default by default."""
    documented = [(row[0].strip("`"), row[1]) for row in table(page("settings"), "<!-- settings:")]
    assert [(name, written(default)) for name, default in settings()] == documented


def test_every_setting_has_a_meaning():
    """No row of the table is left without words."""
    assert [] == [
        row[0] for row in table(page("settings"), "<!-- settings:") if len(row) != 3 or not row[2]
    ]


def commands(command=None, name="deid-adapter"):
    """(full name, options) of every command."""
    command = command or typer.main.get_command(app)
    for sub, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{name} {sub}")
    if not hasattr(command, "commands"):
        options = [p for p in command.params if p.param_type_name == "option"]
        names = {name for p in options for name in (*p.opts, *p.secondary_opts)}
        yield name, names - {"--help"}


def test_every_command_and_option_is_documented():
    """The table of commands names every command with exactly its options."""
    documented = {
        re.match(r"`(deid-adapter(?: [a-z]+)+)", row[0])[1]: set(
            re.findall(r"(?<![\w-])--?[a-z][a-z0-9]*(?:-[a-z]+)*", row[1])
        )
        for row in table(page("commands"), "<!-- commands:")
    }
    assert dict(commands()) == documented


def test_every_error_is_documented():
    """The table of errors has every stage and code, in order of the stages, and nothing else."""
    rows = table(page("errors"), "<!-- errors:")
    known = {f"{stage}/{code}" for stage, codes in CODES.items() for code in codes}
    assert known == {row[0].strip("`") for row in rows}
    assert len(known) == len(rows)
    stages = [row[0].strip("`").partition("/")[0] for row in rows]
    assert list(CODES) == list(dict.fromkeys(stages))


@pytest.mark.parametrize("profile", sorted(p.stem for p in (RULES / "profiles").glob("*.toml")))
def test_every_profile_is_documented(profile):
    """The section on profiles names each."""
    assert f"`{profile}`" in section(page("research"), "Profiles")


def test_safe_harbor_is_documented_line_by_line():
    """Each identifier of the paragraph has a row, and the tests it names exist."""
    rows = table(page("privacy"), "<!-- safe-harbor:")
    assert list("ABCDEFGHIJKLMNOPQR") == [row[0].strip("| ") for row in rows]
    tests = (ROOT / "tests" / "e2e" / "test_safe_harbor.py").read_text("utf-8")
    named = {name for row in rows for name in re.findall(r"`(test_\w+)`", row[-1])}
    assert named == set(re.findall(r"def (test_\w+)", tests))


@pytest.mark.parametrize("option", [*OPTIONS, "shift_days", "era"])
def test_every_option_of_a_profile_is_documented(option):
    """The section on profiles names each option, and each value it may have."""
    text = section(page("research"), "Profiles")
    missing = [value for value in OPTIONS.get(option, ()) if f"`{value}`" not in text]
    assert (f"`{option}`" in text, []) == (True, missing)


def test_every_promise_is_documented():
    """P1 to P10 have a row each, and what shows them exists."""
    rows = table(page("privacy"), "| promise | in plain words | shown by")
    assert [f"P{n}" for n in range(1, 11)] == [re.match(r"\*\*(P\d+)", row[0])[1] for row in rows]
    shown = [path for row in rows for path in re.findall(r"`(tests/[^`]*)`", row[2])]
    assert [] == [path for path in shown if not (ROOT / path).exists()]


def _exists(file, test):
    path = ROOT / file
    return path.is_file() and (not test or f"def {test}(" in path.read_text("utf-8"))


@pytest.mark.parametrize("name", PAGES)
def test_tests_that_pages_name_exist(name):
    """Each `tests/file.py::test` or file of tests that a page names is there."""
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGES[name])
    assert [] == [place for place in named if not _exists(*place)]


PLACES = re.compile(r"`((?:adapter|rules|models|tests|deploy|docs)/[\w./*-]*)(?:::\w+)?`")


@pytest.mark.parametrize("name", PAGES)
def test_files_and_folders_that_pages_name_exist(name):
    """Each path of the tree that a page names is there; `*` stands for something."""
    named = PLACES.findall(PAGES[name])
    assert [] == [path for path in named if not any(ROOT.glob(path.rstrip("/")))]


def test_every_figure_has_a_command():
    """Each row of the figures names a command that exists."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for row in table(page("figures"), "# Figures"):
        command = re.fullmatch(r"`(.+)`", row[1])[1].split()
        if command[0] == "make":
            assert command[1] in targets
        else:
            paths = [word for word in command if word.startswith("tests/")]
            assert command[0] == "python"
            assert all((ROOT / path).exists() for path in paths)


def test_readme_repeats_figures_word_by_word():
    """A figure has one wording: that of the page of figures."""
    rows = table(README, "## Figures")
    assert rows
    assert [] == [row for row in rows if row not in table(page("figures"), "# Figures")]


def test_readme_is_short():
    """What three readers need in depth stands in docs/."""
    assert (ROOT / "README.md").stat().st_size < MOST_README


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_marks_of_a_merge(name):
    """Both sides of a conflict are one text again."""
    assert not re.findall(r"^(?:<{7}|>{7}) .*", PAGES[name], re.MULTILINE)


def anchors(text: str) -> set[str]:
    """What links may name in a page: its headings."""
    headings = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in headings}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    """Every link is to a file of the tree, or a heading of a page; pages link to pages only."""
    lost = []
    for link in re.findall(r"\]\(([^)]+)\)", prose(PAGES[name])):
        path, _, anchor = link.partition("#")
        target = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        page = str(target.relative_to(ROOT))
        inside = not name.startswith("docs/") or page.startswith("docs/")
        known = not anchor or anchor in anchors(PAGES.get(page, ""))
        if not (target.exists() and inside and known):
            lost.append(link)
    assert [] == lost


def test_the_site_has_every_page_once():
    """The navigation of the site is complete."""
    pages = re.findall(r": (\S+\.md)$", SITE, re.MULTILINE)
    known = [name.removeprefix("docs/") for name in PAGES if name.startswith("docs/")]
    assert sorted(pages) == sorted(known)


def test_the_picture_is_what_its_script_draws():
    """The picture of a message's way was not changed by hand."""
    script = runpy.run_path(str(ROOT / "docs" / "diagram.py"))
    assert script["drawing"]() == script["PAGE"].read_text("utf-8")


def test_the_public_surface_is_documented():
    """The page of the Python API has every public name, and no other."""
    assert sorted(adapter.__all__) == sorted(
        re.findall(r"^::: adapter\.(\w+)$", page("api"), re.MULTILINE)
    )


@pytest.mark.parametrize("part", sorted(L0 | L1 | L2))
def test_the_layers_name_every_part_of_the_core(part):
    """The page on architecture has each package and module of the core in its layer."""
    layers = section(page("architecture"), "Layers")
    assert re.search(rf"`adapter/{part}(?:/|\.py)`", layers)


@pytest.mark.parametrize(
    "question", ["HL7 segment", "veto", "form in which", "transport", "metric"]
)
def test_the_usual_additions_are_answered(question):
    """A newcomer finds the file for each of the usual additions."""
    rows = [row for row in table(page("architecture"), "## Where to add") if question in row[0]]
    assert rows
    assert all(PLACES.search(row[1]) for row in rows)


def test_every_toml_example_is_toml():
    """No example has a slip of the pen."""
    for text in blocks("toml"):
        assert tomllib.loads(text)


def test_every_example_of_settings_is_accepted():
    """A block whose tables are all settings can be read as settings."""
    tables = [tomllib.loads(text) for text in blocks("toml")]
    of_settings = [table for table in tables if table.keys() <= Settings.model_fields.keys()]
    assert len(of_settings) > 20
    for said in of_settings:
        load_settings(None, **said)


def test_the_example_settings_are_accepted(tmp_path):
    """The settings files of the walk-throughs can be loaded as they stand."""
    file = tmp_path / "adapter.toml"
    for name in ("README.md", "docs/operate.md"):
        file.write_text(blocks("toml", PAGES[name])[0], "utf-8")
        assert ("hl7.in", "fhir.in") == load_settings(file).kafka.topics


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A ruleset with the site files of the page on rules."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("our-fields.toml", "our-extensions.toml"):
        (folder / name).write_text(block(f"# {name}"), "utf-8")
    file = folder / "adapter.toml"
    file.write_text(block("# in adapter.toml"), "utf-8")
    return load_ruleset(load_settings(file, transport="files", keys={"surrogates": KEY}))


def released(raw: bytes, ruleset) -> bytes:
    """The sanitized message."""
    outcome = process(Record(raw, Position("docs", 0, 0)), ruleset)
    assert isinstance(outcome, Release)
    return outcome.value


def test_the_example_opens_a_z_segment(site):
    """Listed fields of a Z segment come through, sanitized; the others are emptied."""
    raw = (
        b"MSH|^~\\&|A|B|C|D|20240102||ADT^A08|1|P|2.5\r"
        b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
        b"ZPI|7|not listed|his daughter Paula Quillfeather calls|575-555-0162\r"
    )
    line = released(raw, site).split(b"\r")[2]
    _, first, second, third, fourth = line.split(b"|")
    assert (b"7", b"") == (first, second)
    assert third.startswith(b"his daughter ")
    assert third.endswith(b" calls")
    assert b"uillfeather" not in third
    assert fourth not in {b"", b"575-555-0162"}


def test_the_example_opens_an_extension(site):
    """A listed extension comes through, sanitized; one that is not listed goes."""
    vendor = "http://hospital.example/"
    patient = {
        "resourceType": "Patient",
        "id": "77",
        "name": [{"family": "Vogel", "given": ["Marta"]}],
        "extension": [
            {"url": f"{vendor}ward-note", "valueString": "Marta sleeps well"},
            {
                "url": f"{vendor}contact",
                "extension": [
                    {"url": "name", "valueString": "Paula Reyes"},
                    {"url": "ward", "valueString": "7B"},
                ],
            },
            {"url": f"{vendor}other", "valueString": "Marta"},
        ],
    }
    note, contact = json.loads(released(json.dumps(patient).encode(), site))["extension"]
    assert re.fullmatch(r"(?!Marta)\w+ sleeps well", note["valueString"])
    name, ward = (inner["valueString"] for inner in contact["extension"])
    assert ("7B", False) == (ward, "Reyes" in name)


def test_the_example_pattern_passes_its_tests():
    """The pattern that shows how to add one finds what its own tests mark."""
    family = tomllib.loads('family = "ours"\n' + block("[[pattern]]"))
    assert [] == run_tests(family, Folder(RULES).resources("en"))


def test_the_before_and_after_are_the_demos():
    """The lines shown are of the sample message and of what the demo makes of it."""
    before, after = (block.splitlines() for block in blocks("text", README))
    raw = (MESSAGES / "hl7" / "p03-3-oru-note.hl7").read_bytes()
    ruleset = load_ruleset(demo_settings())
    assert set(before) <= set(raw.decode().split("\r"))
    assert set(after) <= set(released(raw, ruleset).decode().split("\r"))
    assert [line[:20] for line in before if line[:3] == "OBX"] == [
        line[:20] for line in after if line[:3] == "OBX"
    ]


PROVIDERS = (
    "GeoNames", "Census", "Social Security", "INE", "Wiktionary", "CMS", "HHS", "CDC", "ICD-10-CM",
    "MeSH", "DrugBank", "SCOWL", "ACI-Bench", "mimesis", "Faker", "ISO 3166", "hl7apy", "FHIR",
    "Medicare", "fhir.resources",
    "spacy-lookups-data", "GermaNER", "Cologne", "medical-reports-deidentification", "MEDDOCAN",
    "MEDDOPROF", "CLDR", "pyspellchecker",
)  # fmt: skip
SPELT_OUT = {
    "INE": "Instituto Nacional de Estadística",
    "CMS": "Medicare",
    "HHS": "Health and Human Services",
    "CDC": "Disease Control",
}
OURS = re.compile(r"by hand|written for this project|general knowledge", re.IGNORECASE)


@pytest.mark.parametrize(
    "source", sorted(RULES.glob("*/*/source.toml")), ids=lambda path: path.parent.name
)
def test_every_source_is_attributed(source):
    """What a list was made from stands in the notice, unless it was made for this project."""
    origin = tomllib.loads(source.read_text("utf-8"))["origin"]
    named = [name for name in PROVIDERS if re.search(rf"\b{re.escape(name)}", origin)]
    assert named or OURS.search(origin)
    notice = page("sources")
    assert [] == [name for name in named if SPELT_OUT.get(name, name) not in notice]


HERE = [f"{path}/" for path in (ROOT, Path.home()) if path.name]
"""This checkout and its owner's home, unless they are the root folder."""


@pytest.mark.parametrize("word", [*HERE, "/home/", "/tmp/", "index-url", "pypi.org", "TODO"])
def test_nothing_of_one_machine_is_in_the_pages(word):
    """No absolute path, no address of a package index, nothing left to do."""
    assert [] == [name for name, text in PAGES.items() if word in text]
