"""What holds of every method: one conformance suite over the registry."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention
from adapter.methods.prediction import spans_in
from adapter.methods.registry import METHODS, method
from adapter.taggers.document.document import read
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Span

NAMES = ("Ana Duarte", "Bruno Keller", "Carla Nowak", "Dieter Okafor", "Elena Prins", "Femi Quist")


def texts(count=36):
    """Short notes in which a patient and a date are marked."""
    return [note(number, NAMES[number % len(NAMES)]) for number in range(count)]


def note(number, name):
    """One note."""
    date = f"{number % 27 + 1:02}/03/2024"
    text = f"Name: {name}\nDate: {date}\nSeen for cough. Lungs clear, no fever today.\n"
    begin = text.index(date)
    mentions = (Mention(6, 6 + len(name), "PATIENT"), Mention(begin, begin + len(date), "DATE"))
    return Annotated(f"n{number}", text, "en", mentions)


@pytest.fixture(scope="module", params=METHODS)
def learned(request, english):
    """Each method, learned from the notes; those whose libraries are not installed are skipped."""
    try:
        made = method(request.param)
        return made, made.learn(texts(), english)
    except RuleError as error:
        if "extra" not in str(error):
            raise
        pytest.skip(f"SKIPPED FOR WANT OF A LIBRARY: {error}")


def test_it_finds_what_it_has_learned(learned, english):
    """A text like those learned from has its name and date found."""
    _, made = learned
    one = note(99, "Ana Duarte")
    found = spans_in(one.text, {}, made, english)
    covered = {place for span in found for place in range(span.start, span.end)}
    for mention in one.mentions:
        assert covered >= set(range(mention.start, mention.end)), one.text[
            mention.start : mention.end
        ]


def test_spans_are_extents_of_the_text(learned, english):
    """Spans are within the text, not empty, and the same twice; texts may be empty or odd."""
    _, made = learned
    for text in ("", "\n", "  ", "Name:", "Name: Ana Duarte", "\u200b:\U0001f600" * 3, "a:" * 200):
        document = read(text, "en", english.language.sections)
        found = list(made.tag(document, NOBODY))
        assert found == list(made.tag(document, NOBODY))
        assert all(0 <= span.start < span.end <= len(text) for span in found)
        assert all(isinstance(span, Span) for span in found)


def test_what_is_kept_tags_alike(learned, english):
    """A method read from its files finds what it found before."""
    made, before = learned
    after = made.read(before.files(), english)
    one = note(7, "Femi Quist")
    assert spans_in(one.text, {}, before, english) == spans_in(one.text, {}, after, english)


def test_learning_twice_gives_the_same_files(learned, english):
    """The same texts and seed make the same bytes."""
    made, before = learned
    assert made.learn(texts(), english).files() == before.files()


def test_broken_files_are_named(learned, english):
    """Files that are none of the method's are a clear error."""
    made, before = learned
    broken = dict.fromkeys(before.files(), b"\x00\xff broken")
    with pytest.raises(RuleError):
        made.read(broken, english)
    with pytest.raises(RuleError):
        made.read({}, english)


def test_reprs_show_no_text(learned):
    """What was learned shows no word of its texts."""
    _, made = learned
    assert not any(name.split()[0] in repr(made) for name in NAMES)


def test_an_unknown_method_is_named():
    """A method that is none is a clear error."""
    with pytest.raises(RuleError, match="no such method"):
        method("crystal-ball")
