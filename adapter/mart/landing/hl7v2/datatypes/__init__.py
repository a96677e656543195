"""Converters from HL7 v2 datatypes to FHIR values, for one set of delimiters.

A primitive is a function of its text (`primitives`), a table of components is data (`composites`),
and OBX-5, whose datatype is in another field, has its own readers (`values`).
"""
