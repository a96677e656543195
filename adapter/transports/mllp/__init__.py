"""MLLP: HL7 v2 over TCP, acknowledged once its outcome is committed to files or topics."""
