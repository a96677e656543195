"""OMOP CDM 5.4 from the tables of a release: source values filled, concepts where a site has them.

Tables and their queries are data: ``rules/mart/omop``.
"""
