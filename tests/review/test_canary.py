"""Nothing of a message is anywhere but on its page."""

from __future__ import annotations

from adapter.review.alike import everywhere
from adapter.review.judging.actions import Action, Kind
from adapter.review.store import events
from tests.review.console import NAMES, Browser, staffed

WORDS = [word.encode() for word in (*NAMES, "Ashford", "Halloran", "Glasgow")]


def test_nothing_of_a_message_is_in_the_database(tmp_path, caplog):
    """Neither in the file nor its log, nor in an event, after all kinds of steps."""
    console = staffed(f"sqlite:///{tmp_path / 'review.sqlite'}")
    client = Browser(console.app())
    client.log_in("olga")
    held, olga = console.readings("held")[0], console.person("olga")
    client.get(f"/readings/{held.id}")
    everywhere(console.store, olga, held.id, 0, Action(Kind.ACCEPT, span=1))
    console.desk.act(olga, held.id, 1, [Action(Kind.REJECT, span=3, reason="ambiguous")])
    client.post(f"/readings/{held.id}/finish", {"version": "2"})
    client.get("/proposals")
    with console.store.database.transaction() as cursor:
        said = b"".join(record for _, record in events.read(cursor, 0))
        (proposals,) = cursor.rows("SELECT COUNT(*) FROM review_proposal")[0]
    assert proposals == 1
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert len(written) > 50_000
    everything = written + said + caplog.text.encode()
    assert [] == [word for word in WORDS if word.lower() in everything.lower()]


def test_the_file_is_its_owners_alone(tmp_path):
    """Nobody else reads the database."""
    console = staffed(f"sqlite:///{tmp_path / 'review.sqlite'}", notes=2, recall=0, uncertain=0)
    console.store.database.close()
    assert (tmp_path / "review.sqlite").stat().st_mode & 0o077 == 0
