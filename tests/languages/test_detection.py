"""Which language a message is in: what it says, else what its text looks like, else the first."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.evaluate.corpora.readers import read_corpus
from adapter.languages import FOREIGN_WORDS, LEAD, SAMPLE, Recognizer, Spoken, spoken
from adapter.rules.folder import Folder, shipped
from adapter.types import TextSegment

TABLES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((shipped("rules") / "languages").glob("*.toml"))
}
ORDER = ("en", "es", "de")
RECOGNIZER = Recognizer.of({code: TABLES[code] for code in ORDER})

SPANISH = "El paciente refiere dolor en la pierna desde hace tres días."
GERMAN = "Die Patientin klagt seit drei Tagen über Schmerzen im linken Bein."
ENGLISH = "The patient has had pain in her left leg for three days."


@pytest.mark.parametrize(("text", "code"), [(SPANISH, "es"), (GERMAN, "de"), (ENGLISH, "en")])
@pytest.mark.parametrize("form", [str, str.upper, str.lower])
def test_a_sentence_is_enough(text, code, form):
    """One sentence tells the language, however its letters are written."""
    assert code == RECOGNIZER.heard(form(text))


@pytest.mark.parametrize(
    "text",
    ["", "Dolor abdominal", "Befund normal", "Seen by Dr. de la Cruz in Los Angeles.", "7.1"],
)
def test_a_few_words_change_nothing(text):
    """Without clear evidence the first language holds, foreign names or not."""
    assert "en" == RECOGNIZER.heard(text)


def test_the_first_language_is_the_one_configured_first():
    """Where Spanish comes first, a few words are Spanish and an English note is English."""
    recognizer = Recognizer.of({"es": TABLES["es"], "en": TABLES["en"]})
    assert ("es", "en") == (recognizer.heard("See above"), recognizer.heard(ENGLISH))


@pytest.mark.parametrize("name", ["es", "ES", "spa", "es-ES", "es_MX", "Spanish", " español "])
def test_a_language_has_many_names(name):
    """Codes of ISO 639 and names count, in any case, with or without a region."""
    assert "es" == RECOGNIZER.named(name)


def test_a_language_that_is_not_configured_has_no_name():
    """What is not configured, or no language, is none."""
    assert [None, None, None] == [RECOGNIZER.named(name) for name in ("fr", "", "estonian")]


def segment(path, text, element=None, datatype="code"):
    """A segment of a message."""
    return TextSegment(path, element or path, datatype, text)


@pytest.mark.parametrize("path", ["MSH-19", "MSH-19.1", "MSH-19.2"])
def test_msh_19_says_it(path):
    """The principal language of a message goes before what its text looks like."""
    assert Spoken("de") == spoken(
        [segment(path, "de-AT", datatype="CE.1")], free(ENGLISH), RECOGNIZER
    )


def test_an_unknown_language_is_no_answer():
    """A message in a language without rules is read by its looks."""
    assert Spoken("es") == spoken([segment("MSH-19.1", "fr")], free(SPANISH), RECOGNIZER)


def free(*texts):
    """Free texts of a message."""
    return [segment(f"/note/{n}", text, "Observation.note") for n, text in enumerate(texts)]


def resource(place, code, kind="Patient"):
    """The language of a resource at that place of a bundle."""
    return segment(f"{place}/language", code, f"{kind}.language")


def test_resources_say_their_own_language():
    """The innermost resource or attachment that says a language gives it to its text."""
    said = [
        resource("", "de", "Bundle"),
        resource("/entry/0/resource", "es"),
        segment("/entry/1/c/language", "en", "DocumentReference.c.language", "Attachment.language"),
        resource("/entry/2/resource", "fr"),
    ]
    found = spoken(said, [], RECOGNIZER)
    places = ["/entry/0/resource/text/div", "/entry/1/c/data!text", "/entry/2/resource/text", "/x"]
    assert ["es", "en", "de", "de"] == [found.at(place) for place in places]


def test_what_all_parts_agree_on_is_the_messages():
    """A bundle whose resources all say one language is in it, also where a part says none."""
    said = [resource(f"/entry/{number}/resource", "es") for number in range(3)]
    assert Spoken("es") == spoken(said, free(ENGLISH), RECOGNIZER)


def test_where_parts_differ_the_rest_is_heard():
    """What says nothing has the language its own text looks like."""
    said = [resource("/entry/0/resource", "es"), resource("/entry/1/resource", "en")]
    spanish = segment("/entry/0/resource/note/0/text", SPANISH * 3, "Observation.note")
    found = spoken(said, [spanish, *free(GERMAN)], RECOGNIZER)
    assert ["es", "en", "de"] == [found.at(f"/entry/{n}/resource/note") for n in range(3)]


def test_a_patients_languages_are_not_the_messages():
    """Which languages a patient speaks says nothing of what the message is written in."""
    hers = segment("/communication/0/language/text", "es", "Patient.communication.language.text")
    assert Spoken("en") == spoken([hers], [], RECOGNIZER)


def test_long_texts_are_heard_first():
    """Codes' displays in one language do not outweigh a note in another."""
    displays = [f"The blood pressure of the patient ({n})" for n in range(50)]
    assert Spoken("es") == spoken([], free(*displays, SPANISH * 40), RECOGNIZER)


def test_one_language_alone_has_no_rival():
    """With one language texts are in it, unless the message says another and shows it."""
    only = Recognizer.of({"en": TABLES["en"]})
    assert Spoken("en") == spoken([], free(SPANISH), only)
    other = spoken([segment("MSH-19.1", "es")], free(SPANISH), only)
    assert Spoken("en", unconfigured=True) == other
    same = spoken([segment("MSH-19.1", "es")], free("The patient was seen by her doctor."), only)
    assert Spoken("en") == same
    assert "en" == only.heard(SPANISH)


@given(st.text(max_size=200))
def test_only_the_sample_counts(text):
    """The points of a text are those of its first part; leaving the first takes a lead."""
    points = RECOGNIZER.points(text)
    assert points == RECOGNIZER.points(text.ljust(SAMPLE) + GERMAN)
    heard = RECOGNIZER.heard(text)
    assert heard == "en" or points[ORDER.index(heard)] >= points[0] + LEAD


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({}, "has no codes"),
        ({"codes": "es"}, "codes is not a list"),
        ({"codes": ["es"], "words": ["el"]}, "words is not a str"),
        ({"codes": ["es"], "stop": ""}, "unknown keys ['stop']"),
        ({"codes": ["es"], "dates": "ymd"}, "dates must be dmy or mdy"),
    ],
)
def test_a_malformed_file_is_refused(table, problem):
    """A key or value that is not of the format is named with its file."""
    with pytest.raises(RuleError) as refused:
        Recognizer.of({"es": table})
    assert ("languages/es.toml", problem) == (refused.value.place, refused.value.problem)


def texts(file):
    """The texts of a corpus."""
    return [json.loads(line)["text"] for line in file.read_text("utf-8").splitlines()]


def pieces(documents, words):
    """Consecutive runs of so many words, at most 2,000 of them."""
    run = re.compile(rf"(?:\S+\s+){{{words - 1}}}\S+")
    return [piece for text in documents for piece in run.findall(text)][:2000]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "code", "least"),
    [
        ("notes_en/c", "en", 0.999), ("notes_en/g", "en", 0.999), ("asq_phi/dev", "en", 0.999),
        ("aci_bench_phi/train", "en", 0.999), ("meddocan/dev", "es", 0.99),
        ("grascco/train", "de", 0.93),
    ],
)  # fmt: skip
def test_corpora_are_heard(shared_data, name, code, least):
    """Whole documents are always told apart, and nearly all pieces of twenty words."""
    documents = texts(shared_data / "corpora" / f"{name}.jsonl")
    assert all(code == RECOGNIZER.heard(text) for text in documents)
    parts = pieces(documents, 20)
    right = sum(code == RECOGNIZER.heard(part) for part in parts)
    assert right >= least * len(parts)


OTHERS = tomllib.loads((shipped("rules") / "languages/others/words.toml").read_text("utf-8"))
ALL = Recognizer.of({code: TABLES[code] for code in ORDER}, OTHERS)
FOREIGN = {
    "fr": "Le patient a été hospitalisé pour une douleur thoracique et il est suivi par le docteur"
    " Martin depuis deux ans. Madame Dupont est venue avec sa fille.",
    "it": "Il paziente è stato ricoverato per dolore toracico ed è seguito dalla dottoressa Rossi."
    " La signora Bianchi viene alla visita con il figlio.",
    "pt": "O doente foi internado por dor torácica e está a ser seguido pela Dra. Silva. A senhora"
    " Maria vem à consulta com o filho e não tem queixas.",
    "pl": "Pacjent został przyjęty do szpitala z powodu bólu w klatce piersiowej i jest pod opieką"
    " doktor Kowalskiej. Pani Nowak przyszła z córką.",
    "nl": "De patiënt werd opgenomen met pijn op de borst en is onder behandeling bij dokter de"
    " Vries. Mevrouw Jansen kwam met haar dochter.",
    "tr": "Hasta göğüs ağrısı ile başvurdu ve Dr. Yılmaz tarafından muayene edildi. Ayşe hanım"
    " kızı ile birlikte geldi, şikayeti yok.",
    "sv": "Patienten inkom med smärta i bröstet och följs av doktor Svensson. Fru Andersson kom"
    " till mottagningen med sin dotter och har inte feber.",
    "cs": "Pacient byl přijat pro bolest na hrudi a je v péči doktora Nováka. Paní Svobodová"
    " přišla s dcerou a nemá žádné potíže, která by byla nová.",
}


@pytest.mark.parametrize("code", sorted(FOREIGN))
def test_a_text_of_no_configured_language_is_known(code):
    """Two sentences tell that none of the configured languages is meant."""
    assert ALL.unconfigured(FOREIGN[code])


@pytest.mark.parametrize("text", [SPANISH, GERMAN, ENGLISH, "", "Dolor abdominal", "NAD, f/u prn"])
@pytest.mark.parametrize("times", [1, 3])
def test_a_text_of_a_configured_language_is_none_of_others(text, times):
    """Nor is a short or telegraphic one."""
    assert not ALL.unconfigured(" ".join([text] * times))


def test_a_few_foreign_words_prove_nothing():
    """A text of too few words stays with the first language."""
    few = " ".join(FOREIGN["fr"].split()[: FOREIGN_WORDS - 3])
    assert not ALL.unconfigured(few)


@pytest.mark.parametrize(
    "text",
    [
        "Il paziente riferisce dolore addominale da tre giorni, abita in via Roma.",
        "Potilas kertoo hengenahdistuksesta, tytär soittaa numeroon.",
        "Bệnh nhân khai đau bụng dữ dội.",
    ],
)
def test_a_message_that_says_another_language_is_believed(text):
    """Few words suffice where the message says that they are in a language without rules."""
    assert ALL.unconfigured(text, said=True)
    assert not ALL.unconfigured(text)


@pytest.mark.parametrize(
    "text",
    [
        "The patient was seen by Dr. Okonkwo and is to return with her daughter.",
        "El paciente acude con su hija y no tiene fiebre.",
        "La hija, Sra. Eufrasia Goicolea, llamó por Mr. Okonkwo-Tarrant.",
        "Der Patient kommt mit seiner Tochter und hat kein Fieber.",
    ],
)
def test_a_message_that_says_another_language_than_its_text_is_not_believed(text):
    """Saying another language does not keep the taggers of a text's own language from it."""
    assert not ALL.unconfigured(text, said=True)


def test_a_language_with_rules_that_is_not_configured_is_none_of_ours():
    """Spanish text at an English site is read as text of no language."""
    others = {"es": {"words": TABLES["es"]["words"]}}
    long = "El paciente refiere dolor en la pierna desde hace tres días y no tiene fiebre ni tos."
    assert Recognizer.of({"en": TABLES["en"]}, others).unconfigured(long)


@pytest.mark.corpus
@pytest.mark.parametrize(
    "corpus", ["meddocan/dev", "grascco/train", "notes_en/g", "asq_phi/dev", "aci_bench_phi/train"]
)
def test_notes_of_configured_languages_are_never_taken_for_others(shared_data, corpus):
    """No text of the development corpora, and no line of them."""
    texts = [text.text for text in read_corpus(shared_data / "corpora" / f"{corpus}.jsonl")]
    wrong = sum(ALL.unconfigured(part) for text in texts for part in (text, *text.split("\n")))
    assert wrong == 0


SHIPPED = Folder(shipped("rules")).recognizer(ORDER)


@pytest.mark.parametrize(
    "text",
    [
        "A beteg Kovács Ilona hasi fájdalomra panaszkodik. Száma 35920174.",
        "Hasta Ayşe Yıldız göğüs ağrısı ile başvurdu.",
        "Mgonjwa Adaeze Ngozi analalamika maumivu ya kifua.",
        "Kanja Tsukahara-san wa kyou taiin shimashita.",
    ],
)
def test_a_short_text_of_unknown_words_is_in_another_language(text):
    """Word lists tell what function words, of which a short text has few, do not."""
    assert SHIPPED.unconfigured(text)


@pytest.mark.parametrize(
    "text",
    [
        "Pt c/o cp, sob, diaphoresis. s/p cabg, lima-lad, svg-om.",
        "hydroxychloroquine leflunomide methotrexate adalimumab",
        "Disnea, fiebre y odinofagia. Adenopatías laterocervicales.",
        "Thoraxschmerz rechtsseitig, Dyspnoe, subfebrile Temperaturen",
        "Nguyen Thi Hoa, Wanjiru Kamau, Ilse Brandvold",
        "lastName: Rains\nfirstName: Hope\nbirthDate: 1961-02-14\npatientId: 77",
    ],
)
def test_a_short_text_of_ours_is_no_other(text):
    """Telegrams, lists of drugs and of names stay in the first language."""
    assert not SHIPPED.unconfigured(text)


@pytest.mark.corpus
def test_notes_are_not_taken_for_others_by_their_words(shared_data):
    """No text of the development corpora, and of 13,000 lines at most three."""
    names = ["meddocan/dev", "grascco/train", "notes_en/g", "asq_phi/dev", "aci_bench_phi/train"]
    folder = shared_data / "corpora"
    texts = [text.text for name in names for text in read_corpus(folder / f"{name}.jsonl")]
    assert not any(map(SHIPPED.unconfigured, texts))
    assert not any(map(SHIPPED.beyond, texts))
    assert sum(SHIPPED.unconfigured(line) for text in texts for line in text.split("\n")) <= 3


@pytest.mark.parametrize(
    "text",
    [
        "IAO : enfant amenée par sa tante, chute de trampoline. Douleur poignet, EN 7/10.",
        "SCANNER DU 3 MAI. INDICATION : BILAN D'EXTENSION. TECHNIQUE : ACQUISITION APRES INJ.",
        "kiné j5 ptg droite, flexion 85, marche avec déambulateur, sa femme fait les exercices",
    ],
)
def test_a_language_with_rules_that_is_not_configured_is_heard(text):
    """French is told from Spanish, which it is nearest to, and read as that, but counted."""
    assert SHIPPED.beyond(text)
    segment = TextSegment("OBX[0]-5", "OBX-5", "TX", text)
    found = spoken([segment], [segment], SHIPPED)
    assert found.unconfigured
    assert found.read in {"en", "es", "de", "und"}


@pytest.mark.parametrize("text", [SPANISH, GERMAN, ENGLISH, "Befund normal", "", "7.1"])
def test_configured_languages_are_not_beyond(text):
    """Nor are texts of few words."""
    assert not SHIPPED.beyond(text)
    every = Folder(shipped("rules")).recognizer([*ORDER, "fr"])
    assert not every.beyond(text)
