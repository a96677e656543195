"""The research mart: released messages go in, tables that researchers may read come out.

What a message says is landed as versions of FHIR R4 resources, which are only ever appended; the
current resources and the persons behind their numbers are folded from these when they are read.
"""
