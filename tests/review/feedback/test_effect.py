"""What is previewed is what changes: from a decision to rules in force."""

from __future__ import annotations

import json
import shutil
from collections import Counter

import pytest

from adapter.config.settings import load_settings
from adapter.review.access import Access
from adapter.review.desk import Desk
from adapter.review.feedback.effect import (
    PREVIEW,
    Change,
    Previewer,
    Shadow,
    changed,
    compare,
    lexicon_items,
    spans_of,
)
from adapter.review.feedback.export import apply, exported, write
from adapter.review.feedback.rendering import overlay
from adapter.review.intake import Intake
from adapter.review.judging.actions import Action, Kind, Status
from adapter.review.judging.proposals import Effect, Proposal
from adapter.review.store import people, proposed, readings
from adapter.rules.compile import load_ruleset
from adapter.rules.folder import rules_folder
from tests.review.console import CHEAP, store_at

KEY = {"id": "k", "value": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
RULES = {
    "languages": ["en"],
    "formats": ["hl7v2"],
    "taggers": ["phrases", "variants", "patterns", "attributes", "lexicons"],
}
TEXTS = (
    "Moved here from Fernhollow. Fernhollow coma scale 15 on arrival.",
    "FERNHOLLOW COMA scale 9, then fernhollow  coma scale 12.",
    "Family in Fernhollow; Fernhollow comatose is no such thing.",
    "Stable. No complaints today, will review in the morning.",
)
COMA = 3
"""How often the town's name stands before the word in them."""


def settings_of(rules=None):
    """English rules without a learned model: they compile fast."""
    folder = {"folder": str(rules)} if rules else {}
    return load_settings(None, transport="memory", keys={"surrogates": KEY}, rules=RULES | folder)


def message(text, number):
    """An observation with this note."""
    lines = (
        f"MSH|^~\\&|A|B|C|D|20240102||ORU^R01|{number}|P|2.5",
        "PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M",
        "OBR|1|||8867-4^Note^LN",
        f"OBX|1|TX|8867-4^Note^LN||{text}||||||F",
    )
    return "\r".join((*lines, "")).encode()


MESSAGES = [message(text, number) for number, text in enumerate(TEXTS)]


def approve(store, proposal=None):
    """Approve a proposal, or all that are open."""
    with store.step("approved") as cursor:
        if proposal is not None:
            proposed.propose(store, cursor, proposal)
        for each in proposed.listed(cursor, store.box, proposed.OPEN):
            proposed.decide(
                cursor, each.id, each.version, state=proposed.APPROVED, approver="x", now=1
            )


def applied(store, before, folder, name):
    """The rules with all that is approved put in."""
    files = exported(store, lexicon_items(rules_folder(before), ["en"]))
    write(folder / f"{name}-export", files)
    apply(folder / f"{name}-export", rules_folder(before).path, folder / name)
    return settings_of(folder / name)


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A store whose site has the town Fernhollow in its rules: settings, ruleset, store, folder."""
    folder = tmp_path_factory.mktemp("learned")
    store = store_at(f"sqlite:///{folder / 'review.sqlite'}")
    approve(store, Proposal(Effect.TERM, "en", "CITY", "Fernhollow", "term"))
    settings = applied(store, settings_of(), folder, "rules-1")
    return settings, load_ruleset(settings), store, folder


def labels(ruleset):
    """Spans of all messages by label."""
    return Counter(label for raw in MESSAGES for *_, label in spans_of(raw, ruleset))


def test_a_town_before_coma(learned):
    """The veto's previewed number is that of the spans that change once it is applied.

    "Glasgow coma" itself is vetoed by the shipped rules; this is a town of which they know nothing.
    """
    settings, ruleset, store, folder = learned
    intake = Intake(store, ruleset, 30)
    for raw in MESSAGES:
        assert intake.message(raw).added == 1
    Access(store, CHEAP).add("olga", "officer", "")
    with store.step("queue") as cursor:
        olga = people.named(cursor, "olga")
        item = cursor.rows("SELECT item FROM review_mention ORDER BY item")
        for (each,) in sorted(set(item)):
            readings.add(cursor, readings.Reading(f"r-{each}", each, "uncertain"))
    desk = Desk(store)
    views = [desk.view(olga, f"r-{each}") for (each,) in sorted(set(item))]
    reading, span = next(
        (view.reading.id, n)
        for view in views
        for n, s in enumerate(view.state)
        if s.label == "CITY" and view.content.texts[s.text].text[s.end :].startswith(" coma ")
    )
    view = desk.act(olga, reading, 0, [Action(Kind.REJECT, span=span, reason="ambiguous")])
    assert view.state[span].status is Status.REJECTED
    others = [n for n in view.spans if n != span]
    if others:
        view = desk.act(olga, reading, 1, [Action(Kind.ACCEPT, span=n) for n in others])
    desk.finish(olga, reading, view.reading.version)
    with store.database.transaction() as cursor:
        (veto,) = proposed.listed(cursor, store.box, proposed.OPEN)
    assert (Effect.VETO, "coma") == (veto.proposal.effect, veto.proposal.behind)
    preview = Previewer(settings, store, ruleset).effect(veto.proposal)
    assert ({"CITY": COMA}, {}) == (preview.lost, preview.gained)
    approve(store)
    after = load_ruleset(applied(store, settings, folder, "rules-2"))
    assert labels(ruleset) - labels(after) == Counter(preview.lost)
    assert labels(after) - labels(ruleset) == Counter(preview.gained)
    assert labels(after)["CITY"] == labels(ruleset)["CITY"] - COMA > 0


def test_the_copy_is_its_owners_before_protected_text_is_in_it(learned, monkeypatch):
    """The mode of the rules in force does not open it meanwhile."""
    settings, _, _, folder = learned
    modes, out, copied = [], folder / "rules-mode", shutil.copytree

    def copytree(*places, **options):
        modes.append(out.stat().st_mode & 0o777)
        return copied(*places, **options)

    monkeypatch.setattr(shutil, "copytree", copytree)
    apply(folder / "rules-1-export", rules_folder(settings).path, out)
    assert {0o700} == {*modes, out.stat().st_mode & 0o777}


def test_the_export_says_who_and_why_and_is_the_same_again(learned):
    """Provenance names people, reason and digest; the same decisions give the same bytes."""
    settings, _, store, folder = learned
    lexicons = lexicon_items(rules_folder(settings), ["en"])
    files = exported(store, lexicons)
    assert files == exported(store, lexicons)
    lines = [json.loads(line) for line in files["provenance.jsonl"].splitlines()]
    assert {"term"} <= {line["why"] for line in lines}
    assert all(len(line["digest"]) == 64 and line["approved_by"] for line in lines)
    made = folder / "rules-1-export"
    assert {0o600} == {f.stat().st_mode & 0o777 for f in made.rglob("*") if f.is_file()}
    for line in files["corpus.jsonl"].splitlines():
        row = json.loads(line)
        assert all(row["text"][s["start"] : s["end"]].strip() for s in row["spans"])


@pytest.mark.parametrize(
    ("proposal", "gained"),
    [
        (Proposal(Effect.TERM, "en", "HOSPITAL", "in the Morning", "term"), {"HOSPITAL": 1}),
        (Proposal(Effect.PATTERN, "en", "IDNUM", "scale 15", "form"), {"IDNUM": 2}),
        (Proposal(Effect.CORRECT, "en", "OTHER", "Fernhollow", "label"), {"OTHER": 6}),
        (Proposal(Effect.DISTRUST, "en", "CITY", "Fernhollow", "field"), {}),
        (Proposal(Effect.VETO, "en", "CITY", "Fernhollow", "ambiguous", before="from"), {}),
    ],
    ids=lambda value: value.effect if isinstance(value, Proposal) else "",
)
def test_each_effect_becomes_a_rule(learned, proposal, gained):
    """Terms, forms, corrections and vetoes compile, and do what they say."""
    settings, ruleset, _, _ = learned
    folder = rules_folder(settings)
    over = overlay([proposal], lexicon_items(folder, ["en"]))
    after = labels(changed(ruleset, folder, settings, over))
    before = labels(ruleset)
    assert gained == {label: n for label, n in (after - before).items() if label in gained}
    lost = {Effect.DISTRUST: before["CITY"], Effect.VETO: 1, Effect.CORRECT: before["CITY"]}
    assert before["CITY"] - after["CITY"] == lost.get(proposal.effect, 0)


def test_changes_are_counted_against_what_readers_settled():
    """Misses fixed, false alarms added and gone, mentions uncovered."""
    gold = frozenset({("p", 0, 4, "CITY"), ("p", 10, 14, "DATE")})
    old = frozenset({("p", 10, 14, "DATE"), ("p", 20, 24, "CITY")})
    new = frozenset({("p", 0, 4, "CITY"), ("p", 30, 34, "CITY")})
    made = compare([Shadow(b"", gold, frozenset({"p"}))], [old], [new])
    assert made == Change(
        1, 1, {"CITY": 2}, {"CITY": 1, "DATE": 1},
        fixed=1, false_alarms=1, relieved=1, uncovered=1,
    )  # fmt: skip


def test_a_second_round_over_applied_rules_does_what_its_preview_says(tmp_path):
    """What was taken out stays an exception and is no veto; earlier terms stand in the preview."""
    store = store_at(f"sqlite:///{tmp_path / 'review.sqlite'}")
    approve(store, Proposal(Effect.TERM, "en", "CITY", "Fernhollow", "term"))
    approve(store, Proposal(Effect.REMOVE, "en", "PATIENT", "Abernathy", "induction"))
    settings = applied(store, settings_of(), tmp_path, "rules-1")
    folder, ruleset = rules_folder(settings), load_ruleset(settings)
    files = exported(store, lexicon_items(folder, ["en"]))
    assert "[[veto]]" not in files["patterns/en/review.toml"]
    assert "abernathy" in files["removed.json"]
    term = Proposal(Effect.TERM, "en", "CITY", "Stable", "term")
    over = overlay([term], lexicon_items(folder, ["en"]), PREVIEW)
    after = labels(changed(ruleset, folder, settings, over))
    assert not labels(ruleset) - after
    assert Counter({"CITY": 1}) == after - labels(ruleset)
    approve(store, term)
    assert after == labels(load_ruleset(applied(store, settings, tmp_path, "rules-2")))
