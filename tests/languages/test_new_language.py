"""A language is data: one that nobody speaks is added to a copy of the rules, without any code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adapter.cli.demo.feed import demo_settings
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset, tagging
from adapter.rules.self_tests import rule_failures
from adapter.types import Position, Record

LANGUAGE = """
codes = ["qx", "qxx"]
dates = "dmy"
words = "blim blam zorp flin drok vath grel nish torv quam"

[calendar]
months = "prima seka terta kvara kinta sexta sepma okta nona deka unda doda"
month_letters = [3]
weekdays = "una dua tria kvata kvina sesa sepa"
weekday_letters = [2]
fillers = "flin drok"
between = "drok"

[titles]
prefixes = "zar"
"""
SECTIONS = """
[[section]]
name = "history"
headings = ["vathblim"]
"""
PATTERNS = """
family = "all"

[[pattern]]
name   = "person"
label  = "PATIENT"
case   = true
starts = ["zar"]
regex  = '''[Zz]ar[ ](?P<phi>\\p{Lu}\\p{Ll}+)'''

[[pattern]]
name   = "day"
label  = "DATE"
starts = ["<number >"]
regex  = '''[0-9]{1,2}[ ]flin[ ][a-z]+[ ][0-9]{4}'''

[[pattern]]
name      = "card"
label     = "IDNUM"
starts    = ["<number>"]
regex     = '''(?<![0-9])[0-9]{8}(?![0-9])'''
validator = { digits = 8, modulus = 89, key = 2 }

[[tests]]
about  = "all of it"
marked = ["blim zar [[PATIENT:Grommel]] vath", "[[DATE:14 flin terta 2023]]", "[[IDNUM:12345613]]"]
clean  = ["zar grommel", "12345614"]
"""


@pytest.fixture
def rules(tmp_path) -> Path:
    """A copy of the shipped rules with the files of one more language."""
    folder = tmp_path / "rules"
    shutil.copytree(Path(__file__).resolve().parents[2] / "rules", folder)
    for name, text in (
        ("languages/qx.toml", LANGUAGE),
        ("sections/qx.toml", SECTIONS),
        ("patterns/qx/all.toml", PATTERNS),
        ("lexicons/qx-ordinary/items.txt", "blim\nzorp\n"),
        ("lexicons/qx-ordinary/source.toml", 'origin = "written for this project"\n'),
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


def test_a_new_language_reads_and_writes(rules):
    """Its text is told from others, its mentions found, and its dates moved in its own words."""
    settings = demo_settings(rules={"folder": rules, "languages": ["en", "qx"]})
    assert "no model" in tagging(settings)["qx"][1]["crf"]
    segments = (
        r"MSH|^~\&|A|B|C|D|20230310||ORU^R01|1|P|2.5",
        "PID|1||4711^^^H||Fnarl^Ulk||19460214|M",
        "OBR|1|||1|||20230309",
        (
            "OBX|1|TX|1||Blim blam zar Grommel zorp flin drok vath grel nish 14 flin terta 2023"
            " torv quam 12345613 blim Fnarl."
        ),
    )
    raw = "\r".join(segments).encode()
    released = process(Record(raw, Position("qx", 0, 0)), load_ruleset(settings))
    text = released.value.decode().rpartition("|")[2]
    assert [] == [
        word for word in ("Grommel", "14 flin terta", "12345613", "Fnarl") if word in text
    ]
    months = LANGUAGE.partition('months = "')[2].partition('"')[0].split()
    assert any(f" flin {month} 202" in text for month in months)


def test_its_patterns_own_tests_are_run(rules):
    """They pass, and one that does not is named."""
    settings = demo_settings(rules={"folder": rules, "languages": ["en", "qx"]})
    assert [] == rule_failures(settings)[1]
    file = rules / "patterns/qx/all.toml"
    file.write_text(PATTERNS.replace('"12345614"]', '"12345613"]'), "utf-8")
    failures = rule_failures(settings)[1]
    assert ["qx/all.toml"] == ["/".join(Path(name).parts[-2:]) for name, _ in failures]
