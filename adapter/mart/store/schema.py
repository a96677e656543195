"""The tables of the steward's zone, in SQL that every database of the mart supports.

Rows are only added, except by erasure. `version` and related tables refer to their message, whose
position orders them. Text is compared by code point, so that the order is the same everywhere.
"""

from __future__ import annotations

from adapter.mart.versions import BACKFILL

_TEXT = 'varchar COLLATE "C" NOT NULL'

TABLES = (
    f"""CREATE TABLE IF NOT EXISTS message (
        message_id varchar PRIMARY KEY, topic {_TEXT}, part integer NOT NULL, seq bigint NOT NULL,
        format {_TEXT}, kind {_TEXT}, ruleset {_TEXT}, key_id {_TEXT}, outcome {_TEXT},
        keyless integer NOT NULL, landed date NOT NULL)""",
    f"""CREATE TABLE IF NOT EXISTS held (
        message_id varchar PRIMARY KEY, topic {_TEXT}, stage {_TEXT}, code {_TEXT},
        landed date NOT NULL)""",
    f"""CREATE TABLE IF NOT EXISTS version (
        resource_type {_TEXT}, resource_id {_TEXT}, subject varchar, op {_TEXT},
        body varchar NOT NULL, message_id varchar NOT NULL, idx integer NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS number_link (
        number varchar NOT NULL, other varchar NOT NULL, message_id varchar NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS merge (
        prior varchar NOT NULL, number varchar NOT NULL, days integer, idx integer NOT NULL,
        message_id varchar NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS parting (
        number varchar NOT NULL, other varchar NOT NULL, idx integer NOT NULL,
        message_id varchar NOT NULL)""",
    f"""CREATE TABLE IF NOT EXISTS reject (
        place {_TEXT}, code {_TEXT}, n integer NOT NULL, message_id varchar NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS erased (
        number varchar PRIMARY KEY, person_id varchar NOT NULL, erased_on date NOT NULL,
        reason varchar NOT NULL, compacted boolean NOT NULL)""",
    f"""CREATE TABLE IF NOT EXISTS lane (
        topic {_TEXT}, part integer NOT NULL, epoch bigint NOT NULL, next_offset bigint,
        PRIMARY KEY (topic, part))""",
    f"""CREATE TABLE IF NOT EXISTS release (
        name varchar PRIMARY KEY, released_on date NOT NULL, key_id {_TEXT},
        persons bigint NOT NULL, approved_by {_TEXT}, manifest varchar NOT NULL,
        recalled {_TEXT})""",
)
"""Statements that create each table if it does not exist."""

OF_PERSONS = ("version", "number_link", "merge", "parting")
"""Tables with rows of persons, from which erasure deletes."""

GIVEN = "(SELECT unnest(CAST(? AS varchar[])))"
"""A list as a table."""

_PLACE = f"NOT starts_with(m.topic, '{BACKFILL}'), m.topic, m.part, m.seq, m.message_id"
_ERASED = "SELECT number FROM erased"

RESOURCES = f"""
SELECT v.resource_type, v.resource_id, v.subject, v.op, v.body, v.idx
FROM version v JOIN message m ON m.message_id = v.message_id
WHERE (v.subject IS NULL OR v.subject NOT IN ({_ERASED})) {{types}}
ORDER BY v.resource_type, v.resource_id, {_PLACE}, v.idx"""  # noqa: S608 - constants
TOGETHER = f"""
SELECT v.resource_type, v.resource_id, v.subject, v.op, v.body, v.idx
FROM version v JOIN message m ON m.message_id = v.message_id
WHERE (v.subject IS NULL OR v.subject NOT IN ({_ERASED}))
    AND v.resource_type = ? AND v.resource_id IN {GIVEN}
ORDER BY {_PLACE}, v.idx"""  # noqa: S608
TYPES = "SELECT DISTINCT resource_type FROM version ORDER BY 1"
SUBJECTS = f"""
SELECT DISTINCT resource_id, subject FROM version
WHERE resource_type = ? AND (subject IS NULL OR subject NOT IN ({_ERASED}))
ORDER BY 1, 2"""  # noqa: S608
NUMBERS = f"""
SELECT DISTINCT number, other FROM number_link
WHERE number <> other AND number NOT IN ({_ERASED}) AND other NOT IN ({_ERASED})
ORDER BY 1, 2"""  # noqa: S608
MERGES = f"""
SELECT g.prior, g.number, g.days FROM merge g JOIN message m ON m.message_id = g.message_id
WHERE g.prior NOT IN ({_ERASED}) AND g.number NOT IN ({_ERASED})
ORDER BY {_PLACE}, g.idx"""  # noqa: S608
PARTS = "SELECT 1 FROM parting LIMIT 1"
_STATEMENTS = """
SELECT 'link' AS kind, number, other, 0 AS idx, message_id FROM number_link WHERE number <> other
UNION ALL SELECT 'merge', prior, number, idx, message_id FROM merge
UNION ALL SELECT 'parting', number, other, idx, message_id FROM parting"""
_LATEST = (
    f"starts_with(m.topic, '{BACKFILL}'), m.topic DESC, m.part DESC, m.seq DESC, m.message_id DESC"
)
STATEMENTS = f"""
SELECT m.message_id, s.kind, s.number, s.other, s.idx
FROM ({_STATEMENTS}) s JOIN message m ON m.message_id = s.message_id
WHERE s.number NOT IN ({_ERASED}) AND s.other NOT IN ({_ERASED})
ORDER BY {_LATEST}, s.kind, s.idx, s.number, s.other"""  # noqa: S608
COUNTS = """
SELECT landed, topic, format, kind, outcome, '', '', count(*), sum(keyless) FROM message
GROUP BY 1, 2, 3, 4, 5 UNION ALL
SELECT landed, topic, '', '', 'held', stage, code, count(*), 0 FROM held
WHERE message_id NOT IN (SELECT message_id FROM message) GROUP BY 1, 2, 6, 7
ORDER BY 1, 2, 3, 4, 5, 6, 7"""
KEYS = "SELECT DISTINCT key_id FROM message ORDER BY 1"
REJECTS = "SELECT place, code, sum(n) FROM reject GROUP BY 1, 2 ORDER BY 1, 2"

NEIGHBOURS = f"""
SELECT other FROM number_link WHERE number IN {GIVEN} UNION
SELECT number FROM number_link WHERE other IN {GIVEN} UNION
SELECT number FROM merge WHERE prior IN {GIVEN} UNION
SELECT prior FROM merge WHERE number IN {GIVEN}"""  # noqa: S608
TOUCHED = f"""
SELECT message_id FROM version WHERE subject IN {GIVEN} UNION
SELECT message_id FROM number_link WHERE number IN {GIVEN} OR other IN {GIVEN} UNION
SELECT message_id FROM merge WHERE prior IN {GIVEN} OR number IN {GIVEN}"""  # noqa: S608
DELETIONS = {
    "version": f"subject IN {GIVEN} OR (subject IS NULL AND message_id IN {GIVEN})",
    "number_link": f"number IN {GIVEN} OR other IN {GIVEN}",
    "merge": f"prior IN {GIVEN} OR number IN {GIVEN}",
    "parting": f"number IN {GIVEN} OR other IN {GIVEN}",
}
"""Table -> the condition that selects an erased person's rows."""
