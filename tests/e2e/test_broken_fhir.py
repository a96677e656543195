"""No identifier survives a FHIR resource of another shape: it is replaced, dropped, or all held."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.types import Hold, Position, Record
from tests.corpus.runs import ruleset
from tests.e2e import broken_fhir

pytestmark = pytest.mark.corpus

SOME = settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
MANY = settings(max_examples=2500, suppress_health_check=list(HealthCheck), deadline=None)


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


@pytest.fixture(scope="module")
def pool(shared_data, rules):
    """The sample resources that name somebody, of every third."""
    found = broken_fhir.samples(shared_data / "messages" / "fhir", rules, 3)
    assert len(found) > 10
    return found


@pytest.fixture(scope="module")
def whole_pool(shared_data, rules):
    """All sample resources that name somebody."""
    found = broken_fhir.samples(shared_data / "messages" / "fhir", rules)
    assert len(found) > 30
    return found


def check_bent(pool, rules, seed):
    """Assert that no identifier survives in a resource bent once or twice."""
    chance = random.Random(seed)
    sample = chance.choice(pool)
    broken = broken_fhir.bent(sample, chance).encode("utf-8")
    assert broken_fhir.survivors(sample, broken, rules) == [], sample.name


@given(st.integers(0, 2**32))
@SOME
def test_another_shape_lets_nothing_out(pool, rules, seed):
    """Members deleted, renamed, wrapped, copied, planted; types and scalars changed."""
    check_bent(pool, rules, seed)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@MANY
def test_many_other_shapes_let_nothing_out(whole_pool, rules, seed):
    """The same for thousands."""
    check_bent(whole_pool, rules, seed)


def held(rules, raw: bytes) -> str:
    """The stage and code that a record is held with; "" for a release."""
    outcome = process(Record(raw, Position("broken", 0, 0)), rules)
    return f"{outcome.stage}/{outcome.code}" if isinstance(outcome, Hold) else ""


@given(st.integers(0, 2**32))
@SOME
def test_any_key_twice_is_held(pool, rules, seed):
    """Whichever value a reader takes, the first or the last, is not released."""
    chance = random.Random(seed)
    sample = chance.choice(pool)
    holder, key = chance.choice([w for w in broken_fhir.ways(sample.tree) if isinstance(w[1], str)])
    members = [f"{json.dumps(name)}:{json.dumps(value)}" for name, value in holder.items()]
    again = chance.choice([holder[key], chance.choice(sample.identifiers), None, {}, 7])
    name = chance.choice([json.dumps(key), f'"\\u{ord(key[0]):04x}' + json.dumps(key[1:])[1:]])
    members.insert(chance.randrange(len(members) + 1), f"{name}:{json.dumps(again)}")
    mark = "a mark that no sample has"
    before = dict(holder)
    holder.clear()
    holder[mark] = 0
    text = json.dumps(sample.tree).replace(json.dumps({mark: 0}), "{" + ",".join(members) + "}")
    holder.clear()
    holder.update(before)
    assert held(rules, text.encode()) == "decode/duplicate-key"


@pytest.mark.parametrize(
    ("tail", "code"),
    [
        ('"active":NaN', "decode/not-json"),
        ('"active":Infinity', "decode/not-json"),
        ('"active":01', "decode/not-json"),
        ('"id":"\\ud83d"', "decode/charset-invalid"),
        ('"\\udc00":1', "decode/charset-invalid"),
        ('"x":' + '{"x":' * 5000 + "1" + "}" * 5000, "decode/too-deep"),
        ('"x":' + "[" * 100_000 + "]" * 100_000, "decode/too-deep"),
        ('"active":true,', "decode/not-json"),
        ('"active":true // Okonjo', "decode/not-json"),
    ],
    ids=lambda item: item[:30],
)
def test_what_readers_take_differently_is_held(rules, tail, code):
    """Constants, numbers and strings that are no JSON, and nesting without end."""
    raw = '{"resourceType":"Patient","name":[{"family":"Okonjo"}],' + tail + "}"
    assert held(rules, raw.encode()) == code


@pytest.mark.parametrize("tail", [" Okonjo", '"Okonjo"', ",1", "}", "\x00", "\n[]", "\ufeff"])
def test_what_follows_a_resource_is_held_or_blank(rules, tail):
    """Nothing behind a resource is passed through with it."""
    raw = '\ufeff{"resourceType":"Patient","name":[{"family":"Okonjo"}]}' + tail
    outcome = process(Record(raw.encode(), Position("broken", 0, 0)), rules)
    if not isinstance(outcome, Hold):
        assert b"Okonjo" not in outcome.value


@pytest.mark.parametrize("number", ["1e400", "-1E+999999", "83920174", "9" * 400, "1.0e83920174"])
@pytest.mark.parametrize("place", ['"active"', '"multipleBirthInteger"', '"id"', '"unheard"'])
def test_no_number_of_a_person_stays_as_a_json_number(rules, number, place):
    """Numbers of any size are judged by their literal, not by what a parser makes of them."""
    raw = f'{{"resourceType":"Patient","identifier":[{{"value":"83920174"}}],{place}:{number}}}'
    outcome = process(Record(raw.encode(), Position("broken", 0, 0)), rules)
    if not isinstance(outcome, Hold):
        assert b"83920174" not in outcome.value
        assert b"9999999" not in outcome.value
