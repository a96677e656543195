"""Rulesets: everything is compiled at the start, from the files that the digest covers."""

from __future__ import annotations

import shutil
from shutil import ignore_patterns

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.pipeline.process import process
from adapter.rules.compile import compile_language, load_ruleset, tagging
from adapter.rules.digest import digest
from adapter.rules.folder import rules_folder, shipped
from adapter.rules.own_names import own_names
from adapter.rules.self_tests import rule_failures
from adapter.types import Position, Record, Release
from tests.corpus.runs import KEY
from tests.taggers.neural.networks import CARD, written
from tests.wording import TITLES

SPANISH = (
    b"MSH|^~\\&|A|B|C|D|20240105||ORU^R01|2|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||VILLARROYA^JUAN||19600102|M\r"
    b"OBX|1|TX|1^Nota||Paciente de 63 a\xc3\xb1os que acude con su hermana por dolor en el pecho "
    b"desde ayer por la noche. Sin fiebre.||||||F\r"
)


def test_nothing_is_read_once_messages_are_processed(tmp_path):
    """Every language is compiled before the first message: the rules may even be gone by then."""
    folder = tmp_path / "rules"
    shutil.copytree(shipped("rules"), folder)
    ruleset = load_ruleset(load_settings(None, keys=KEY, rules={"folder": folder}))
    shutil.rmtree(folder)
    assert ["en", "es", "de", "fr", "und"] == list(ruleset.languages)
    assert isinstance(process(Record(SPANISH, Position("t", 0, 0)), ruleset), Release)


@pytest.mark.parametrize("language", ["en", "es", "de", "fr"])
def test_rules_pass_their_tests_in_a_site_of_one_language(language):
    """`check` passes whatever the language: English words and names are known in all."""
    own = load_settings(None, keys=KEY, rules={"languages": [language]})
    assert [] == rule_failures(own)[1]


@pytest.fixture
def names(tmp_path):
    """A folder of own family names, and a settings file beside it that names it."""
    folder = tmp_path / "names"
    folder.mkdir()
    family = [a + b + c for a in "BDGKLMNRST" for b in "aeiou" for c in ("lan", "rik", "vos")]
    (folder / "family.txt").write_text("# ours\n" + "\n".join(family), encoding="utf-8")
    (tmp_path / "adapter.toml").write_text('[rules]\nnames = "names"\n')
    return folder


def loaded(names):
    """The settings of the file beside the names."""
    return load_settings(names.parent / "adapter.toml", keys=KEY)


def test_own_names_take_the_place_of_the_shipped(names):
    """The folder is relative to the settings' file; tables that it lacks are the shipped ones."""
    tables = load_ruleset(loaded(names)).surrogates.tables
    assert len(tables.families) == 150
    assert "Bavos" in tables.families
    assert tables.given["F"] == rules_folder(loaded(names)).surrogates["en-given-female"]


def test_own_names_are_in_the_digest(names):
    """Another name is another ruleset; the path of the folder is not."""
    found = [digest(shipped("rules"), shipped("models"), loaded(names))]
    names.rename(names.parent / "other")
    (names.parent / "adapter.toml").write_text('[rules]\nnames = "other"\n')
    found.append(digest(shipped("rules"), shipped("models"), loaded(names)))
    with (names.parent / "other" / "family.txt").open("a") as file:
        file.write("\nZoltan\n")
    found.append(digest(shipped("rules"), shipped("models"), loaded(names)))
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("Smith\nlower\n", r"names/family.txt:2: must be one capitalised word"),
        ("Smith\n", r"fewer than 100"),
    ],
)
def test_bad_names_refuse_to_start(names, content, problem):
    """The error tells file and line."""
    (names / "family.txt").write_text(content)
    with pytest.raises(RuleError, match=problem):
        own_names(loaded(names), TITLES)


def test_no_folder_of_names_refuses_to_start(names):
    """So do bytes that are no text."""
    (names / "family.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(RuleError, match="cannot be read"):
        own_names(loaded(names), TITLES)
    (names / "family.txt").unlink()
    names.rmdir()
    with pytest.raises(RuleError, match=r"rules\.names"):
        own_names(loaded(names), TITLES)


def test_a_network_is_read_beside_the_crf_of_a_language_that_has_one(tmp_path):
    """Others go without, and `check` says why; texts of no configured language are not its."""
    models = tmp_path / "models"
    shutil.copytree(shipped("models") / "es", models / "es", ignore=ignore_patterns("neural"))
    written(models)
    said = {"models": models, "languages": ["es", "fr"], "taggers": ["patterns", "crf", "neural"]}
    languages = load_ruleset(load_settings(None, keys=KEY, rules=said)).languages
    assert [True, False, False] == [languages[c].learned is not None for c in ("es", "fr", "und")]
    lacking = dict.fromkeys(("crf", "neural"), "no model")
    found = tagging(load_settings(None, keys=KEY, rules=said))
    assert {"es": (("patterns", "crf", "neural"), {}), "fr": (("patterns",), lacking)} == found


def test_a_network_that_lacks_thresholds_is_refused(tmp_path):
    """A chain without a threshold would protect nothing."""
    models = tmp_path / "models"
    shutil.copytree(shipped("models") / "es", models / "es", ignore=ignore_patterns("neural"))
    written(models, card=CARD.replace("all", "names"))
    with pytest.raises(RuleError, match=r"has no thresholds for recall 0\.95") as refused:
        compiled({"models": models, "languages": ["es"]})
    assert "models/es/neural/card.toml" == refused.value.place


def test_a_network_without_the_crf_is_refused():
    """There is nothing to average it with: nothing starts."""
    with pytest.raises(RuleError, match="'neural' needs 'crf'") as refused:
        compiled({"languages": ["es"], "taggers": ["patterns", "neural"]})
    assert "rules.taggers" == refused.value.place


def compiled(rules, code="es"):
    """What reads texts of a language under settings of rules."""
    chosen = load_settings(None, keys=KEY, rules=rules)
    return compile_language(rules_folder(chosen), code, chosen)
