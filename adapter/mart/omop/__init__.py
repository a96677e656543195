"""OMOP CDM 5.4 from a release's tables: source values, and concepts if a site has them.

Tables and their queries are data: ``rules/mart/omop``.
"""
