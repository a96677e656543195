"""The FHIR codec: JSON resources in, text segments out, written back byte for byte."""
