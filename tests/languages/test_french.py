"""French: rules alone, without the learned model, over texts with their mentions marked.

``fr.txt`` are texts that the rules were written with; ``fr-unseen.txt`` were written after them,
and no rule was changed for them.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from adapter.cli.demo.feed import demo_settings
from adapter.cli.taggers.train import WITHOUT
from adapter.pipeline.process import process
from adapter.resolve import resolve
from adapter.rules.compile import compile_language, load_ruleset
from adapter.rules.folder import rules_folder
from adapter.taggers.document.document import read
from adapter.taggers.patterns.rule_tests import marked
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Position, Record

FOLDER = Path(__file__).resolve().parent
SETTINGS = demo_settings(rules={"languages": ["fr", "en"]})
ALONE = demo_settings(rules={"languages": ["fr", "en"], "taggers": WITHOUT})
MESSAGE = r"""MSH|^~\&|LAB|CHU|EHR|CHU|20230310||ORU^R01^ORU_R01|1|P|2.5|||||FRA|UNICODE UTF-8|fr
PID|1||8004512367^^^CHU^PI||Baudouin^Hélène||19460214|F|||27 rue des Tanneurs^^Tours^^37000^FR
PV1|1|I|||||1234^Kermarrec^Yves^^^Dr
OBR|1|||CR^Compte rendu|||20230309
OBX|1|TX|CR^Compte rendu||{}"""


@pytest.fixture(scope="module")
def french():
    """What reads French text by rules alone."""
    return compile_language(rules_folder(ALONE), "fr", ALONE)


@pytest.fixture(scope="module")
def ruleset():
    """The rules of a French site."""
    return load_ruleset(SETTINGS)


def found_in(french, text):
    """The (start, end, label) of what the rules find in a text."""
    document = read(text, "fr", french.sections)
    found = [item for tagger in french.taggers for item in tagger.tag(document, NOBODY)]
    return {(s.start, s.end, str(s.label)) for s in resolve([text], [found], french.options)[0][0]}


@pytest.mark.parametrize(
    ("name", "precision", "recall"), [("fr", 0.98, 0.98), ("fr-unseen", 0.95, 0.9)]
)
def test_mentions_are_found_whole_and_with_their_label(french, name, precision, recall):
    """Few are missed, few are found where there are none; extents and labels must be exact."""
    counts: Counter[str] = Counter()
    for part in (FOLDER / f"{name}.txt").read_text("utf-8").split("\n---\n"):
        text, extents = marked(part.strip())
        wanted, found = set(extents), found_in(french, text)
        counts += Counter(right=len(wanted & found), wanted=len(wanted), found=len(found))
    assert counts["right"] >= precision * counts["found"]
    assert counts["right"] >= recall * counts["wanted"]


def test_the_model_is_optional(french, ruleset):
    """It is there unless the settings leave it out."""
    assert french.learned is None
    assert ruleset.languages["fr"].learned is not None


@pytest.mark.parametrize(
    ("said", "unsaid"),
    [("Madame Hélène Baudouin est sortie.", "Baudouin"), ("vue par le Dr Kermarrec", "Kermarrec"),
     ("née le 14/02/1946", "14/02/1946"), ("le lundi 12 juin 2023 à 14h30", "12 juin"),
     ("Première cure le 1er août 2023.", "août 2023"), ("opérée en sept. 2015", "sept. 2015"),
     ("NIR 2 46 02 37 261 089 12.", "261 089"), ("Noël 2022 en famille", "Noël"),
     ("âgée de 93 ans", "93")],
)  # fmt: skip
def test_a_french_report_is_released_without_its_persons(ruleset, said, unsaid):
    """Names, numbers and dates of a report are replaced, in French."""
    raw = MESSAGE.format(f"Compte rendu. {said}").encode()
    released = process(Record(raw, Position("fr", 0, 0)), ruleset)
    assert unsaid not in released.value.decode()


def test_surrogates_are_french(ruleset):
    """Dates keep their layout and language, and names are those of the French tables."""
    raw = MESSAGE.format("Elle reviendra le lundi 12 juin 2023 et fin septembre 2023.").encode()
    text = process(Record(raw, Position("fr", 0, 0)), ruleset).value.decode()
    months = ruleset.surrogates.tables.words.calendars["fr"].months.names
    assert any(f" {month} 20" in text.rpartition("|")[2] for month in months)
    family = text.split("|PI||")[-1] if "|PI||" in text else text.split("^PI||")[1]
    assert family.partition("^")[0] in ruleset.surrogates.tables.families
