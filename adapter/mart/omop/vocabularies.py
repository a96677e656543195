"""A site's OMOP vocabularies: CONCEPT.csv and CONCEPT_RELATIONSHIP.csv, as exported by Athena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

FILES = ("CONCEPT.csv", "CONCEPT_RELATIONSHIP.csv")
EMPTY = """
CREATE TEMP TABLE known_code (system VARCHAR, code VARCHAR, source_id INTEGER, standard_id INTEGER)
"""
KNOWN = """
CREATE TEMP TABLE known_code AS
SELECT system, concept_code AS code, min(concept.concept_id) AS source_id,
  min(CASE WHEN concept.standard_concept = 'S' THEN concept.concept_id ELSE concept_id_2 END)
    AS standard_id
FROM {concept} AS concept
JOIN vocabulary ON concept.vocabulary_id = vocabulary.name
LEFT JOIN (
  FROM {relation} WHERE relationship_id = 'Maps to' AND coalesce(invalid_reason, '') = ''
) ON concept_id_1 = concept.concept_id
GROUP BY ALL
"""
MACROS = (
    "source(s, c) AS coalesce((SELECT source_id FROM known_code WHERE system = s AND code = c), 0)",
    """standard(s, c) AS
    coalesce((SELECT standard_id FROM known_code WHERE system = s AND code = c), 0)""",
)


def load_vocabularies(
    connection: duckdb.DuckDBPyConnection, systems: Mapping[str, str], folder: Path | None
) -> None:
    """Create the macros that return the concept id of a code; always 0 if ``folder`` is None.

    Raises:
        RuleError: a file is missing.
    """
    if folder is None:
        connection.execute(EMPTY)
    else:
        connection.execute("CREATE TEMP TABLE vocabulary (system VARCHAR, name VARCHAR)")
        connection.executemany("INSERT INTO vocabulary VALUES (?, ?)", list(systems.items()))
        concept, relation = (_reader(folder, name) for name in FILES)
        connection.execute(KNOWN.format(concept=concept, relation=relation))
    for macro in MACROS:
        connection.execute(f"CREATE TEMP MACRO {macro}")


def _reader(folder: Path, name: str) -> str:
    if not (folder / name).is_file():
        raise RuleError("mart.release.vocabularies", f"{name} does not exist")
    file = sql.text(str(folder / name))
    return f"read_csv({file}, delim = '\t', quote = '', header = true, auto_detect = true)"
