"""The HL7 v2 codec: ER7 messages in, text segments out, written back byte for byte."""
