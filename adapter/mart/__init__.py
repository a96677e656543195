"""The research mart: the input is released messages, the output tables for researchers.

Messages are landed as versions of FHIR R4 resources, which are only appended. Current resources and
persons are computed from them when the mart is read.
"""
