"""Running of the tests in ``rules/values/*.toml``: values that a place keeps or does not keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.types import TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.values.proof.judging import Values


def run_tests(values: Values, tests: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each value whose verdict differs from the one that a test expects.

    A test gives a place ("hl7v2 PID-8 IS", "fhir Observation.status code"), the texts ``near`` it
    in the order of the place's ``beside``, and values that are ``kept`` and ``not_kept``; or ages
    and texts that say them; or ``questions``, texts and codes with the question in words.
    """
    for test in tests:
        if "age" in test:
            yield from _ages(values, test)
            continue
        if "questions" in test:
            yield from _questions(values, test["questions"])
            continue
        form, element, datatype = test["place"].split()
        place = values.place(form, TextSegment("", element, datatype, ""))
        near = tuple(test.get("near", ("",) * len(place.beside)))
        for expected, key in ((True, "kept"), (False, "not_kept")):
            for text in test.get(key, ()):
                known = text in place.codes or values.checks.proves(place, text, near)
                if known is not expected:
                    yield f"{test['place']}: '{text}' is {'not ' if expected else ''}kept"


def _ages(values: Values, test: Mapping[str, Any]) -> Iterator[str]:
    for number in (*test["age"], *test["no_age"]):
        for question in (*test["asked"], *test["not_asked"]):
            expected = number in test["age"] and question in test["asked"]
            if (values.ages.asks([question]) and values.ages.is_over(number, [])) is not expected:
                yield f"'{number}' is {'no' if expected else 'an'} age where '{question}' is asked"
    for expected, measured, said in ((True, "old", "says"), (False, "young", "says_none")):
        wrong = "no" if expected else "an"
        for text in test[measured]:
            number, _, unit = text.partition(" ")
            if values.ages.is_over(number, [unit]) is not expected:
                yield f"'{text}' is {wrong} age over 89"
        for text in test[said]:
            if values.ages.is_answer(text) is not expected:
                yield f"'{text}' is {wrong} answer over 89"


def _questions(values: Values, expected: Mapping[str, str]) -> Iterator[str]:
    for asked, question in expected.items():
        found = values.questions.of([asked])
        if found != ((question,) if question else ()):
            yield f"'{asked}' asks {found or 'nothing'}, not '{question}'"
