"""Telemetry for operators: names that log lines may contain, metrics and traces."""
