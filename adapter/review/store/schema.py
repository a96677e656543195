"""The tables; ``{blob}`` is the database's type for bytes. Columns that quote text are sealed."""

from __future__ import annotations

VERSION = 1
TABLES = """
CREATE TABLE IF NOT EXISTS review_meta (name TEXT PRIMARY KEY, value {blob} NOT NULL);
CREATE TABLE IF NOT EXISTS review_person (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, password TEXT NOT NULL,
  once TEXT NOT NULL, once_until BIGINT NOT NULL, totp {blob}, totp_used BIGINT NOT NULL,
  failed INTEGER NOT NULL, locked_until BIGINT NOT NULL, active INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS review_session (
  token {blob} PRIMARY KEY, person TEXT NOT NULL, csrf TEXT NOT NULL,
  begun BIGINT NOT NULL, seen BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS review_item (
  id TEXT PRIMARY KEY, origin {blob} NOT NULL UNIQUE, kind TEXT NOT NULL, stratum TEXT NOT NULL,
  hold TEXT NOT NULL, name TEXT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL,
  sealed {blob} NOT NULL
);
CREATE INDEX IF NOT EXISTS review_item_expires ON review_item (expires);
CREATE INDEX IF NOT EXISTS review_item_stratum ON review_item (stratum, id);
CREATE TABLE IF NOT EXISTS review_mention (
  item TEXT NOT NULL, text INTEGER NOT NULL, first INTEGER NOT NULL, past INTEGER NOT NULL,
  phrase {blob} NOT NULL, score DOUBLE PRECISION NOT NULL, uncertainty DOUBLE PRECISION NOT NULL
);
CREATE INDEX IF NOT EXISTS review_mention_item ON review_mention (item);
CREATE INDEX IF NOT EXISTS review_mention_phrase ON review_mention (phrase, item);
CREATE INDEX IF NOT EXISTS review_mention_uncertainty ON review_mention (uncertainty);
CREATE TABLE IF NOT EXISTS review_sample (
  id TEXT PRIMARY KEY, created BIGINT NOT NULL, seed BIGINT NOT NULL, strata TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS review_reading (
  id TEXT PRIMARY KEY, item TEXT NOT NULL, queue TEXT NOT NULL, sample TEXT NOT NULL,
  assignee TEXT NOT NULL, focus INTEGER NOT NULL, rank INTEGER NOT NULL, version INTEGER NOT NULL,
  done BIGINT NOT NULL, spans INTEGER NOT NULL, created BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS review_reading_queue ON review_reading (queue, done, rank, id);
CREATE INDEX IF NOT EXISTS review_reading_person
  ON review_reading (assignee, queue, done, rank, id);
CREATE INDEX IF NOT EXISTS review_reading_item ON review_reading (item, queue);
CREATE TABLE IF NOT EXISTS review_action (
  reading TEXT NOT NULL, number INTEGER NOT NULL, batch TEXT NOT NULL, person TEXT NOT NULL,
  at BIGINT NOT NULL, undone INTEGER NOT NULL, sealed {blob} NOT NULL,
  PRIMARY KEY (reading, number)
);
CREATE INDEX IF NOT EXISTS review_action_batch ON review_action (batch);
CREATE TABLE IF NOT EXISTS review_proposal (
  id TEXT PRIMARY KEY, same {blob} NOT NULL UNIQUE, effect TEXT NOT NULL, label TEXT NOT NULL,
  language TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL, approver TEXT NOT NULL,
  created BIGINT NOT NULL, decided BIGINT NOT NULL, sealed {blob} NOT NULL, preview TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS review_proposal_state ON review_proposal (state, created, id);
CREATE TABLE IF NOT EXISTS review_source (
  proposal TEXT NOT NULL, reading TEXT NOT NULL, person TEXT NOT NULL,
  PRIMARY KEY (proposal, reading)
);
CREATE TABLE IF NOT EXISTS review_event (number BIGINT PRIMARY KEY, record {blob} NOT NULL)
"""


def statements(blob: str) -> list[str]:
    """Return the statements that create the tables; ``blob`` is the database's type for bytes."""
    return [part.strip() for part in TABLES.replace("{blob}", blob).split(";") if part.strip()]
