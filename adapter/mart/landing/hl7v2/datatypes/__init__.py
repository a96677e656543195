"""Datatypes of HL7 v2 as FHIR values, for one message's delimiters.

A primitive is a function of its text (`primitives`), a table of components is data (`composites`),
and OBX-5, whose datatype another field names, has readers of its own (`values`).
"""
