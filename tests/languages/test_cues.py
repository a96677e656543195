"""Words beside a trusted phrase: from the files of all languages."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.languages.cues import Cues
from tests.wording import CUES


@pytest.mark.parametrize("title", ["Dr. ", "Frau ", "Sra. ", "Mme ", "Prof. Dr. "])
def test_titles_of_all_languages_stand_before_a_name(title):
    """A text may call people as another language does."""
    assert CUES.titled_before.search(f"seen by {title}")


@pytest.mark.parametrize(
    ("before", "pattern"),
    [
        ("Patient: ", CUES.field_before),
        ("MRN # ", CUES.number_before),
        ("last four ", CUES.last_before),
        ("XXX-XX-", CUES.last_before),
        ("last four digits of the phone number is ", CUES.last_before),
        ("Nummer endet auf ", CUES.last_before),
        ("las últimas 4 cifras ", CUES.last_before),
        ("se terminant par ", CUES.last_before),
        ("read back by ", CUES.introduced),
        ("durch die Mutter ", CUES.introduced),
        ("Phone no. is ", CUES.called_before),
        ("lives in ", CUES.place_before),
        ("seen at ", CUES.facility_before),
        ("dictated by: ", CUES.signed_before),
        ("Insulin 10 U", CUES.letter_end),
    ],
)
def test_what_announces_a_mention(before, pattern):
    """Each pattern is looked for right before the mention."""
    assert pattern.search(before)
    assert not pattern.search(f"{before}words between")


def test_a_language_without_cues_announces_nothing():
    """Only signs announce something then."""
    cues = Cues.of({"qx": {}})
    assert not cues.titled.match("Dr. ")
    assert cues.last_before.search("xxx-")


@pytest.mark.parametrize(
    ("table", "problem"),
    [({"cue": "x"}, "unknown keys"), ({"signed_patterns": ["("]}, "does not compile")],
)
def test_a_table_not_of_the_format_is_refused(table, problem):
    """The error names the file and what is wrong with it."""
    with pytest.raises(RuleError, match=problem) as error:
        Cues.of({"qx": {"cues": table}})
    assert "languages/qx.toml" in str(error.value)
