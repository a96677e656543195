"""Terms that stay in every language are nobody's name and no place."""

from __future__ import annotations

import pytest

from adapter.rules.folder import Folder, shipped

LANGUAGES = ("de", "en", "es", "fr")
NAMES = ("given", "family", "nicknames", "city", "state", "country", "hospital", "street", "org")


@pytest.fixture(scope="module")
def folder():
    """The shipped rules."""
    return Folder(shipped("rules"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_term_is_a_name_or_a_place(folder, language):
    """No lexicon of any language has one as a person, place, site or occupation."""
    lexicons = folder.lexicons(language)
    terms = {*lexicons["any-term"], *lexicons["any-acronym"]}
    for kind in (*NAMES, "job"):
        assert not terms.intersection(lexicons.get(f"{language}-{kind}", ())), kind
