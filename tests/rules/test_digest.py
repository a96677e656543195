"""The name of a ruleset: what changes it and what does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.rules import digest as module
from adapter.rules.digest import CODE, digest, mart_digest
from adapter.rules.folder import shipped
from tests.corpus.runs import KEY
from tests.test_architecture import CORE


def named(**values):
    """The digest under some settings."""
    settings = load_settings(None, keys=KEY, **values)
    return digest(shipped("rules"), shipped("models"), settings)


def test_what_is_known_of_patients_is_in_the_digest():
    """Every setting of memory changes the digest; one that changes no output does not."""
    others = {"enabled": False}, {"patients": 7}, {"days": 8}, {}
    found = [named(known=known) for known in others]

    assert len(others) == len(set(found))
    assert found[-1] == named(workers={"processes": 7}, health={"port": 8080})


def test_all_code_that_decides_is_in_the_digest():
    """The core, the compiler of rules, schemas and the vault's seeds are covered."""
    assert CORE | {"rules", "schemas", "vault"} == {name.removesuffix(".py") for name in CODE}


def test_another_version_of_the_code_is_another_ruleset(tmp_path, monkeypatch):
    """A line more in any module of the core changes the digest; one of a command does not."""
    package = tmp_path / "adapter"
    shutil.copytree(Path(module.adapter.__file__).parent, package)
    monkeypatch.setattr(module.adapter, "__file__", str(package / "__init__.py"))
    found = [named()]
    for name in ("cli/run.py", "surrogates/dates/shift.py", "leakcheck.py"):
        with (package / name).open("a") as file:
            file.write("# another line\n")
        found.append(named())

    assert found[0] == found[1]
    assert 3 == len(set(found))


def test_rules_of_the_mart_have_a_digest_of_their_own(tmp_path):
    """A map of the mart changes nothing that is released; a pattern changes no table."""
    folder, settings = tmp_path / "rules", load_settings(None, keys=KEY)
    shutil.copytree(shipped("rules"), folder)

    def both():
        return digest(folder, shipped("models"), settings), mart_digest(folder)

    before = both()
    assert before == (named(), mart_digest(shipped("rules")))
    with (folder / "mart" / "hl7v2" / "codes.toml").open("a") as file:
        file.write("# another line\n")
    mapped = both()
    assert (True, False) == (before[0] == mapped[0], before[1] == mapped[1])
    with (folder / "values" / "units.toml").open("a") as file:
        file.write("# another line\n")
    assert (False, True) == (mapped[0] == both()[0], mapped[1] == both()[1])


def test_a_site_file_that_is_missing_is_named_with_its_setting(tmp_path):
    """The refusal has both, because the name alone does not tell where it comes from."""
    with pytest.raises(RuleError, match=rf"^rules.site: {tmp_path}/none.toml is not a file$"):
        named(rules={"site": [str(tmp_path / "none.toml")]})
