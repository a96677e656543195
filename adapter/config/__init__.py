"""Settings: reads one TOML file and environment variables into frozen models."""
