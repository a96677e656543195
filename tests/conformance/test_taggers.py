"""What every tagger must do, in every language: the rules of ``taggers/protocol.py``."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.errors import TagError
from adapter.rules.folder import Folder, shipped
from adapter.rules.models import load_model
from adapter.taggers import GRAMMATICAL, TAGGERS
from adapter.taggers.document.document import read
from adapter.taggers.neural.network import Network
from adapter.taggers.neural.vocabulary import UNKNOWN, Vocabulary
from adapter.taggers.trusted.index import NOBODY, PhraseIndex
from adapter.types import Label, Span, TrustedPhrase
from tests.taggers.neural.networks import LABELS, MOVES, model
from tests.wording import CUES

TEXTS = {
    "en": (
        (
            "Mrs. Lindgren seen by Dr. Karen Okafor, Hollinfell Hospital, 3/14/24. MRN: 40088213\n"
            "FAMILY HISTORY: her father, a retired teacher of 78, from Boston. Tel (617) 555-0123"
        ),
        "Mr Lingdren called from ward 4; bp 120/80, 5 mg given twice. Foley catheter in place.",
    ),
    "es": (
        (
            "Paciente: Ana Lindgren. NHC: 4008821. Fecha de nacimiento: 03/05/1958\n"
            "Vive en la calle Mayor 5, 28013 Madrid. Tfno. 612 345 678. Dr. Luis Pastor"
        ),
        "Mujer de 58 años, hermana de D. Jan Lingdren, con TA 120/80 y 5 mg de enalapril.",
    ),
    "de": (
        (
            "Patientin: Anna Lindgren, geb. am 03.05.1958, wohnhaft Hauptstraße 5, 80331 München\n"
            "Untersucht von Dr. med. Peter Brandl am 14.3.2024, Tel. 089 123456"
        ),
        "Frau Lingdren, 58 Jahre alt, RR 120/80, 5 mg Ramipril. Morbus Crohn bekannt.",
    ),
}
PHRASES = PhraseIndex.build(
    [
        TrustedPhrase("Lindgren", Label.PATIENT, "patient", "{family}"),
        TrustedPhrase("40088213", Label.MEDICALRECORD, "patient", "{id}"),
    ],
    CUES,
)
FOLDER = Folder(shipped("rules"))
KINDS = [
    (code, name)
    for code in TEXTS
    for name in (*TAGGERS, "crf", "neural")
    if name not in GRAMMATICAL or FOLDER.rules(f"languages/{code}.toml")[0].table.get("grammar")
]


def named(given):
    """Scores by which the words of the vocabulary begin a name."""
    return 9 * np.eye(len(LABELS), dtype=np.float32)[(given["words"] > UNKNOWN).astype(int)]


def knowing(code):
    """A network that takes the two names of the texts for names of patients."""
    own = LABELS if code == "es" else ("O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE")
    known = Vocabulary.of(["lindgren", "lingdren"], "gnrL", own)
    chains = {"en": ("names", "quantities"), "es": ("all",), "de": ("all",)}[code]
    thresholds = {"0.95": dict.fromkeys(chains, 0.5)}
    return replace(model(thresholds=thresholds), network=Network(named, known, MOVES))


class Learned:
    """The learned tagger under the protocol: what rules found is evidence, here none.

    With or without a network.
    """

    trusting = False

    def __init__(self, code, neural=None):
        model = load_model(shipped("models") / code, FOLDER.lexicons(code), 0.95, neural=neural)
        assert model is not None
        self.model = model[0]

    def tag(self, document, phrases):
        """Its mentions."""
        del phrases
        return self.model.predict(document, ())


def made(code, name):
    """A new tagger of a language."""
    if name == "crf":
        return Learned(code)
    if name == "neural":
        return Learned(code, knowing(code))
    return TAGGERS[name](resources_of(code))


@pytest.fixture(scope="module")
def taggers():
    """Every tagger of every language, by both names."""
    return {kind: made(*kind) for kind in KINDS}


@pytest.fixture(params=KINDS, ids="-".join)
def kind(request):
    """Each language and tagger in turn."""
    return request.param


@cache
def resources_of(code):
    """The resources of a language, read once."""
    return FOLDER.resources(code)


def document(code, text):
    """A text as taggers of a language read it."""
    return read(text, code, resources_of(code).sections)


def found_in(tagger, code, text, phrases=PHRASES):
    """What a tagger says of a text."""
    return list(tagger.tag(document(code, text), phrases))


def sound(found, text):
    """Whether all extents are within the text and of something, and all labels ours."""
    return all(0 <= item.start < item.end <= len(text) for item in found) and all(
        item.label in Label and 0 <= item.score <= 1 and item.source
        if isinstance(item, Span)
        else item.rule and item.labels <= frozenset(Label)
        for item in found
    )


def test_mentions_lie_in_the_text_under_known_labels(taggers, kind):
    """Extents are of characters of the text and not empty; labels, scores and sources are known."""
    texts = TEXTS[kind[0]]
    found = [found_in(taggers[kind], kind[0], text) for text in texts]
    assert all(sound(*pair) for pair in zip(found, texts, strict=True))
    assert any(found)


def test_a_repr_shows_no_text(taggers, kind):
    """Neither a mention nor the tagger itself shows a word of the text."""
    words = {
        word
        for text in TEXTS[kind[0]]
        for word in ("Lindgren", "Lingdren", "40088213")
        if word in text
    }
    shown = repr(taggers[kind]) + "".join(
        repr(item) for text in TEXTS[kind[0]] for item in found_in(taggers[kind], kind[0], text)
    )
    assert set() == {word for word in words if word in shown}


def test_nothing_is_left_of_a_text_when_the_next_is_read(taggers, kind):
    """The order of texts changes nothing, and a new tagger says what a used one does."""
    code, texts = kind[0], TEXTS[kind[0]]
    first = [found_in(taggers[kind], code, text) for text in texts]
    assert first == [found_in(taggers[kind], code, text) for text in texts]
    assert first[::-1] == [found_in(taggers[kind], code, text) for text in reversed(texts)]
    assert first == [found_in(made(*kind), code, text) for text in texts]


def test_only_a_trusting_tagger_goes_by_the_phrases(taggers, kind):
    """What others find depends on the text alone, so that it may be remembered by text."""
    code, texts = kind[0], TEXTS[kind[0]]
    with_phrases = [found_in(taggers[kind], code, text) for text in texts]
    without = [found_in(taggers[kind], code, text, NOBODY) for text in texts]
    assert taggers[kind].trusting == (with_phrases != without)


def test_an_empty_text_has_no_mentions(taggers, kind):
    """Neither has one of blanks."""
    assert [[], []] == [found_in(taggers[kind], kind[0], text) for text in ("", " \n\t ")]


WORDS = st.sampled_from(
    ["Okafor", "Dr.", "3/14/2024", "40088213", "Tel:", "\n", "\t", "\u200b", "é", "@", "1.", "Str."]
)


@settings(max_examples=10, deadline=None)
@given(parts=st.lists(WORDS | st.text(max_size=6), max_size=14), joint=st.sampled_from(["", " "]))
def test_whatever_is_written_gives_sound_mentions_or_a_closed_error(taggers, parts, joint):
    """Any text is read, or refused as one that the tagger could not finish."""
    text = joint.join(parts)
    for (code, _), tagger in taggers.items():
        try:
            assert sound(found_in(tagger, code, text), text)
        except TagError as error:
            assert "timeout" == error.code  # noqa: PT017 - the only code a tagger may give
