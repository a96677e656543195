"""OMOP CDM 5.4 from a release's tables: source values, and concepts if vocabularies are provided.

Tables and their queries are data: ``rules/mart/omop``.
"""
