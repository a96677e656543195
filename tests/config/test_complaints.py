"""What is said of settings that cannot be used."""

from __future__ import annotations

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[kafka]\ntopic = "x"\n', "kafka.topic: no such setting; did you mean topics?"),
        ("[kafak]\nx = 1\n", "kafak: no such setting; did you mean kafka?"),
        ("[kafka.security]\nprotcol = 1\n",
         "kafka.security.protcol: no such setting; did you mean protocol?"),
        ("[kafka]\nzzz = 1\n", "kafka.zzz: no such setting"),
        ('[kafka]\ntopics = "hl7"\n', "kafka.topics: must be a list"),
        ("kafka = 1\n", "kafka: must be a table"),
        ('[workers]\nprocesses = "Quillfeather"\n', "workers.processes: must be a whole number"),
        ("[escrow]\nenabled = 5\n", "escrow.enabled: must be true or false"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_the_words_of_toml(tmp_path, text, told):
    """The key, what its value must be, and for a misspelt key the one that was meant."""
    file = tmp_path / "adapter.toml"
    file.write_text(text)
    with pytest.raises(RuleError) as caught:
        load_settings(file)
    assert f"{file}: {told}" == str(caught.value)


def test_a_misspelt_variable_is_told_what_was_meant(monkeypatch):
    """As a key of the file is."""
    monkeypatch.setenv("DEID_ADAPTER__KAFKA__TOPIX", "[]")
    with pytest.raises(RuleError, match=r"TOPIX: no such setting \(topix\); did you mean topics\?"):
        load_settings()
