"""German: rules and model over texts of many kinds, written for it with their mentions marked.

``de.txt`` are letters, notes, exports and forms of Germany, Austria and Switzerland that the rules
were written with. ``de-unseen.txt`` are by another hand: whoever wrote them did not know the rules,
and no rule was written with them in sight. A new site may expect what they show.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from adapter.cli.demo.feed import demo_settings
from adapter.pipeline.language import find_in
from adapter.pipeline.process import process
from adapter.rules.compile import compile_language, load_ruleset, without_models
from adapter.rules.folder import rules_folder
from adapter.taggers.patterns.rule_tests import marked
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Position, Record

FOLDER = Path(__file__).resolve().parent
SETTINGS = demo_settings(rules={"languages": ["de", "en"]})
MESSAGE = r"""MSH|^~\&|LAB|KH|EHR|KH|20230310||ORU^R01^ORU_R01|1|P|2.5|||||DEU|UNICODE UTF-8|de
PID|1||8004512367^^^KH^PI||Hollerbach^Helene||19460214|F
PV1|1|I|||||1234^Wendlinger^Jutta^^^Dr
OBR|1|||BR^Bericht|||20230309
OBX|1|TX|BR^Bericht||{}"""


@pytest.fixture(scope="module")
def ruleset():
    """The rules of a German site."""
    return load_ruleset(SETTINGS)


def tokens_in(text, extents):
    """Places of the words that an extent touches."""
    return {
        word.start()
        for word in re.finditer(r"\w+", text)
        if any(start < word.end() and word.start() < end for start, end, _ in extents)
    }


@pytest.mark.parametrize(
    ("name", "learned", "least"),
    [
        ("de", False, 0.95),
        ("de", True, 0.95),
        ("de-unseen", False, 0.72),
        ("de-unseen", True, 0.82),
    ],
)
def test_mentions_are_found_whole_and_with_their_label(name, learned, least, capsys):
    """Few are missed, few are found where there are none; extents and labels must be exact."""
    said = SETTINGS if learned else without_models(SETTINGS)
    german = compile_language(rules_folder(said), "de", said)
    counts: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for part in (FOLDER / f"{name}.txt").read_text("utf-8").split("\n---\n"):
        text, extents = marked(part.strip())
        found = {(s.start, s.end, str(s.label)) for s in find_in(text, NOBODY, german)}
        counts += Counter(
            right=len(found & set(extents)), wanted=len(set(extents)), found=len(found)
        )
        wanted, covered = tokens_in(text, extents), tokens_in(text, found)
        tokens += Counter(right=len(wanted & covered), wanted=len(wanted), found=len(covered))
    with capsys.disabled():
        print(
            f"\n{name}, {'rules and model' if learned else 'rules'}: recall, precision of", end=""
        )
        for what, one in (("mentions", counts), ("tokens", tokens)):
            recall, precision = (one["right"] / one[total] for total in ("wanted", "found"))
            print(f" {what} {recall:.3f}, {precision:.3f}", end="")
    assert counts["right"] >= least * counts["found"]
    assert counts["right"] >= least * counts["wanted"]


@pytest.mark.parametrize(
    ("said", "unsaid"),
    [("Die Tochter Aynur kam am Donnerstag.", "Aynur"), ("Sturz am Donnerstag.", "Donnerstag"),
     ("seit Pfingsten krank", "Pfingsten"), ("eine 93jährige Patientin", "93"),
     ("Operation im Frühjahr 2013.", "2013"), ("an Allerseelen entlassen", "Allerseelen"),
     ("Konto CH57 0900 0000 4531 8872 6.", "4531"), ("arbeitet als Primarlehrerin.", "Primar"),
     ("SVNR 4417 230168.", "230168"), ("lebt in Izmir seit Jahren", "Izmir")],
)  # fmt: skip
def test_a_german_report_is_released_without_its_persons(ruleset, said, unsaid):
    """Names, numbers, places and dates of a report are replaced, in German."""
    raw = MESSAGE.format(f"Bericht der Klinik. {said}").encode()
    released = process(Record(raw, Position("de", 0, 0)), ruleset)
    assert unsaid not in released.value.decode()
