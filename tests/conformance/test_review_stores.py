"""Every database of the console: one schema, steps whole or not at all, one chain of events."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from adapter.errors import RuleError
from adapter.review.alike import MOST_ITEMS, everywhere, seen
from adapter.review.feedback.export import exported
from adapter.review.intake import sample_recall, sample_uncertain
from adapter.review.judging.actions import Action, ActionError, Kind, Status
from adapter.review.judging.proposals import Effect, Proposal
from adapter.review.reporting import report
from adapter.review.store import events, items, people, proposed, readings
from adapter.review.store.protocol import Conflict, StoreError
from adapter.review.store.readings import Reading
from adapter.review.store.registry import REVIEWS, open_database
from adapter.review.views import NotFound
from tests.postgres import postgres
from tests.review.console import DAY, SIGNER, content, marked, note, put, staffed, store_at

PUBLIC = {SIGNER.key_id: SIGNER.public}


@pytest.fixture(scope="module")
def server():
    """The address of a PostgreSQL server."""
    with postgres() as (url, _):
        yield url


@pytest.fixture(params=sorted({kind.form for kind in REVIEWS.values()}))
def url(request, tmp_path):
    """An empty database of each kind."""
    if request.param.startswith("sqlite"):
        return f"sqlite:///{tmp_path / 'review.sqlite'}"
    import psycopg  # noqa: PLC0415 - an extra

    base = request.getfixturevalue("server")
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return base


@pytest.fixture
def console(url):
    """A store with people, messages and queues."""
    made = staffed(url)
    yield made
    made.store.database.close()


def first(console, queue="uncertain"):
    """The first reading of a queue with who may judge it."""
    reading = console.readings(queue)[0]
    with console.store.database.transaction() as cursor:
        who = people.of(cursor, reading.assignee) if reading.assignee else None
    return reading, who or console.person("olga")


def reject(view):
    """Reject what is asked about."""
    return [Action(Kind.REJECT, span=max(view.reading.focus, 0), reason="ambiguous")]


def test_what_was_done_is_there_after_a_restart(console, url):
    """An action is kept when it is taken; the next process goes on with it."""
    reading, who = first(console)
    view = console.desk.act(who, reading.id, 0, reject(console.desk.view(who, reading.id)))
    console.store.database.close()
    again = store_at(url, console.clock)
    from adapter.review.desk import Desk  # noqa: PLC0415

    seen = Desk(again).view(who, reading.id)
    assert view.state == seen.state
    assert seen.state[reading.focus].status is Status.REJECTED
    Desk(again).finish(who, reading.id, view.reading.version)
    with again.database.transaction() as cursor:
        assert proposed.count(cursor, proposed.OPEN) == 1
    again.database.close()


def test_of_two_reviewers_the_second_is_told_and_nothing_is_lost(console):
    """The first one's decision stands; the second may do theirs on what stands now."""
    reading, _ = first(console, "held")
    olga, otto = console.person("olga"), console.person("otto")
    console.desk.act(olga, reading.id, 0, [Action(Kind.ACCEPT, span=0)])
    with pytest.raises(Conflict):
        console.desk.act(otto, reading.id, 0, [Action(Kind.REJECT, span=1, reason="ambiguous")])
    view = console.desk.view(otto, reading.id)
    assert (Status.ACCEPTED, Status.OPEN) == (view.state[0].status, view.state[1].status)
    view = console.desk.act(
        otto, reading.id, view.reading.version, [Action(Kind.REJECT, span=1, reason="ambiguous")]
    )
    assert (Status.ACCEPTED, Status.REJECTED) == (view.state[0].status, view.state[1].status)


def test_many_at_once_get_through_one_at_a_time(console):
    """Of eight who act on one version at the same moment one does; the chain stays whole."""
    reading, who = first(console, "held")
    done = []

    def act():
        try:
            console.desk.act(who, reading.id, 0, [Action(Kind.ACCEPT, span=0)])
            done.append(True)
        except Conflict:
            done.append(False)

    threads = [threading.Thread(target=act) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [True] == [each for each in done if each]
    assert [] == events.verify(console.store.database, PUBLIC)[1]


def test_undo_takes_back_the_last_step_alone(console):
    """Undone actions stay on record and change nothing."""
    reading, who = first(console, "held")
    view = console.desk.act(who, reading.id, 0, [Action(Kind.ACCEPT, span=0)])
    view = console.desk.act(who, reading.id, 1, [Action(Kind.RELABEL, span=1, label="STREET")])
    view = console.desk.undo(who, reading.id, 2)
    assert ("CITY", Status.ACCEPTED) == (view.state[1].label, view.state[0].status)
    assert [False, True] == [step.undone for step in view.steps]
    with pytest.raises(Conflict, match="nothing"):
        console.desk.undo(console.person("otto"), reading.id, 3)


def test_everywhere_is_on_word_borders_and_undone_as_one(console):
    """All open occurrences of the phrase in the queues of this person, and no Ashfordshire."""
    olga = console.person("olga")
    for number in (50, 51):
        made = content(number, hold="leak/known-value")
        put(console.store, made)
    held = console.readings("held")
    span = next(
        n for n, s in enumerate(console.desk.view(olga, held[0].id).state) if s.label == "CITY"
    )
    done = everywhere(
        console.store, olga, held[0].id, 0, Action(Kind.REJECT, span=span, reason="ambiguous")
    )
    assert done.items >= 3
    views = [console.desk.view(olga, each.id) for each in console.readings("held")]
    assert all(v.state[span].status is Status.REJECTED for v in views)
    assert all(v.state[3].status is Status.OPEN for v in views)
    console.desk.undo(olga, held[0].id, 1)
    views = [console.desk.view(olga, each.id) for each in console.readings("held")]
    assert all(v.state[span].status is Status.OPEN for v in views)


def test_a_blind_reading_hides_the_other_and_the_machine(console):
    """Whoever reads blind starts from nothing, sees their own alone, and officers see none."""
    reading = console.readings("recall", "ann")[0]
    ann, ben = console.person("ann"), console.person("ben")
    view = console.desk.view(ann, reading.id)
    assert () == view.state
    console.desk.act(ann, reading.id, 0, [Action(Kind.ADD, text=0, start=0, end=2, label="OTHER")])
    other = next(r for r in console.readings("recall", "ben") if r.item == reading.item)
    assert () == console.desk.view(ben, other.id).state
    for who, name in ((ben, reading.id), (ann, other.id), (console.person("olga"), reading.id)):
        with pytest.raises(NotFound):
            console.desk.view(who, name)


def test_decisions_become_proposals_and_are_withdrawn_when_opened_again(console):
    """Finishing proposes; opening again withdraws what nobody has decided."""
    reading, who = first(console)
    view = console.desk.view(who, reading.id)
    console.desk.act(who, reading.id, 0, reject(view))
    console.desk.finish(who, reading.id, 1)
    with console.store.database.transaction() as cursor:
        (made,) = proposed.listed(cursor, console.store.box, proposed.OPEN)
    assert (Effect.VETO, (who.id,), 1) == (made.proposal.effect, made.authors, made.support)
    console.desk.reopen(who, reading.id, 2)
    with console.store.database.transaction() as cursor:
        assert [] == proposed.listed(cursor, console.store.box, proposed.OPEN)


def test_a_proposal_is_decided_once(console):
    """The second of two who decide is told."""
    reading, who = first(console)
    console.desk.act(who, reading.id, 0, reject(console.desk.view(who, reading.id)))
    console.desk.finish(who, reading.id, 1)
    with console.store.step("approved") as cursor:
        (made,) = proposed.listed(cursor, console.store.box, proposed.OPEN)
        proposed.decide(cursor, made.id, 0, state=proposed.APPROVED, approver="o", now=1)
    with pytest.raises(Conflict), console.store.step("declined") as cursor:
        proposed.decide(cursor, made.id, 0, state=proposed.DECLINED, approver="o", now=1)
    with pytest.raises(Conflict, match="decided"):
        console.desk.reopen(who, reading.id, 2)


def test_refused_steps_leave_no_trace_but_in_nothing(console):
    """A step that fails half way is not kept, nor is its event."""
    reading, who = first(console, "held")
    before = events.verify(console.store.database, PUBLIC)[0]
    with pytest.raises(ActionError):
        console.desk.act(
            who, reading.id, 0, [Action(Kind.ACCEPT, span=0), Action(Kind.ACCEPT, span=99)]
        )
    assert before == events.verify(console.store.database, PUBLIC)[0]
    assert console.desk.view(who, reading.id).state[0].status is Status.OPEN


def test_without_events_nothing_is_shown(console):
    """Where the view cannot be recorded there is no view."""
    reading, who = first(console)
    with console.store.database.transaction() as cursor:
        cursor.run("DROP TABLE review_event")
    with pytest.raises(StoreError):
        console.desk.view(who, reading.id)


@pytest.mark.parametrize("harm", ["changed", "removed", "reordered", "added"])
def test_verify_names_the_event(console, harm):
    """A changed, removed, reordered or added event is found at its place."""
    number, problems, _ = events.verify(console.store.database, PUBLIC)
    assert (number > 20, []) == (True, problems)
    with console.store.database.transaction() as cursor:
        rows = dict(events.read(cursor, 0))
        if harm == "changed":
            text = rows[5].replace(b'"person":"', b'"person":"x', 1)
            cursor.run("UPDATE review_event SET record = ? WHERE number = 5", text)
        elif harm == "removed":
            cursor.run("DELETE FROM review_event WHERE number = 5")
        elif harm == "reordered":
            cursor.run("UPDATE review_event SET record = ? WHERE number = 5", rows[6])
            cursor.run("UPDATE review_event SET record = ? WHERE number = 6", rows[5])
        else:
            cursor.run("INSERT INTO review_event VALUES (?, ?)", number + 1, b'{"event":"x"}')
    _, problems, _ = events.verify(console.store.database, PUBLIC)
    places = {problem.place.at for problem in problems if problem.place}
    assert places & ({number + 1} if harm == "added" else {5, 6})


def test_a_record_that_is_text_is_named(tmp_path):
    """SQLite takes text where bytes belong: the event is named, and the page of events is shown."""
    made = staffed(f"sqlite:///{tmp_path / 'review.sqlite'}", notes=2, recall=0, uncertain=0)
    with made.store.database.transaction() as cursor:
        cursor.run("UPDATE review_event SET record = CAST(record AS TEXT) WHERE number = 5")
    _, problems, _ = events.verify(made.store.database, PUBLIC)
    assert 5 in {problem.place.at for problem in problems if problem.place}
    with made.store.database.transaction() as cursor:
        assert "not an event" in {row["event"] for _, row in events.latest(cursor, 0, 100)}


def test_a_cut_end_shows_against_a_head_kept_elsewhere(console):
    """Nothing else shows that the last events were removed."""
    number, _, (chain,) = events.verify(console.store.database, PUBLIC)
    with console.store.database.transaction() as cursor:
        cursor.run("DELETE FROM review_event WHERE number > ?", number - 3)
    assert [] == events.verify(console.store.database, PUBLIC)[1]
    assert events.verify(console.store.database, PUBLIC, {chain.name: chain.head})[1]


def test_what_expires_is_erased_with_all_that_was_said(console):
    """Items, mentions, readings and actions go when their day has come, and not before."""
    reading, who = first(console, "held")
    console.desk.act(who, reading.id, 0, [Action(Kind.ACCEPT, span=0)])
    with console.store.database.transaction() as cursor:
        assert items.purge(cursor, console.store.now + 29 * DAY) == 0
        assert items.purge(cursor, console.store.now + 30 * DAY) == 13
        for table in ("item", "mention", "reading", "action"):
            assert [(0,)] == cursor.rows(f"SELECT COUNT(*) FROM review_{table}")


def purged(console, days):
    """Erase what has expired after so many days."""
    console.clock.now += days * DAY / 1000
    with console.store.database.transaction() as cursor:
        items.purge(cursor, console.store.now)


def test_what_nobody_decided_goes_with_the_items_that_asked_for_it(console):
    """An open proposal quotes its message: it expires too, but not what induction advises."""
    reading, who = first(console)
    console.desk.act(who, reading.id, 0, reject(console.desk.view(who, reading.id)))
    console.desk.finish(who, reading.id, 1)
    induced = Proposal(Effect.TERM, "en", "CITY", "Brackwater", proposed.INDUCTION)
    with console.store.step("proposed") as cursor:
        (made,) = proposed.listed(cursor, console.store.box, proposed.OPEN)
        proposed.support(cursor, made.id, "narrowed by x", "x")
        proposed.propose(console.store, cursor, induced)
    purged(console, 30)
    with console.store.database.transaction() as cursor:
        left = proposed.listed(cursor, console.store.box, proposed.OPEN)
        assert [induced] == [each.proposal for each in left]
        assert [(0,)] == cursor.rows("SELECT COUNT(*) FROM review_source")


def test_what_was_decided_stays_with_those_who_asked(console):
    """The export names them after the messages are gone."""
    reading, who = first(console)
    console.desk.act(who, reading.id, 0, reject(console.desk.view(who, reading.id)))
    console.desk.finish(who, reading.id, 1)
    with console.store.step("approved") as cursor:
        (made,) = proposed.listed(cursor, console.store.box, proposed.OPEN)
        proposed.decide(cursor, made.id, 0, state=proposed.APPROVED, approver="o", now=1)
    purged(console, 30)
    with console.store.database.transaction() as cursor:
        (left,) = proposed.listed(cursor, console.store.box, proposed.APPROVED)
    assert ((who.id,), 1) == (left.authors, left.support)


def test_what_has_expired_is_not_shown_before_it_is_erased(console):
    """The day counts, not when somebody erases."""
    reading, who = first(console)
    console.clock.now += 30 * DAY / 1000
    with pytest.raises(NotFound):
        console.desk.view(who, reading.id)
    assert report(console.store).estimate is None


def test_nothing_is_judged_that_is_not_shown(console):
    """Spans of other texts are neither judged, nor looked for elsewhere, by their number."""
    ann = console.person("ann")
    made = replace(content(60), texts=(note(60), note(61)))
    item = put(console.store, made)
    with console.store.step("queue") as cursor:
        readings.add(cursor, Reading("focused", item, "uncertain", "", ann.id, 0))
    hidden = len(made.texts[0].marks)
    for action in (
        Action(Kind.ACCEPT, span=hidden),
        Action(Kind.ADD, text=1, start=0, end=2, label="OTHER", reason="term"),
    ):
        with pytest.raises(ActionError):
            console.desk.act(ann, "focused", 0, [action])
    with pytest.raises(ActionError):
        everywhere(console.store, ann, "focused", 0, Action(Kind.ACCEPT, span=hidden))
    with pytest.raises(NotFound):
        seen(console.store, ann, "focused", hidden)


def test_a_phrase_is_looked_for_where_somebody_may_judge_it(console):
    """However many other messages have it, all open ones of one's own queues are found."""
    for number in range(100, 100 + MOST_ITEMS + 5):
        put(console.store, content(number))
    for number in range(3):
        put(console.store, content(50 + number, hold="leak/known-value"))
    olga, (reading, *others) = console.person("olga"), console.readings("held")
    span = next(
        n for n, s in enumerate(console.desk.view(olga, reading.id).state) if s.label == "CITY"
    )
    _, found = seen(console.store, olga, reading.id, span)
    assert {reading.id, *(each.id for each in others)} <= {view.reading.id for view in found}


def test_nobody_but_officers_is_asked_about_held_messages(url):
    """The working queue of annotators has none of them."""
    made = staffed(url, notes=2, recall=0, uncertain=0)
    for number in range(3):
        put(made.store, content(40 + number, hold="leak/known-value", name=f"Held{number}son"))
    sample_uncertain(made.store, 50, "entropy")
    held = {reading.item for reading in made.readings("held")}
    asked = {reading.item for reading in made.readings("uncertain")}
    assert asked
    assert not held & asked


def test_the_same_message_is_taken_once(console):
    """An import that is repeated adds nothing."""
    made = content(3)
    with console.store.database.transaction() as cursor:
        (before,) = cursor.rows("SELECT COUNT(*) FROM review_item")
    put(console.store, made)
    with console.store.database.transaction() as cursor:
        assert [before] == cursor.rows("SELECT COUNT(*) FROM review_item")


def test_a_sample_gives_every_message_to_two_readers(console):
    """Two people each, and the working queue has none of its messages."""
    by_item = {}
    for reading in console.readings("recall"):
        by_item.setdefault(reading.item, set()).add(reading.assignee)
    assert {2} == {len(readers) for readers in by_item.values()}
    assert not by_item.keys() & {reading.item for reading in console.readings("uncertain")}


def test_the_database_opens_again(url):
    """Tables that are there stay."""
    store_at(url).mac("x")
    assert store_at(url).mac("x") == store_at(url).mac("X".lower())
    open_database(url).close()


def test_a_queue_is_read_page_by_page(console):
    """Pages follow one another: nothing is left out or comes twice."""
    for number in range(70, 77):
        put(console.store, content(number, hold="leak/known-value"))
    wanted, seen, after = [r.id for r in console.readings("held")], [], ""
    while True:
        with console.store.database.transaction() as cursor:
            rows = readings.listed(cursor, "held", None, done=False, after=after, most=3)
        if not rows:
            break
        seen += [row.reading.id for row in rows]
        after = seen[-1]
    assert wanted == seen
    assert len(seen) == 8


def test_nobody_reads_blind_what_they_were_shown_with_suggestions(url):
    """A sample that is drawn after the working queue goes to others."""
    made = staffed(url, recall=0, uncertain=6)
    for name in ("cat", "dan"):
        made.access.add(name, "annotator", "")
    sample_recall(made.store, 12, 1)
    for name in ("ann", "ben", "cat", "dan"):
        both = [{r.item for r in made.readings(queue, name)} for queue in ("recall", "uncertain")]
        assert not both[0] & both[1]


def test_a_sample_that_nobody_may_read_blind_is_not_drawn(url):
    """With two annotators the working queue leaves one: another is asked for, nothing is kept."""
    made = staffed(url, recall=0, uncertain=6)
    with pytest.raises(RuleError, match="add another"):
        sample_recall(made.store, 12, 1)
    assert [] == made.readings("recall")


def test_an_unjudged_text_is_no_example(console):
    """Of a held item finished as it was nobody said what is in its texts."""
    reading, olga = console.readings("held")[0], console.person("olga")
    item = put(console.store, replace(content(70), texts=(marked("Nothing was found."),)))
    with console.store.step("queue") as cursor:
        readings.add(cursor, Reading("empty", item, "held"))
    console.desk.finish(olga, reading.id, 0)
    console.desk.finish(olga, "empty", 0)
    assert exported(console.store, {"en": {}})["corpus.jsonl"] == ""


def test_the_report_says_when_disagreements_wait(console):
    """Their messages have more misses than those that count already."""
    for name in ("ann", "ben"):
        who = console.person(name)
        for reading in console.readings("recall", name):
            add = Action(Kind.ADD, text=0, start=0, end=2, label="OTHER", reason="term")
            version = 0
            if name == "ann":
                console.desk.act(who, reading.id, 0, [add])
                version = 1
            console.desk.finish(who, reading.id, version)
    made = report(console.store)
    assert made.disagreements == made.waiting == 4
